// Two fingers on the drawn tree: it goes with them, and grows with the space between them. (One finger moves
// it sideways, and the page up and down.)

export class Pinch {
  // `begun` is called when a second finger comes down.
  constructor(tree, svg, begun) {
    Object.assign(this, { tree, svg, begun, fingers: new Map() });
    const { signal } = tree;
    const on = (target, event, handler) =>
      target.addEventListener(event, handler, { signal, passive: false });
    on(svg, "pointerdown", (event) => this.down(event));
    on(window, "pointermove", (event) => this.move(event));
    for (const event of ["pointerup", "pointercancel"])
      on(window, event, ({ pointerId }) => this.fingers.delete(pointerId));
    on(svg, "touchstart", (event) => event.touches.length > 1 && event.preventDefault()); // the page stays
  }

  down(event) {
    if (event.pointerType !== "touch") return;
    this.fingers.set(event.pointerId, event);
    if (this.fingers.size === 2) this.begun();
  }

  move(event) {
    if (!this.fingers.has(event.pointerId)) return;
    const before = this.span();
    this.fingers.set(event.pointerId, event);
    if (this.fingers.size !== 2) return;
    const after = this.span();
    this.tree.camera.zoom(after.far / before.far, before, after);
  }

  // Where the middle between two fingers is, and how far one is from the other.
  span() {
    const [one, other = one] = this.fingers.values();
    const { left, top } = this.svg.getBoundingClientRect();
    const x = (one.clientX + other.clientX) / 2 - left;
    const y = (one.clientY + other.clientY) / 2 - top;
    return { x, y, far: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) };
  }
}
