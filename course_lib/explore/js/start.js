// The start page: tic-tac-toe against alpha-beta, and beside the board what the program sees beyond a move.

import board from "./board.js";
import { html, write } from "./dom.js";
import { formatMessage, whole } from "./messages.js";
import { PageModel } from "./page_model.js";
import { alphaBeta, countNodes, sizeOfTree } from "./searches.js";
import { followTheme } from "./theme.js";
import { drawThought } from "./thought.js";
import { EMPTY, orderedTicTacToe, ticTacToe, winningLine } from "./tic_tac_toe.js";

const game = orderedTicTacToe;
const LOST = -1; // for Max, as in the course: O is Min
const WON = 1;
const FIRST = 1; // the square of the first picture, which few readers play first
const sizes = new Map(); // of whole trees

// What the program sees after a move of the reader's: it stops when it has won, or the reader would have.
const thoughts = new Map();
function thoughtAfter(state) {
  if (!thoughts.has(state)) thoughts.set(state, alphaBeta(game, state, LOST, WON));
  return thoughts.get(state);
}

// The game as the model of the board, which sends the moves of the reader to it.
class Game extends PageModel {
  constructor() {
    super({});
    this.newGame();
  }

  get position() {
    return this.positions.at(-1);
  }

  newGame() {
    this.positions = [EMPTY];
    this.asked = null; // the position after the reader's last move
    this.show();
  }

  undo() {
    if (this.positions.length > 1) this.positions.pop();
    this.asked = null;
    this.show();
  }

  // The position after the reader takes this cell, or null.
  after(cell) {
    const legal = !game.isTerminal(this.position) && this.position[cell] === ".";
    return legal ? game.result(this.position, cell) : null;
  }

  play(cell) {
    this.asked = this.after(cell);
    if (!this.asked) return;
    const { action } = thoughtAfter(this.asked);
    this.positions.push(action === null ? this.asked : game.result(this.asked, action));
    this.show(action);
  }

  send({ do: what, at }) {
    if (what === "cell") this.play(at);
    else this[what]();
  }

  show(last = null) {
    const won = winningLine(this.position);
    const cells = [...this.position].map((mark, at) => ({
      mark,
      action: this.after(at) ? at : null,
      last: at === last,
      won: won.includes(at),
      changes: this.after(at) ? [at] : [],
      label: formatMessage(`start.cell ${mark}`, { row: Math.floor(at / 3) + 1, column: (at % 3) + 1 }),
    }));
    const buttons = ["undo", "newGame"].map((name) => [name, formatMessage(`start.${name}`), null]);
    this.set("view", { style: "squares", columns: 3, cells, moves: [], buttons, status: this.status() });
  }

  status() {
    if (!game.isTerminal(this.position))
      return formatMessage(this.positions.length > 1 ? "start.replied" : "start.turn");
    return formatMessage(winningLine(this.position).length ? "start.lost" : "start.draw");
  }
}

// The sentence below the tree: what the program found, and how little it looked at.
function summary(state) {
  const node = thoughtAfter(state);
  if (!node.children.length) return formatMessage("thought.over");
  const counts = { looked: whole(countNodes(node)), all: whole(sizeOfTree(ticTacToe, state, sizes)) };
  return `${formatMessage(`thought.value ${node.value}`)} ${formatMessage("thought.counts", counts)}`;
}

function start(el) {
  const model = new Game();
  const place = el.querySelector(".start-board");
  board.render({ model, el: place });
  const figure = el.querySelector(".start-thought");
  const drawing = html("div", { class: "course-ui" }, figure);
  const caption = html("figcaption", {}, figure);
  const squares = () => [...place.querySelectorAll(".grid button")];
  let pointed = null; // a free square
  const draw = () => {
    const seen = pointed ?? (model.asked || model.after(FIRST) === null ? null : FIRST);
    const state = seen === null ? (model.asked ?? model.position) : model.after(seen);
    drawThought(drawing, thoughtAfter(state), summary(state), seen === null);
    write(caption, summary(state));
    squares().forEach((square, at) => square.classList.toggle("seen", at === seen));
  };
  const point = ({ target }) => {
    const at = squares().indexOf(target.closest("button"));
    pointed = model.after(at) && at;
    draw();
  };
  const leave = () => {
    pointed = null;
    draw();
  };
  const grid = place.querySelector(".grid");
  for (const event of ["pointerover", "focusin"]) grid.addEventListener(event, point);
  for (const event of ["pointerleave", "focusout"]) grid.addEventListener(event, leave);
  model.on("change:view", leave);
  new ResizeObserver(draw).observe(figure);
  draw();
}

followTheme();
for (const el of document.querySelectorAll(".start")) start(el);
