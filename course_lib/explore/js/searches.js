// Alpha-beta, as in course_lib/search: values are Max's. It returns the tree that it visited: nodes { state,
// move into it, value, action chosen, children visited, leftOut }, where `leftOut` are the actions that were
// not tried. tests/explore/searches.json tests it and Python's.

import { MAX } from "./constants.js";

export function alphaBeta(game, state, alpha = -Infinity, beta = Infinity) {
  if (game.isTerminal(state)) return leaf(state, game.utility(state));
  const maximizing = game.toMove(state) === MAX;
  const actions = game.actions(state);
  const node = { ...leaf(state, maximizing ? -Infinity : Infinity), leftOut: [...actions] };
  for (const action of actions) {
    const child = alphaBeta(game, game.result(state, action), alpha, beta);
    node.children.push({ ...child, move: action });
    node.leftOut.shift();
    if (maximizing ? child.value > node.value : child.value < node.value) {
      node.value = child.value;
      node.action = action;
    }
    if (maximizing) alpha = Math.max(alpha, node.value);
    else beta = Math.min(beta, node.value);
    if (maximizing ? node.value >= beta : node.value <= alpha) break;
  }
  return node;
}

const leaf = (state, value) => ({ state, value, action: null, children: [], leftOut: [] });

// The number of nodes of a visited tree.
export const countNodes = ({ children }) => children.reduce((sum, child) => sum + countNodes(child), 1);

// The number of nodes of the whole tree below a state, which minimax would visit.
export function sizeOfTree(game, state, known = new Map()) {
  if (!known.has(state)) {
    const actions = game.isTerminal(state) ? [] : game.actions(state);
    const sizes = actions.map((action) => sizeOfTree(game, game.result(state, action), known));
    known.set(
      state,
      sizes.reduce((sum, size) => sum + size, 1),
    );
  }
  return known.get(state);
}
