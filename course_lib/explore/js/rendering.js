// When nodes are painted, and which are rendered: of a large tree what is in view at once, the rest after the
// next frame, some nodes at a time.

import { put } from "./dom.js";

export const LARGE = 300; // nodes; a larger tree is painted and rendered in parts
const MARGIN = 99; // pixels beside the view that count as seen

export function paintAll(drawing) {
  drawing.rest = new Set(drawing.order);
  paintRest(drawing);
}

// Paints the nodes that are still to be painted.
export function paintRest(drawing) {
  const { rest, tree } = drawing;
  if (!drawing.large || tree.camera.placed) showSeen(drawing);
  const goOn = () => {
    if (drawing.rest !== rest || !rest.size || tree.signal.aborted) return;
    paintSome(drawing, LARGE);
    setTimeout(goOn);
  };
  if (rest.size) requestAnimationFrame(() => setTimeout(goOn));
}

function paintSome(drawing, most) {
  for (const i of drawing.rest) {
    if (!most--) return;
    drawing.rest.delete(i);
    drawing.paint(i);
  }
}

// Nodes and edges that are far from the view are not rendered: with thousands of them a frame takes 50 ms.
export function showSeen(drawing) {
  const { drawn, large, rest, tree } = drawing;
  const { k, x } = tree.camera;
  const seen = (from, to) => to * k + x > -MARGIN && from * k + x < tree.available + MARGIN;
  for (const [i, node] of drawn) {
    const isSeen = !large || seen(node.x, node.x);
    const edgeSeen = isSeen || seen(Math.min(node.x, node.from), Math.max(node.x, node.from));
    if (isSeen && rest.delete(i)) drawing.paint(i);
    if (isSeen !== node.seen) put(node.group, "display", isSeen ? undefined : "none");
    if (edgeSeen !== node.edgeSeen && node.line) put(node.line, "display", edgeSeen ? undefined : "none");
    node.seen = isSeen;
    node.edgeSeen = edgeSeen;
  }
}
