// The drawn tree: nodes and edges on the page, where the layout says. What stays is kept, and of a large tree
// only what is near the view is there.

import { put, svg } from "./dom.js";
import { tidyTree } from "./layout.js";
import { Drawn } from "./painting.js";

const BOARD_ROOM = 62;
const LARGE = 300; // nodes; of a larger tree only what is in view is on the page
const MARGIN = 99; // pixels beside the view that count as seen

export class Drawing {
  constructor(tree, parent) {
    this.tree = tree;
    this.canvas = svg("g", {}, parent);
    this.edges = svg("g", {}, this.canvas);
    this.nodes = svg("g", {}, this.canvas);
    this.drawn = new Map();
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
    return this.layout.x.has(i);
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
  // After a new layout: what stays is moved, and painted anew if `all` is.
  arrange(all) {
    const { x } = this.layOut();
    this.large = this.order.length > LARGE;
    for (const [i, drawn] of this.drawn)
      if (x.has(i)) {
        this.place(i, drawn);
        if (all) this.paint(i);
      }
    if (this.tree.camera.placed) this.show();
  }

  // Puts on the page what is in view, parents first, and takes away what is not: the page is quick with a few
  // hundred nodes, and slow with thousands.
  show() {
    const seen = this.order.filter((i) => this.isSeen(i));
    const kept = new Set(seen);
    for (const [i, drawn] of this.drawn) if (!kept.has(i)) this.remove(i, drawn);
    let place = this.nodes.firstChild;
    for (const i of seen) {
      const { group } = this.drawn.get(i) ?? this.add(i);
      if (group === place) place = place.nextSibling;
      else this.nodes.insertBefore(group, place);
    }
  }

  // Whether a node, or the line to it, is in view or near it.
  isSeen(i) {
    if (!this.large) return true;
    const { k, x } = this.tree.camera;
    const [one, other] = [this.x(i), this.x(this.above(i))];
    return (
      Math.max(one, other) * k + x > -MARGIN && Math.min(one, other) * k + x < this.tree.available + MARGIN
    );
  }
  above(i) {
    return i && this.tree.record.parent[i];
  }

  add(i) {
    const level = this.tree.record.depth[i] + 1;
    const roles = { "data-node": i, role: "treeitem", id: this.id(i), "aria-level": level };
    const drawn = new Drawn(svg("g", roles), i ? svg("path", {}, this.edges) : null);
    this.drawn.set(i, drawn);
    this.place(i, drawn);
    this.paint(i);
    return drawn;
  }

  remove(i, { group, line }) {
    group.remove();
    line?.remove();
    this.drawn.delete(i);
  }

  place(i, { group, line }) {
    const { tree } = this;
    const p = this.above(i);
    const siblings = i ? tree.replay.children(p) : [0];
    put(group, "aria-posinset", siblings.indexOf(i) + 1);
    put(group, "aria-setsize", siblings.length);
    put(group, "transform", `translate(${this.x(i)} ${this.y(i)})`);
    if (!line) return;
    const top = this.y(p) + 12 + this.boardRoom(p);
    const { bend, under } = tree.kind.edges(tree);
    // Below the labels, then across.
    put(line, "d", `M${this.x(p)} ${top + under}V${top + bend}L${this.x(i)} ${this.y(i) - 29}`);
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
