// The open nodes, whose children are drawn.

const MAX_LEVELS = 30;
const MAX_OPEN = 500; // nodes: thousands are slow to draw

export class OpenNodes {
  constructor(record) {
    this.record = record;
    this.open = new Set();
    this.followed = new Set(); // opened while following the search, and closed afterwards
  }

  isOpen(i) {
    return this.open.has(i);
  }
  set(i, open) {
    if (open) this.open.add(i);
    else this.open.delete(i);
  }

  // Opens this number of levels, or, if `levels` is negative, as many as `fit()` allows.
  openLevels(levels, fit) {
    let level = [0];
    for (let depth = 0; depth < (levels < 0 ? MAX_LEVELS : levels); depth++) {
      const inner = level.filter((i) => this.record.children(i).length);
      if (!inner.length) return;
      inner.forEach((i) => this.open.add(i));
      const tooMany = levels < 0 ? depth && !fit() : this.open.size > MAX_OPEN;
      if (tooMany) return inner.forEach((i) => this.open.delete(i));
      level = inner.flatMap((i) => this.record.children(i));
    }
  }

  get everything() {
    return this.record.below.filter((children) => children.length).length === this.open.size;
  }

  // Whether all nodes above this one are open.
  isShown(i) {
    const { parent } = this.record;
    for (; i; i = parent[i]) if (!this.open.has(parent[i])) return false;
    return true;
  }

  // This node or its nearest ancestor that is drawn.
  nearestShown(i) {
    while (i && !this.isShown(i)) i = this.record.parent[i];
    return i;
  }

  // Opens the path to a node and closes those that an earlier call opened; returns whether anything changed.
  follow(target) {
    const { parent } = this.record;
    const pathNodes = new Set();
    for (let i = target; i; i = parent[i]) pathNodes.add(parent[i]);
    const left = [...this.followed].filter((i) => !pathNodes.has(i));
    const entered = [...pathNodes].filter((i) => !this.open.has(i));
    for (const i of left) {
      this.open.delete(i);
      this.followed.delete(i);
    }
    for (const i of entered) {
      this.open.add(i);
      this.followed.add(i);
    }
    return left.length + entered.length > 0;
  }
}
