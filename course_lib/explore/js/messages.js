// Every word that the scripts show comes from the table of a language.

import ENGLISH from "./messages.en.json" with { type: "json" };

const table = ENGLISH;

// The message of this name, with values in the place of {their names}.
export function say(name, values = {}) {
  if (!(name in table)) throw new Error(`messages.en.json has no message "${name}".`);
  return table[name].replace(/\{(\w+)\}/g, (_, value) => values[value]);
}

// A number of things: "1 visit", "1,200 visits".
export const counted = (count, noun) =>
  say(count === 1 ? `${noun}.one` : `${noun}.many`, { count: whole(count) });

export const whole = (count) => count.toLocaleString("en");
