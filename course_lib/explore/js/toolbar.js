// The row of controls above the drawn tree.

import { iconButton, slider } from "./controls.js";
import { html } from "./dom.js";
import { formatMessage } from "./messages.js";
import { Playback } from "./playback.js";
import { ICONS } from "./shapes.js";

const VIEWS = ["zoom out", "zoom in", "fit"];

export class Toolbar {
  constructor(tree, root) {
    this.tree = tree;
    this.signal = tree.signal;
    this.bar = html("div", { class: "bar", role: "toolbar", "aria-label": formatMessage("bar.label") }, root);
    if (tree.record.steps) this.transport();
    tree.kind.controls?.(tree, this.bar);
    VIEWS.forEach((name) => this.command(name));
    if (tree.host.get("has_boards")) this.boards();
  }

  command(name) {
    return this.button(name, () => this.tree.command(name));
  }
  button(name, act) {
    return iconButton(this.bar, name, formatMessage(`bar.${name}`), act, this.signal);
  }

  // ---- stepping and playing
  transport() {
    const { tree, bar, signal } = this;
    this.player = new Playback(tree, () => this.showPlaying());
    const stop = () => {
      this.player.stop();
      tree.command("first");
    };
    this.button("first", stop);
    this.command("back");
    this.play = this.button("play", () => this.player.toggle());
    this.command("forward");
    this.command("last");
    const attributes = {
      class: "step",
      min: 0,
      max: tree.record.steps,
      "aria-label": formatMessage("control.step"),
    };
    this.range = slider(bar, attributes, (step) => tree.goTo(step), signal);
  }

  showPlaying() {
    const { playing } = this.player;
    this.play.setAttribute("aria-pressed", playing);
    this.play.querySelector("path").setAttribute("d", ICONS[playing ? "pause" : "play"]);
  }

  showStep() {
    const { replay, host } = this.tree;
    if (!this.range) return;
    this.range.step = host.get("stride") ?? 1;
    this.range.value = replay.step;
  }

  // ---- what is in view
  boards() {
    const { tree } = this;
    const show = () => button.setAttribute("aria-pressed", tree.showBoards);
    const button = this.button("boards", () => {
      tree.showBoards = !tree.showBoards;
      show();
      tree.draw();
      tree.camera.fit();
    });
    show();
  }
}
