// A tidy tree (Reingold and Tilford, 1981): a node is above the middle of its children, and nodes do not
// overlap.

// The layout of the tree below `root`: the order of the nodes (parents first), the x of each, and the total
// width. `shown(i)` are the drawn children of a node, `half(i)` is half its width.
export function tidyTree(root, shown, half) {
  const order = [];
  const shift = new Map(); // a node's x, from its parent's
  // The extent of a subtree to the left and to the right of its root, row by row.
  const contour = (i) => {
    order.push(i);
    const children = shown(i);
    const below = sideBySide(children, children.map(contour), shift);
    const middle = children.length ? (shift.get(children[0]) + shift.get(children.at(-1))) / 2 : 0;
    for (const child of children) shift.set(child, shift.get(child) - middle);
    const left = [-half(i), ...below.left.map((reach) => reach - middle)];
    const right = [half(i), ...below.right.map((reach) => reach - middle)];
    return { left, right };
  };
  const { left, right } = contour(root);
  const x = new Map([[root, -Math.min(...left)]]);
  for (const i of order) for (const child of shown(i)) x.set(child, x.get(i) + shift.get(child));
  return { order, x, width: x.get(root) + Math.max(...right) };
}

// Places these subtrees side by side, as close as possible; returns their common contour.
function sideBySide(children, contours, shift) {
  const left = [];
  const right = [];
  contours.forEach((own, place) => {
    const by = place ? clearance(right, own.left) : 0;
    shift.set(children[place], by);
    own.left.forEach((reach, row) => {
      if (row >= left.length) left.push(reach + by);
      else left[row] = Math.min(left[row], reach + by);
      right[row] = own.right[row] + by;
    });
  });
  return { left, right };
}

// The shift of a subtree that puts it to the right of this contour in each row.
function clearance(right, left) {
  let by = -Infinity;
  for (let row = 0; row < Math.min(left.length, right.length); row++)
    by = Math.max(by, right[row] - left[row]);
  return by;
}
