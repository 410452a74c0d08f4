// The tree of what a program of tic-tac-toe sees after a move: its replies from top to bottom, and beside
// each the answers to it. What it did not look at is pale; the lines to the chosen moves are thick.

import { svg, textWidth } from "./dom.js";
import { formatMessage } from "./messages.js";
import { drawBoard } from "./shapes.js";
import { EMPTY, rowsOf } from "./tic_tac_toe.js";

const WIDE = { root: 88, replies: 140, reply: 42, answers: 216, answer: 30, gap: 7, row: 52, below: 0 };
const NARROW = { root: 50, replies: 76, reply: 30, answers: 130, answer: 22, gap: 5, row: 38, below: 16 };
const ENOUGH = 680; // pixels for the wide one
const FONT = "bold 12px system-ui, sans-serif";
const TOP = 26; // the headings
const MOST_REPLIES = 8; // the picture keeps its height
const CORNER = 6;

// The moves from a node: the children that were visited, then those that were not.
const moves = ({ children, leftOut }) => [...children, ...leftOut.map((move) => ({ move, state: null }))];

const look = (node, chosen) => `${node.state ? "" : "left-out"} ${chosen ? "chosen" : ""}`.trim();

// Draws in `parent` the tree that alpha-beta visited after a move, which was `played` or only looked at.
export function drawThought(parent, node, label, played) {
  const width = parent.clientWidth;
  const size = width >= ENOUGH ? WIDE : NARROW;
  const height = TOP + MOST_REPLIES * size.row + 4 * size.below;
  const middle = (TOP + height) / 2;
  const replies = moves(node);
  const words = new Map(replies.map((reply) => [reply, verdict(reply, reply.move === node.action)]));
  // Whether a narrow picture has no room for the words beside the answers.
  const isFull = ({ children }, text) => size.below && endOf(children, size) + textWidth(text, FONT) > width;
  const below = new Set(replies.filter((reply) => reply.state && isFull(reply, words.get(reply))));
  const room = height - TOP - below.size * size.below;
  const row = Math.min(size.row, room / replies.length);
  let top = middle - (replies.length * row + below.size * size.below) / 2;
  const drawing = svg("svg", { class: "thought", role: "img", "aria-label": label, width, height });
  const headings = { [played ? "played" : "move"]: 1, replies: size.replies, answers: size.answers };
  for (const [name, x] of Object.entries(headings))
    svg("text", { x, y: 14 }, drawing, formatMessage(`thought.${name}`));
  for (const reply of replies) {
    const y = top + row / 2;
    const chosen = reply.move === node.action;
    const bend = (size.root + size.replies) / 2;
    const d = `M${size.root} ${middle}C${bend} ${middle} ${bend} ${y} ${size.replies} ${y}`;
    edge(drawing, d, reply, chosen);
    position(drawing, reply, size.replies, y, size.reply, chosen);
    if (reply.state) {
      answersTo(drawing, reply, y, size, chosen);
      const end = endOf(size.below ? reply.children : moves(reply), size);
      const [x, down] = below.has(reply) ? [size.answers, size.answer / 2 + 18] : [end, 8];
      svg("text", { x, y: y + down, class: look(reply, chosen) }, drawing, words.get(reply));
    }
    top += row + (below.has(reply) ? size.below : 0);
  }
  position(drawing, node, 1, middle, size.root - 1);
  parent.replaceChildren(drawing);
}

// Where the words after these answers begin.
const endOf = (answers, size) => size.answers + answers.length * (size.answer + size.gap) + 6;

// Thick lines are above the thin ones.
function edge(drawing, d, node, chosen) {
  const line = svg("path", { d, class: `edge ${look(node, chosen)}` });
  if (chosen) drawing.append(line);
  else drawing.prepend(line);
}

function position(drawing, node, x, y, size, chosen) {
  const transform = `translate(${x} ${y - size / 2})`;
  const group = svg("g", { class: look(node, chosen), transform }, drawing);
  drawBoard(rowsOf(node.state ?? EMPTY), "squares", size, group);
}

function answersTo(drawing, reply, y, size, chosen) {
  const answers = size.below ? reply.children : moves(reply); // words have the place of what was left out
  const right = size.replies + size.reply;
  const above = y - size.answer / 2 - 3;
  const left = (k) => size.answers + k * (size.answer + size.gap);
  answers.forEach((answer, k) => {
    const turn = `M${right} ${y}C${right + 14} ${y} ${right + 8} ${above} ${right + 24} ${above}`;
    const d = `${turn}H${left(k) + size.answer / 2 - CORNER} q${CORNER} 0 ${CORNER} ${CORNER}`;
    const best = chosen && answer.move === reply.action;
    if (answer.state) edge(drawing, d, answer, best);
    position(drawing, answer, left(k), y + 3, size.answer, best);
  });
  if (reply.leftOut.length) {
    const x = left(reply.children.length) - size.gap / 2;
    svg("path", { d: `M${x} ${above - 1}V${y + size.answer / 2 + 6}`, class: "stop" }, drawing);
  }
}

function verdict({ state, value, leftOut }, chosen) {
  if (!state) return "";
  const words = formatMessage(`thought.${leftOut.length ? "stop" : "all"} ${value}`);
  return chosen ? formatMessage("thought.chosen", { words }) : words;
}
