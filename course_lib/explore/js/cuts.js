// The cuts of a recorded search: why a node was not visited, and when the search will stop at a node.

import { CHANCE, CUT, ENTER, EXIT, GENERATED, MAX, MIN, NEW } from "./constants.js";
import { formatMessage } from "./messages.js";

// How a search uses α and β: those of the last call and the value that it returned, by node, as indices of
// texts; whether it cuts; whether values are the mover's, as in negamax, so that α rises at Min nodes; and
// whether it goes on when a value equals its bound.
function usesOf(record) {
  const { at, events, kind, op, status } = record;
  const calls = [];
  const uses = { calls, cuts: status.includes(CUT), chance: kind.includes(CHANCE) };
  for (let e = 0; e < op.length; e++) {
    if (op[e] === ENTER) calls[at[e]] = {};
    if (events.alpha?.[e] >= 0) noteWindow(record, e, calls[at[e]], uses);
    if (op[e] === EXIT) calls[at[e]].value = events.value?.[e];
  }
  return uses;
}

function noteWindow({ at, events, kind, numbers, op }, e, call, uses) {
  const alpha = events.alpha[e];
  const beta = events.beta[e];
  if (call.alpha === undefined) Object.assign(call, { alpha, beta });
  if (kind[at[e]] === MIN && numbers[alpha] > numbers[call.alpha]) uses.negates = true;
  if (op[e] === ENTER && numbers[alpha] === numbers[beta]) uses.strict = true;
}

const usesIn = (record) => (record.uses ??= usesOf(record));

// Why the search left a node before its last children: the name of a message.
function reasonAt(record, p) {
  const { calls, chance } = usesIn(record);
  const { alpha, beta, value } = calls[p] ?? {};
  const [low, high, v] = [alpha, beta, value].map((index) => record.numbers[index] ?? NaN);
  const kind = chance ? CHANCE : record.kind[p]; // a chance node has its own bounds
  if (kind === MIN && v <= low) return "cut.alpha";
  if (v >= high) return kind === MAX ? "cut.beta" : "cut.high";
  if (v <= low && kind !== MAX) return "cut.low";
  return low <= high && !Number.isNaN(v) ? "cut.early window" : "cut.early";
}

// Whether α or β justifies that this node was not visited.
export const isCut = (replay, i) => !reasonAt(replay.record, replay.cutAt(i)).startsWith("cut.early");

// Whether α or β justifies all that was not visited.
export const onlyCuts = (replay) =>
  replay.record.status.every((status, i) => status !== CUT || isCut(replay, i));

// Why a node was not visited: from α, β and the value of the node at which it was cut.
export function cutReason(replay, i) {
  const { record } = replay;
  const p = replay.cutAt(i);
  const { alpha, beta, value } = usesIn(record).calls[p] ?? {};
  const { texts } = record;
  const shown = { alpha: texts[alpha], beta: texts[beta], value: texts[value], node: record.name(p) };
  return formatMessage(reasonAt(record, p), shown);
}

// When the search will stop at the newest node of the stack, and the `next` child that it would leave out; or
// null.
export function nextCut({ now, record, stack, state }) {
  const p = stack.at(-1);
  const { cuts, negates, strict } = usesIn(record);
  if (!cuts || !now.alpha || ![MAX, MIN].includes(record.kind[p])) return null;
  const isLow = record.kind[p] === MIN && !negates;
  const [low, high] = [now.alpha[p], now.beta[p]];
  const bound = isLow ? low : high;
  const next = record.children(p).find((k) => state[k] === NEW || state[k] === GENERATED);
  const isOpen = Number.isFinite(record.numbers[bound]) && record.numbers[low] < record.numbers[high];
  if (next === undefined || !isOpen) return null;
  const [equal, beyond] = isLow ? ["≤", "<"] : ["≥", ">"];
  return { next, bound: record.texts[bound], sign: strict ? beyond : equal };
}
