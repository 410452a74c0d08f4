// The unit tests that need no NumPy, on Pyodide's Python in Node: node in_node.mjs SITE WHEELS [tests/…]
// SITE is what `python -m instructor site` made; in the folder WHEELS lie those of pytest, pluggy and iniconfig.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

const [site, wheels, ...tests] = process.argv.slice(2);
const core = resolve(site, "run", "static", "pyodide");
const { loadPyodide } = await import(pathToFileURL(join(core, "loader.mjs")));
const python = await loadPyodide({ indexURL: core });
for (const folder of [core, resolve(wheels)])
  for (const name of readdirSync(folder).filter((file) => /^(?!course_lib|python_stdlib|later).*\.(whl|zip)$/.test(file)))
    python.unpackArchive(new Uint8Array(readFileSync(join(folder, name))), "zip", { extractDir: "/packages" });
python.FS.writeFile("/lib/later.zip", new Uint8Array(readFileSync(join(core, "later.zip"))));
python.mountNodeFS("/course", process.cwd());
python.globals.set("TESTS", tests);
process.exitCode = python.runPython(`
import os, sys
import startup
sys.meta_path.append(startup.Later(""))
os.chdir("/course")
sys.path[:0] = ["/course", "/course/tests", "/course/tests/site", "/packages"]
sys.dont_write_bytecode = True
import in_browser_python
in_browser_python.run(TESTS.to_py())
`);
