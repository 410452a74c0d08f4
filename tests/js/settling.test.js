// A step that is told the kernel when it rests: what the kernel repeats meanwhile is no news.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Settling } from "../../course_lib/explore/js/host.js";

function settlingOf(values) {
  globalThis.window = { addEventListener() {} };
  const model = {
    get: (name) => values[name],
    set: (name, value) => void (values[name] = value),
    save_changes() {},
  };
  return new Settling(model, "step", new AbortController().signal);
}

test("what another view told, and the kernel repeats, does not undo a step", () => {
  const values = { step: 0 };
  const settling = settlingOf(values);
  values.step = 2; // from the other view
  settling.tell(2);
  settling.tell(28); // the reader goes on
  values.step = 2; // the kernel repeats it
  assert.equal(settling.resist(2), true);
  assert.equal(values.step, 28);
  settling.forget();
});

test("a step from outside is news", () => {
  const settling = settlingOf({ step: 0 });
  settling.tell(28);
  assert.equal(settling.resist(13), false);
  settling.forget();
});
