// The drawn tree: nodes and edges on the page, where the layout says. What stays is kept, and of a large tree
// only what is near the view is rendered.

import { put, svg } from "./dom.js";
import { tidyTree } from "./layout.js";
import { Drawn } from "./painting.js";
import { LARGE } from "./rendering.js";

const BOARD_ROOM = 62;

export class Drawing {
  constructor(tree, parent) {
    this.tree = tree;
    this.canvas = svg("g", {}, parent);
    this.edges = svg("g", {}, this.canvas);
    this.nodes = svg("g", {}, this.canvas);
    this.drawn = new Map();
    this.rest = new Set(); // nodes that are still to be painted
  }

  // ---- where nodes stand
  layOut() {
    const { tree } = this;
    const board = tree.showBoards ? BOARD_ROOM : 0;
    const half = (i) => Math.max(tree.kind.room(tree, i), board) / 2 + 4;
    const shown = (i) => (tree.opening.isOpen(i) ? tree.replay.children(i) : []);
    this.layout = tidyTree(0, shown, half);
    this.row = tree.kind.row + (board ? board + 4 : 0);
    const deepest = this.layout.order.reduce((most, i) => Math.max(most, tree.record.depth[i]), 0);
    this.width = this.layout.width;
    this.height = 34 + deepest * this.row + 46 + (board ? board + 4 : 0) + tree.kind.below;
    return this.layout;
  }
  get order() {
    return this.layout.order;
  }
  has(i) {
    return this.drawn.has(i);
  }
  x(i) {
    return this.layout.x.get(i);
  }
  y(i) {
    return 34 + this.tree.record.depth[i] * this.row;
  }
  boardRoom(i) {
    return this.tree.boardOf(i) ? BOARD_ROOM : 0;
  }

  // ---- putting them there
  arrange() {
    const { order } = this.layOut();
    const kept = new Set(order);
    for (const [i, { group, line }] of this.drawn)
      if (!kept.has(i)) {
        group.remove();
        line?.remove();
        this.drawn.delete(i);
      }
    this.added = [];
    let place = this.nodes.firstChild;
    for (const i of order) {
      const { group } = this.drawn.get(i) ?? this.add(i);
      if (group === place) place = place.nextSibling;
      else this.nodes.insertBefore(group, place);
      this.place(i);
    }
    this.large = order.length > LARGE;
    for (const i of this.added) this.rest.add(i);
    for (const i of this.rest) if (!this.drawn.has(i)) this.rest.delete(i);
  }

  add(i) {
    const line = i ? svg("path", {}, this.edges) : null;
    const attributes = {
      "data-node": i,
      role: "treeitem",
      id: this.id(i),
      "aria-level": this.tree.record.depth[i] + 1,
    };
    const drawn = new Drawn(svg("g", attributes), line);
    this.drawn.set(i, drawn);
    this.added.push(i);
    return drawn;
  }

  place(i) {
    const { tree } = this;
    const drawn = this.drawn.get(i);
    const siblings = i ? tree.replay.children(tree.record.parent[i]) : [0];
    put(drawn.group, "aria-posinset", siblings.indexOf(i) + 1);
    put(drawn.group, "aria-setsize", siblings.length);
    drawn.x = drawn.from = this.x(i);
    put(drawn.group, "transform", `translate(${drawn.x} ${this.y(i)})`);
    if (!i) return;
    const p = tree.record.parent[i];
    const top = this.y(p) + 12 + this.boardRoom(p);
    const { bend, under } = tree.kind.edges(tree);
    drawn.from = this.x(p);
    // Below the labels, then across.
    put(drawn.line, "d", `M${drawn.from} ${top + under}V${top + bend}L${drawn.x} ${this.y(i) - 29}`);
  }

  id(i) {
    return `${this.tree.uid}-${i}`;
  }

  carry(i, by) {
    this.drawn.get(i)?.group.setAttribute("transform", `translate(${this.x(i) + by} ${this.y(i)})`);
  }

  paint(i) {
    this.drawn.get(i)?.paint(this.tree.kind.look(this.tree, i), this.tree.discs);
  }
}
