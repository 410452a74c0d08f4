// The appearance of a node of a recorded search at a step: plain data, for painting.js.

import { VISITED, GENERATED, CUT, NEW, ON_STACK, STATUSES } from "./constants.js";
import { formatMessage } from "./messages.js";
import { baseline, outline, widthFor } from "./shapes.js";
import { cutReason, nextCut } from "./cuts.js";
import { stateName } from "./descriptions.js";

const BOLD = "bold 14px system-ui, sans-serif";
const BOARD = 58;
const SHORT = 16; // letters

// The width of a node; `tree` is an Explorer.
export function nodeWidth(tree, i) {
  const text = tree.kind.value(tree, i) || tree.record.label("leaf", i) || tree.practice.answer(i);
  return widthFor(tree.record.kind[i], tree.width(text, BOLD));
}

// The width of a node with its labels, and with the value that it will have.
export function room(tree, i) {
  const { record, replay } = tree;
  const windows = record.events.alpha && replay.children(i).length;
  return Math.max(
    nodeWidth(tree, i),
    widthFor(record.kind[i], tree.width(record.returned(i), BOLD)),
    tree.width(record.label("edge", i)),
    tree.openNodes.isOpen(i) ? 0 : tree.width(record.label("size", i).split(" ")[0]),
    windows ? 66 : 0,
    tree.width(shortState(record, i)),
  );
}

// The state of a game without a board, if all states are short enough for their nodes.
export function shortState(record, i) {
  const isShort = (k) => record.texts[k].length <= SHORT && !record.texts[k].includes("\n");
  record.shortStates ??= record.labels.state.every(isShort);
  return record.shortStates ? record.label("state", i) : "";
}

const marks = (tree, i) => `${i === tree.shown ? " current" : ""}${i === tree.selected ? " selected" : ""}`;

// The parts that both kinds of explorers draw.
export function commonAppearance(tree, i, state, value) {
  const { record } = tree;
  const kind = record.kind[i];
  const width = nodeWidth(tree, i);
  const d = outline(kind, width);
  const board = tree.boardOf(i);
  return {
    className: `node ${record.className(i)} ${STATUSES[state]}${marks(tree, i)}`,
    selected: i === tree.selected,
    expanded: tree.replay.children(i).length || record.more[i] ? tree.openNodes.isOpen(i) : undefined,
    halo: state === ON_STACK && { d },
    shape: { d },
    ring: i === tree.selected && { x: -width / 2 - 5, y: -17, width: width + 10, height: 33, rx: 4 },
    pointer: i === tree.shown && { d: `M${-width / 2 - 7.5} -4.5l5 4.5l-5 4.5z` },
    value: { y: baseline(kind), text: value },
    edge: i > 0 && { y: -20, text: record.label("edge", i) },
    board: board && { rows: board, size: BOARD, transform: "translate(-29 17)" },
    width,
    notes: [],
  };
}

export const hitArea = (width, height) => ({ x: -width / 2 - 3, y: -30, width: width + 6, height });

function edgeClass(tree, i, state) {
  if (state === CUT) return "cut";
  if (state === NEW || state === GENERATED) return "new";
  return tree.replay.isChosen(i) ? "seen chosen" : "seen";
}

// The texts around a node: the number of its hidden children or its window, its state, and above it when the
// search will leave it out.
function notesOf(tree, i, y) {
  const { openNodes, record, replay } = tree;
  const notes = [];
  const add = (y, name, text) => text && notes.push({ y, class: name, text });
  const hidden = openNodes.isOpen(i) ? 0 : replay.children(i).length || record.more[i];
  const size = record.label("size", i) || `+${hidden}`;
  if (hidden) size.split(" ").forEach((text, line) => add(y + 11 * line, "more", text));
  else add(y, "interval", replay.interval(i));
  add(26 + 12 * notes.length, "state", shortState(record, i));
  const cut = nextCut(replay);
  if (cut?.next === i) add(-34, "stop", formatMessage("stop.edge", cut));
  return notes;
}

export function searchAppearance(tree, i) {
  const { practice, record, replay } = tree;
  const state = record.steps ? replay.stateOf(i) : VISITED;
  const value = replay.value(i);
  const hidden = record.steps && state === NEW && !record.label("leaf", i);
  const appearance = commonAppearance(tree, i, state, hidden ? "" : value);
  appearance.hit = hitArea(appearance.width, appearance.board ? 108 : 48);
  appearance.notes = notesOf(tree, i, appearance.board ? 90 : 26);
  appearance.label = [
    record.name(i),
    shortState(record, i),
    record.steps ? stateName(replay, i) : "",
    value ? formatMessage("node.value", { value }) : "",
  ]
    .filter(Boolean)
    .join(", ");
  appearance.line = edgeClass(tree, i, state);
  if (state === CUT) appearance.title = { text: cutReason(replay, i) };
  return practice.isActive ? practice.appearance(tree, i, appearance) : appearance;
}
