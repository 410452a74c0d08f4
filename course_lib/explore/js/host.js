// What a widget asks of the page that it stands in: to get, set, hear and send. Nothing else knows
// anywidget's model, so a page of another kind only has to give one with `get`, `set`, `save_changes`,
// `send`, `on` and `off`.

import { wear } from "./styles.js";

const SHOWN = 60; // milliseconds between the steps that linked controls, such as the slider, are told of
const RESTED = 200; // without a step, until the kernel is told

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

// A value that changes many times a second: controls that are linked to it are told soon, the kernel when it
// rests, and both at once when the reader turns to something else.
export class Settling {
  constructor(model, name, signal) {
    Object.assign(this, { model, name, shown: 0, rested: 0, unsaved: false });
    for (const event of ["pointerdown", "focusin", "pagehide"])
      window.addEventListener(event, () => this.settle(), { signal, capture: true });
    signal.addEventListener("abort", () => this.settle());
  }

  tell(value) {
    if (!this.unsaved && value === this.model.get(this.name)) {
      this.saved = value; // it came from outside, perhaps from another view, and the kernel may repeat it
      return;
    }
    this.value = value;
    this.unsaved = true;
    this.shown ||= setTimeout(() => this.show(), SHOWN);
    clearTimeout(this.rested);
    this.rested = setTimeout(() => this.settle(), RESTED);
  }

  show() {
    clearTimeout(this.shown);
    this.shown = 0;
    if (this.model.get(this.name) !== this.value) this.model.set(this.name, this.value);
  }

  settle() {
    if (!this.unsaved) return;
    this.show();
    this.forget();
    this.saved = this.value;
    this.model.save_changes();
  }

  // The kernel repeats what it was told, and the page takes that for news: not if the reader has gone on.
  resist(value) {
    const echo = this.unsaved && value === this.saved;
    if (echo) this.show();
    return echo;
  }

  // Another value has come from outside: what was not told is no longer so.
  forget() {
    clearTimeout(this.shown);
    clearTimeout(this.rested);
    this.shown = this.rested = 0;
    this.unsaved = false;
  }
}
