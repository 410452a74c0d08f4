// What is said: reasons for cuts and the numbers of selection are those of the Python that searched.

import assert from "node:assert/strict";
import { test } from "node:test";

import { CHANCE, ENTER, EXIT, MAX, MIN, CUT, NEW } from "../../course_lib/explore/js/constants.js";
import { choice, selectionScore } from "../../course_lib/explore/js/mcts_formula.js";
import { explain, judge, questionAt } from "../../course_lib/explore/js/questions.js";
import { shortState } from "../../course_lib/explore/js/node_appearance.js";
import { mctsDetails, mctsCaption } from "../../course_lib/explore/js/mcts_descriptions.js";
import { numberOf } from "../../course_lib/explore/js/numbers.js";
import { cutReason, nextCut, onlyCuts } from "../../course_lib/explore/js/cuts.js";
import { captionOf, factsOf } from "../../course_lib/explore/js/descriptions.js";
import { calls, mcts, treeOf } from "./support.js";

const cutting = calls.filter(({ cuts, name }) => Object.keys(cuts).length && name !== "too early");

test("several of the recorded searches cut", () => assert.ok(cutting.length >= 5));

for (const one of cutting)
  test(`${one.name}: the reasons for cuts are the search's`, () => {
    const { record, replay } = treeOf(one);
    const leave = (p) => record.at.lastIndexOf(p) + 1;
    for (const [number, [value, alpha, beta]] of Object.entries(one.cuts)) {
      const kind = record.kind[record.parent[number]];
      replay.goTo(leave(record.parent[number]));
      assert.equal(replay.stateOf(+number), CUT);
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
        const own = selectionScore(tree, +number);
        const near = Object.is(own, score) || Math.abs(own - score) < 1e-9;
        assert.ok(near, `step ${step}, node ${number}: ${own}, not ${score}`);
      }
    }
  });

test("a new child comes before those with visits; it is visited in the last phase", () => {
  const tree = treeOf(mcts.find(({ name }) => name === "mcts"));
  tree.replay.goTo(3);
  const child = tree.replay.current;
  assert.equal(selectionScore(tree, child), Infinity);
  tree.replay.goTo(4);
  assert.equal(tree.replay.numbers.n[child], 1);
  const ranks = tree.record.children(0).map((k) => tree.record.rank[k]);
  assert.deepEqual(ranks, [...ranks.keys()], "in the order of the game");
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
        if (mode === "value" && /\d/.test(answer)) assert.ok(judge(replay, mode, e, "x").invalid);
      }
    }
  });

// The node with these actions.
const at = (record, path) => record.parent.findIndex((_, i) => record.pathTo(i) === path);
const named = (name) => treeOf(calls.find((one) => one.name === name));

test("the right answer names the cuts on the way", () => {
  const { record, replay } = named("alpha-beta");
  replay.goTo(13);
  const e = questionAt(record, "next leaf", 13);
  assert.equal(record.path(record.at[e]), "2 0");
  const cut = "α-cut: Min already has 2 here, Max has 3 elsewhere: 2 ≤ α = 3";
  assert.match(judge(replay, "next leaf", e, "0 1").words, /^Not 0 1\. The search goes depth first/);
  assert.ok(explain(replay, "next leaf", e).startsWith(`Not visited: 1 1, 1 2 (${cut}). Depth first:`));
});

const HOLDS = { "≤": (v, b) => v <= b, "<": (v, b) => v < b, "≥": (v, b) => v >= b, ">": (v, b) => v > b };

for (const one of cutting.filter(({ name }) => !["deepening", "star1"].includes(name)))
  test(`${one.name}: the search stops when it was said to, and not before`, () => {
    const { record, replay } = treeOf(one);
    const { at, events, numbers, op } = record;
    const said = new Map(); // what was said last, by node
    for (let e = 0; e < record.steps; e++) {
      replay.goTo(e);
      const cut = nextCut(replay);
      if (cut) said.set(replay.stack.at(-1), cut);
      const p = op[e] === EXIT ? at[e] : record.parent[at[e]];
      const { sign, bound } = said.get(p) ?? {};
      const best = "≤<".includes(sign) ? replay.now.beta[p] : replay.now.alpha[p]; // so far
      if (op[e] === ENTER && sign) assert.ok(!HOLDS[sign](numbers[best], numberOf(bound)));
      if (op[e] !== EXIT || !record.children(p).some((k) => record.status[k] === CUT)) continue;
      if (record.status[p] !== CUT) assert.ok(HOLDS[sign](numbers[events.value[e]], numberOf(bound)));
    }
  });

test("only what α or β justifies is called cut", () => {
  assert.ok(onlyCuts(named("alpha-beta, deep").replay));
  const { record, replay } = named("too early");
  replay.goTo(record.steps);
  assert.ok(!onlyCuts(replay));
  assert.match(factsOf(replay, record.status.indexOf(CUT)), /^left out: not visited;/);
});

test("a cut that no window explains has its own sentence", () => {
  const { record, replay } = named("too early");
  replay.goTo(record.steps);
  const reason = cutReason(replay, at(record, "0 1"));
  assert.match(reason, /^the search returned before it visited this node, but with 3 the interval/);
  assert.match(reason, /\[α, β\] = \[−∞, \+∞\] does not justify a cut$/);
});

test("values may be words, and arguments change", () => {
  const { record, replay } = named("words");
  replay.goTo(2);
  assert.match(captionOf(replay), /The arguments of the Max node \(root\) are now left = 8\.$/);
  const e = record.steps - 1;
  replay.goTo(e);
  assert.equal(questionAt(record, "value", e), e);
  assert.match(judge(replay, "value", e, "true").words, /^The value is not true\./);
  assert.equal(judge(replay, "value", e, "false").right, true);
});

test("a leaf below a cut is part of the cut", () => {
  const { record, replay } = named("alpha-beta, deep");
  const leaf = at(record, "2 1 1 0");
  assert.equal(record.label("leaf", leaf), "3");
  assert.equal(replay.stateOf(leaf), NEW);
  replay.goTo(record.steps - 1);
  assert.equal(replay.stateOf(leaf), CUT);
  assert.match(cutReason(replay, leaf), /^α-cut: Min already has 2 here, Max has 4 elsewhere/);
});

for (const one of calls)
  test(`${one.name}: a chance node shows its sum`, () => {
    const { record, replay } = treeOf(one);
    replay.goTo(record.steps);
    for (let i = 0; i < record.count; i++) {
      const shown = /value ([^;]*) = ([^;]*)/.exec(factsOf(replay, i));
      if (record.kind[i] !== CHANCE) assert.equal(shown, null);
      if (!shown) continue;
      const terms = shown[1].split(" + ").map((term) => term.replace(/[()]/g, "").split(" · ").map(numberOf));
      const sum = terms.reduce((total, [p, value]) => total + p * value, 0);
      assert.ok(Math.abs(sum - numberOf(shown[2])) < 1e-3, shown[0]);
    }
  });

test("where chance sets bounds, no bound is said to be another player's", () => {
  const { record, replay } = named("star1");
  replay.goTo(record.steps);
  for (let i = 0; i < record.count; i++)
    if (replay.stateOf(i) === CUT) assert.doesNotMatch(cutReason(replay, i), /elsewhere/);
});

test("a state without a board stands below its node where all states are short", () => {
  const { record } = named("coins");
  assert.equal(record.label("state", at(record, "2 1")), "(0, 1)");
  assert.equal(shortState(record, at(record, "2 1")), "(0, 1)");
  for (const name of ["alpha-beta", "alpha-beta, tic-tac-toe"])
    assert.equal(shortState(named(name).record, 0), "");
});

test("of three players nobody minimises", () => {
  const { record } = named("max^n");
  assert.equal(record.name(0), "player 0’s node (root)");
  assert.equal(record.name(1), "player 1’s node 0");
  assert.equal(record.name(2), "leaf 0 0");
  assert.equal(named("alpha-beta").record.name(1), "Min node 0");
});

test("a slider that was moved does not contradict the record: both C are said", () => {
  const tree = treeOf(mcts.find((one) => one.name === "mcts"));
  tree.replay.goTo(40);
  const details = () => mctsDetails(tree, 0).flat(2).join(" ");
  assert.doesNotMatch(details(), /used C/);
  tree.c = 2;
  assert.match(details(), /The search used C = 1\.41; the formula, .* show C = 2\./);
  tree.replay.goTo(0);
  assert.match(details(), /used C = 1\.41/);
});

test("what is proven to be lost has no exploration in its formula", () => {
  const tree = treeOf(mcts.find((one) => one.name === "puct"));
  tree.replay.goTo(tree.record.steps);
  const lost = tree.replay.numbers.proven.indexOf(-1, 1);
  assert.ok(lost > 0);
  const said = JSON.stringify(mctsDetails(tree, lost));
  assert.match(said, /PUCT = Q = −1\.0000: it is proven lost/);
});

test("a zero has no sign", () => {
  const tree = treeOf(mcts.find((one) => one.name === "puct"));
  const seen = Array.from({ length: 13 }, (_, step) => {
    tree.replay.goTo(step);
    return mctsCaption(tree) + JSON.stringify(mctsDetails(tree, tree.replay.current));
  });
  assert.doesNotMatch(seen.join(" "), /[−-]0(\.0*)?(?![.\d])/);
  assert.match(seen.join(" "), /value 0 for M/);
});
