// A recorded Monte-Carlo tree search as it stands at a step. A step is a phase, four to an iteration: nodes
// come with the second, numbers change with the last.

import { PHASES } from "./codes.js";

const LAST = PHASES.length - 1;

export class Growth {
  constructor(record) {
    this.record = record;
    this.step = 0;
    this.grew = false; // whether nodes came or went with the last steps
    this.count = this.bornBy(0); // numbers are in the order in which the nodes come
    this.numbers = {}; // by node: N, U, U/N, and what is proven
    this.undo = {};
    for (const name in record.start) {
      this.numbers[name] = record.start[name].slice();
      this.undo[name] = new Float64Array(record.changed.length);
    }
    this.present = new Map(); // children at this step, of nodes that do not have all of theirs yet
    this.way = new Set(); // the path of this iteration
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

  bornBy(step) {
    const { born } = this.record;
    let count = this.count ?? 0;
    while (born[count] <= step) count++;
    while (count && born[count - 1] > step) count--;
    return count;
  }

  // ---- stepping
  goTo(target) {
    const { count } = this;
    const changed = new Set(this.way);
    while (this.step > target) this.backward(changed);
    while (this.step < target) this.forward(changed);
    this.grew = count !== this.count;
    this.way = new Set();
    for (let i = this.step ? this.current : -1; i >= 0; i = this.record.parent[i]) this.way.add(i);
    for (const i of this.way) changed.add(i);
    return changed;
  }

  forward(changed) {
    this.step++;
    this.grow();
    if (this.phase !== LAST) return;
    const { changed: nodes, changedFrom, after } = this.record;
    for (let e = changedFrom[this.running]; e < changedFrom[this.running + 1]; e++) {
      for (const name in this.numbers) {
        this.undo[name][e] = this.numbers[name][nodes[e]];
        this.numbers[name][nodes[e]] = after[name][e];
      }
      changed.add(nodes[e]);
    }
  }

  backward(changed) {
    const { changed: nodes, changedFrom } = this.record;
    if (this.phase === LAST)
      for (let e = changedFrom[this.running + 1] - 1; e >= changedFrom[this.running]; e--) {
        for (const name in this.numbers) this.numbers[name][nodes[e]] = this.undo[name][e];
        changed.add(nodes[e]);
      }
    this.step--;
    this.grow();
  }

  // Nodes that come or go change the lists of those above them.
  grow() {
    const { count } = this;
    this.count = this.bornBy(this.step);
    for (let i = Math.min(count, this.count); i < Math.max(count, this.count); i++)
      this.present.delete(this.record.parent[i]);
  }

  touchedBy(i) {
    return i < this.count ? [i, ...this.children(i)] : [];
  }
}
