// Tic-tac-toe, as in course_lib/games: Max plays X and begins. A state is nine characters X, O and ".".

import { MAX, MIN } from "./constants.js";

const LINES = ["012", "345", "678", "036", "147", "258", "048", "246"].map((line) => [...line].map(Number));
const CELLS = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const PROMISING = [4, 0, 2, 6, 8, 1, 3, 5, 7];

export const EMPTY = ".........";

const count = (state, mark) => state.split(mark).length - 1;
const toMove = (state) => (count(state, "X") > count(state, "O") ? MIN : MAX);

// The three cells that win, or none.
export const winningLine = (state) =>
  LINES.find(([a, b, c]) => state[a] !== "." && state[a] === state[b] && state[a] === state[c]) ?? [];

const freeCells = (state, order) => order.filter((cell) => state[cell] === ".");

export const ticTacToe = {
  toMove,
  actions: (state) => freeCells(state, CELLS),
  result: (state, cell) => state.slice(0, cell) + (toMove(state) === MAX ? "X" : "O") + state.slice(cell + 1),
  isTerminal: (state) => winningLine(state).length > 0 || !state.includes("."),
  utility: (state) => ({ X: 1, O: -1 })[state[winningLine(state)[0]]] ?? 0,
};

// The same game, whose actions come in another order: first those that win, then centre, corners, edges.
export const orderedTicTacToe = {
  ...ticTacToe,
  actions(state) {
    const wins = (cell) => winningLine(ticTacToe.result(state, cell)).length > 0;
    const cells = freeCells(state, PROMISING);
    return [...cells.filter(wins), ...cells.filter((cell) => !wins(cell))];
  },
};

export const rowsOf = (state) => [state.slice(0, 3), state.slice(3, 6), state.slice(6)];
