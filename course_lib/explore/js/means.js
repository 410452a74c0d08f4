// The mean at a chance node, as a sum with its numbers; and the cuts of Star1, which that mean decides.

import { CHANCE, DONE, MAX, MIN } from "./codes.js";
import { say } from "./messages.js";
import { numberOf, ratio } from "./numbers.js";

const SO_MANY = 12; // terms are written

// For a player: which side of the window cuts, and what is said where no other player set it.
const SIDES = {
  [MIN]: [0, "cut.lowest", "cut.low chance"],
  [MAX]: [1, "cut.highest", "cut.high chance"],
};

const bracketed = (text) => (text.startsWith("−") ? `(${text})` : text);

// The probability of an outcome, which stands on its edge after the action.
const weight = (record, k) => record.label("edge", k).slice(record.action(k).length + 2);

// What is known of the mean: the sum so far as a text, its value, and the probability of the rest.
function known(replay, i) {
  const { record } = replay;
  const seen = replay.children(i).filter((k) => replay.state[k] === DONE);
  const terms = seen.map((k) => [weight(record, k), replay.value(k)]);
  const total = terms.reduce((sum, [p, value]) => sum + numberOf(p) * numberOf(value), 0);
  const rest = terms.reduce((left, [p]) => left - numberOf(p), 1);
  const written = terms.slice(0, SO_MANY).map(([p, value]) => `${p} · ${bracketed(value)}`);
  return { sum: written.join(" + ") + (terms.length > SO_MANY ? " + …" : ""), total, rest };
}

// "1/3 · (−1) + 2/3 · 1/3", of a chance node all of whose outcomes have a value; else "".
export function sumOf(replay, i) {
  if (replay.record.kind[i] !== CHANCE) return "";
  const { sum, total, rest } = known(replay, i);
  return Number.isNaN(total) || rest > 1e-3 ? "" : sum;
}

// The same with its result, when the search has left the node.
export function meanOf(replay, i) {
  const sum = replay.stateOf(i) === DONE && sumOf(replay, i);
  return sum ? `${sum} = ${replay.text("value", i)}` : "";
}

// Why Star1 left out what is below node p, or "" where an α or β of another player decided.
export function star1Reason(replay, p, window) {
  const { record } = replay;
  record.hasChance ??= record.kind.includes(CHANCE);
  if (!record.hasChance) return "";
  if (record.kind[p] === CHANCE) return chanceReason(replay, p, window);
  return SIDES[record.kind[p]] ? boundReason(replay, p, window.value) : "";
}

// The mean that is seen, and what the rest can add to it.
function chanceReason(replay, p, { value, alpha, beta }) {
  const { sum, total, rest } = known(replay, p);
  const bound = ratio((numberOf(value) - total) / rest);
  const name = numberOf(value) >= numberOf(beta) ? "cut.star1 high" : "cut.star1 low";
  const added = `${ratio(total)} + ${ratio(rest)} · ${bracketed(bound)}`;
  return say(name, { sum, seen: ratio(total), rest: ratio(rest), bound, added, value, alpha, beta });
}

// Where the α or β of a player comes from: a chance node above gives bounds of its own.
function boundReason(replay, p, value) {
  const { record } = replay;
  const [side, fromStart, fromChance] = SIDES[record.kind[p]];
  const given = (i) => replay.given(i)[side];
  const bound = given(p);
  let i = p;
  while (i && given(record.parent[i]) === bound) i = record.parent[i];
  const above = record.parent[i];
  const values = { value, bound };
  if (!i || bound === given(0)) return say(fromStart, values);
  if (record.kind[above] !== CHANCE) return "";
  return say(fromChance, { ...values, node: record.name(above), own: given(above) });
}
