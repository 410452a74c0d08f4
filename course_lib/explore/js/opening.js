// Which nodes are open, so that their children are drawn.

const MOST_LEVELS = 30;
const MOST_OPEN = 500; // nodes: the page is quick with a few hundred, and slow with thousands

export class Opening {
  constructor(record) {
    this.record = record;
    this.open = new Set();
    this.followed = new Set(); // opened by the search that is followed, and closed when it has gone on
  }

  isOpen(i) {
    return this.open.has(i);
  }
  set(i, open) {
    if (open) this.open.add(i);
    else this.open.delete(i);
  }

  // Opens so many levels; or, where `levels` is negative, as many as `fit()` says.
  openLevels(levels, fit) {
    let level = [0];
    for (let depth = 0; depth < (levels < 0 ? MOST_LEVELS : levels); depth++) {
      const inner = level.filter((i) => this.record.children(i).length);
      if (!inner.length) return;
      inner.forEach((i) => this.open.add(i));
      const tooMany = levels < 0 ? depth && !fit() : this.open.size > MOST_OPEN;
      if (tooMany) return inner.forEach((i) => this.open.delete(i));
      level = inner.flatMap((i) => this.record.children(i));
    }
  }

  get everything() {
    const { record } = this;
    let inner = 0;
    for (let i = 0; i < record.count; i++) if (record.first[i] >= 0) inner++;
    return inner === this.open.size;
  }

  // Whether all nodes above this one are open.
  isShown(i) {
    const { parent } = this.record;
    for (; i; i = parent[i]) if (!this.open.has(parent[i])) return false;
    return true;
  }

  // This node or the nearest above it that is drawn.
  nearestShown(i) {
    while (i && !this.isShown(i)) i = this.record.parent[i];
    return i;
  }

  // Opens the way to a node, and closes what an earlier way opened; returns whether there was any.
  follow(target) {
    const { parent } = this.record;
    const way = new Set();
    for (let i = target; i; i = parent[i]) way.add(parent[i]);
    const left = [...this.followed].filter((i) => !way.has(i));
    const entered = [...way].filter((i) => !this.open.has(i));
    for (const i of left) this.forget(i);
    for (const i of entered) {
      this.open.add(i);
      this.followed.add(i);
    }
    return left.length + entered.length > 0;
  }

  forget(i) {
    this.open.delete(i);
    this.followed.delete(i);
  }
}
