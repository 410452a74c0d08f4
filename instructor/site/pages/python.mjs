// Pyodide as JupyterLite asks for it: with its kernel's modules, and with the course, which most first cells
// import.
/* global URL, console, fetch */
import { loadPyodide as load } from "./loader.mjs";

const here = new URL(".", import.meta.url).href;
const ARCHIVE = "/lib/packages.zip";
const MISSING =
  "This cell needs NumPy or Matplotlib, which could not be loaded: this network does not reach Pyodide's host, " +
  "or only slowly.\\nExplorers, boards and checks work without them. The page to read (Read, above) shows this " +
  "cell's pictures.";
const KERNEL = `
import sys
sys.path.append("${ARCHIVE}")
import piplite.piplite, pyodide_kernel
pyodide_kernel.ipython_shell.Completer.use_jedi = False

def explain(shell, kind, error, trace, tb_offset=None):
    if str(error.name).partition(".")[0] not in ("numpy", "matplotlib"):
        return shell.showtraceback((kind, error, trace), tb_offset=tb_offset)
    shell._showtraceback(kind, error, ["${MISSING}"])

pyodide_kernel.ipython_shell.set_custom_exc((ModuleNotFoundError,), explain)
`;
const COURSE = "import course_lib.explore, course_lib.search";
const streams = {};
let begun;

const heard = (stream) => (line) => (streams[stream] ?? console.log)(line);

async function start() {
  const archive = fetch(`${here}packages.zip`).then((answer) => answer.arrayBuffer());
  const python = await load({ indexURL: here, stdout: heard("stdout"), stderr: heard("stderr") });
  python.FS.writeFile(ARCHIVE, new Uint8Array(await archive));
  const course = python.loadPackage("course-lib"); // fetched while the kernel is imported
  python.runPython(KERNEL);
  // an error here appears again in the cell that imports the course
  course.then(() => python.runPython(COURSE)).catch((error) => console.warn(error.message));
  return python;
}

/** Start Python, once: it may have begun before JupyterLite asks for it (worker.mjs). */
export const begin = () => (begun ??= start());

export function loadPyodide({ stdout, stderr }) {
  Object.assign(streams, { stdout, stderr });
  return begin();
}
