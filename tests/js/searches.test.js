// Alpha-beta, by the examples to which the course's Python is held; and the start page's program.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { MAX, MIN } from "../../course_lib/explore/js/constants.js";
import { alphaBeta, countNodes, sizeOfTree } from "../../course_lib/explore/js/searches.js";
import { EMPTY, orderedTicTacToe, ticTacToe, winningLine } from "../../course_lib/explore/js/tic_tac_toe.js";

const examples = JSON.parse(readFileSync(new URL("../explore/searches.json", import.meta.url), "utf8"));

// A tree of nested lists, in which the players take turns. A state is a list of actions.
function treeGame(tree) {
  const at = (path) => path.reduce((node, action) => node[action], tree);
  return {
    toMove: (path) => (path.length % 2 ? MIN : MAX),
    actions: (path) => at(path).map((_, action) => action),
    result: (path, action) => [...path, action],
    isTerminal: (path) => !Array.isArray(at(path)),
    utility: at,
  };
}

for (const { tree, board, window = [-Infinity, Infinity], value, action, nodes, all } of examples)
  test(`${board ?? JSON.stringify(tree)}, ${window}`, () => {
    const [game, state] = board ? [ticTacToe, board] : [treeGame(tree), []];
    const found = alphaBeta(game, state, ...window);
    assert.deepEqual([found.value, found.action, countNodes(found)], [value, action, nodes]);
    assert.equal(sizeOfTree(game, state), all);
  });

test("nobody beats the program of the start page, and it says what each position is worth", () => {
  const values = new Map();
  const valueOf = (state) => {
    if (!values.has(state))
      values.set(state, ticTacToe.isTerminal(state) ? ticTacToe.utility(state) : best(state));
    return values.get(state);
  };
  const best = (state) => {
    const next = ticTacToe.actions(state).map((action) => valueOf(ticTacToe.result(state, action)));
    return ticTacToe.toMove(state) === MAX ? Math.max(...next) : Math.min(...next);
  };
  const play = (state) => {
    assert.ok(!winningLine(state).length || state[winningLine(state)[0]] === "O", state);
    for (const cell of ticTacToe.isTerminal(state) ? [] : ticTacToe.actions(state)) {
      const after = ticTacToe.result(state, cell);
      const { value, action } = alphaBeta(orderedTicTacToe, after, -1, 1);
      assert.equal(value, valueOf(after), after);
      if (action !== null) play(ticTacToe.result(after, action));
    }
  };
  play(EMPTY);
});
