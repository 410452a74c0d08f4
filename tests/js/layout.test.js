// The tidy tree: no two nodes overlap, and a parent stands above the middle of its children.

import assert from "node:assert/strict";
import { test } from "node:test";

import { tidyTree } from "../../course_lib/explore/js/layout.js";
import { nodeWidth, room } from "../../course_lib/explore/js/node_appearance.js";
import { calls, randomNumbers, recorded, treeOf } from "./support.js";

const NEAR = 1e-6;

function check(children, half) {
  const shown = (i) => children[i];
  const { order, x, width } = tidyTree(0, shown, (i) => half[i]);
  const depth = new Map([[0, 0]]);
  const rows = [];
  for (const i of order) {
    (rows[depth.get(i)] ??= []).push(i);
    for (const k of children[i]) depth.set(k, depth.get(i) + 1);
  }
  for (const row of rows) {
    for (const i of row) assert.ok(x.get(i) - half[i] >= -NEAR && x.get(i) + half[i] <= width + NEAR);
    for (let k = 1; k < row.length; k++) {
      const [left, right] = [row[k - 1], row[k]];
      assert.ok(
        x.get(left) + half[left] <= x.get(right) - half[right] + NEAR,
        `${left} and ${right} overlap`,
      );
    }
  }
  for (const i of order) {
    if (!children[i].length) continue;
    const middle = (x.get(children[i][0]) + x.get(children[i].at(-1))) / 2;
    assert.ok(Math.abs(middle - x.get(i)) < NEAR);
  }
  assert.equal(order.length, new Set(order).size);
  return order;
}

test("positions never overlap in 300 random trees", () => {
  const random = randomNumbers(1);
  for (let tree = 0; tree < 300; tree++) {
    const count = 1 + Math.floor(random() * 60);
    const children = Array.from({ length: count }, () => []);
    for (let i = 1; i < count; i++) children[Math.floor(random() * i)].push(i);
    const half = Array.from({ length: count }, () => 5 + 40 * random());
    assert.equal(check(children, half).length, count);
  }
});

for (const one of recorded)
  test(`${one.name}: positions never overlap`, () => {
    const { record } = treeOf(one);
    const children = Array.from({ length: record.count }, (_, i) => record.children(i));
    const half = children.map((_, i) => 10 + (i % 7));
    assert.equal(check(children, half).length, record.count);
  });

for (const one of calls)
  test(`${one.name}: a node has room from the first step for the value that it gets`, () => {
    const tree = treeOf(one, { value: ({ replay }, i) => replay.value(i) });
    const nodes = Array.from({ length: tree.record.count }, (_, i) => i);
    const rooms = nodes.map((i) => room(tree, i));
    tree.replay.goTo(tree.replay.steps);
    for (const i of nodes) assert.ok(nodeWidth(tree, i) <= rooms[i]);
  });

test("a tree as deep as a long game is laid out", () => {
  const depth = 400;
  const children = Array.from({ length: depth }, (_, i) => (i + 1 < depth ? [i + 1] : []));
  check(children, Array(depth).fill(17));
});
