// Puts the look of a node on the page. Of a part that is there already only what differs is written.

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
  window: "text",
  edge: "text",
  arrow: "path",
  board: "g",
  note0: "text",
  note1: "text",
  note2: "text",
  note3: "text",
  note4: "text",
  title: "title",
};
const PARTS = Object.keys(TAGS); // in the order in which they lie one upon the other

const fresh = {}; // a part of each name, to be copied: that is quicker than to make one
function newPart(name) {
  fresh[name] ??= svg(TAGS[name], { class: name });
  return fresh[name].cloneNode();
}

// A node on the page: its group, the line from its parent, and the parts and looks that they have at present.
export class Drawn {
  constructor(group, line) {
    Object.assign(this, { group, line, parts: {}, look: {} });
  }

  paint(look, discs) {
    const old = this.look;
    if (look.className !== old.className) this.group.setAttribute("class", look.className);
    if (look.label !== old.label) this.group.setAttribute("aria-label", look.label);
    if (look.selected !== old.selected) this.group.setAttribute("aria-selected", look.selected);
    if (look.expanded !== old.expanded) put(this.group, "aria-expanded", look.expanded);
    if (this.line && look.line !== old.line) this.line.setAttribute("class", look.line);
    look.notes.forEach((note, place) => (look[`note${place}`] = note));
    let last = null; // the part that comes before on the page
    for (const name of PARTS) {
      if (look[name]) this.part(name, look[name], last, discs);
      else if (this.parts[name]) this.remove(name);
      last = this.parts[name] ?? last;
    }
    this.look = look;
  }

  part(name, wanted, last, discs) {
    const there = this.parts[name];
    const element = there ?? newPart(name);
    dress(element, there ? this.look[name] : {}, wanted, discs);
    this.parts[name] = element;
    if (!there) this.group.insertBefore(element, last ? last.nextSibling : this.group.firstChild);
  }

  remove(name) {
    this.parts[name].remove();
    delete this.parts[name];
  }
}

function dress(element, old, wanted, discs) {
  if (wanted.rows) return dressBoard(element, old, wanted, discs);
  for (const key in wanted)
    if (wanted[key] !== old[key]) {
      if (key === "text") element.textContent = wanted.text;
      else element.setAttribute(key, wanted[key]);
    }
}

function dressBoard(element, old, { rows, size, transform }, discs) {
  put(element, "transform", transform);
  put(element, "class", undefined);
  if (rows === old.rows) return;
  element.replaceChildren();
  drawBoard(rows, discs, size, element);
}
