// A recorded search at a step. Each event changes one node; a step back starts from the first event, which
// takes some milliseconds for a million events.

import { GENERATE, CUT, VISITED, ENTER, EXIT, GENERATED, NEW, ON_STACK, UPDATE } from "./constants.js";
import { DETAILS } from "./record.js";

export class Replay {
  constructor(record) {
    this.record = record;
    this.known = DETAILS.filter((name) => record.events[name]);
    this.state = new Uint8Array(record.count);
    this.now = {}; // texts by node
    for (const name of this.known) this.now[name] = new Int32Array(record.count);
    this.reset();
  }

  reset() {
    this.step = 0;
    this.stack = [];
    this.state.fill(NEW);
    for (const name of this.known) this.now[name].fill(-1);
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
    if (op[e] === UPDATE) this.windowBefore = this.interval(i);
    for (const name of this.known) if (events[name][e] >= 0) this.now[name][i] = events[name][e];
    if (op[e] === ENTER) this.enter(i);
    else if (op[e] === EXIT) this.state[this.stack.pop()] = VISITED;
    else if (op[e] === GENERATE) this.state[i] = GENERATED;
  }

  enter(i) {
    this.stack.push(i);
    this.state[i] = ON_STACK;
    if (this.now.value) this.now.value[i] = -1;
  }

  // Goes to a step, or until `mayGo` returns false.
  goTo(target, mayGo = () => true) {
    if (target < this.step) this.reset();
    while (this.step < target && mayGo()) this.forward();
  }

  // ---- the nodes at this step
  stateOf(i) {
    const { status } = this.record;
    return status[i] === CUT && this.state[this.cutAt(i)] === VISITED ? CUT : this.state[i];
  }
  // The node at which the search cut this one.
  cutAt(i) {
    const { status, parent } = this.record;
    while (status[i] === CUT) i = parent[i];
    return i;
  }
  text(name, i) {
    return this.now[name]?.[i] >= 0 ? this.record.texts[this.now[name][i]] : "";
  }
  // A returned value as a number, or NaN.
  number(i) {
    return this.now.value?.[i] >= 0 ? this.record.numbers[this.now.value[i]] : NaN;
  }
  value(i) {
    return this.text("value", i) || this.record.label("leaf", i);
  }
  interval(i) {
    const known = this.children(i).length && this.now.alpha?.[i] >= 0 && this.state[i] !== NEW;
    return known ? `[${this.text("alpha", i)}, ${this.text("beta", i)}]` : "";
  }
  // The child that the search chose, or −1.
  next(i) {
    return this.state[i] === VISITED ? (this.record.move[i] ?? -1) : -1;
  }
  isChosen(i) {
    const above = this.record.parent[i];
    return i > 0 && this.record.move[above] === i && this.state[above] === VISITED;
  }

  // Whether the last event changed α or β of its node.
  get windowChanged() {
    return this.interval(this.current) !== this.windowBefore;
  }
}
