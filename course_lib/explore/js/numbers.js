// Numbers as readers type them: −3, –3, 0,5, 1/2, 1e5, ∞. answers.py parses them in the same way;
// tests/explore/ numbers.json tests both.

import { written } from "./messages.js";

const DECIMAL = "(?:\\d+[.,]?\\d*|[.,]\\d+)(?:e[+-]?\\d+)?";
const INFINITY = "∞|oo|inf(?:inity)?";
const NUMBER = new RegExp(`^([+-]?)(?:(${INFINITY})|(${DECIMAL})(?:\\s*/\\s*(${DECIMAL}))?)$`);

const plain = (text) => text.replace(/[−–]/g, "-").trim().toLowerCase();
const decimal = (digits) => Number(digits.replace(",", "."));
const listed = (text) =>
  text
    .replace(text.includes(";") ? /[[\]();]/g : /[[\](),]/g, " ")
    .split(/\s+/)
    .filter(Boolean);

// The number that a text is, or NaN.
export function numberOf(text) {
  const found = NUMBER.exec(plain(text));
  if (!found) return NaN;
  const [, sign, infinite, top, bottom = "1"] = found;
  if (decimal(bottom) === 0) return NaN;
  const size = infinite ? Infinity : decimal(top) / decimal(bottom);
  return sign === "-" ? -size : size;
}

// The numbers of a text in the form of another one: a list if that is in brackets, such as (1, 0.5, −2), or
// else one number.
export const numbersLike = (other, text) =>
  /^[[(]/.test(other) ? listed(text).map(numberOf) : [numberOf(text)];

// Whether these numbers are equal, up to the precision of their texts.
export function sameNumbers(ours, theirs, tolerance = 1e-3) {
  const near = (x, y) => x === y || Math.abs(x - y) <= tolerance * Math.abs(y);
  return ours.length === theirs.length && ours.every((x, place) => near(x, theirs[place]));
}

// The words of a path, however they are separated.
const tokens = (text) => text.replace(/[−–]/g, "-").match(/[^\s,()[\]]+/g) || [];

export const samePath = (one, other) => tokens(one).length > 0 && tokens(one).join() === tokens(other).join();

// The text of a number, without −0.
export function digits(x, places = 3) {
  if (x === Infinity) return "∞";
  return written(x.toFixed(places).replace(/^-(?=[0.]*$)/, ""));
}

export const amount = (x) => written(String(+x.toFixed(2)));
