// The words beside the drawn tree: what just happened, the question, the stack, and what is known of a node.

import { Asking } from "./asking.js";
import { showBoard } from "./boards.js";
import { fill, html, put, write } from "./dom.js";
import { say } from "./messages.js";
import { stackLine } from "./words.js";

const DEEPEST = 40; // so many nodes of the stack are listed
const TITLE = { role: "presentation" }; // no heading: where the page has its own is not known here

export class Panel {
  constructor(tree, columns) {
    this.tree = tree;
    const panel = html("div", { class: "panel" }, columns);
    this.caption = html("p", { class: "caption", "aria-live": "polite" }, panel);
    tree.asking = new Asking(tree, panel);
    this.list = html("div", { class: "stack" }, panel);
    const details = html("div", { class: "details" }, panel);
    this.words = html("div", {}, details);
    this.board = html("div", {}, details);
  }

  describe() {
    const { tree } = this;
    const { chosen } = tree;
    write(this.caption, tree.kind.caption(tree));
    fill(this.list, tree.kind.list(tree));
    fill(this.words, [["h4", TITLE, tree.record.name(chosen)], ...tree.kind.details(tree, chosen)]);
    const board = tree.boards.of(chosen);
    showBoard(this.board, board ?? stateOf(tree, chosen), tree.discs);
    if (!board) tree.boards.want();
    put(tree.svg, "aria-activedescendant", tree.drawing.id(this.named(chosen)));
    tree.asking.ask();
  }

  tell(text) {
    write(this.caption, text);
  }

  // The node itself, or the nearest above it that is drawn.
  named(i) {
    while (i && !this.tree.drawing.has(i)) i = this.tree.record.parent[i];
    return i;
  }
}

// The state of a game without a board, as text.
const stateOf = ({ record }, i) => record.label("state", i) && { text: record.label("state", i) };

// The stack, as a title and a list.
export function stackOf({ record, replay }) {
  if (!record.steps) return [];
  const newest = replay.stack.slice(-DEEPEST).reverse();
  const rows = newest.map((i) => ["li", { class: record.className(i) }, stackLine(replay, i)]);
  const empty = [["li", {}, say("stack.empty")]];
  return [
    ["h4", TITLE, say("stack.title")],
    ["ol", {}, rows.length ? rows : empty],
  ];
}
