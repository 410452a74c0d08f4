// The positions of nodes, which the kernel is asked for.

import { html, svg } from "./dom.js";
import { drawBoard } from "./shapes.js";

const SOON = 50; // milliseconds in which requests are gathered
const LARGE = 7; // columns
const MOST = 300; // so many nodes are drawn with their boards

export class Boards {
  constructor(tree, run) {
    Object.assign(this, { tree, run, known: new Map(), timer: 0 });
    tree.signal.addEventListener("abort", () => clearTimeout(this.timer));
  }

  of(i) {
    return this.known.get(i);
  }

  // Asks for what is shown without its board, if there is any.
  want() {
    if (this.tree.host.get("has_boards")) this.timer ||= setTimeout(() => this.request(), SOON);
  }

  request() {
    const { chosen, drawing, showBoards } = this.tree;
    this.timer = 0;
    const drawn = showBoards && drawing.order.length <= MOST ? drawing.order : [];
    const nodes = [...new Set([...drawn, chosen])].filter((i) => !this.known.has(i));
    if (nodes.length) this.tree.kernel.send({ type: "boards", nodes, run: this.run });
  }

  receive(boards) {
    for (const [i, rows, text] of boards) this.known.set(i, { rows, text });
  }
}

// The board of a node beside the words about it, as a drawing or as text.
export function showBoard(parent, board, discs) {
  if (parent.shown === board) return;
  parent.shown = board;
  parent.replaceChildren();
  if (!board) return;
  if (!board.rows) return html("pre", {}, parent, board.text);
  const side = board.rows[0].length > LARGE ? 220 : 100; // pieces must be told apart
  const look = {
    width: side,
    height: side,
    viewBox: "-2 -2 100 100",
    role: "img",
    "aria-label": board.text,
  };
  drawBoard(board.rows, discs, 96, svg("svg", look, parent));
}
