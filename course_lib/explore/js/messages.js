// All texts of the scripts come from the table of a language.

import ENGLISH from "./messages.en.json" with { type: "json" };

const table = ENGLISH;
const parts = new Map(); // by message: its texts, and between them the names of values

// The message of this name, with values instead of {their names}.
export function formatMessage(name, values = {}) {
  if (!(name in table)) throw new Error(`messages.en.json has no message "${name}".`);
  if (!parts.has(name)) parts.set(name, table[name].split(/\{(\w+)\}/));
  return parts
    .get(name)
    .map((part, place) => (place % 2 ? values[part] : part))
    .join("");
}

// A number of things: "1 visit", "1,200 visits".
export const counted = (count, noun) =>
  formatMessage(count === 1 ? `${noun}.one` : `${noun}.many`, { count: whole(count) });

// A count, such as 1,200. (toLocaleString takes a hundred times as long, and thousands of nodes have one.)
const mark = formatMessage("thousands");
export const whole = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, mark);

// The digits of a number with the sign and the decimal mark of the language: −0.5.
const point = formatMessage("decimal");
export const written = (digits) => digits.replace("-", "−").replace(".", point);

// Numbers in a row: 1, 0.5; with commas in the numbers, 1 ; 0,5.
export const listed = (texts) =>
  texts.join(texts.some((text) => /\d,\d/.test(text)) ? formatMessage("separator") : ", ");
