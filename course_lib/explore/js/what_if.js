// A recorded search with other leaves: minimax or alpha-beta runs again, without Python.

import { CUT, ENTER, EXIT, LEAF, MIN, UPDATE, VISITED } from "./constants.js";
import { amount, numberOf } from "./numbers.js";
import { Record } from "./record.js";
import { alphaBeta, minimax } from "./searches.js";

const TEXTS = ["value", "alpha", "beta"]; // of events

// The utility of each leaf of a record, by node; of leaves that were cut there is only the text.
const leavesOf = ({ labels, numbers, texts }) =>
  Array.from(labels.leaf, (place) =>
    Number.isNaN(numbers[place]) ? numberOf(texts[place]) : numbers[place],
  );

const gameOf = (record, leaves) => ({
  toMove: (i) => record.kind[i],
  actions: (i) => record.children(i),
  result: (_, child) => child,
  isTerminal: (i) => record.kind[i] === LEAF,
  utility: (i) => leaves[i],
});

// The record of the same search as in the record `sent`, with these utilities of the leaves, by node.
export function searchAgain(sent, leaves) {
  const record = new Record(sent);
  const texts = [...record.texts];
  const numbers = [...record.numbers];
  const textOf = (x) => {
    if (!numbers.includes(x)) numbers[texts.push(amount(x)) - 1] = x;
    return numbers.indexOf(x);
  };
  const windows = Boolean(record.events.alpha);
  const events = { op: [], at: [], value: [], alpha: [], beta: [] };
  const status = new Uint8Array(record.count).fill(CUT);
  const move = new Int32Array(record.count).fill(-1);
  const on = (op, i, found) => {
    if (op === UPDATE && !windows) return;
    events.op.push(op);
    events.at.push(i);
    for (const name of TEXTS) events[name].push(name in found ? textOf(found[name]) : -1);
    if (op === ENTER) status[i] = VISITED;
    if (op === EXIT) move[i] = found.action ?? -1;
  };
  const game = gameOf(record, leaves);
  if (windows) alphaBeta(game, 0, -Infinity, Infinity, on);
  else minimax(game, 0, on);
  const leaf = Int32Array.from(record.labels.leaf, (old, i) => (record.kind[i] ? old : textOf(leaves[i])));
  const columns = { ...sent.columns, leaf, status, numbers: Float64Array.from(numbers) };
  if (record.move.some((child) => child >= 0)) columns.move = move;
  columns.op = Uint8Array.from(events.op);
  for (const name of ["at", "value", ...(windows ? TEXTS.slice(1) : [])])
    columns[name] = Int32Array.from(events[name]);
  return { ...sent, texts, columns };
}

// What happens in a record, with texts instead of their places.
function story(sent) {
  const record = new Record(sent);
  const shown = TEXTS.filter((name) => record.events[name]);
  const texts = (e) => shown.map((name) => record.texts[record.events[name][e]]);
  return JSON.stringify(Array.from(record.op, (op, e) => [op, record.at[e], texts(e)]));
}

// The leaves of a record if this page can search it again: if it finds the recorded search, event by event.
export function editableLeaves(sent) {
  const record = new Record(sent);
  if (!record.numbers || !record.steps || record.events.rest || !record.events.value) return null;
  if (record.kind.some((kind) => kind > MIN)) return null;
  const leaves = leavesOf(record);
  const isKnown = (i) => record.children(i).length || (record.kind[i] === LEAF && Number.isFinite(leaves[i]));
  if (!leaves.every((_, i) => isKnown(i))) return null;
  return story(searchAgain(sent, leaves)) === story(sent) ? leaves : null;
}
