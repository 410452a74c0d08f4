// Keys on the drawn tree.

import { click } from "./node_actions.js";

const COMMANDS = {
  ArrowRight: "forward",
  ArrowLeft: "back",
  Home: "first",
  End: "last",
  "+": "zoom in",
  "-": "zoom out",
  f: "fit",
};
const SIDEWAYS = { ArrowRight: 1, ArrowLeft: -1 };

// Runs the command of a key; returns whether it has one.
export function press(tree, event) {
  const act = meaning(tree, event);
  act?.();
  return Boolean(act);
}

function meaning(tree, event) {
  const { key } = event;
  const i = tree.here;
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  if (key === "Enter" || key === " ") return () => click(tree, i);
  const next = neighbour(tree, i, event);
  if (next !== undefined) return () => tree.show(next);
  return command(tree, key);
}

function command(tree, key) {
  const sideways = key in SIDEWAYS && !tree.record.steps;
  return key in COMMANDS && !sideways ? () => tree.command(COMMANDS[key]) : null;
}

// The node that an arrow key selects, if any.
function neighbour({ openNodes, record, replay }, i, { key, shiftKey }) {
  const above = record.parent[i];
  if (key === "ArrowUp") return above < 0 ? undefined : above;
  if (key === "ArrowDown") return openNodes.isOpen(i) ? replay.children(i)[0] : i;
  if (!(key in SIDEWAYS) || !(shiftKey || !record.steps)) return undefined;
  const siblings = above < 0 ? [0] : replay.children(above);
  return siblings[siblings.indexOf(i) + SIDEWAYS[key]] ?? i;
}
