// Pyodide as JupyterLite asks for it: with its kernel's modules, and with the course, which most first cells
// import. What a first cell does not need is fetched afterwards.
/* global PerformanceObserver, URL, console, fetch, setTimeout */
import { loadPyodide as load } from "./loader.mjs";

const here = new URL(".", import.meta.url).href;
const COURSE = "import course_lib.explore, course_lib.search, course_lib.check";
const NEEDS_MORE = /numpy|matplotlib|hypothesis|alphazero|\b(chart|draw_position|picture|side_by_side)\(/;
const LARGE = /pyodide\.asm\.wasm|python_stdlib\.zip/; // what Python starts with: both come at about the same time
const PAUSE = 5000; // milliseconds after the start, if no cell is run before
const streams = {};
let begun;

const heard = (stream) => (line) => (streams[stream] ?? console.log)(line);

/** Fetches the course while Python starts, which needs no network then: the browser keeps it for Python. */
async function fetchCourse() {
  const { packages } = await (await fetch(`${here}pyodide-lock.json`)).json();
  const look = (list, observer) => {
    if (!list.getEntries().some(({ name }) => LARGE.test(name))) return;
    observer.disconnect();
    fetch(here + packages["course-lib"].file_name).catch(() => {});
  };
  new PerformanceObserver(look).observe({ type: "resource", buffered: true });
}

async function start() {
  fetchCourse();
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
  const loadFor = async (code) => {
    await course;
    const loading = loadRest();
    if (cells++ || NEEDS_MORE.test(code)) await loading;
  };
  python.pyimport("startup").begin(`${here}later.zip`, loadFor);
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
