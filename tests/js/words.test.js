// What is said: reasons for cuts and the numbers of selection are those of the Python that searched.

import assert from "node:assert/strict";
import { test } from "node:test";

import { MAX, MIN, NEVER } from "../../course_lib/explore/js/codes.js";
import { choice, urgency } from "../../course_lib/explore/js/mcts_formula.js";
import { judge, questionAt } from "../../course_lib/explore/js/questions.js";
import { captionOf, cutReason } from "../../course_lib/explore/js/words.js";
import { calls, mcts, treeOf } from "./support.js";

const cutting = calls.filter(({ cuts }) => Object.keys(cuts).length);

test("several of the recorded searches cut", () => assert.ok(cutting.length >= 5));

for (const one of cutting)
  test(`${one.name}: the reasons for cuts are the search's`, () => {
    const { record, replay } = treeOf(one);
    const leave = (p) => record.at.lastIndexOf(p) + 1;
    for (const [number, [value, alpha, beta]] of Object.entries(one.cuts)) {
      const kind = record.kind[record.parent[number]];
      replay.goTo(leave(record.parent[number]));
      assert.equal(replay.stateOf(+number), NEVER);
      const reason = cutReason(replay, +number);
      const isAlpha = one.name !== "negamax" && kind === MIN;
      const isBeta = one.name === "negamax" || kind === MAX;
      if (isAlpha) assert.ok(reason.endsWith(`${value} ≤ α = ${alpha}`), reason);
      else if (isBeta) assert.ok(reason.includes(`${value} ≥ β = ${beta}`), reason);
      replay.goTo(record.steps);
      assert.equal(cutReason(replay, +number), reason, "it is the same at the end");
    }
  });

for (const one of mcts)
  test(`${one.name}: scores and choices are the search's`, () => {
    const tree = treeOf(one);
    for (const [step, { scores, chosen }] of Object.entries(one.numbers)) {
      tree.replay.goTo(+step);
      for (const [number, next] of Object.entries(chosen)) {
        assert.equal(choice(tree, +number), next ?? -1, `step ${step}, node ${number}`);
        const score = scores[number] === "inf" ? Infinity : (scores[number] ?? NaN);
        const own = urgency(tree, +number);
        const near = Object.is(own, score) || Math.abs(own - score) < 1e-9;
        assert.ok(near, `step ${step}, node ${number}: ${own}, not ${score}`);
      }
    }
  });

for (const one of calls)
  test(`${one.name}: every question has an answer that is right, and every step a sentence`, () => {
    const { record, replay } = treeOf(one);
    for (let step = 0; step <= Math.min(record.steps, 60); step++) {
      replay.goTo(step);
      assert.ok(captionOf(replay).startsWith(`Step ${step} of `));
      for (const mode of ["value", "next", "next leaf"]) {
        const e = questionAt(record, mode, step);
        if (e < 0) continue;
        const answer = mode === "value" ? record.texts[record.events.value[e]] : record.path(record.at[e]);
        assert.equal(judge(replay, mode, e, answer).right, true, `${mode} at step ${step}: ${answer}`);
        assert.notEqual(judge(replay, mode, e, "7777").right, true);
      }
    }
  });
