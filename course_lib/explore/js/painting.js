// Draws the appearance of a node, if it has changed.

import { put, svg } from "./dom.js";
import { drawBoard } from "./shapes.js";

// The elements of the parts, from back to front.
const TAGS = {
  hit: "rect",
  halo: "path",
  shape: "path",
  ring: "rect",
  pointer: "path",
  verdict: "path",
  crossed: "path",
  value: "text",
  edge: "text",
  arrow: "path",
  board: "g",
  title: "title",
};

// A node on the page: its group, and the line from its parent.
export class DrawnNode {
  constructor(group, line) {
    Object.assign(this, { group, line });
  }

  paint({ line, ...appearance }, boardStyle) {
    if (this.line) put(this.line, "class", line);
    const drawn = JSON.stringify(appearance);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const { className, expanded, label, notes, selected } = appearance;
    const attributes = {
      class: className,
      "aria-label": label,
      "aria-selected": selected,
      "aria-expanded": expanded,
    };
    for (const name in attributes) put(this.group, name, attributes[name]);
    this.group.replaceChildren();
    for (const name in TAGS)
      if (appearance[name])
        drawPart(this.group, TAGS[name], { class: name, ...appearance[name] }, boardStyle);
    for (const note of notes) drawPart(this.group, "text", note);
  }
}

function drawPart(group, tag, { rows, size, text, ...attributes }, boardStyle) {
  const part = svg(tag, attributes, group, text);
  if (rows) drawBoard(rows, boardStyle, size, part);
}
