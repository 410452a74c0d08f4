// The state machines: what a step does, a step back undoes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ENTER, EXIT } from "../../course_lib/explore/js/constants.js";
import { calls, randomNumbers, recorded, treeOf } from "./support.js";

// All that a replay knows, apart from what it keeps to step back.
function snapshot(replay) {
  const { now, numbers, count, stack, state, step } = replay;
  const copies = Object.values(now ?? numbers).map((column) => [...column]);
  const children = replay.record.children(0).map((k) => replay.children(k));
  return structuredClone({ copies, count, children, stack, state: state && [...state], step });
}

for (const one of recorded) {
  test(`${one.name}: forward and then backward is the identity`, () => {
    const { replay } = treeOf(one);
    const steps = Math.min(replay.steps, 150);
    const seen = [];
    for (let step = 0; step <= steps; step++) {
      replay.goTo(step);
      seen.push(snapshot(replay));
    }
    for (let step = steps; step >= 0; step--) {
      replay.goTo(step);
      assert.deepEqual(snapshot(replay), seen[step]);
    }
  });

  test(`${one.name}: a jump is as many steps`, () => {
    const random = randomNumbers(7);
    const { replay } = treeOf(one);
    for (let jump = 0; jump < 8; jump++) {
      const target = Math.floor(random() * (replay.steps + 1));
      replay.goTo(target);
      const fresh = treeOf(one).replay;
      while (fresh.step < target) fresh.goTo(fresh.step + 1);
      assert.deepEqual(snapshot(replay), snapshot(fresh));
    }
  });
}

for (const one of calls)
  test(`${one.name}: the stack holds the nodes that are entered and not left`, () => {
    const { record, replay } = treeOf(one);
    const open = [];
    for (let e = 0; e < record.steps; e++) {
      if (record.op[e] === ENTER) open.push(record.at[e]);
      if (record.op[e] === EXIT) open.pop();
      replay.goTo(e + 1);
      assert.deepEqual(replay.stack, open);
    }
    assert.deepEqual(replay.stack, []);
  });

test("a node that is entered again has no value until it returns", () => {
  const { record, replay } = treeOf(calls.find(({ name }) => name === "deepening"));
  for (let e = 0; e < record.steps; e++) {
    replay.goTo(e + 1);
    if (record.op[e] === ENTER) assert.equal(replay.text("value", record.at[e]), "");
  }
});
