// The visible part of the tree: moved, zoomed or fitted to the frame.

const READABLE = 0.62; // the smallest scale at which labels can be read
const MIN_SCALE = 0.2;
const MAX_SCALE = 4;

export class Camera {
  constructor(tree) {
    Object.assign(this, { tree, k: 1, x: 0, y: 0, height: 0, moved: false });
  }

  moveTo({ k = this.k, x = this.x, y = this.y }) {
    Object.assign(this, { k, x, y });
    this.tree.drawing.canvas.setAttribute("transform", `translate(${x} ${y}) scale(${k})`);
  }

  setHeight(height) {
    if (height === this.height) return;
    this.height = height;
    this.tree.svg.setAttribute("height", height);
  }

  // Shows the whole tree if it is readable, or else a node and its surroundings.
  fit(i = 0, least = this.tree.host.get("least_scale") ?? READABLE) {
    const { tree } = this;
    const { drawing } = tree;
    const room = tree.available - 16;
    const maxHeight = tree.host.get("height");
    const largest = tree.following ? 0.85 : 1.2;
    const whole = Math.min(largest, room / drawing.width, maxHeight / drawing.height);
    const k = Math.max(least, whole);
    const stepping = tree.following && tree.replay.step < tree.record.steps;
    const fixedHeight = tree.kind.fixedHeight || stepping;
    this.setHeight(fixedHeight ? maxHeight : Math.min(maxHeight, Math.ceil(drawing.height * k)));
    const wide = drawing.width * k > room;
    const x = wide ? room / 2 - drawing.x(0) * k : 8 + Math.max(0, (room - drawing.width * k) / 2);
    this.moveTo({ k, x, y: 0 });
    this.reveal(i);
    this.moved = false;
  }

  // Zooms by this factor about the centre.
  zoom(factor) {
    this.moved = true;
    const k = Math.max(MIN_SCALE, Math.min(MAX_SCALE, this.k * factor));
    const [x, y] = [this.tree.available / 2, this.height / 2];
    const by = k / this.k;
    this.moveTo({ k, x: x - (x - this.x) * by, y: y - (y - this.y) * by });
  }

  // Moves the view, no further than necessary, to a node and what is drawn below it.
  reveal(i) {
    const { tree, k } = this;
    const { drawing } = tree;
    const left = drawing.x(i) * k + this.x;
    const half = (tree.kind.width(tree, i) / 2) * k;
    const isBeside = left < half || left > tree.available - half;
    const x = isBeside ? tree.available / 2 - drawing.x(i) * k : this.x;
    const top = (drawing.y(i) - 34) * k;
    const bottom = (drawing.y(i) + tree.kind.extent(tree, i)) * k;
    this.moveTo({ x, y: Math.max(Math.min(this.y, this.height - bottom), -top) });
  }
}
