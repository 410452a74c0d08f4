// Sentences about a step of a recorded search.

import { CHANCE, VISITED, CUT, STATUSES } from "./constants.js";
import { cutReason, isCut, nextCut } from "./cuts.js";
import { formatMessage, whole } from "./messages.js";

const MAX_LISTED = 9; // actions
const MAX_TERMS = 12; // of the mean at a chance node

const listed = (record, nodes) => {
  const labels = nodes.slice(0, MAX_LISTED).map((k) => record.action(k));
  return labels.join(" ") + (nodes.length > MAX_LISTED ? " …" : "");
};

const bracketed = (text) => (text.startsWith("−") ? `(${text})` : text);

// "1/3 · (−1) + 2/3 · 1/3", for a chance node whose outcomes all have returned a number; else "".
export function sumText(replay, i) {
  const { kind, probability, texts } = replay.record;
  const children = replay.children(i);
  const isKnown = (k) => replay.state[k] === VISITED && !Number.isNaN(replay.number(k));
  if (kind[i] !== CHANCE || !children.every(isKnown)) return "";
  const terms = children.map((k) => `${texts[probability[k]]} · ${bracketed(replay.value(k))}`);
  return terms.slice(0, MAX_TERMS).join(" + ") + (terms.length > MAX_TERMS ? " + …" : "");
}

// The value of a node; that of a chance node as the sum, after the search has left it.
function valueText(replay, i) {
  const sum = replay.state[i] === VISITED && sumText(replay, i);
  return sum ? `${sum} = ${replay.value(i)}` : replay.value(i);
}

function cutBelow(replay, i) {
  const cut = replay.children(i).filter((k) => replay.stateOf(k) === CUT);
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

// A line of the stack: the node and its window; for the newest node also when the search stops there.
export function stackLine(replay, i) {
  const line = `${replay.record.path(i)} ${replay.interval(i)}`;
  const cut = i === replay.stack.at(-1) && nextCut(replay);
  return cut ? formatMessage("stop.stack", { line, ...cut }) : line;
}

export function stateName(replay, i) {
  const state = replay.stateOf(i);
  return formatMessage(state === CUT && !isCut(replay, i) ? "state.left out" : `state.${STATUSES[state]}`);
}

// The facts about a node, in one line.
export function factsOf(replay, i) {
  const { record, steps } = replay;
  const state = replay.stateOf(i);
  const value = valueText(replay, i);
  const window = replay.interval(i);
  const facts = [
    steps && stateName(replay, i),
    value && formatMessage("node.value", { value }),
    state === VISITED && byAction(replay, i),
    window && formatMessage("node.window", { window }),
    replay.text("rest", i),
    record.label("size", i),
    steps && state === CUT && cutReason(replay, i),
  ];
  return facts.filter(Boolean).join(formatMessage("separator"));
}
