// What is said of a recorded search at a step: sentences from the record and its replay.

import { CHANCE, DONE, MAX, MIN, NEVER, STATES } from "./codes.js";
import { meanOf } from "./means.js";
import { say, whole } from "./messages.js";
import { numberOf } from "./numbers.js";

const SO_MANY = 9; // actions are listed

const listed = (record, nodes) => {
  const labels = nodes.slice(0, SO_MANY).map((k) => record.action(k));
  return labels.join(" ") + (nodes.length > SO_MANY ? " …" : "");
};

// Why a node was cut, by the α and β of the node at which it was, and the value which that node has, or will
// have.
export function cutReason(replay, i, value = replay.text("value", replay.cutAt(i))) {
  const p = replay.cutAt(i);
  const [alpha, beta] = replay.given(p);
  const window = { value, alpha, beta };
  const low = alpha && numberOf(value) <= numberOf(alpha);
  const high = beta && numberOf(value) >= numberOf(beta);
  const reason = (low || high) && byWindow(replay, p, window, high);
  if (reason) return reason;
  if (!alpha || Number.isNaN(numberOf(value))) return say("cut.early");
  return say("cut.early window", window);
}

// The sentence for a closed window; "" where it is closed on the side that is not the player's.
function byWindow({ record }, p, window, high) {
  const kind = record.kind.includes(CHANCE) ? CHANCE : record.kind[p]; // a chance node sets bounds of its own
  if (kind === MIN && numberOf(window.value) <= numberOf(window.alpha)) return say("cut.alpha", window);
  if (kind === MAX) return high ? say("cut.beta", window) : "";
  return say(high ? "cut.high" : "cut.low", { ...window, node: record.name(p) });
}

function cutBelow(replay, i) {
  const cut = replay.children(i).filter((k) => replay.stateOf(k) === NEVER);
  if (!cut.length) return "";
  return ` ${say("step.cut", { actions: listed(replay.record, cut), reason: cutReason(replay, cut[0]) })}`;
}

const byAction = (replay, i) => {
  const move = replay.record.move[i];
  return move >= 0 ? say("chosen", { action: replay.record.action(move) }) : "";
};

function returned(replay, i, node) {
  const value = replay.text("value", i);
  const chosen = byAction(replay, i) && `, ${byAction(replay, i)}`;
  return say(value ? "step.return" : "step.move", { node, value, chosen }) + cutBelow(replay, i);
}

// What happened at the event before this step.
function happened(replay) {
  const { record, step } = replay;
  if (!step) return say("step.none");
  const i = replay.current;
  const node = record.name(i);
  const sentences = [
    () => say("step.enter", { node }),
    () =>
      replay.windowChanged
        ? say("step.window", { node, window: replay.interval(i) })
        : say("step.arguments", { node, rest: replay.text("rest", i) }),
    () => returned(replay, i, node),
    () => say("step.made", { node }),
  ];
  return sentences[record.op[step - 1]]();
}

export const captionOf = (replay) =>
  `${say("step.count", { step: whole(replay.step), steps: whole(replay.steps) })} ${happened(replay)}`;

// A line of the stack: the node and its window.
export const stackLine = (replay, i) => `${replay.record.path(i)} ${replay.interval(i)}`;

export const stateName = (state) => say(`state.${STATES[state]}`);

// What is known of a node, in one line.
export function factsOf(replay, i) {
  const { record, steps } = replay;
  const state = replay.stateOf(i);
  const value = replay.value(i);
  const window = replay.interval(i);
  const facts = [
    steps && stateName(state),
    value && say("fact.value", { value: meanOf(replay, i) || value }),
    state === DONE && byAction(replay, i),
    window && say("fact.window", { window }),
    replay.text("rest", i),
    record.label("size", i),
    steps && state === NEVER && cutReason(replay, i),
  ];
  return facts.filter(Boolean).join("; ");
}
