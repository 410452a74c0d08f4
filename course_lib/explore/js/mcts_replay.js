// A recorded Monte-Carlo tree search as it stands at a step. A step is a phase, four to an iteration: nodes
// come with the second, numbers change with the last.

import { PHASES } from "./codes.js";

const LAST = PHASES.length - 1;

export class Growth {
  constructor(record) {
    this.record = record;
    this.numbers = {}; // by node: N, U, U/N, and what is proven
    this.reset();
    this.goTo(0);
  }

  reset() {
    const { start } = this.record;
    this.step = 0;
    for (const name in start) this.numbers[name] = start[name].slice();
  }

  get steps() {
    return this.record.steps;
  }
  get current() {
    return this.step ? this.record.at[this.step - 1] : 0;
  }
  get phase() {
    return this.step ? (this.step - 1) % PHASES.length : -1; // the last one done
  }
  get iteration() {
    return Math.floor(this.step / PHASES.length); // how many are complete
  }
  get running() {
    return Math.floor((this.step - 1) / PHASES.length); // the one that the last phase belongs to
  }

  children(i) {
    const all = this.record.children(i);
    if (this.count === this.record.count) return all;
    let present = this.present.get(i);
    if (!present) this.present.set(i, (present = all.filter((k) => k < this.count)));
    return present;
  }

  // ---- stepping
  goTo(target) {
    const { at, born, parent } = this.record;
    const { count } = this;
    if (target < this.step) this.reset();
    while (this.step < target) this.forward();
    this.count = born.findLastIndex((step) => step <= target) + 1; // nodes stand in the order of their birth
    this.grew = count !== this.count; // whether nodes came or went with these steps
    this.present = new Map(); // children at this step, of nodes that do not have all of theirs yet
    this.way = new Set(); // the path of this iteration
    for (let i = target ? at[target - 1] : -1; i >= 0; i = parent[i]) this.way.add(i);
  }

  forward() {
    this.step++;
    if (this.phase !== LAST) return;
    const { changed, changedFrom, after } = this.record;
    for (let e = changedFrom[this.running]; e < changedFrom[this.running + 1]; e++)
      for (const name in this.numbers) this.numbers[name][changed[e]] = after[name][e];
  }
}
