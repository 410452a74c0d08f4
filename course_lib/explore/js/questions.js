// Predictions: the question before a step that would show the answer, and the check of the reader's answer.

import { CUT, VISITED, ENTER, EXIT, MAX, MIN } from "./constants.js";
import { formatMessage, listed } from "./messages.js";
import { numbersLike, sameNumbers, samePath } from "./numbers.js";
import { cutReason } from "./cuts.js";
import { sumText } from "./descriptions.js";

const isInner = (record, i) => record.children(i).some((k) => record.status[k] === VISITED);

// By mode: the event of the question before this step, or -1.
const QUESTIONS = {
  value(record, step) {
    const { at, events, op } = record;
    const sentences = op[step] === EXIT && events.value?.[step] >= 0;
    return sentences && isInner(record, at[step]) ? step : -1;
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
  formatMessage(`predict.${mode}`, { node: replay.record.name(replay.record.at[e]) });

// How the value of a node follows from those of its children.
function rule(replay, e) {
  const { record } = replay;
  const i = record.at[e];
  const children = replay.children(i);
  const sum = sumText(replay, i);
  if (sum) return formatMessage("rule.chance", { sum });
  const returned = children.filter((k) => replay.state[k] === VISITED);
  const texts = listed(returned.map((k) => replay.text("value", k)));
  const values = texts + (children.length > returned.length ? formatMessage("rule.cut") : "");
  const best = { [MAX]: Math.max, [MIN]: Math.min }[record.kind[i]]?.(
    ...returned.map((k) => replay.number(k)),
  );
  if (best !== record.numbers[record.events.value[e]]) return formatMessage("rule.other", { values });
  return formatMessage(record.kind[i] === MAX ? "rule.max" : "rule.min", { values });
}

// Why the correct answer is correct.
export function explain(replay, mode, e) {
  if (mode === "value")
    return `${rule(replay, e)} ${formatMessage("answer.value", { value: valueOf(replay, e) })}`;
  const { record } = replay;
  const i = record.at[e];
  const next = formatMessage("answer.next", {
    node: record.name(record.parent[i]),
    action: record.action(i),
  });
  return [...cutsBefore(replay, e), next].join(" ");
}

// The cuts before event e, since the last node that the reader has seen entered, and their reasons.
function cutsBefore(replay, e) {
  const { record, step } = replay;
  const { at, status, op } = record;
  const sentences = [];
  for (let before = e - 1; before >= step || (before >= 0 && op[before] !== ENTER); before--) {
    const cut = op[before] === EXIT ? record.children(at[before]).filter((k) => status[k] === CUT) : [];
    if (!cut.length) continue;
    const reason = cutReason(replay, cut[0]);
    sentences.unshift(
      formatMessage("step.cut", { actions: cut.map((k) => record.path(k)).join(", "), reason }),
    );
  }
  return sentences;
}

function hint(replay, mode, e, given) {
  if (mode === "value") return `${formatMessage("hint.value", { given })} ${rule(replay, e)}`;
  return formatMessage("hint.next", { node: given, here: replay.record.name(replay.stack.at(-1) ?? 0) });
}

// The result of an answer: { right, words }, or { invalid } if it should be a number and is not.
export function judge(replay, mode, e, answer) {
  const given = answer.trim();
  const right = mode === "value" ? judgeValue(valueOf(replay, e), given) : isNext(replay.record, e, given);
  if (right === undefined) return { invalid: formatMessage("hint.no number", { given }) };
  return { right, words: right ? explain(replay, mode, e) : hint(replay, mode, e, given) };
}

const isNext = (record, e, given) => samePath(given, record.path(record.at[e]));

function judgeValue(value, given) {
  const right = numbersLike(value, value);
  if (right.some(Number.isNaN)) return given.toLowerCase() === value.toLowerCase(); // True, or "won"
  const ours = numbersLike(value, given);
  return ours.some(Number.isNaN) ? undefined : sameNumbers(ours, right);
}
