// The tree at this step as text, for screen readers and for copying: a line for each drawn node.

import { html, write } from "./dom.js";
import { formatMessage } from "./messages.js";

export const textOf = (tree) =>
  tree.drawing.order.map((i) => "  ".repeat(tree.record.depth[i]) + lineOf(tree, i)).join("\n");

function lineOf(tree, i) {
  const closed = tree.openNodes.isOpen(i) ? 0 : tree.replay.children(i).length || tree.record.more[i];
  const line = tree.kind.line(tree, i) + (closed ? formatMessage("text.closed", { count: closed }) : "");
  return i === tree.shown ? formatMessage("text.here", { line }) : line;
}

export class TextAlternative {
  constructor(tree, root) {
    this.tree = tree;
    this.box = html("details", { class: "text-alternative" }, root);
    html("summary", {}, this.box, formatMessage("text.title"));
    this.text = html(
      "pre",
      { tabindex: 0, role: "region", "aria-label": formatMessage("text.title") },
      this.box,
    );
    this.box.addEventListener("toggle", () => this.describe(), { signal: tree.signal });
  }

  describe() {
    if (this.box.open) write(this.text, textOf(this.tree));
  }
}
