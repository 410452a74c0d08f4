// Minimax and alpha-beta, as in course_lib/search: values are Max's. Each returns the tree that it visited:
// nodes { state, move into it, value, action chosen, children visited, leftOut }, where `leftOut` are the
// actions that were not tried. `on(event, state, numbers)` is called when a node is entered, when its window
// changes, and when it returns. tests/explore/searches.json tests these and Python's.

import { ENTER, EXIT, MAX, UPDATE } from "./constants.js";

export function minimax(game, state, on) {
  return alphaBeta(game, state, -Infinity, Infinity, on, () => false);
}

// A Max node stops at v ≥ β, a Min node at v ≤ α.
const isEnough = (v, maximizing, alpha, beta) => (maximizing ? v >= beta : v <= alpha);

export function alphaBeta(game, state, alpha = -Infinity, beta = Infinity, on = () => {}, enough = isEnough) {
  on(ENTER, state, { alpha, beta });
  const node = game.isTerminal(state)
    ? leaf(state, game.utility(state))
    : inner(game, state, alpha, beta, on, enough);
  on(EXIT, state, node);
  return node;
}

function inner(game, state, alpha, beta, on, enough) {
  const maximizing = game.toMove(state) === MAX;
  const actions = game.actions(state);
  const node = { ...leaf(state, maximizing ? -Infinity : Infinity), leftOut: [...actions] };
  for (const action of actions) {
    const child = alphaBeta(game, game.result(state, action), alpha, beta, on, enough);
    node.children.push({ ...child, move: action });
    node.leftOut.shift();
    if (maximizing ? child.value > node.value : child.value < node.value) {
      node.value = child.value;
      node.action = action;
    }
    const before = { alpha, beta };
    if (maximizing) alpha = Math.max(alpha, node.value);
    else beta = Math.min(beta, node.value);
    if (alpha > before.alpha || beta < before.beta) on(UPDATE, state, { alpha, beta });
    if (enough(node.value, maximizing, alpha, beta)) break;
  }
  return node;
}

const leaf = (state, value) => ({ state, value, action: null, children: [], leftOut: [] });

// The moves that the search expects from a node on: those that it chose.
export function lineOfPlay({ action, children }) {
  const chosen = children.find(({ move }) => move === action);
  return chosen ? [action, ...lineOfPlay(chosen)] : [];
}

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
