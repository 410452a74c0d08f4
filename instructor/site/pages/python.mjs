// Pyodide as JupyterLite asks for it: with its kernel's modules, and with the course, which most first cells
// import. What a first cell does not need is fetched afterwards.
/* global URL, console, setTimeout */
import { loadPyodide as load } from "./loader.mjs";

const here = new URL(".", import.meta.url).href;
const MISSING =
  "This cell needs NumPy or Matplotlib, which could not be loaded: this network does not reach Pyodide's host, " +
  "or only slowly.\\nExplorers, boards and checks work without them. The page to read (Read, above) shows this " +
  "cell's pictures.";
const KERNEL = `
import later
later.install("${here}later.zip")
import piplite.piplite, pyodide_kernel
pyodide_kernel.ipython_shell.Completer.use_jedi = False

def explain(shell, kind, error, trace, tb_offset=None):
    if str(error.name).partition(".")[0] not in ("numpy", "matplotlib"):
        return shell.showtraceback((kind, error, trace), tb_offset=tb_offset)
    shell._showtraceback(kind, error, ["${MISSING}"])

pyodide_kernel.ipython_shell.set_custom_exc((ModuleNotFoundError,), explain)
pyodide_kernel.kernel._load_packages_from_imports = load_for
`;
const COURSE = "import course_lib.explore, course_lib.search, course_lib.check";
const NEEDS_MORE = /numpy|matplotlib|hypothesis|alphazero|\b(chart|draw_position|picture|side_by_side)\(/;
const PAUSE = 5000; // milliseconds after the start, if no cell is run before
const streams = {};
let begun;

const heard = (stream) => (line) => (streams[stream] ?? console.log)(line);

async function start() {
  const python = await load({ indexURL: here, stdout: heard("stdout"), stderr: heard("stderr") });
  const course = python.loadPackage("course-lib"); // fetched while the kernel is imported
  const others = Object.values(python.lockfile.packages).filter(({ name }) => name !== "course-lib");
  const elsewhere = ({ file_name }) => file_name.includes("://");
  const loadAll = (packages) => python.loadPackage(packages.map(({ name }) => name));
  const loadOthers = () =>
    loadAll(others.filter((each) => !elsewhere(each)))
      .then(() => loadAll(others.filter(elsewhere)))
      .catch((error) => console.warn(error.message));
  let rest;
  const loadRest = () => (rest ??= loadOthers());
  let cells = 0;
  // Before a cell runs: all but the first, which often only imports, wait for all packages.
  python.globals.set("load_for", async (code) => {
    await course;
    const loading = loadRest();
    if (cells++ || NEEDS_MORE.test(code)) await loading;
  });
  python.runPython(KERNEL);
  // an error here appears again in the cell that imports the course
  course.then(() => python.runPython(COURSE)).catch((error) => console.warn(error.message));
  course.then(() => setTimeout(loadRest, PAUSE));
  return python;
}

/** Start Python, once: it may have begun before JupyterLite asks for it (worker.mjs). */
export const begin = () => (begun ??= start());

export function loadPyodide({ stdout, stderr }) {
  Object.assign(streams, { stdout, stderr });
  return begin();
}
