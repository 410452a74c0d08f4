// The appearance of a node of a Monte Carlo tree search: U/N in it, and its score below it.

import { VISITED, ON_STACK } from "./constants.js";
import { commonAppearance, hitArea, nodeWidth } from "./node_appearance.js";
import { isChosen, quotient, selectionScore } from "./mcts_formula.js";
import { formatMessage, whole } from "./messages.js";
import { amount, digits } from "./numbers.js";

const ARROW = "M-6 -43L0 -33L6 -43Z";
const BOLD = "bold 11px system-ui, sans-serif";
const BOARD_ROOM = 63;

export const quotientName = ({ record }) => (record.puct ? "Q" : "U/N");
export const formulaName = ({ record }) => (record.puct ? "PUCT" : "UCB1");
export const letter = ({ record }) => (record.puct ? "W" : "U");

export const fraction = ({ replay }, i) => `${amount(replay.numbers.u[i])}/${whole(replay.numbers.n[i])}`;

const quotientText = (tree, i) =>
  Number.isNaN(quotient(tree, i)) ? "" : `${quotientName(tree)} ${digits(quotient(tree, i))}`;

function scoreText(tree, i) {
  const value = selectionScore(tree, i);
  return Number.isNaN(value) ? "" : `${formulaName(tree)} ${digits(value)}`;
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
    chosen && formatMessage("mcts.chosen"),
    replay.pathNodes.has(i) && formatMessage("mcts.on path"),
  ];
  return [formatMessage("mcts.label", named), ...more.filter(Boolean)].join(", ");
}

export function mctsAppearance(tree, i) {
  const { openNodes, replay } = tree;
  const onPath = replay.pathNodes.has(i);
  const chosen = isChosen(tree, i);
  const appearance = commonAppearance(tree, i, onPath ? ON_STACK : VISITED, fraction(tree, i));
  const lower = appearance.board ? BOARD_ROOM : 0;
  const children = replay.children(i).length;
  const score = scoreText(tree, i);
  appearance.className += `${onPath ? " visited" : ""}${chosen ? " choice" : ""}`;
  appearance.label = labelOf(tree, i, chosen);
  appearance.hit = hitArea(appearance.width, 78 + lower);
  appearance.arrow = chosen && { d: ARROW };
  appearance.notes = [
    { y: 28 + lower, class: "interval", text: quotientText(tree, i) },
    { y: 42 + lower, class: "interval score", text: score },
    {
      y: (score ? 56 : 42) + lower,
      class: "more",
      text: !openNodes.isOpen(i) && children ? `+${children}` : "",
    },
  ].filter((note) => note.text);
  appearance.line = `seen${chosen ? " chosen" : ""}${onPath && !chosen ? " way" : ""}`;
  return appearance;
}
