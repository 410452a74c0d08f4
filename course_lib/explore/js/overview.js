// A small picture of a tree that is larger than its frame, with the part in view and the present node; a
// click or a drag in it moves the view there.

import { put, svg } from "./dom.js";

const WIDTH = 190;
const HEIGHT = 34;

export class Overview {
  constructor(tree, parent) {
    this.tree = tree;
    const look = { class: "overview", width: WIDTH, height: HEIGHT, "aria-hidden": "true" };
    this.svg = svg("svg", look, parent);
    this.rows = svg("path", { class: "rows" }, this.svg);
    this.view = svg("rect", { class: "view" }, this.svg);
    this.here = svg("circle", { class: "here", r: 3 }, this.svg);
    const moved = (event) => event.buttons && this.moveTo(event);
    for (const event of ["pointerdown", "pointermove"])
      this.svg.addEventListener(event, moved, { signal: tree.signal });
  }

  get drawing() {
    return this.tree.drawing;
  }
  x(at) {
    return 3 + (at / this.drawing.width) * (WIDTH - 6);
  }
  y(at) {
    return 2 + (at / this.drawing.height) * (HEIGHT - 4);
  }

  // After a new layout. Nodes of a row that are closer than a pixel are one.
  draw() {
    const last = new Map(); // the x of the last one in each row
    const lines = [];
    for (const i of this.drawing.order) {
      const x = Math.round(this.x(this.drawing.x(i)));
      const y = Math.round(this.y(this.drawing.y(i)));
      if (x <= last.get(y)) continue;
      lines.push(`M${x - 1} ${y}h2`);
      last.set(y, x);
    }
    put(this.rows, "d", lines.join(""));
    this.point();
  }

  // After the view or the present node has changed.
  point() {
    const { available, camera } = this.tree;
    const { x, y, k, height } = camera;
    const wide = this.drawing.width * k > available + 16 || this.drawing.height * k > height + 40;
    this.svg.classList.toggle("needed", wide);
    if (!wide) return;
    const [left, top] = [this.x(-x / k), this.y(-y / k)];
    put(this.view, "x", Math.max(1, left));
    put(this.view, "y", Math.max(1, top));
    put(
      this.view,
      "width",
      Math.max(4, Math.min(WIDTH - 1, this.x((available - x) / k)) - Math.max(1, left)),
    );
    put(this.view, "height", Math.max(4, Math.min(HEIGHT - 1, this.y((height - y) / k)) - Math.max(1, top)));
    const here = this.tree.here;
    if (!this.drawing.has(here)) return;
    put(this.here, "cx", this.x(this.drawing.x(here)));
    put(this.here, "cy", this.y(this.drawing.y(here)));
  }

  moveTo(event) {
    const { camera, available } = this.tree;
    const { left, top } = this.svg.getBoundingClientRect();
    const x = ((event.clientX - left - 3) / (WIDTH - 6)) * this.drawing.width;
    const y = ((event.clientY - top - 2) / (HEIGHT - 4)) * this.drawing.height;
    camera.moved = true;
    camera.look({ x: available / 2 - x * camera.k, y: Math.min(0, camera.height / 2 - y * camera.k) });
  }
}
