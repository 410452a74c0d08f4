// The boards of nodes, requested from the kernel.

import { html, svg } from "./dom.js";
import { drawBoard, drawLine, movesBetween } from "./shapes.js";

const REQUEST_DELAY = 50; // milliseconds between requests
const LARGE = 7; // columns
const MAX_BOARDS = 300; // drawn nodes with boards
const AHEAD = 5; // moves of a line of play

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
    const { chosen, drawing, line, replay, showBoards } = this.tree;
    this.timer = 0;
    const drawn = showBoards && drawing.order.length <= MAX_BOARDS ? drawing.order : [];
    const wanted = [...drawn, chosen, ...replay.children(chosen), ...line];
    const nodes = [...new Set(wanted)].filter((i) => !this.known.has(i));
    if (nodes.length) this.tree.kernel.send({ type: "boards", nodes });
  }

  // The positions of the line of play from a node on, as far as they are known.
  ahead(i) {
    const { line, record } = this.tree;
    const nodes = [i, ...line.slice(line[0] === i ? 1 : 0)].slice(0, AHEAD + 1);
    const follows = line.length && (line[0] === i || record.parent[line[0]] === i);
    const positions = nodes.map((k) => this.of(k)?.rows);
    return follows && positions.every(Boolean) ? positions : [];
  }

  // The child of a node whose move changes a cell of its board, counted along the rows.
  childAt(i, cell) {
    const rows = this.of(i)?.rows;
    const isThere = (k) => {
      const after = this.of(k)?.rows;
      return after && movesBetween([rows, after])[0].some(([r, c]) => r * rows[0].length + c === cell);
    };
    return rows && this.tree.replay.children(i).find(isThere);
  }

  receive(boards) {
    for (const [i, rows, text] of boards) this.known.set(i, { rows, text });
  }
}

// The board of a node in the panel, as a drawing with a line of play, or as text.
export function showBoard(parent, board, style, positions) {
  const shown = [board, ...positions];
  if (shown.length === parent.shown?.length && shown.every((part, k) => part === parent.shown[k])) return;
  parent.shown = shown;
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
  const drawn = drawBoard(board.rows, style, 96, svg("svg", attributes, parent));
  if (positions.length) drawLine(drawn, positions, style, 96);
}
