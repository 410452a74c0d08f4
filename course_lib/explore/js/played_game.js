// A game of tic-tac-toe against alpha-beta, as the model of a board, which sends it the moves of the reader.

import { formatMessage } from "./messages.js";
import { amount } from "./numbers.js";
import { PageModel } from "./page_model.js";
import { alphaBeta, lineOfPlay } from "./searches.js";
import { EMPTY, orderedTicTacToe, winningLine } from "./tic_tac_toe.js";

const game = orderedTicTacToe;
const LOST = -1; // for Max, as in the course: O is Min
const WON = 1;
const AHEAD = 5; // moves of a line of play, the reader's included
const MARKS = "XO";

// The same function, which computes each result once.
function remembered(compute) {
  const known = new Map();
  return (state) => {
    if (!known.has(state)) known.set(state, compute(state));
    return known.get(state);
  };
}

// What the program sees after a move of the reader's: it stops when it has won, or the reader would have.
export const thoughtAfter = remembered((state) => alphaBeta(game, state, LOST, WON));
const valueOf = remembered((state) => alphaBeta(game, state).value);

export class PlayedGame extends PageModel {
  // The reader begins as X at `start`; `buttons` are names of methods.
  constructor(start = EMPTY, buttons = ["undo", "newGame"]) {
    super({});
    Object.assign(this, { start, buttons, values: false });
    this.newGame();
  }

  get position() {
    return this.positions.at(-1);
  }

  // ---- the reader's actions
  newGame() {
    this.goTo([this.start]);
  }

  undo() {
    this.goTo(this.positions.slice(0, Math.max(1, this.positions.length - 1)));
  }

  showValues() {
    this.values = !this.values;
    this.show();
  }

  goTo(positions, asked = null, last = null) {
    this.positions = positions;
    this.asked = asked; // the position after the reader's last move
    this.last = last;
    this.pointAt(null);
  }

  // The position after the reader takes this cell, or null.
  after(cell) {
    const legal = !game.isTerminal(this.position) && this.position[cell] === ".";
    return legal ? game.result(this.position, cell) : null;
  }

  play(cell) {
    const asked = this.after(cell);
    if (!asked) return;
    const { action } = thoughtAfter(asked);
    this.goTo([...this.positions, action === null ? asked : game.result(asked, action)], asked, action);
  }

  // Shows the line of play after a move in this cell, without playing it.
  pointAt(cell, ahead = AHEAD) {
    this.pointed = this.after(cell) ? cell : null;
    this.ahead = ahead;
    this.show();
  }

  send({ do: what, at }) {
    if (what === "cell") this.play(at);
    else this[what]();
  }

  // ---- what the board shows
  show() {
    const cells = [...this.position].map((_, at) => this.cell(at));
    const buttons = this.buttons.map((name) => [
      name,
      formatMessage(`start.${name}`),
      name === "showValues" ? this.values : null,
    ]);
    this.set("view", { style: "squares", columns: 3, cells, moves: [], buttons, status: this.status() });
  }

  cell(at) {
    const mark = this.position[at];
    const ahead = this.line.indexOf(at);
    const after = this.after(at);
    const value = after && this.values ? amount(valueOf(after)) : "";
    const place = formatMessage(`start.cell ${mark}`, { row: Math.floor(at / 3) + 1, column: (at % 3) + 1 });
    return {
      mark: ahead < 0 ? mark : MARKS[ahead % 2],
      faint: ahead >= 0,
      name: ahead < 0 ? "" : String(ahead + 1),
      value,
      action: after ? at : null,
      last: at === this.last,
      won: winningLine(this.position).includes(at),
      changes: after ? [at] : [],
      label: value ? `${place}, ${formatMessage("node.value", { value })}` : place,
    };
  }

  // The cells of the moves that the program expects, from the one pointed at.
  get line() {
    const { pointed, ahead } = this;
    if (pointed === null) return [];
    return [pointed, ...lineOfPlay(thoughtAfter(this.after(pointed)))].slice(0, ahead);
  }

  status() {
    if (!game.isTerminal(this.position))
      return formatMessage(this.positions.length > 1 ? "start.replied" : "start.turn");
    return formatMessage(winningLine(this.position).length ? "start.lost" : "start.draw");
  }
}
