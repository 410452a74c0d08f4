// An explorer: what the reader sees of a record, and what the reader can do with it. What differs between a
// recorded search and a Monte-Carlo tree search is in `kind` (see tree.js and mcts.js).

import { Boards } from "./boards.js";
import { Camera } from "./camera.js";
import { textWidth } from "./dom.js";
import { Drawing } from "./drawing.js";
import { Frame } from "./frame.js";
import { Settling } from "./host.js";
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
    this.settling = new Settling(host.model, "step", this.signal);
    kind.load(this, this.sent);
    this.measure();
    this.opening = new Opening(this.record);
    this.camera = new Camera(this);
    this.drawing = new Drawing(this, null);
    kind.open(this);
    this.showBoards = host.get("boards");
    this.build();
    this.goTo(host.get("step"), true);
  }

  build() {
    this.frame = new Frame(this, this.root);
    this.svg = this.frame.svg;
    this.svg.append(this.drawing.canvas);
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

  draw() {
    this.drawing.draw();
    this.kind.drawn(this);
    if (this.showBoards) this.boards.want();
  }
  paint(nodes) {
    for (const i of new Set(nodes)) this.drawing.paint(i);
  }
  repaint() {
    this.paint(this.drawing.order);
  }
  describe() {
    this.frame.panel.describe();
  }

  // ---- stepping
  goTo(step, redraw = false) {
    const { camera, opening, replay, shown } = this;
    const target = Math.max(0, Math.min(replay.steps, step));
    const from = replay.step;
    const changed = replay.goTo(target, () => !this.asking.mustAsk());
    if (this.selected >= replay.count) this.selected = undefined; // that node is gone again
    const opened = this.following && opening.follow(replay.current);
    const here = opening.nearestShown(replay.current);
    const anew = redraw || opened || replay.grew;
    this.shown = replay.step ? here : -1;
    if (anew) this.draw();
    else if (Math.abs(replay.step - from) > FAR) this.drawing.paintAll();
    else this.paint([...[...changed].flatMap((i) => replay.touchedBy(i)), shown, here]);
    if (anew && !camera.moved) camera.fit(here);
    this.kind.stepped(this);
    if (replay.step) camera.reveal(here);
    this.describe();
    this.settling.tell(replay.step);
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
