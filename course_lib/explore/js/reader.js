// What the reader does with nodes: a click, opening and closing, a path to find.

import { say } from "./messages.js";
import { tokens } from "./numbers.js";

// A click is the answer to a question about nodes, or an answer of practice, or it opens and closes.
export function click(tree, i) {
  const { asking, practice, record } = tree;
  if (asking.pending >= 0 && asking.mode !== "value") return asking.answer(record.path(i));
  const known = tree.selected === i;
  tree.select(i);
  if (practice.isTarget(i)) return practice.mark ? practice.cross(i) : asking.input?.focus();
  if (!practice.going && !tree.kind.keepsOpen(tree, i, known)) toggle(tree, i);
}

export async function toggle(tree, i) {
  const { camera, opening } = tree;
  if (!(await tree.kernel.hasChildren(i))) return;
  opening.set(i, !opening.isOpen(i));
  opening.followed.delete(i);
  tree.draw();
  if (!camera.moved) camera.fit(i);
  camera.reveal(i);
  tree.describe();
}

// Opens the way to the node that a path names, or says what there is instead.
export async function find(tree, path) {
  const { nodes, missing } = await pathTo(tree, path);
  nodes.slice(0, -1).forEach((i) => tree.opening.set(i, true));
  if (missing) return tree.frame.panel.tell(missing);
  tree.draw();
  tree.show(nodes.at(-1));
}

async function pathTo(tree, path) {
  const { record, replay } = tree;
  const label = (k) => tokens(record.action(k)).join(" ");
  const nodes = [0];
  let rest = tokens(path).join(" ") || path.trim();
  while (rest && rest !== say("path.root")) {
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
  return say(actions.length ? "find.none" : "find.leaf", values);
}
