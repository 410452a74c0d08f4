// What is said of a Monte-Carlo tree search at a step, and of a node.

import { CHANCE } from "./codes.js";
import { choice, exploration, proves, quotient, urgency } from "./mcts_formula.js";
import { formulaName, letter, quotientName } from "./mcts_look.js";
import { counted, say, whole } from "./messages.js";
import { amount, digits } from "./numbers.js";

// ---- the step
export function story(tree) {
  const { record, replay } = tree;
  if (!replay.step) return `${atStart(replay)} ${twoCs(tree)}`.trim();
  const count = { iteration: whole(replay.running + 1), iterations: whole(record.iterations) };
  const told = [say("mcts.count", count), PHASE_STORIES[replay.phase](tree), twoCs(tree)];
  return told.filter(Boolean).join(" ");
}

// The slider changes what the formula shows, and not what was searched.
function twoCs({ record, c }) {
  if (c === record.c) return "";
  return say("mcts.two c", { own: amount(record.c), c: amount(c) });
}

function atStart(replay) {
  const visits = replay.numbers.n[0];
  return visits ? say("mcts.start", { visits: counted(visits, "visit") }) : say("mcts.nothing");
}

const leafOf = ({ record, replay }) => record.at[replay.running * 4];

const PHASE_STORIES = [
  (tree) => {
    const leaf = leafOf(tree);
    const untried = tree.record.moves[leaf] > tree.replay.children(leaf).length;
    return say(untried ? "mcts.select untried" : "mcts.select", { leaf: tree.record.name(leaf) });
  },
  (tree) => {
    const fresh = tree.replay.current !== leafOf(tree);
    return say(fresh ? "mcts.expand" : "mcts.expand none", { child: newChild(tree) });
  },
  (tree) => {
    const words = say(tree.record.puct ? "mcts.evaluate" : "mcts.simulate", { playout: playout(tree) });
    return tree.record.played(tree.replay.running).length ? `${words} ${say("mcts.forgotten")}` : words;
  },
  (tree) => {
    const values = { letter: letter(tree), tip: tree.record.name(tree.replay.current) };
    if (tree.host.get("stride") === 1) return say("mcts.back", values);
    const leaf = tree.record.name(leafOf(tree));
    return say("mcts.all", { ...values, leaf, child: newChild(tree), playout: playout(tree) });
  },
];

function newChild(tree) {
  const tip = tree.replay.current;
  return tip === leafOf(tree) ? say("mcts.no child") : say("mcts.child", { action: tree.record.action(tip) });
}

function playout({ record, replay }) {
  const actions = record.played(replay.running);
  const value = record.texts[record.rewards[replay.running]];
  const player = record.names[record.mover[replay.current]];
  const result = record.puct ? say("mcts.value for", { value, player }) : value;
  if (actions.length) return say("mcts.played", { actions: actions.join(" "), result });
  return record.puct ? result : say("mcts.ended", { result });
}

// ---- a node: paragraphs, and the table of its children, as dom.js's `fill` takes them
export function mctsDetails(tree, i) {
  const { record, replay } = tree;
  const { n, proven, u } = replay.numbers;
  const player = record.names[record.mover[i]];
  const who = i ? say("mcts.who moved", { player }) : player;
  const compared = i && record.kind[record.parent[i]] !== CHANCE && !proves(tree, i);
  const values = { n: whole(n[i]), u: amount(u[i]), who };
  const said = [
    ["p", {}, say(record.puct ? "mcts.values for" : "mcts.rewards of", values)],
    !Number.isNaN(proven[i]) && ["p", {}, say("mcts.worth", { value: amount(proven[i]), player })],
    record.label("leaf", i) && ["p", {}, say("mcts.over", { value: record.label("leaf", i) })],
    compared && ["p", { class: "worked" }, worked(tree, i)],
    replay.children(i).length && table(tree, i),
  ];
  return said.filter(Boolean);
}

// Both terms of the formula, with the numbers put in.
function worked(tree, i) {
  const { record, replay } = tree;
  const n = replay.numbers.n[i];
  if (!n && !record.puct) return say("mcts.ucb1 new");
  if (record.puct && replay.numbers.proven[i] === -1)
    return say("mcts.puct lost", { q: digits(quotient(tree, i), 4) });
  return say(record.puct ? "mcts.puct" : "mcts.ucb1", {
    n,
    u: amount(replay.numbers.u[i]),
    c: amount(tree.c),
    prior: record.puct && digits(record.prior[i]),
    above: replay.numbers.n[record.parent[i]],
    q: digits(quotient(tree, i), 4),
    exploration: digits(exploration(tree, i), 4),
    score: digits(urgency(tree, i), 4),
  });
}

function table(tree, i) {
  const { record, replay } = tree;
  const chosen = choice(tree, i);
  const compared = record.kind[i] !== CHANCE;
  const names = ["N", quotientName(tree), ...(compared ? [say("mcts.exploration"), formulaName(tree)] : [])];
  const head = [["td", {}], ...names.map((name) => ["th", { scope: "col" }, name])];
  const rows = replay.children(i).map((k) => tableRow(tree, k, compared, k === chosen));
  const to = { c: amount(tree.c), action: chosen < 0 ? "" : record.action(chosen) };
  return [
    "table",
    {},
    [
      ["caption", {}, say(chosen < 0 ? "mcts.children" : "mcts.children chosen", to)],
      ["thead", {}, [["tr", {}, head]]],
      ["tbody", {}, rows],
    ],
  ];
}

function tableRow(tree, k, compared, chosen) {
  const real = (x) => (Number.isNaN(x) ? "" : digits(x));
  const scores = compared ? [real(exploration(tree, k)), real(urgency(tree, k))] : [];
  const cells = [whole(tree.replay.numbers.n[k]), real(quotient(tree, k)), ...scores];
  const name = `${chosen ? "→ " : ""}${tree.record.action(k)}`;
  return [
    "tr",
    chosen ? { class: "chosen" } : {},
    [["th", { scope: "row" }, name], ...cells.map((text) => ["td", {}, text])],
  ];
}
