// Predictions: a step that would show the answer waits for the reader's. Here is what is asked, and how it is
// judged.

import { CUT, DONE, ENTER, EXIT, MAX, MIN, VISITED } from "./codes.js";
import { sumOf } from "./means.js";
import { say } from "./messages.js";
import { numberOf, numbersLike, sameNumbers, samePath } from "./numbers.js";
import { cutReason } from "./words.js";

const isInner = (record, i) => record.children(i).some((k) => record.ending[k] === VISITED);

// The event that a reader is asked about before this step is taken, or -1, by what is predicted.
const QUESTIONS = {
  value(record, step) {
    const { at, events, op } = record;
    const told = op[step] === EXIT && events.value?.[step] >= 0;
    return told && isInner(record, at[step]) ? step : -1;
  },
  next: ({ at, op }, step) => (op[step] === ENTER && at[step] ? step : -1),
  "next leaf"(record, step) {
    const { at, op } = record;
    for (let e = step; e < op.length; e++) if (op[e] === ENTER && !isInner(record, at[e])) return e;
    return -1;
  },
};

export const questionAt = (record, mode, step) => QUESTIONS[mode]?.(record, step) ?? -1;

const valueOf = ({ record }, e) => record.texts[record.events.value?.[e]] ?? "";

export const words = (replay, mode, e) =>
  say(`ask.${mode}`, { node: replay.record.name(replay.record.at[e]) });

// How a node's value comes from its children's.
function rule(replay, e) {
  const { record } = replay;
  const i = record.at[e];
  const children = replay.children(i);
  const sum = sumOf(replay, i);
  if (sum) return say("rule.chance", { sum });
  const seen = children.filter((k) => replay.state[k] === DONE).map((k) => replay.text("value", k));
  const values = seen.join(", ") + (children.length > seen.length ? say("rule.cut") : "");
  const best = { [MAX]: Math.max, [MIN]: Math.min }[record.kind[i]]?.(...seen.map(numberOf));
  if (best !== numberOf(valueOf(replay, e))) return say("rule.other", { values });
  return say(record.kind[i] === MAX ? "rule.max" : "rule.min", { values });
}

// Why the right answer is right.
export function explain(replay, mode, e) {
  if (mode === "value") return `${rule(replay, e)} ${say("explain.value", { value: valueOf(replay, e) })}`;
  const { record } = replay;
  const i = record.at[e];
  const next = say("explain.next", { node: record.name(record.parent[i]), action: record.action(i) });
  return [...cutsBefore(replay, e), next].join(" ");
}

// What the search leaves out on its way to event e, after what the reader has seen it enter, and why.
function cutsBefore(replay, e) {
  const { record, step } = replay;
  const { at, ending, op } = record;
  const told = [];
  for (let before = e - 1; before >= step || (before >= 0 && op[before] !== ENTER); before--) {
    const cut = op[before] === EXIT ? record.children(at[before]).filter((k) => ending[k] === CUT) : [];
    if (!cut.length) continue;
    const reason = cutReason(replay, cut[0], valueOf(replay, before));
    told.unshift(say("step.cut", { actions: cut.map((k) => record.path(k)).join(", "), reason }));
  }
  return told;
}

function hint(replay, mode, e, given) {
  if (mode === "value") return `${say("hint.value", { given })} ${rule(replay, e)}`;
  return say("hint.next", { node: given, here: replay.record.name(replay.stack.at(-1) ?? 0) });
}

// What becomes of an answer: { right, words }, or { unread } where a number was asked for and there is none.
export function judge(replay, mode, e, answer) {
  const given = answer.trim();
  const right = mode === "value" ? judgeValue(valueOf(replay, e), given) : isNext(replay.record, e, given);
  if (right === undefined) return { unread: say("hint.no number", { given }) };
  return { right, words: right ? explain(replay, mode, e) : hint(replay, mode, e, given) };
}

const isNext = (record, e, given) => samePath(given, record.path(record.at[e]));

function judgeValue(value, given) {
  const right = numbersLike(value, value);
  if (right.some(Number.isNaN)) return given.toLowerCase() === value.toLowerCase(); // True, or "won"
  const ours = numbersLike(value, given);
  return ours.some(Number.isNaN) ? undefined : sameNumbers(ours, right);
}
