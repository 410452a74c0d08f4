// The outlines of nodes, small boards, and icons.

import { drawingOf } from "./board_marks.js";
import { CHANCE, LEAF, MAX, MIN } from "./constants.js";
import { html, svg } from "./dom.js";

export const ICONS = {
  first: "M2 3v10M9 3L4 8l5 5zM14 3L9 8l5 5z",
  back: "M13 3L7 8l6 5zM4 3v10",
  play: "M4 2.5l9 5.5-9 5.5z",
  pause: "M5 3v10M11 3v10",
  forward: "M3 3l6 5-6 5zM12 3v10",
  last: "M14 3v10M2 3l5 5-5 5zM7 3l5 5-5 5z",
  "zoom in": "M8 3v10M3 8h10",
  "zoom out": "M3 8h10",
  fit: "M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3",
  boards: "M2 2h12v12H2zM6 2v12M10 2v12M2 6h12M2 10h12",
};

const OUTLINES = {
  [LEAF]: (a) => `M${-a} -11H${a}V11H${-a}Z`,
  [MAX]: (a, h) => `M${-a} ${h}L0 ${-h}L${a} ${h}Z`,
  [MIN]: (a, h) => `M${-a} ${-h}L0 ${h}L${a} ${-h}Z`,
  [CHANCE]: (a, h) => `M${-a} 0a${a} ${h + 2} 0 1 0 ${2 * a} 0a${a} ${h + 2} 0 1 0 ${-2 * a} 0Z`,
};
const hexagon = (a, h) => `M${-a} 0L${5 - a} ${-h}H${a - 5}L${a} 0L${a - 5} ${h}H${5 - a}Z`; // other players

// The path of a node of this kind and width.
export const outline = (kind, width) => (OUTLINES[kind] ?? hexagon)(width / 2, 13);

// The width of a node for a value of width `room`; a triangle needs more.
export function widthFor(kind, room) {
  return Math.max(34, kind === MAX || kind === MIN ? room * 1.35 + 16 : room + 12);
}

// The baseline of the value.
export function baseline(kind) {
  if (kind === MAX) return 11;
  return kind === MIN ? -2 : 5;
}

// A line of the legend: an icon and its meaning.
export function drawItem(legend, text, draw, viewBox = "-15 -16 30 32") {
  const item = html("span", {}, legend);
  draw(svg("svg", { viewBox }, item));
  item.append(text);
}

// A node in the legend.
export function drawKey(icon, width, halo, state = "") {
  const group = svg("g", { class: `key max ${state}`.trim() }, icon);
  const d = outline(MAX, width);
  if (halo) svg("path", { d, class: "halo" }, group);
  svg("path", { d, class: "shape" }, group);
}

const CHESS_PIECES = [..."♔♕♖♗♘♙♚♛♜♝♞♟"];
const PIECES = Object.fromEntries([..."KQRBNPkqrbnp"].map((letter, k) => [letter, CHESS_PIECES[k]]));
const AS_TEXT = "\ufe0e"; // not an emoji
const isChess = (rows) =>
  rows.length === 8 && rows.every((row) => [...row].every((m) => m === "." || PIECES[m]));

// Draws the rows of a board; its longer side has this size.
export function drawBoard(rows, style, size, parent) {
  const cell = size / Math.max(rows.length, rows[0].length);
  const chess = isChess(rows);
  const aside = (size - cell * rows[0].length) / 2; // in the middle of the square
  const board = svg(
    "g",
    { class: chess ? "board chess" : "board", transform: `translate(${aside} 0)` },
    parent,
  );
  svg("rect", { width: cell * rows[0].length, height: cell * rows.length }, board);
  rows.forEach((row, r) =>
    [...row].forEach((mark, c) => {
      const dark = chess && (r + c) % 2 ? " dark" : "";
      const wall = mark === "#" ? " wall" : "";
      svg(
        "rect",
        { x: c * cell, y: r * cell, width: cell, height: cell, class: `cell${dark}${wall}` },
        board,
      );
      if (mark === ".") return;
      drawPiece(board, r, c, cell, style, chess ? PIECES[mark] + AS_TEXT : mark);
    }),
  );
  return board;
}

function drawPiece(board, r, c, cell, style, mark) {
  const place = `translate(${c * cell} ${r * cell}) scale(${cell / 40})`;
  const piece = svg("g", { transform: place }, board);
  piece.innerHTML = drawingOf(style, mark);
  return piece;
}

// The cells [row, column] that a move changes: those that get a mark, or else those that lose one.
function changedCells(before, after) {
  const all = after.flatMap((row, r) => [...row].map((_, c) => [r, c]));
  const changed = all.filter(([r, c]) => before[r][c] !== after[r][c]);
  const marked = changed.filter(([r, c]) => !".o".includes(after[r][c]));
  return marked.length ? marked : changed;
}

// The cells that each of the moves between these positions changes.
export const movesBetween = (positions) =>
  positions.slice(1).map((rows, ply) => changedCells(positions[ply], rows));

// Draws the moves between positions, faint and numbered, on the board of the first.
export function drawLine(board, positions, style, size) {
  const cell = size / Math.max(positions[0].length, positions[0][0].length);
  const isText = isChess(positions[0]);
  movesBetween(positions).forEach((cells, ply) => {
    for (const [r, c] of cells) {
      const mark = positions[ply + 1][r][c];
      const drawn = isText ? PIECES[mark] + AS_TEXT : mark;
      if (mark !== ".") drawPiece(board, r, c, cell, style, drawn).setAttribute("class", "faint");
      const at = { x: c * cell + 2, y: r * cell + 9, class: "ply" };
      svg("text", at, board, ply + 1);
    }
  });
}
