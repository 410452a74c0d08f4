// A step that is told the kernel when it rests: what the kernel repeats meanwhile is no news.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Settling } from "../../course_lib/explore/js/settling.js";

function settlingOf(values) {
  const host = {
    get: (name) => values[name],
    set: (changed) => Object.assign(values, changed),
  };
  return new Settling(host, "step", new AbortController().signal);
}

test("what the kernel repeats does not undo a step, and a step from outside is news", () => {
  const values = { step: 0 };
  const settling = settlingOf(values);
  settling.tell(2);
  settling.settle();
  assert.equal(values.step, 2);
  settling.tell(28); // the reader goes on
  assert.equal(settling.isEcho(2), true);
  assert.equal(settling.isEcho(13), false);
  settling.settle();
  assert.equal(values.step, 28);
});
