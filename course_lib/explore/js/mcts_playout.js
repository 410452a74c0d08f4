// The playout, dotted below the new node, in the simulation phase only.

import { SIMULATION } from "./constants.js";
import { svg } from "./dom.js";
import { formatMessage } from "./messages.js";
import { amount } from "./numbers.js";

const LINE_HEIGHT = 16; // pixels for an action
const MAX_ACTIONS = 7; // shown

const shortened = (actions) =>
  actions.length > MAX_ACTIONS ? [...actions.slice(0, 5), "…", actions.at(-1)] : actions;

export function drawPlayout(tree) {
  const { drawing, record, replay } = tree;
  tree.played?.remove();
  const tip = replay.current;
  if (replay.phase !== SIMULATION || !drawing.has(tip)) return;
  const actions = shortened(record.played(replay.currentIteration));
  const top = drawing.y(tip) + tree.kind.edges(tree).under + 14 + drawing.boardRoom(tip);
  const bottom = top + LINE_HEIGHT * actions.length + 8;
  const attributes = { class: "played", transform: `translate(${drawing.x(tip)} 0)`, "aria-hidden": "true" };
  const group = (tree.played = svg("g", attributes, drawing.canvas));
  svg("rect", { x: -34, y: top, width: 68, height: bottom - top + 24, class: "clear" }, group);
  svg("path", { d: `M0 ${top}V${bottom}`, class: "playout" }, group);
  actions.forEach((action, k) => svg("text", { x: 9, y: top + LINE_HEIGHT * k + 14 }, group, action));
  drawReward(
    group,
    bottom,
    record.reward[replay.currentIteration],
    record.puct,
    record.names[record.mover[tip]],
  );
}

// The reward of the player who moved into the new node.
function drawReward(group, y, reward, puct, player) {
  if (Number.isNaN(reward)) return;
  const text = formatMessage(puct ? "mcts.value" : "mcts.reward", { value: amount(reward), player });
  svg("rect", { x: -30, y, width: 60, height: 20, class: "end" }, group);
  svg("text", { y: y + 14, class: "value" }, group, text);
}

// The pixels below a node that its labels and its playout take.
export function extent(tree, i) {
  const { drawing, record, replay } = tree;
  const simulated = replay.phase === SIMULATION && i === replay.current;
  const played = simulated ? LINE_HEIGHT * shortened(record.played(replay.iteration)).length + 44 : 0;
  return tree.kind.edges(tree).under + 26 + drawing.boardRoom(i) + played;
}
