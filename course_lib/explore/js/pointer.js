// Pointer and touch on the drawn tree: a click, a drag of the tree, and a drag of a node among its siblings.

import { click } from "./node_actions.js";

const CLICK_TOLERANCE = 4; // pixels that a click may move

export class Pointer {
  constructor(tree, svg) {
    this.tree = tree;
    this.drag = null;
    const { signal } = tree;
    const on = (target, event, handler) => target.addEventListener(event, handler, { signal });
    on(svg, "pointerdown", (event) => this.down(event));
    on(window, "pointermove", (event) => this.move(event));
    on(window, "pointerup", (event) => this.end(event));
    on(window, "pointercancel", () => this.end(null)); // the touch scrolls the page
    on(svg, "click", (event) => this.click(event));
  }

  down(event) {
    const { camera, host } = this.tree;
    const node = host.get("reorder") && event.target.closest("[data-node]");
    const held = node && +node.dataset.node ? +node.dataset.node : null;
    this.drag = { x: event.clientX, y: event.clientY, from: { x: camera.x, y: camera.y }, held };
    this.moved = false;
  }

  move(event) {
    if (!this.drag) return;
    if (!event.buttons) return this.end(null); // released outside the page
    const { camera, drawing, svg } = this.tree;
    const { x, y, from, held } = this.drag;
    const zoom = svg.currentCSSZoom ?? 1; // of a slide
    const [right, down] = [(event.clientX - x) / zoom, (event.clientY - y) / zoom];
    this.moved ||= Math.abs(right) + Math.abs(down) > CLICK_TOLERANCE;
    if (!this.moved) return;
    if (held !== null) return drawing.shift(held, right / camera.k);
    camera.moved = true;
    camera.moveTo({ x: from.x + right, y: from.y + down });
  }

  end(dropped) {
    const { drag } = this;
    this.drag = null;
    if (drag && this.moved && drag.held !== null) {
      if (dropped) this.drop(drag.held, (dropped.clientX - drag.x) / this.tree.camera.k);
      this.tree.drawing.shift(drag.held, 0);
    }
    this.afterDrag?.();
  }

  // Moves the node among its siblings to where it was dropped.
  drop(held, by) {
    const { drawing, record, replay } = this.tree;
    const siblings = replay.children(record.parent[held]);
    const x = drawing.x(held) + by;
    const left = siblings.filter((k) => k !== held && drawing.x(k) < x).length;
    this.tree.kernel.reorder(held, left - siblings.indexOf(held));
  }

  click(event) {
    const node = event.target.closest("[data-node]");
    if (node && !this.moved) click(this.tree, +node.dataset.node);
  }
}
