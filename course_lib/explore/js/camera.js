// The visible part of the tree: moved, zoomed or fitted to the frame.

const READABLE = 0.62; // the smallest scale at which labels can be read
const MIN_SCALE = 0.2;
const MAX_SCALE = 4;

export class Camera {
  constructor(tree) {
    Object.assign(this, { tree, k: 1, x: 0, y: 0, height: 0, moved: false });
  }

  get drawing() {
    return this.tree.drawing;
  }

  moveTo({ k = this.k, x = this.x, y = this.y }) {
    Object.assign(this, { k, x, y });
    this.drawing.canvas.setAttribute("transform", `translate(${x} ${y}) scale(${k})`);
  }

  setHeight(height) {
    if (height === this.height) return;
    this.height = height;
    this.tree.svg.setAttribute("height", height);
  }

  // Shows the whole tree if it is readable, or else a node and its surroundings.
  fit(i = 0, least = this.tree.host.get("least_scale") ?? READABLE) {
    const { tree, drawing } = this;
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

  // Moves the view to a node if it is not visible.
  reveal(i) {
    const { tree, drawing } = this;
    const k = this.k;
    const before = this.y;
    const nx = drawing.x(i) * k + this.x;
    const ny = drawing.y(i) * k + this.y;
    const half = (tree.kind.width(tree, i) / 2) * k;
    const w = tree.available;
    const hiddenBelow = ny > this.height - (tree.showBoards ? 100 : 40) * k;
    const view = {};
    if (nx < half || nx > w - half) view.x = w / 2 - drawing.x(i) * k;
    if (ny < 24 || hiddenBelow) view.y = Math.min(0, this.height / 2 - drawing.y(i) * k);
    this.moveTo({ ...view, ...tree.kind.revealed?.(tree, i, before) });
  }
}
