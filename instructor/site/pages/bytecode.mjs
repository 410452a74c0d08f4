// Compiles the modules in archives, on Pyodide's own Python: node bytecode.mjs PYODIDE BYTECODE.PY ARCHIVE…
import { readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

process.on("uncaughtException", (error) => {
  process.stderr.write(`${error.message}\n`); // without Pyodide's own source, which Node shows above it
  process.exitCode = 1;
});
const [folder, script, ...archives] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: folder });
python.runPython(readFileSync(script, "utf8"));
for (const [index, archive] of archives.entries()) {
  python.mountNodeFS(`/${index}`, dirname(archive));
  python.globals.get("with_bytecode")(`/${index}/${basename(archive)}`);
}
