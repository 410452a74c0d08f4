// Draws the appearance of a node; in an existing part it changes only what differs.

import { put, svg } from "./dom.js";
import { drawBoard } from "./shapes.js";

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
  note0: "text",
  note1: "text",
  note2: "text",
  title: "title",
};
const PARTS = Object.keys(TAGS); // from back to front

const fresh = {}; // a part of each name to clone, which is faster than to create one
function newPart(name) {
  fresh[name] ??= svg(TAGS[name], { class: name });
  return fresh[name].cloneNode();
}

// A node on the page: its group, the line from its parent, its parts and its current appearance.
export class DrawnNode {
  constructor(group, line) {
    Object.assign(this, { group, line, parts: {}, appearance: {} });
  }

  paint(appearance, boardStyle) {
    const old = this.appearance;
    if (appearance.className !== old.className) this.group.setAttribute("class", appearance.className);
    if (appearance.label !== old.label) this.group.setAttribute("aria-label", appearance.label);
    if (appearance.selected !== old.selected) this.group.setAttribute("aria-selected", appearance.selected);
    if (appearance.expanded !== old.expanded) put(this.group, "aria-expanded", appearance.expanded);
    if (this.line && appearance.line !== old.line) this.line.setAttribute("class", appearance.line);
    appearance.notes.forEach((note, place) => (appearance[`note${place}`] = note));
    let last = null; // the part before this one
    for (const name of PARTS) {
      if (appearance[name]) this.part(name, appearance[name], last, boardStyle);
      else if (this.parts[name]) this.remove(name);
      last = this.parts[name] ?? last;
    }
    this.appearance = appearance;
  }

  part(name, wanted, last, boardStyle) {
    const there = this.parts[name];
    const element = there ?? newPart(name);
    updateElement(element, there ? this.appearance[name] : {}, wanted, boardStyle);
    this.parts[name] = element;
    if (!there) this.group.insertBefore(element, last ? last.nextSibling : this.group.firstChild);
  }

  remove(name) {
    this.parts[name].remove();
    delete this.parts[name];
  }
}

function updateElement(element, old, wanted, boardStyle) {
  if (wanted.rows) return updateBoard(element, old, wanted, boardStyle);
  for (const key in wanted)
    if (wanted[key] !== old[key]) {
      if (key === "text") element.textContent = wanted.text;
      else element.setAttribute(key, wanted[key]);
    }
}

function updateBoard(element, old, { rows, size, transform }, boardStyle) {
  put(element, "transform", transform);
  put(element, "class", undefined);
  if (rows === old.rows) return;
  element.replaceChildren();
  drawBoard(rows, boardStyle, size, element);
}
