// What a widget asks of the page that it stands in: to get, set, hear and send. Nothing else knows
// anywidget's model, so a page of another kind only has to give one with `get`, `set`, `save_changes`,
// `send`, `on` and `off`.

import { wear } from "./styles.js";

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

  // Returns whether the kernel could be reached.
  send(message) {
    try {
      this.model.send(message);
      return true;
    } catch {
      return false;
    }
  }

  // Hears events, { name: handler }, until the signal aborts.
  hear(handlers, signal) {
    for (const event in handlers) this.model.on(event, handlers[event]);
    signal.addEventListener("abort", () => {
      for (const event in handlers) this.model.off(event, handlers[event]);
    });
  }
}

// What anywidget is given for a widget: `start(host, el, signal)` puts it there until the signal aborts.
export const living = (sheets, start) => ({
  render({ model, el }) {
    wear(sheets);
    const life = new AbortController();
    start(new Host(model), el, life.signal);
    return () => {
      life.abort();
      el.replaceChildren(); // the page may keep the element for long
    };
  },
});
