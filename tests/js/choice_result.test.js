// The result of an answer to a question with options.

import assert from "node:assert/strict";
import { test } from "node:test";

import { resultOf, markOf } from "../../course_lib/explore/js/choice_result.js";

const asked = { options: ["a", "b", "c"], reasons: ["", "So it is.", "C is late."], right: 1 };
const after = (...tried) => resultOf({ ...asked, tried });
const marks = (...tried) => asked.options.map((_, option) => markOf({ ...asked, tried }, option));

test("nothing is said before the first answer", () => {
  assert.equal(after(), null);
  assert.deepEqual(marks(), ["", "", ""]);
});

test("the right answer shows its reason, at any attempt", () => {
  for (const tried of [[1], [0, 1], [0, 2, 1]]) {
    assert.equal(after(...tried).words, "Right. So it is.");
    assert.equal(marks(...tried)[1], "right");
  }
});

test("the first wrong answer shows its reason, if any, and the answer stays open", () => {
  assert.equal(after(2).words, "Not quite. C is late. Choose again.");
  assert.equal(after(0).words, "Not quite. Choose again.");
  assert.deepEqual(marks(2), ["", "", "wrong"]);
});

test("after a second one comes the answer", () => {
  assert.equal(after(0, 2).words, "Not quite. C is late. The answer: b. So it is.");
  assert.equal(after(2, 0).words, "Not quite. The answer: b. So it is.");
  assert.deepEqual(marks(0, 2), ["wrong", "right", "wrong"]);
});
