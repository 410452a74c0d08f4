// The mean at a chance node, written as a sum.

import { CHANCE, DONE } from "./constants.js";
import { numberOf } from "./numbers.js";

const MAX_LISTED = 12; // terms

const bracketed = (text) => (text.startsWith("−") ? `(${text})` : text);

// The probability of an outcome, which is on its edge after the action.
const weight = (record, k) => record.label("edge", k).slice(record.action(k).length + 2);

// "1/3 · (−1) + 2/3 · 1/3", for a chance node whose outcomes all have a value; else "".
export function sumText(replay, i) {
  const { record } = replay;
  const children = replay.children(i);
  if (record.kind[i] !== CHANCE || children.some((k) => replay.state[k] !== DONE)) return "";
  if (children.some((k) => Number.isNaN(numberOf(replay.value(k))))) return "";
  const terms = children.map((k) => `${weight(record, k)} · ${bracketed(replay.value(k))}`);
  return terms.slice(0, MAX_LISTED).join(" + ") + (terms.length > MAX_LISTED ? " + …" : "");
}

// The same with its result, after the search has left the node.
export function meanText(replay, i) {
  const sum = replay.stateOf(i) === DONE && sumText(replay, i);
  return sum ? `${sum} = ${replay.text("value", i)}` : "";
}
