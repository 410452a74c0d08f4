// An explorer: what the reader sees of a record, and what the reader can do with it. What differs between a
// recorded search and a Monte-Carlo tree search is in `kind` (see tree.js and mcts.js).

import { Boards } from "./boards.js";
import { Camera } from "./camera.js";
import { textWidth } from "./dom.js";
import { Drawing } from "./drawing.js";
import { Frame } from "./frame.js";
import { Settling } from "./settling.js";
import { Kernel } from "./kernel.js";
import { Opening } from "./opening.js";
import { Practice } from "./practice.js";

const PANEL = 240; // pixels beside the tree, before the page has been laid out
const FAR = 300; // steps; after so many all is painted

export class Explorer {
  constructor(host, root, kind) {
    Object.assign(this, { host, root, kind, uid: `tree-${Math.random().toString(36).slice(2)}` });
    this.abort = new AbortController();
    this.signal = this.abort.signal;
    this.width = textWidth;
    this.shown = -1; // the node of the last event, or the nearest that is drawn
    this.sent = host.get("tree");
    this.discs = host.get("discs");
    this.practice = new Practice(host);
    this.boards = new Boards(this, this.sent.run);
    this.kernel = new Kernel(this);
    this.settling = new Settling(host, "step", this.signal);
    kind.load(this, this.sent);
    this.measure();
    this.opening = new Opening(this.record);
    this.camera = new Camera(this);
    this.drawing = new Drawing(this, null);
    kind.open(this);
    this.showBoards = host.get("boards");
    this.build();
    this.goTo(host.get("step"), true);
    this.svg.append(this.drawing.canvas); // when it is drawn: a page that shows each node as it comes is slow
  }

  build() {
    this.frame = new Frame(this, this.root);
    this.svg = this.frame.svg;
    this.kind.build(this);
    this.measure();
  }

  // Asking the page for a size makes it lay out all that is drawn: only before anything is, and when it
  // resizes.
  measure() {
    this.available = Math.max(320, this.frame?.main.clientWidth || (this.root.clientWidth || 760) - PANEL);
  }

  // ---- what is shown
  get chosen() {
    return this.selected ?? (this.record.steps ? this.replay.current : 0);
  }
  get here() {
    return this.selected ?? Math.max(0, this.shown);
  }
  boardOf(i) {
    return this.showBoards ? this.boards.of(i)?.rows : undefined;
  }

  // What stands elsewhere is moved, and what is new is painted; or all.
  draw(all = true) {
    this.drawing.arrange(all);
    if (this.showBoards) this.boards.want();
    this.kind.drawn(this);
  }
  paint(nodes) {
    for (const i of new Set(nodes)) this.drawing.paint(i);
  }
  repaint() {
    this.paint(this.drawing.drawn.keys());
  }
  describe() {
    this.frame.describe();
  }

  // ---- stepping
  goTo(step, redraw = false) {
    const { camera, opening, replay, shown } = this;
    const from = replay.step;
    const changed = this.move(step);
    const turned = this.following ? opening.follow(replay.current) : [];
    const here = opening.nearestShown(replay.current);
    this.shown = replay.step ? here : -1;
    const touched = [...[...changed].flatMap((i) => replay.touchedBy(i)), ...turned, shown, here];
    const moved = redraw || turned.length > 0 || replay.grew;
    this.refresh(moved, redraw || Math.abs(replay.step - from) > FAR, touched);
    if (moved && !camera.moved) camera.fit(here);
    this.kind.stepped(this);
    if (replay.step) camera.reveal(here);
    this.describe();
    this.settling.tell(replay.step);
  }

  // Lays the tree out anew where nodes came, went or opened; paints all, or what was touched.
  refresh(moved, all, touched) {
    if (moved) this.draw(all);
    else if (all) this.repaint();
    if (!all) this.paint(touched);
  }

  // Takes steps as far as no question stands before one; returns the nodes that changed.
  move(step) {
    const target = Math.max(0, Math.min(this.replay.steps, step));
    const changed = this.replay.goTo(target, () => !this.asking.mustAsk());
    if (!changed.size && this.replay.step < target) this.asking.insist();
    if (this.selected >= this.replay.count) this.selected = undefined; // that node is gone again
    return changed;
  }

  command(name) {
    if (name === "fit") return this.camera.fit(0, 0.25);
    if (name === "zoom in") return this.camera.zoom(1.25);
    if (name === "zoom out") return this.camera.zoom(0.8);
    this.goTo(this.kind.step(this, name));
  }

  // ---- nodes
  select(i) {
    const before = this.selected;
    this.selected = i;
    this.paint([before, i]);
    this.describe();
    this.host.set({ selected: i });
  }

  show(i) {
    this.select(i);
    this.camera.reveal(i);
  }
}
