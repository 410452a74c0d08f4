// A tidy tree (Reingold and Tilford, 1981): a node is above the middle of its children, and nodes do not
// overlap.

// The layout of the tree below `root`: the order of the nodes (parents first), the x of each, and the total
// width. `shown(i)` are the drawn children of a node, `half(i)` is half its width.
export function tidyTree(root, shown, half) {
  const order = depthFirst(root, shown);
  const shift = new Map(); // a node's x, from its parent's
  const contours = new Map(); // the extent of a subtree to the left and to the right, row by row
  for (let place = order.length - 1; place >= 0; place--) {
    const i = order[place];
    const children = shown(i);
    const below = sideBySide(children, contours, shift);
    const middle = children.length ? (shift.get(children[0]) + shift.get(children.at(-1))) / 2 : 0;
    for (const child of children) {
      shift.set(child, shift.get(child) - middle);
      contours.delete(child);
    }
    const own = half(i);
    contours.set(i, {
      left: [-own, ...below.left.map((reach) => reach - middle)],
      right: [own, ...below.right.map((reach) => reach - middle)],
    });
  }
  const { left, right } = contours.get(root);
  const x = new Map([[root, -smallest(left)]]);
  for (const i of order) for (const child of shown(i)) x.set(child, x.get(i) + shift.get(child));
  return { order, x, width: x.get(root) + largest(right) };
}

function depthFirst(root, shown) {
  const order = [];
  const waiting = [root];
  while (waiting.length) {
    const i = waiting.pop();
    order.push(i);
    const children = shown(i);
    for (let k = children.length - 1; k >= 0; k--) waiting.push(children[k]);
  }
  return order;
}

// Places these subtrees side by side, as close as possible; returns their common contour.
function sideBySide(children, contours, shift) {
  const left = [];
  const right = [];
  for (const child of children) {
    const own = contours.get(child);
    const by = child === children[0] ? 0 : clearance(right, own.left);
    shift.set(child, by);
    own.left.forEach((reach, row) => {
      if (row >= left.length) left.push(reach + by);
      else left[row] = Math.min(left[row], reach + by);
      right[row] = own.right[row] + by;
    });
  }
  return { left, right };
}

// The shift of a subtree that puts it to the right of this contour in each row.
function clearance(right, left) {
  let by = -Infinity;
  for (let row = 0; row < Math.min(left.length, right.length); row++)
    by = Math.max(by, right[row] - left[row]);
  return by;
}

const smallest = (reaches) => reaches.reduce((a, b) => Math.min(a, b));
const largest = (reaches) => reaches.reduce((a, b) => Math.max(a, b));
