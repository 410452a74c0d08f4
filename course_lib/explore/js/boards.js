// The boards of nodes, requested from the kernel.

import { html, svg } from "./dom.js";
import { drawBoard } from "./shapes.js";

const REQUEST_DELAY = 50; // milliseconds between requests
const LARGE = 7; // columns
const MAX_BOARDS = 300; // drawn nodes with boards

export class Boards {
  constructor(tree) {
    Object.assign(this, { tree, known: new Map(), timer: 0 });
    tree.signal.addEventListener("abort", () => clearTimeout(this.timer));
  }

  of(i) {
    return this.known.get(i);
  }

  // Requests the boards of shown nodes.
  requestMissing() {
    if (this.tree.host.get("has_boards")) this.timer ||= setTimeout(() => this.request(), REQUEST_DELAY);
  }

  request() {
    const { chosen, drawing, showBoards } = this.tree;
    this.timer = 0;
    const drawn = showBoards && drawing.order.length <= MAX_BOARDS ? drawing.order : [];
    const nodes = [...new Set([...drawn, chosen])].filter((i) => !this.known.has(i));
    if (nodes.length) this.tree.kernel.send({ type: "boards", nodes });
  }

  receive(boards) {
    for (const [i, rows, text] of boards) this.known.set(i, { rows, text });
  }
}

// The board of a node in the panel, as a drawing or as text.
export function showBoard(parent, board, style) {
  if (parent.shown === board) return;
  parent.shown = board;
  parent.replaceChildren();
  if (!board) return;
  if (!board.rows) return html("pre", {}, parent, board.text);
  const side = board.rows[0].length > LARGE ? 220 : 100; // chess pieces need more space
  const attributes = {
    width: side,
    height: side,
    viewBox: "-2 -2 100 100",
    role: "img",
    "aria-label": board.text,
  };
  drawBoard(board.rows, style, 96, svg("svg", attributes, parent));
}
