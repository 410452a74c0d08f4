// Actions on nodes: a click, opening and closing, finding a path.

import { formatMessage } from "./messages.js";
import { tokens } from "./numbers.js";

// A click answers a question about nodes, answers in practice, or opens or closes a node.
export function click(tree, i) {
  const { predictionForm, practice, record } = tree;
  if (predictionForm.pending >= 0 && predictionForm.mode !== "value")
    return predictionForm.answer(record.path(i));
  const known = tree.selected === i;
  tree.select(i);
  if (practice.isTarget(i)) return practice.mark ? practice.toggleMark(i) : predictionForm.input?.focus();
  if (!practice.isActive && !tree.kind.keepsOpen(tree, i, known)) toggle(tree, i);
}

export async function toggle(tree, i) {
  const { camera, openNodes } = tree;
  if (!(await tree.kernel.hasChildren(i))) return;
  openNodes.set(i, !openNodes.isOpen(i));
  openNodes.followed.delete(i);
  tree.draw();
  if (!camera.moved) camera.fit(i);
  camera.reveal(i);
  tree.describe();
}

// Opens the nodes on a path and shows its end, or shows a message if there is no such node.
export async function find(tree, path) {
  const { nodes, missing } = await pathTo(tree, path);
  nodes.slice(0, -1).forEach((i) => tree.openNodes.set(i, true));
  if (missing) return tree.frame.panel.showMessage(missing);
  tree.draw();
  tree.show(nodes.at(-1));
}

async function pathTo(tree, path) {
  const { record, replay } = tree;
  const label = (k) => tokens(record.action(k)).join(" ");
  const nodes = [0];
  let rest = tokens(path).join(" ") || path.trim();
  while (rest && rest !== formatMessage("path.root")) {
    const i = nodes.at(-1);
    await tree.kernel.hasChildren(i);
    const next = replay.children(i).find((k) => rest === label(k) || rest.startsWith(`${label(k)} `));
    if (next === undefined) return { nodes, missing: nothingThere(tree, path, i) };
    rest = rest.slice(label(next).length).trim();
    nodes.push(next);
  }
  return { nodes };
}

function nothingThere({ record, replay }, path, i) {
  const actions = replay.children(i).map((k) => record.action(k));
  const values = { path, node: record.name(i), actions: actions.join(", ") };
  return formatMessage(actions.length ? "find.none" : "find.leaf", values);
}
