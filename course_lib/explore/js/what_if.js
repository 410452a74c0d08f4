// A recorded search with other leaves: minimax or alpha-beta runs again, without Python.

import { CUT, ENTER, EXIT, LEAF, MIN, UPDATE, VISITED } from "./constants.js";
import { amount, numberOf } from "./numbers.js";
import { Record } from "./record.js";
import { alphaBeta, minimax } from "./searches.js";

// The record of the same search as in the record `sent`, with these utilities of the leaves, by node.
export function searchAgain(sent, leaves) {
  const record = new Record(sent);
  const texts = [...record.texts];
  const numbers = [...record.numbers];
  const textOf = (x) => {
    if (!numbers.includes(x)) numbers[texts.push(amount(x)) - 1] = x;
    return numbers.indexOf(x);
  };
  const shown = ["value", "alpha", "beta"].filter((name) => record.events[name]);
  const events = [];
  const status = new Uint8Array(record.count).fill(CUT);
  const move = new Int32Array(record.count).fill(-1);
  const on = (op, i, found) => {
    if (op === UPDATE && !record.events.alpha) return;
    const known = shown.map((name) => [name, name in found ? textOf(found[name]) : -1]);
    events.push({ op, at: i, ...Object.fromEntries(known) });
    if (op === ENTER) status[i] = VISITED;
    if (op === EXIT) move[i] = found.action ?? -1;
  };
  const game = {
    toMove: (i) => record.kind[i],
    actions: (i) => record.children(i),
    result: (_, child) => child,
    isTerminal: (i) => record.kind[i] === LEAF,
    utility: (i) => leaves[i],
  };
  if (record.events.alpha) alphaBeta(game, 0, -Infinity, Infinity, on);
  else minimax(game, 0, on);
  const leaf = Int32Array.from(record.labels.leaf, (old, i) => (record.kind[i] ? old : textOf(leaves[i])));
  const columns = { ...sent.columns, leaf, status, numbers: Float64Array.from(numbers) };
  if (record.move.some((child) => child >= 0)) columns.move = move;
  for (const name of ["at", ...shown]) columns[name] = Int32Array.from(events, (event) => event[name]);
  columns.op = Uint8Array.from(events, (event) => event.op);
  return { ...sent, texts, columns };
}

// What happens in a record, with texts instead of their places.
function story(sent) {
  const { at, events, op, texts } = new Record(sent);
  const words = (e) => Object.values(events).map((column) => texts[column?.[e]]);
  return JSON.stringify(Array.from(op, (what, e) => [what, at[e], words(e)]));
}

// The leaves of a record if this page can search it again: if it finds the recorded search, event by event.
export function editableLeaves(sent) {
  const { below, events, kind, labels, numbers, steps, texts } = new Record(sent);
  if (!numbers || !steps || events.rest || !events.value || kind.some((each) => each > MIN)) return null;
  // A leaf that was cut has no number, but a text.
  const utility = (place) => (Number.isNaN(numbers[place]) ? numberOf(texts[place]) : numbers[place]);
  const leaves = Array.from(labels.leaf, utility);
  const isKnown = (leaf, i) => (kind[i] === LEAF ? Number.isFinite(leaf) : below[i].length > 0);
  if (!leaves.every(isKnown)) return null;
  return story(searchAgain(sent, leaves)) === story(sent) ? leaves : null;
}
