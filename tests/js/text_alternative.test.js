// The text of a tree at a step, and what of it is the principal variation.

import assert from "node:assert/strict";
import { test } from "node:test";

import { CUT } from "../../course_lib/explore/js/constants.js";
import { textOf } from "../../course_lib/explore/js/text_alternative.js";
import { cutReason } from "../../course_lib/explore/js/cuts.js";
import { factsOf } from "../../course_lib/explore/js/descriptions.js";
import { calls, treeOf } from "./support.js";

const kind = { line: ({ record, replay }, i) => `${record.name(i)}: ${factsOf(replay, i)}` };

function drawnTree(one, step) {
  const tree = treeOf(one, kind);
  tree.replay.goTo(Math.min(step, tree.replay.steps));
  tree.drawing = { order: Array.from({ length: tree.record.count }, (_, i) => i) };
  return tree;
}

for (const one of calls)
  test(`${one.name}: a line of text for each node, indented, with its value and why it was cut`, () => {
    const tree = drawnTree(one, Infinity);
    const { record, replay } = tree;
    const lines = textOf(tree).split("\n");
    assert.equal(lines.length, record.count);
    lines.forEach((line, i) => {
      assert.equal(line.search(/\S/), 2 * record.depth[i]);
      assert.ok(line.includes(record.path(i)) && line.includes(replay.value(i)));
      if (replay.stateOf(i) === CUT) assert.ok(line.includes(cutReason(replay, i)));
    });
  });

test("the text says which node the search is at, and what is closed", () => {
  const tree = drawnTree(
    calls.find(({ name }) => name === "alpha-beta"),
    9,
  );
  tree.shown = tree.replay.current;
  tree.openNodes.set(0, false);
  tree.drawing.order = [0];
  assert.match(textOf(tree), / \(\+3 closed\)$/);
  tree.drawing.order = [0, tree.shown];
  assert.match(textOf(tree), / ← here$/);
});
