// Sentences about a step of a Monte Carlo tree search, and about a node.

import { CHANCE } from "./constants.js";
import { choice, exploration, quotient, selectionScore } from "./mcts_formula.js";
import { formulaName, letter, quotientName } from "./mcts_appearance.js";
import { counted, formatMessage, whole } from "./messages.js";
import { amount, digits } from "./numbers.js";

// ---- the step
export function mctsCaption(tree) {
  const { record, replay } = tree;
  if (record.captions) return record.captions[replay.step];
  const visits = replay.numbers.n[0];
  if (!replay.step)
    return formatMessage(visits ? "mcts.start" : "mcts.empty", { visits: counted(visits, "visit") });
  const count = { iteration: whole(replay.currentIteration + 1), iterations: whole(record.iterations) };
  return `${formatMessage("mcts.iteration of", count)} ${PHASE_CAPTIONS[replay.phase](tree)}`;
}

const leafOf = ({ record, replay }) => record.at[replay.currentIteration * 4];

const PHASE_CAPTIONS = [
  (tree) => {
    const leaf = leafOf(tree);
    const untried = tree.record.moves[leaf] > tree.replay.children(leaf).length;
    return formatMessage(untried ? "mcts.select untried" : "mcts.select", { leaf: tree.record.name(leaf) });
  },
  (tree) => {
    const isNew = tree.replay.current !== leafOf(tree);
    return formatMessage(isNew ? "mcts.expand" : "mcts.expand none", { child: newChild(tree) });
  },
  (tree) => {
    const name = tree.record.puct ? "mcts.evaluate" : "mcts.simulate";
    const text = formatMessage(name, { playout: playout(tree) });
    const hasPlayout = tree.record.played(tree.replay.currentIteration).length;
    return hasPlayout ? `${text} ${formatMessage("mcts.discarded")}` : text;
  },
  (tree) => {
    const values = { letter: letter(tree), tip: tree.record.name(tree.replay.current) };
    if (tree.host.get("stride") === 1) return formatMessage("mcts.back", values);
    const leaf = tree.record.name(leafOf(tree));
    return formatMessage("mcts.all", { ...values, leaf, child: newChild(tree), playout: playout(tree) });
  },
];

function newChild(tree) {
  const tip = tree.replay.current;
  return tip === leafOf(tree)
    ? formatMessage("mcts.no child")
    : formatMessage("mcts.child", { action: tree.record.action(tip) });
}

function playout({ record, replay }) {
  const actions = record.played(replay.currentIteration);
  const value = record.texts[record.rewards[replay.currentIteration]];
  const player = record.names[record.mover[replay.current]];
  const result = record.puct ? formatMessage("mcts.value for", { value, player }) : value;
  if (actions.length) return formatMessage("mcts.playout end", { actions: actions.join(" "), result });
  return record.puct ? result : formatMessage("mcts.terminal", { result });
}

// ---- a node: paragraphs, and the table of its children, for `fill` of dom.js
export function mctsDetails(tree, i) {
  const { record, replay } = tree;
  const { n, proven, u } = replay.numbers;
  const player = record.names[record.mover[i]];
  const who = i ? formatMessage("mcts.mover", { player }) : player;
  const values = { n: whole(n[i]), u: amount(u[i]), who };
  const paragraphs = [
    ["p", {}, formatMessage(record.puct ? "mcts.values for" : "mcts.rewards of", values)],
    !Number.isNaN(proven[i]) && [
      "p",
      {},
      formatMessage("mcts.proven value", { value: amount(proven[i]), player }),
    ],
    record.label("leaf", i) && ["p", {}, formatMessage("mcts.utility", { value: record.label("leaf", i) })],
    !Number.isNaN(selectionScore(tree, i)) && ["p", {}, worked(tree, i)],
    tree.c !== record.c && ["p", {}, differentC(tree)],
    replay.children(i).length && table(tree, i),
  ];
  return paragraphs.filter(Boolean);
}

// The slider changes the formula, not the search.
const differentC = ({ record, c }) =>
  formatMessage("mcts.different c", { own: amount(record.c), c: amount(c) });

// Both terms of the formula, with their numbers.
function worked(tree, i) {
  const { record, replay } = tree;
  const n = replay.numbers.n[i];
  if (!n && !record.puct) return formatMessage("mcts.ucb1 new");
  if (record.puct && replay.numbers.proven[i] === -1)
    return formatMessage("mcts.puct lost", { q: digits(quotient(tree, i), 4) });
  return formatMessage(record.puct ? "mcts.puct" : "mcts.ucb1", {
    n,
    u: amount(replay.numbers.u[i]),
    c: amount(tree.c),
    prior: record.puct && digits(record.prior[i]),
    above: replay.numbers.n[record.parent[i]],
    q: digits(quotient(tree, i), 4),
    exploration: digits(exploration(tree, i), 4),
    score: digits(selectionScore(tree, i), 4),
  });
}

function table(tree, i) {
  const { record, replay } = tree;
  const chosen = choice(tree, i);
  const compared = record.kind[i] !== CHANCE;
  const names = [
    "N",
    quotientName(tree),
    ...(compared ? [formatMessage("mcts.exploration"), formulaName(tree)] : []),
  ];
  const head = [["td", {}], ...names.map((name) => ["th", { scope: "col" }, name])];
  const rows = replay.children(i).map((k) => tableRow(tree, k, compared, k === chosen));
  const to = { c: amount(tree.c), action: chosen < 0 ? "" : record.action(chosen) };
  return [
    "table",
    {},
    [
      ["caption", {}, formatMessage(chosen < 0 ? "mcts.children" : "mcts.children chosen", to)],
      ["thead", {}, [["tr", {}, head]]],
      ["tbody", {}, rows],
    ],
  ];
}

function tableRow(tree, k, compared, chosen) {
  const real = (x) => (Number.isNaN(x) ? "" : digits(x));
  const scores = compared ? [real(exploration(tree, k)), real(selectionScore(tree, k))] : [];
  const cells = [whole(tree.replay.numbers.n[k]), real(quotient(tree, k)), ...scores];
  const name = `${chosen ? "→ " : ""}${tree.record.action(k)}`;
  return [
    "tr",
    chosen ? { class: "chosen" } : {},
    [["th", { scope: "row" }, name], ...cells.map((text) => ["td", {}, text])],
  ];
}
