// The mean at a chance node, as a sum with its numbers.

import { CHANCE, DONE } from "./codes.js";
import { numberOf } from "./numbers.js";

const SO_MANY = 12; // terms are written

const bracketed = (text) => (text.startsWith("−") ? `(${text})` : text);

// The probability of an outcome, which stands on its edge after the action.
const weight = (record, k) => record.label("edge", k).slice(record.action(k).length + 2);

// "1/3 · (−1) + 2/3 · 1/3", of a chance node all of whose outcomes have a value; else "".
export function sumOf(replay, i) {
  const { record } = replay;
  const children = replay.children(i);
  if (record.kind[i] !== CHANCE || children.some((k) => replay.state[k] !== DONE)) return "";
  if (children.some((k) => Number.isNaN(numberOf(replay.value(k))))) return "";
  const terms = children.map((k) => `${weight(record, k)} · ${bracketed(replay.value(k))}`);
  return terms.slice(0, SO_MANY).join(" + ") + (terms.length > SO_MANY ? " + …" : "");
}

// The same with its result, when the search has left the node.
export function meanOf(replay, i) {
  const sum = replay.stateOf(i) === DONE && sumOf(replay, i);
  return sum ? `${sum} = ${replay.text("value", i)}` : "";
}
