// What a reader types, by the tables that the course's Python is held to.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import {
  amount,
  digits,
  numberOf,
  numbersLike,
  sameNumbers,
  samePath,
} from "../../course_lib/explore/js/numbers.js";

const table = (name) => JSON.parse(readFileSync(new URL(`../explore/${name}`, import.meta.url), "utf8"));
const INFINITE = { inf: Infinity, "-inf": -Infinity };
const meant = (entry) => (entry === null ? NaN : (INFINITE[entry] ?? entry));

test("a text is the number in the table", () => {
  for (const [text, entry] of table("numbers.json")) assert.equal(numberOf(text), meant(entry), `"${text}"`);
});

test("numbers in brackets are separated as in either language", () => {
  for (const text of ["(1, 0.5, −2)", "1 0.5 -2", "(1 ; 0,5 ; −2)", "1;0.5;-2"])
    assert.deepEqual(numbersLike("(0)", text), [1, 0.5, -2], text);
});

test("numbers are the same as exactly as they are written", () => {
  assert.ok(sameNumbers([12346], [12345.678]));
  assert.ok(sameNumbers([Infinity, 3], [Infinity, 3]));
  assert.ok(!sameNumbers([0], [0.0004]));
  assert.ok(!sameNumbers([3], [3, 3]));
  assert.ok(!sameNumbers([NaN], [NaN]));
});

test("a path may be written in several ways", () => {
  assert.ok(samePath("0, 1", "0 1"));
  assert.ok(samePath("(0,1) −2", "0 1 -2"));
  assert.ok(!samePath("", ""));
  assert.ok(!samePath("0 1", "0 11"));
});

test("no number is written as −0", () => {
  assert.equal(digits(-0.0001), "0.000");
  assert.equal(digits(-0.5), "−0.500");
  assert.equal(digits(Infinity), "∞");
  assert.equal(amount(-0.001), "0");
  assert.equal(amount(-2.5), "−2.5");
});
