// JupyterLite's worker (KERNEL), in which Python starts at once.
import { begin } from "./pyodide.mjs";
import "KERNEL";

begin();
