// The record of a Monte Carlo tree search: the final tree, the step at which each node was added, and the
// changes of each iteration.

import { PHASES } from "./constants.js";
import { column, Record } from "./record.js";

const NUMBERS = ["n", "u", "mean", "proven"];

export class MCTSRecord extends Record {
  constructor(sent) {
    super(sent);
    const { columns } = sent;
    const whole = (name) => column(columns[name], Int32Array) || [];
    const real = (name) => column(columns[name], Float64Array) || [];
    for (const name of ["created", "mover", "moves", "changed", "playout", "rewards", "rank"])
      this[name] = whole(name);
    for (const name of ["prior", "reward"]) this[name] = real(name);
    this.changedFrom = whole("changed_from");
    this.playoutFrom = whole("playout_from");
    this.start = Object.fromEntries(NUMBERS.map((name) => [name, real(`start_${name}`)]));
    this.after = Object.fromEntries(NUMBERS.map((name) => [name, real(name)]));
    this.names = sent.names;
    this.captions = sent.captions; // of the start and of each phase, if they are not the usual ones
    this.c = sent.c;
    this.puct = sent.formula === "puct";
    for (const list of this.below) list.sort((a, b) => this.rank[a] - this.rank[b]); // the order of the game
  }

  get iterations() {
    return this.steps / PHASES.length;
  }

  // The actions of an iteration's playout.
  played(iteration) {
    const texts = this.playout.slice(this.playoutFrom[iteration], this.playoutFrom[iteration + 1]);
    return Array.from(texts, (text) => this.texts[text]);
  }

  // A statistic, such as "n", of the moves at the root after each iteration: a Map of node to numbers.
  courseOf(name) {
    const now = new Map(this.children(0).map((k) => [k, this.start[name][k]]));
    const course = new Map([...now].map(([k, number]) => [k, [number]]));
    for (let it = 0; it + 1 < this.changedFrom.length; it++) {
      for (let e = this.changedFrom[it]; e < this.changedFrom[it + 1]; e++)
        if (now.has(this.changed[e])) now.set(this.changed[e], this.after[name][e]);
      for (const [k, numbers] of course) numbers.push(now.get(k));
    }
    return course;
  }
}
