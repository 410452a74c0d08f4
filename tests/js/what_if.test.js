// Searches that run again in the page with another leaf: they are recorded as Python records them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Record } from "../../course_lib/explore/js/record.js";
import { editableLeaves, searchAgain } from "../../course_lib/explore/js/what_if.js";
import { calls } from "./support.js";

const sentOf = (wanted) => calls.find(({ name }) => name === wanted).sent;
const OTHERS = ["negamax", "expectiminimax", "star1", "max^n", "words", "too early", "deepening"];
const NOT_WHOLE = "alpha-beta, tic-tac-toe"; // below nodes that were cut

// Everything that an explorer shows of a record, as texts.
function shown(sent) {
  const { texts, labels, events, ...record } = new Record(sent);
  const text = (places) => places && Array.from(places, (place) => texts[place] ?? null);
  const all = Object.fromEntries(Object.entries({ ...labels, ...events }).map(([k, v]) => [k, text(v)]));
  const rows = ["kind", "parent", "status", "move", "op", "at"].map((name) => Array.from(record[name]));
  return { ...all, rows };
}

for (const kind of ["minimax", "alpha-beta"])
  test(`${kind} with another leaf is recorded as Python records it`, () => {
    const python = sentOf(kind === "minimax" ? "minimax, other leaf" : "alpha-beta, deep, other leaf");
    const sent = sentOf(`${kind}, deep`);
    const leaves = editableLeaves(sent);
    leaves[leaves.indexOf(4)] = -2.5;
    assert.deepEqual(shown(searchAgain(sent, leaves)), shown(python));
  });

test("only recorded searches that minimax or alpha-beta repeats have leaves to edit", () => {
  const editable = calls.filter(({ sent }) => editableLeaves(sent)).map(({ name }) => name);
  for (const name of [...OTHERS, NOT_WHOLE]) assert.ok(!editable.includes(name), name);
  for (const name of ["minimax", "minimax, second", "alpha-beta", "alpha-beta, second", "alpha-beta, deep"])
    assert.ok(editable.includes(name), name);
});
