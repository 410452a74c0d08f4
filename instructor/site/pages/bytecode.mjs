// Prepares the archives of a folder, on Pyodide's own Python: node bytecode.mjs PYODIDE FOLDER
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

process.on("uncaughtException", (error) => {
  process.stderr.write(`${error.message}\n`); // without Pyodide's own source, which Node shows above it
  process.exitCode = 1;
});
const [pyodide, folder] = process.argv.slice(2).map((path) => resolve(path));
const site = resolve(import.meta.dirname, "..");
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: pyodide });
python.mountNodeFS("/folder", folder);
python.runPython(readFileSync(`${site}/bytecode.py`, "utf8"));
python.globals.get("prepare")("/folder", readFileSync(`${site}/startup.py`, "utf8"));
