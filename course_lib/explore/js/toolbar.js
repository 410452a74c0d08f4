// The row of controls above the drawn tree.

import { html, svg } from "./dom.js";
import { say } from "./messages.js";
import { find } from "./reader.js";
import { ICONS } from "./shapes.js";

const STEPS = ["first", "back", "forward", "last"];
const VIEWS = ["zoom out", "zoom in", "fit"];

export class Toolbar {
  constructor(tree, root) {
    this.tree = tree;
    this.bar = html("div", { class: "bar", role: "toolbar", "aria-label": say("bar.label") }, root);
    for (const name of tree.record.steps ? [...STEPS, ...VIEWS] : VIEWS) this.button(name);
    this.boards();
    if (tree.record.steps && !tree.opening.everything) this.follow();
    this.finder();
    this.help();
  }

  on(part, event, handler) {
    part.addEventListener(event, handler, { signal: this.tree.signal });
  }

  button(name) {
    const label = say(`bar.${name}`);
    const button = html("button", { type: "button", title: label, "aria-label": label }, this.bar);
    svg("path", { d: ICONS[name] }, svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, button));
    this.on(button, "click", () => this.tree.command(name));
  }

  toggle(label, checked, change) {
    const box = html("label", {}, this.bar);
    const input = html("input", { type: "checkbox" }, box);
    input.checked = checked;
    box.append(label);
    this.on(input, "change", () => change(input.checked));
    return box;
  }

  boards() {
    const { tree } = this;
    const box = this.toggle(say("bar.boards"), tree.showBoards, (on) => {
      tree.showBoards = on;
      tree.draw();
      tree.camera.fit();
    });
    box.hidden = !tree.host.get("has_boards");
  }

  follow() {
    this.tree.following = true;
    this.toggle(say("bar.follow"), true, (on) => (this.tree.following = on));
  }

  finder() {
    const look = {
      type: "text",
      placeholder: say("bar.find"),
      "aria-label": say("bar.find label"),
      size: 16,
    };
    const finder = html("input", look, this.bar);
    this.on(finder, "keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") find(this.tree, finder.value);
    });
  }

  help() {
    const help = html("details", { class: "help" }, this.bar);
    const label = say("bar.keys");
    html("summary", { title: label, "aria-label": label }, help, "?");
    html("p", {}, help, say(this.tree.host.get("reorder") ? "keys.reorder" : "keys"));
  }
}
