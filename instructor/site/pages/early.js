// Starts Python's worker while JupyterLab's scripts are still loaded, and passes it to the first kernel.
/* global URL, window */
(() => {
  if (window.crossOriginIsolated) return; // JupyterLite has another worker then, and starts it itself
  const { Worker, document } = window;
  const script = new URL("static/pyodide/worker.mjs", document.currentScript.src);
  const waiting = [new Worker(script, { type: "module" })];
  window.Worker = class extends Worker {
    constructor(url, options) {
      if (waiting.length && String(url).includes("/comlink.worker.")) return waiting.pop();
      super(url, options);
    }
  };
})();
