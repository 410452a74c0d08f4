// The model that a page without Python gives its widgets.

import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { PageModel, parse, unpack } from "../../course_lib/explore/js/page_model.js";

test("a change is emitted once, to the current listeners", () => {
  const model = new PageModel({ step: 0 });
  const handlers = [];
  const listen = () => handlers.push(model.get("step"));
  model.on("change:step", listen);
  model.set("step", 3);
  model.set("step", 3);
  model.off("change:step", listen);
  model.set("step", 4);
  assert.deepEqual(handlers, [3]);
});

test("boards that were saved come later; what only the kernel knows fails at once", async () => {
  const model = new PageModel({}, { boards: [[2, ["X."], "X."]] });
  const come = new Promise((resolve) => model.on("msg:custom", resolve));
  model.send({ type: "boards", nodes: [1, 2] });
  assert.deepEqual(await come, { type: "boards", boards: [[2, ["X."], "X."]] });
  assert.throws(() => model.send({ type: "children", node: 0 }));
});

test("bytes come back as they were sent", async () => {
  const text = JSON.stringify({ tree: { columns: { kind: { base64: "AQID" } } }, step: 7 });
  for (const { tree, step } of [parse(text), await unpack(gzipSync(text).toString("base64"))]) {
    assert.deepEqual([...new Uint8Array(tree.columns.kind.buffer)], [1, 2, 3]);
    assert.equal(step, 7);
  }
});
