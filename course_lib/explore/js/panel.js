// The texts beside the drawn tree: the event, the question, the stack, and the facts about a node.

import { PredictionForm } from "./prediction_form.js";
import { showBoard } from "./boards.js";
import { fill, html, put, write } from "./dom.js";
import { formatMessage } from "./messages.js";
import { stackLine } from "./descriptions.js";

const MAX_STACK = 40; // listed nodes
const TITLE = { role: "presentation" }; // not a heading: its level on the page is not known

export class Panel {
  constructor(tree, columns) {
    this.tree = tree;
    const panel = html("div", { class: "panel" }, columns);
    this.caption = html("p", { class: "caption", "aria-live": "polite" }, panel);
    tree.predictionForm = new PredictionForm(tree, panel);
    this.list = html("div", { class: "stack" }, panel);
    const details = html("div", { class: "details" }, panel);
    this.words = html("div", {}, details);
    this.board = html("div", {}, details);
    const listen = (event, act) => this.board.addEventListener(event, act, { signal: tree.signal });
    listen("pointerover", ({ target }) => tree.pointAt(this.moveAt(target)));
    listen("pointerleave", () => tree.pointAt());
  }

  // The node after the move at a cell of the board, if there is one.
  moveAt(cell) {
    const cells = [...this.board.querySelectorAll(".cell")];
    return this.tree.boards.childAt(this.tree.chosen, cells.indexOf(cell));
  }

  describe() {
    const { tree } = this;
    const { chosen } = tree;
    write(this.caption, tree.kind.caption(tree));
    fill(this.list, tree.kind.list(tree));
    fill(this.words, [["h4", TITLE, tree.record.name(chosen)], ...tree.kind.details(tree, chosen)]);
    const board = tree.boards.of(chosen);
    const ahead = tree.boards.ahead(chosen);
    showBoard(this.board, board ?? stateOf(tree, chosen), tree.boardStyle, ahead);
    if (!board || !ahead.length) tree.boards.requestMissing();
    put(tree.svg, "aria-activedescendant", tree.drawing.id(this.named(chosen)));
    tree.predictionForm.ask();
  }

  // The node itself, or its nearest ancestor that is drawn.
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
  const newest = replay.stack.slice(-MAX_STACK).reverse();
  const rows = newest.map((i) => ["li", { class: record.className(i) }, stackLine(replay, i)]);
  const empty = [["li", {}, formatMessage("stack.empty")]];
  return [
    ["h4", TITLE, formatMessage("stack.title")],
    ["ol", {}, rows.length ? rows : empty],
  ];
}
