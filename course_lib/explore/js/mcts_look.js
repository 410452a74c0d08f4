// What a node of a Monte-Carlo tree search looks like: U/N in it, and below it what selection compares.

import { DONE, ON_STACK } from "./codes.js";
import { commonLook, hitArea, marks, nodeWidth } from "./look.js";
import { isChosen, proves, quotient, urgency } from "./mcts_formula.js";
import { say, whole } from "./messages.js";
import { amount, digits } from "./numbers.js";

const ARROW = "M-6 -38L0 -28L6 -38Z";
const BOLD = "bold 11px system-ui, sans-serif";
const BOARD_ROOM = 63;

export const quotientName = ({ record }) => (record.puct ? "Q" : "U/N");
export const formulaName = ({ record }) => (record.puct ? "PUCT" : "UCB1");
export const letter = ({ record }) => (record.puct ? "W" : "U");

export const fraction = ({ replay }, i) => `${amount(replay.numbers.u[i])}/${whole(replay.numbers.n[i])}`;

const quotientText = (tree, i) =>
  Number.isNaN(quotient(tree, i)) ? "" : `${quotientName(tree)} ${digits(quotient(tree, i))}`;

function scoreText(tree, i) {
  const value = urgency(tree, i);
  if (Number.isNaN(value)) return "";
  return proves(tree, i)
    ? say("mcts.proven", { value: digits(value) })
    : `${formulaName(tree)} ${digits(value)}`;
}

export function mctsRoom(tree, i) {
  const { record, width } = tree;
  const labels = [
    width(record.label("edge", i)),
    width(quotientText(tree, i)),
    width(scoreText(tree, i), BOLD),
  ];
  return Math.max(nodeWidth(tree, i), ...labels);
}

export function labelOf(tree, i, chosen = isChosen(tree, i)) {
  const { record, replay } = tree;
  const named = {
    node: record.name(i),
    n: replay.numbers.n[i],
    letter: letter(tree),
    u: amount(replay.numbers.u[i]),
    player: record.names[record.mover[i]],
  };
  const more = [
    quotientText(tree, i),
    scoreText(tree, i),
    chosen && say("mcts.chosen"),
    replay.way.has(i) && say("mcts.on path"),
  ];
  return [say("mcts.label", named), ...more.filter(Boolean)].join(", ");
}

export function mctsLook(tree, i) {
  const { opening, replay } = tree;
  const onWay = replay.way.has(i);
  const chosen = isChosen(tree, i);
  const look = commonLook(tree, i, onWay ? ON_STACK : DONE, fraction(tree, i));
  const lower = look.board ? BOARD_ROOM : 0;
  const children = replay.children(i).length;
  const score = scoreText(tree, i);
  look.className =
    `node ${tree.record.className(i)} done` +
    `${chosen ? " choice" : ""}${onWay ? " way" : ""}${marks(tree, i)}`;
  look.label = labelOf(tree, i, chosen);
  look.hit = hitArea(look.width, 78 + lower);
  look.arrow = chosen && { d: ARROW };
  look.notes = [
    { y: 28 + lower, class: "interval", text: quotientText(tree, i) },
    { y: 42 + lower, class: "interval score", text: score },
    {
      y: (score ? 56 : 42) + lower,
      class: "more",
      text: !opening.isOpen(i) && children ? `+${children}` : "",
    },
  ].filter((note) => note.text);
  look.line = `seen${chosen ? " chosen" : ""}${onWay && !chosen ? " way" : ""}`;
  return look;
}
