// An explorer of a record. The differences between a recorded search and a Monte Carlo tree search are in
// `kind` (see tree.js and mcts.js).

import { Boards } from "./boards.js";
import { Camera } from "./camera.js";
import { textWidth } from "./dom.js";
import { Drawing } from "./drawing.js";
import { Frame } from "./frame.js";
import { Kernel } from "./kernel.js";
import { OpenNodes } from "./open_nodes.js";
import { Practice } from "./practice.js";

const PANEL = 240; // pixels beside the tree, before the page has been laid out

export class Explorer {
  constructor(host, root, kind) {
    Object.assign(this, { host, root, kind, uid: `tree-${Math.random().toString(36).slice(2)}` });
    this.abort = new AbortController();
    this.signal = this.abort.signal;
    this.width = textWidth;
    this.shown = -1; // the node of the last event, or the nearest that is drawn
    this.boardStyle = host.get("board_style");
    this.practice = new Practice(host);
    this.boards = new Boards(this);
    this.kernel = new Kernel(this);
    kind.load(this, host.get("tree"));
    this.measure();
    this.openNodes = new OpenNodes(this.record);
    this.camera = new Camera(this);
    this.drawing = new Drawing(this, null);
    kind.open(this);
    this.following = this.record.steps > 0 && !this.openNodes.everything;
    this.showBoards = host.get("boards");
    this.frame = new Frame(this, root);
    this.svg = this.frame.svg;
    kind.build(this);
    this.measure();
    this.goTo(host.get("step"), true);
    if (this.practice.isActive) this.listenToButtons();
    this.svg.append(this.drawing.canvas); // at the end: a page that shows each new node is slow
  }

  // The buttons of practice are ipywidgets, which say nothing without a kernel: the tree says it for them.
  listenToButtons() {
    const pressed = ({ target }) => {
      const isOurs = target.closest(".widget-button") && target.closest(".widget-vbox")?.contains(this.root);
      if (isOurs) this.kernel.send({ type: "pressed" });
    };
    window.addEventListener("click", pressed, { signal: this.signal });
  }

  // Reading a size makes the browser lay out the page: only before drawing, and after a resize.
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
  // The nodes of the line of play from the node that the reader points at or has selected.
  get line() {
    const nodes = [];
    for (let i = this.pointed ?? this.selected ?? -1; i >= 0; i = this.replay.next(i)) nodes.push(i);
    return nodes;
  }
  boardOf(i) {
    return this.showBoards ? this.boards.of(i)?.rows : undefined;
  }

  draw() {
    this.drawing.arrange();
    if (this.showBoards) this.boards.requestMissing();
    this.kind.drawn(this);
  }
  repaint() {
    this.drawing.repaint();
    this.kind.drawn(this);
  }
  describe() {
    this.frame.describe();
  }

  // ---- stepping
  goTo(step, redraw = false) {
    const { camera, openNodes, replay } = this;
    this.move(step);
    const turned = this.following && openNodes.follow(replay.current);
    const here = openNodes.nearestShown(replay.current);
    this.shown = replay.step ? here : -1;
    const moved = redraw || turned || replay.grew;
    if (moved) this.draw();
    else this.repaint();
    if (moved && !camera.moved) camera.fit(here);
    if (replay.step) camera.reveal(here);
    this.describe();
    if (this.host.get("step") !== replay.step) this.host.set({ step: replay.step });
  }

  // Steps forward until a step needs a prediction first.
  move(step) {
    const { replay } = this;
    const target = Math.max(0, Math.min(replay.steps, step));
    const before = replay.step;
    replay.goTo(target, () => !this.predictionForm.hasQuestion());
    if (replay.step === before && before < target) this.predictionForm.remindToAnswer();
    if (this.selected >= replay.count) this.selected = undefined; // the tree no longer has that node
    this.pointed = undefined;
  }

  command(name) {
    if (name === "fit") return this.camera.fit(0, 0.25);
    if (name === "zoom in") return this.camera.zoom(1.25);
    if (name === "zoom out") return this.camera.zoom(0.8);
    this.goTo(this.kind.step(this, name));
  }

  // ---- nodes
  pointAt(i) {
    if (this.pointed === i) return;
    this.pointed = i;
    this.repaint();
    this.describe();
  }
  select(i) {
    this.selected = i;
    this.repaint();
    this.describe();
    this.host.set({ selected: i });
  }

  show(i) {
    this.select(i);
    this.camera.reveal(i);
  }
}
