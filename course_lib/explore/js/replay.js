// A recorded search as it stands at a step. Each event changes one node; what the node was before is kept, so
// that a step back is as quick as one forward. Nothing here knows of a page.

import { ASK, CUT, DONE, ENTER, EXIT, MADE, NEVER, NEW, ON_STACK } from "./codes.js";

const DETAILS = ["value", "alpha", "beta", "rest"];

export class Replay {
  constructor(record) {
    this.record = record;
    this.step = 0;
    this.stack = [];
    this.state = new Uint8Array(record.count);
    this.stateBefore = new Uint8Array(record.steps);
    this.known = DETAILS.filter((name) => record.events[name]);
    this.now = {}; // texts by node, and what they were before each event
    this.before = {};
    for (const name of this.known) {
      this.now[name] = new Int32Array(record.count).fill(-1);
      this.before[name] = new Int32Array(record.steps);
    }
  }

  get steps() {
    return this.record.steps;
  }
  get count() {
    return this.record.count;
  }
  get current() {
    return this.step ? this.record.at[this.step - 1] : 0;
  }
  children(i) {
    return this.record.children(i);
  }

  // ---- stepping
  forward() {
    const { at, events, op } = this.record;
    const e = this.step++;
    const i = at[e];
    this.stateBefore[e] = this.state[i];
    for (const name of this.known) {
      this.before[name][e] = this.now[name][i];
      if (events[name][e] >= 0) this.now[name][i] = events[name][e];
    }
    if (op[e] === ENTER) this.enter(i);
    else if (op[e] === EXIT) this.state[this.stack.pop()] = DONE;
    else if (op[e] === ASK) this.state[i] = MADE;
    return i;
  }

  enter(i) {
    this.stack.push(i);
    this.state[i] = ON_STACK;
    if (this.now.value) this.now.value[i] = -1;
  }

  backward() {
    const { at, op } = this.record;
    const e = --this.step;
    const i = at[e];
    if (op[e] === ENTER) this.stack.pop();
    else if (op[e] === EXIT) this.stack.push(i);
    this.state[i] = this.stateBefore[e];
    for (const name of this.known) this.now[name][i] = this.before[name][e];
    return i;
  }

  // Goes to a step, or as far as `mayGo` lets it; returns the nodes that changed.
  goTo(target, mayGo = () => true) {
    const changed = new Set();
    while (this.step > target) changed.add(this.backward());
    while (this.step < target && mayGo()) changed.add(this.forward());
    return changed;
  }

  // Nodes that may look different when this one changes: its children too, whose edges and cuts are its
  // decision.
  touchedBy(i) {
    const touched = [i, ...this.children(i)];
    const isCut = (k) => k !== i && this.record.ending[k] === CUT;
    for (const k of touched) if (isCut(k)) touched.push(...this.children(k)); // and what is below a cut
    return touched;
  }

  // ---- what is known at this step
  stateOf(i) {
    const { ending } = this.record;
    return ending[i] === CUT && this.state[this.cutAt(i)] === DONE ? NEVER : this.state[i];
  }
  // The node at which the search left this one out.
  cutAt(i) {
    const { ending, parent } = this.record;
    while (ending[i] === CUT) i = parent[i];
    return i;
  }
  text(name, i) {
    return this.now[name]?.[i] >= 0 ? this.record.texts[this.now[name][i]] : "";
  }
  value(i) {
    return this.text("value", i) || this.record.label("leaf", i);
  }
  interval(i) {
    const known = this.children(i).length && this.now.alpha?.[i] >= 0 && this.state[i] !== NEW;
    return known ? `[${this.text("alpha", i)}, ${this.text("beta", i)}]` : "";
  }
  isChosen(i) {
    const above = this.record.parent[i];
    return i > 0 && this.record.move[above] === i && this.state[above] === DONE;
  }

  // Whether event e changed α or β of its node.
  windowChanged(e) {
    const changed = (name) => this.record.events[name][e] !== this.before[name][e];
    return this.interval(this.record.at[e]) !== "" && (changed("alpha") || changed("beta"));
  }

  // [α, β] as the node's last call got them (later they may be its own value), or [].
  given(i) {
    const { alpha, beta } = this.record.events;
    const { at, texts } = this.record;
    let e = this.lastEntry(i);
    if (e < 0 || !alpha || !beta) return [];
    while (e < at.length && !(at[e] === i && alpha[e] >= 0 && beta[e] >= 0)) e++;
    return e < at.length ? [texts[alpha[e]], texts[beta[e]]] : [];
  }

  // The event by which a node was entered last, or -1.
  lastEntry(i) {
    const { at, op } = this.record;
    let e = this.step - 1;
    while (e >= 0 && !(at[e] === i && op[e] === ENTER)) e--;
    return e;
  }
}
