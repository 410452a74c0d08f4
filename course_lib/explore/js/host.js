// The interface between a widget and its page. No other module uses the model of anywidget, so another kind
// of page needs only a model with `get`, `set`, `save_changes`, `send`, `on` and `off`.

import { html } from "./dom.js";

export class Host {
  constructor(model) {
    this.model = model;
  }

  get(name) {
    return this.model.get(name);
  }

  set(values) {
    for (const name in values) this.model.set(name, values[name]);
    this.model.save_changes();
  }

  // Returns whether there is a kernel.
  send(message) {
    try {
      this.model.send(message);
      return true;
    } catch {
      return false;
    }
  }

  // Listens to events, { name: handler }, until the signal aborts.
  listen(handlers, signal) {
    for (const event in handlers) this.model.on(event, handlers[event]);
    signal.addEventListener("abort", () => {
      for (const event in handlers) this.model.off(event, handlers[event]);
    });
  }
}

// Adds style sheets, texts by name, to the page once. (anywidget would add them for each widget, and the
// browser would then style every element of the notebook again.)
function addStyles(sheets) {
  for (const name in sheets) {
    const id = `course-${name}`;
    const style = document.getElementById(id) ?? html("style", { id }, document.head);
    if (style.textContent !== sheets[name]) style.textContent = sheets[name];
  }
}

// The keys that belong to the notebook even while a widget has the focus: they run a cell, or save.
const isOfNotebook = ({ key, shiftKey, ctrlKey, metaKey, altKey }) =>
  key === "Enter" ? shiftKey || ctrlKey || metaKey || altKey : key === "s" && (ctrlKey || metaKey);

// Keys in a widget are its own, not commands of JupyterLab. Those of the notebook are passed to the widget's
// cell, so Shift+Enter presses no button and plays no move.
function keepKeys(el, signal) {
  el.dataset.lmSuppressShortcuts = "true";
  const passOn = (event) => {
    const cell = el.closest(".jp-Cell");
    if (!cell || !isOfNotebook(event)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Enter") cell.focus({ preventScroll: true });
    cell.dispatchEvent(new KeyboardEvent(event.type, event));
  };
  el.addEventListener("keydown", passOn, { capture: true, signal });
  el.addEventListener("keydown", (event) => event.stopPropagation(), { signal });
}

// The module of a widget for anywidget: `start(host, el, signal)` draws it, until the signal aborts.
export const widgetModule = (sheets, start) => ({
  render({ model, el }) {
    addStyles(sheets);
    const life = new AbortController();
    keepKeys(el, life.signal);
    start(new Host(model), el, life.signal);
    return () => {
      life.abort();
      el.replaceChildren(); // the page may keep the element
    };
  },
});
