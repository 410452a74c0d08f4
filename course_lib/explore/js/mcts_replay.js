// A recorded Monte Carlo tree search at a step. A step is a phase, one of four in an iteration: nodes are
// added in the second, statistics change in the last.

import { PHASES } from "./constants.js";

const LAST = PHASES.length - 1;

export class MCTSReplay {
  constructor(record) {
    this.record = record;
    this.numbers = {}; // by node: N, U, U/N and the proven reward
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
    return Math.floor(this.step / PHASES.length); // the number of complete iterations
  }
  get currentIteration() {
    return Math.floor((this.step - 1) / PHASES.length); // the iteration of the last phase
  }

  children(i) {
    const all = this.record.children(i);
    if (this.count === this.record.count) return all;
    let present = this.present.get(i);
    if (!present) this.present.set(i, (present = all.filter((k) => k < this.count)));
    return present;
  }

  // The child with the most visits, or −1.
  next(i) {
    const { n } = this.numbers;
    return this.children(i).reduce((best, k) => (n[k] > (n[best] ?? 0) ? k : best), -1);
  }

  // ---- stepping
  goTo(target) {
    const { at, created, parent } = this.record;
    const { count } = this;
    if (target < this.step) this.reset();
    while (this.step < target) this.forward();
    this.count = created.findLastIndex((step) => step <= target) + 1; // nodes are sorted by it
    this.grew = count !== this.count; // whether nodes were added or removed
    this.present = new Map(); // children at this step, of nodes that get more later
    this.pathNodes = new Set(); // the path of this iteration
    for (let i = target ? at[target - 1] : -1; i >= 0; i = parent[i]) this.pathNodes.add(i);
  }

  forward() {
    this.step++;
    if (this.phase !== LAST) return;
    const { changed, changedFrom, after } = this.record;
    for (let e = changedFrom[this.currentIteration]; e < changedFrom[this.currentIteration + 1]; e++)
      for (const name in this.numbers) this.numbers[name][changed[e]] = after[name][e];
  }
}
