// A step is sent after a pause: echoes from the kernel meanwhile are ignored.
import assert from "node:assert/strict";
import { test } from "node:test";

import { DebouncedTrait } from "../../course_lib/explore/js/debounced_trait.js";

function settlingOf(values) {
  const host = {
    get: (name) => values[name],
    set: (changed) => Object.assign(values, changed),
  };
  return new DebouncedTrait(host, "step", new AbortController().signal);
}

test("what the kernel repeats does not undo a step, and a step from outside is news", () => {
  const values = { step: 0 };
  const debouncedStep = settlingOf(values);
  debouncedStep.set(2);
  debouncedStep.flush();
  assert.equal(values.step, 2);
  debouncedStep.set(28); // the reader goes on
  assert.equal(debouncedStep.isEcho(2), true);
  assert.equal(debouncedStep.isEcho(13), false);
  debouncedStep.flush();
  assert.equal(values.step, 28);
});
