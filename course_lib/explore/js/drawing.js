// The drawn tree: nodes and edges as SVG elements, at their places in the layout.

import { put, svg } from "./dom.js";
import { tidyTree } from "./layout.js";
import { DrawnNode } from "./painting.js";

const BOARD_ROOM = 62;
const MAX_OPEN = 200; // nodes that are open at the start

export class Drawing {
  constructor(tree, parent) {
    this.tree = tree;
    this.canvas = svg("g", {}, parent);
    this.edges = svg("g", {}, this.canvas);
    this.nodes = svg("g", {}, this.canvas);
    this.drawn = new Map();
  }

  // ---- places
  layOut() {
    const { tree } = this;
    const board = tree.showBoards ? BOARD_ROOM : 0;
    const half = (i) => Math.max(tree.kind.room(tree, i), board) / 2 + 4;
    const shown = (i) => (tree.openNodes.isOpen(i) ? tree.replay.children(i) : []);
    this.layout = tidyTree(0, shown, half);
    const deepest = this.layout.order.reduce((depth, i) => Math.max(depth, tree.record.depth[i]), 0);
    const flattest = tree.host.get("least_scale") ? 0.7 : 1; // on slides a high tree is flatter
    const row = tree.kind.row(tree);
    const fitting = Math.max(flattest * row, (tree.host.get("height") - 80) / deepest);
    this.row = Math.min(row, fitting) + (board ? board + 4 : 0);
    this.width = this.layout.width;
    this.height = 34 + deepest * this.row + 46 + (board ? board + 4 : 0) + tree.kind.below;
    return this.layout;
  }
  // Whether the open nodes fit at first.
  fits() {
    const { order, width } = this.layOut();
    const least = this.tree.host.get("least_scale") ?? this.tree.kind.minScale; // larger on a slide
    return order.length <= MAX_OPEN && width * least <= this.tree.available;
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

  // ---- elements
  // After a new layout: moves or removes nodes and adds new ones, parents first.
  arrange() {
    const { order, x } = this.layOut();
    for (const [i, drawn] of this.drawn)
      if (x.has(i)) this.place(i, drawn);
      else this.remove(i, drawn);
    let place = this.nodes.firstChild;
    for (const i of order) {
      const { group } = this.drawn.get(i) ?? this.add(i);
      if (group === place) place = place.nextSibling;
      else this.nodes.insertBefore(group, place);
    }
    this.repaint();
  }

  repaint() {
    const { boardStyle, kind, line } = this.tree;
    const onLine = new Set(line);
    for (const [i, drawn] of this.drawn) {
      const appearance = kind.appearance(this.tree, i);
      if (onLine.has(i)) appearance.line += " ahead";
      drawn.paint(appearance, boardStyle);
    }
  }

  add(i) {
    const level = this.tree.record.depth[i] + 1;
    const roles = { "data-node": i, role: "treeitem", id: this.id(i), "aria-level": level };
    const drawn = new DrawnNode(svg("g", roles), i ? svg("path", {}, this.edges) : null);
    this.drawn.set(i, drawn);
    this.place(i, drawn);
    return drawn;
  }

  remove(i, { group, line }) {
    group.remove();
    line?.remove();
    this.drawn.delete(i);
  }

  place(i, { group, line }) {
    const { tree } = this;
    const p = i && tree.record.parent[i];
    const siblings = i ? tree.replay.children(p) : [0];
    put(group, "aria-posinset", siblings.indexOf(i) + 1);
    put(group, "aria-setsize", siblings.length);
    put(group, "transform", `translate(${this.x(i)} ${this.y(i)})`);
    if (!line) return;
    const top = this.y(p) + 12 + this.boardRoom(p);
    const { bend, under } = tree.kind.edges(tree);
    // Below the labels, then across.
    put(line, "d", `M${this.x(p)} ${top + under}V${top + bend}L${this.x(i)} ${this.y(i) - 33}`);
  }

  id(i) {
    return `${this.tree.uid}-${i}`;
  }
}
