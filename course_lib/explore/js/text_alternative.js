// The tree at this step as text: a line for each node that is drawn, to be read aloud or copied.

import { html, write } from "./dom.js";
import { say } from "./messages.js";

export const textOf = (tree) =>
  tree.drawing.order.map((i) => "  ".repeat(tree.record.depth[i]) + lineOf(tree, i)).join("\n");

function lineOf(tree, i) {
  const closed = tree.opening.isOpen(i) ? 0 : tree.replay.children(i).length || tree.record.more[i];
  const line = tree.kind.line(tree, i) + (closed ? say("text.closed", { count: closed }) : "");
  return i === tree.shown ? say("text.here", { line }) : line;
}

export class TextAlternative {
  constructor(tree, root) {
    this.tree = tree;
    const { signal } = tree;
    this.box = html("details", { class: "text-alternative" }, root);
    html("summary", {}, this.box, say("text.title"));
    this.text = html("pre", { tabindex: 0, role: "region", "aria-label": say("text.title") }, this.box);
    this.box.addEventListener("toggle", () => this.describe(), { signal });
    this.text.addEventListener("keydown", (event) => event.stopPropagation(), { signal }); // arrows scroll it
  }

  describe() {
    if (this.box.open) write(this.text, textOf(this.tree));
  }
}
