// The frame of an explorer: toolbar, drawn tree, legend and panel.

import { GENERATED, CUT } from "./constants.js";
import { onlyCuts } from "./cuts.js";
import { html, svg } from "./dom.js";
import { press } from "./keyboard.js";
import { formatMessage } from "./messages.js";
import { Panel } from "./panel.js";
import { Pointer } from "./pointer.js";
import { drawItem, drawKey } from "./shapes.js";
import { Toolbar } from "./toolbar.js";
import { TextAlternative } from "./text_alternative.js";

export class Frame {
  constructor(tree, root) {
    root.replaceChildren();
    root.classList.add("course-ui", "game-tree");
    this.toolbar = new Toolbar(tree, root);
    const columns = html("div", { class: "columns" }, root);
    this.main = html("div", { class: "main" }, columns);
    this.svg = svg("svg", this.roles(tree), this.main);
    this.legend = html("div", { class: "legend", "aria-hidden": "true" }, this.main);
    this.panel = new Panel(tree, columns);
    this.textAlternative = new TextAlternative(tree, root);
    this.listen(tree);
  }

  roles(tree) {
    const label = formatMessage("tree.label", { name: tree.host.get("name") });
    return {
      tabindex: 0,
      role: "tree",
      "aria-label": label,
      "aria-description": formatMessage("keys"),
      width: "100%",
    };
  }

  // Updates the descriptions after a step or a selection.
  describe() {
    this.toolbar.showStep();
    this.panel.describe();
    this.textAlternative.describe();
  }

  listen(tree) {
    this.pointer = new Pointer(tree, this.svg);
    const keydown = (event) => press(tree, event) && event.preventDefault();
    this.svg.addEventListener("keydown", keydown, { signal: tree.signal });
  }
}

// The legend of a recorded search: the appearance of nodes by state.
export function searchLegend({ record, replay }, legend) {
  if (!record.steps) return;
  const draw = (state, name = `state.${state}`) =>
    drawItem(legend, formatMessage(name), (icon) => drawKey(icon, 20, state === "stack", state));
  for (const state of ["new", "stack", "visited"]) draw(state);
  if (record.status.includes(GENERATED)) draw("generated");
  if (record.status.includes(CUT)) draw("cut", onlyCuts(replay) ? "state.cut" : "state.left out");
}
