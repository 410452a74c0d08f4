// The interface between a widget and its page. No other module uses the model of anywidget, so another kind
// of page needs only a model with `get`, `set`, `save_changes`, `send`, `on` and `off`.

import { passKeysOn } from "./notebook_keys.js";
import { addStyles } from "./styles.js";

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

// The module of a widget for anywidget: `start(host, el, signal)` draws it, until the signal aborts.
export const widgetModule = (sheets, start) => ({
  render({ model, el }) {
    addStyles(sheets);
    const life = new AbortController();
    passKeysOn(el, life.signal);
    start(new Host(model), el, life.signal);
    return () => {
      life.abort();
      el.replaceChildren(); // the page may keep the element
    };
  },
});
