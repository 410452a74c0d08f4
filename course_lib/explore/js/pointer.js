// Pointer and touch on the drawn tree: a click on a node, and a drag of the tree.

import { click } from "./node_actions.js";

const CLICK_TOLERANCE = 4; // pixels that a click may move

const nodeOf = (target) => {
  const group = target.closest("[data-node]");
  return group ? +group.dataset.node : undefined;
};

export class Pointer {
  constructor(tree, svg) {
    this.tree = tree;
    this.drag = null;
    const { signal } = tree;
    const on = (target, event, handler) => target.addEventListener(event, handler, { signal });
    on(svg, "pointerdown", (event) => this.down(event));
    on(window, "pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) on(window, end, () => (this.drag = null));
    on(svg, "click", (event) => this.click(event));
    on(svg, "pointerover", ({ target }) => this.point(nodeOf(target)));
    on(svg, "pointerleave", () => this.point());
  }

  down({ clientX, clientY }) {
    const { x, y } = this.tree.camera;
    this.drag = { clientX, clientY, x, y };
    this.moved = false;
  }

  move({ buttons, clientX, clientY }) {
    if (!buttons) this.drag = null; // released outside the page
    if (!this.drag) return;
    const { camera, svg } = this.tree;
    const zoom = svg.currentCSSZoom ?? 1; // of a slide
    const right = (clientX - this.drag.clientX) / zoom;
    const down = (clientY - this.drag.clientY) / zoom;
    this.moved ||= Math.abs(right) + Math.abs(down) > CLICK_TOLERANCE;
    if (!this.moved) return;
    camera.moved = true;
    camera.moveTo({ x: this.drag.x + right, y: this.drag.y + down });
  }

  point(node) {
    if (!this.drag) this.tree.pointAt(node);
  }

  click({ target, detail }) {
    const node = nodeOf(target);
    if (node !== undefined && !this.moved) click(this.tree, node, detail);
  }
}
