// Actions on nodes: a click, opening and closing.

// A click answers a question about nodes, answers in practice, or opens or closes a node. Of a double-click,
// the second (`nth` = 2) does not answer once more.
export function click(tree, i, nth = 1) {
  const { predictionForm, practice, record } = tree;
  if (predictionForm.pending >= 0 && predictionForm.mode !== "value")
    return nth < 2 && predictionForm.answer(record.path(i));
  const known = tree.selected === i;
  tree.select(i);
  if (practice.isTarget(i)) return practice.mark ? practice.toggleMark(i) : predictionForm.input?.focus();
  // The first click on an open node selects it, the next closes it.
  if (!practice.isActive && (known || !tree.openNodes.isOpen(i))) toggle(tree, i);
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
