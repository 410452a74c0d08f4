// Sentences about a step of a recorded search.

import { CHANCE, DONE, MAX, MIN, PRUNED, STATES } from "./constants.js";
import { meanText } from "./chance_mean.js";
import { formatMessage, whole } from "./messages.js";
import { numberOf } from "./numbers.js";

const MAX_LISTED = 9; // actions

const listed = (record, nodes) => {
  const labels = nodes.slice(0, MAX_LISTED).map((k) => record.action(k));
  return labels.join(" ") + (nodes.length > MAX_LISTED ? " …" : "");
};

// Why a node was cut: from α, β and the (future) value of the node at which it was cut.
export function cutReason(replay, i, value = replay.text("value", replay.cutAt(i))) {
  const p = replay.cutAt(i);
  const [alpha, beta] = replay.given(p);
  const window = { value, alpha, beta };
  const low = alpha && numberOf(value) <= numberOf(alpha);
  const high = beta && numberOf(value) >= numberOf(beta);
  const reason = (low || high) && byWindow(replay, p, window, high);
  if (reason) return reason;
  if (!alpha || Number.isNaN(numberOf(value))) return formatMessage("cut.early");
  return formatMessage("cut.early window", window);
}

// The sentence for a closed window; "" if the other player's bound closed it.
function byWindow({ record }, p, window, high) {
  const kind = record.kind.includes(CHANCE) ? CHANCE : record.kind[p]; // a chance node has its own bounds
  if (kind === MIN && numberOf(window.value) <= numberOf(window.alpha))
    return formatMessage("cut.alpha", window);
  if (kind === MAX) return high ? formatMessage("cut.beta", window) : "";
  return formatMessage(high ? "cut.high" : "cut.low", { ...window, node: record.name(p) });
}

function cutBelow(replay, i) {
  const cut = replay.children(i).filter((k) => replay.stateOf(k) === PRUNED);
  if (!cut.length) return "";
  const values = { actions: listed(replay.record, cut), reason: cutReason(replay, cut[0]) };
  return ` ${formatMessage("step.cut", values)}`;
}

const byAction = (replay, i) => {
  const move = replay.record.move[i];
  return move >= 0 ? formatMessage("chosen", { action: replay.record.action(move) }) : "";
};

function returned(replay, i, node) {
  const value = replay.text("value", i);
  const chosen = byAction(replay, i) && `, ${byAction(replay, i)}`;
  return formatMessage(value ? "step.return" : "step.move", { node, value, chosen }) + cutBelow(replay, i);
}

// The event before this step.
function happened(replay) {
  const { record, step } = replay;
  if (!step) return formatMessage("step.none");
  const i = replay.current;
  const node = record.name(i);
  const sentences = [
    () => formatMessage("step.enter", { node }),
    () =>
      replay.windowChanged
        ? formatMessage("step.window", { node, window: replay.interval(i) })
        : formatMessage("step.arguments", { node, rest: replay.text("rest", i) }),
    () => returned(replay, i, node),
    () => formatMessage("step.generated", { node }),
  ];
  return sentences[record.op[step - 1]]();
}

export function captionOf(replay) {
  const count = { step: whole(replay.step), steps: whole(replay.steps) };
  return `${formatMessage("step.count", count)} ${happened(replay)}`;
}

// A line of the stack: the node and its window.
export const stackLine = (replay, i) => `${replay.record.path(i)} ${replay.interval(i)}`;

export const stateName = (state) => formatMessage(`state.${STATES[state]}`);

// The facts about a node, in one line.
export function factsOf(replay, i) {
  const { record, steps } = replay;
  const state = replay.stateOf(i);
  const value = replay.value(i);
  const window = replay.interval(i);
  const facts = [
    steps && stateName(state),
    value && formatMessage("node.value", { value: meanText(replay, i) || value }),
    state === DONE && byAction(replay, i),
    window && formatMessage("node.window", { window }),
    replay.text("rest", i),
    record.label("size", i),
    steps && state === PRUNED && cutReason(replay, i),
  ];
  return facts.filter(Boolean).join("; ");
}
