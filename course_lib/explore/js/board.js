// Draws what board.py describes in `view`, and tells it what was clicked. The rules of the games are all
// there.

import sheet from "./board.css" with { type: "css" };
import { drawMark } from "./board_marks.js";
import { drawMove, fit, put } from "./board_parts.js";
import controls from "./controls.css" with { type: "css" };
import { html } from "./dom.js";
import { living } from "./host.js";
import { say } from "./messages.js";

const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

const placeOf = (parent, event) => [...parent.children].indexOf(event.target.closest("button"));

class Board {
  constructor(host, el) {
    this.host = host;
    this.here = 0; // the cell that Tab leads to
    this.root = html("div", {}, el);
    this.grid = html("div", { class: "grid", role: "group", "aria-label": say("board.label") }, this.root);
    const panel = html("div", { class: "panel" }, this.root);
    const told = html("div", { class: "told", role: "status" }, panel);
    this.status = html("p", { class: "status" }, told);
    this.text = html("pre", { class: "text" }, told);
    this.story = html("p", { class: "story" }, told);
    // It keeps the focus while there are no moves to choose.
    const keeps = { class: "moves", "data-lm-suppress-shortcuts": "true", tabindex: -1 };
    this.moves = html("div", keeps, panel);
    this.caption = html("div", { class: "caption" }, panel);
    this.buttons = html("div", { class: "buttons" }, panel);
  }

  get view() {
    return this.host.get("view");
  }

  send(message) {
    if (!this.host.send({ ...message, ply: this.view.ply })) put(this.story, say("kernel.gone"));
  }

  // ---- what is drawn
  draw() {
    const { view } = this;
    this.root.className = `course-board course-ui ${view.look}${view.thoughts ? " thoughts" : ""}`;
    this.drawCells(view);
    for (const [move, button] of fit(this.moves, view.moves)) {
      drawMove(button, move);
      button.setAttribute("aria-label", move.label);
    }
    for (const [[, label, pressed], button] of fit(this.buttons, view.buttons)) {
      put(button, label);
      if (pressed !== null) button.setAttribute("aria-pressed", pressed);
    }
    for (const part of ["status", "text", "story", "caption"]) put(this[part], view[part]);
    this.grid.hidden = !view.cells.length;
  }

  drawCells(view) {
    this.grid.style.setProperty("--columns", view.columns);
    for (const part of ["name", "value"]) {
      const letters = view.cells
        .flatMap((cell) => (cell[part] ?? "").split("\n"))
        .map(({ length }) => length);
      this.grid.style.setProperty(`--${part}-letters`, Math.max(1, ...letters));
    }
    for (const [cell, button, at] of fit(this.grid, view.cells)) {
      drawMark(button, view.look, cell.mark);
      drawMove(button, cell);
      button.classList.toggle("last", cell.last);
      button.setAttribute("aria-label", cell.label);
      button.setAttribute("aria-disabled", cell.action === null);
      button.tabIndex = at === this.here ? 0 : -1;
    }
    const target = this.grid.querySelector("button:hover, button:focus-visible") ?? this.grid;
    this.hint(placeOf(this.grid, { target }));
  }

  // Shows which cells a move at this one changes.
  hint(at) {
    const changes = this.view.cells[at]?.changes ?? [];
    [...this.grid.children].forEach((button, i) => button.classList.toggle("hint", changes.includes(i)));
  }

  // ---- what the reader does
  listen(signal) {
    const on = (part, event, handler) => part.addEventListener(event, handler, { signal });
    const { buttons, grid, moves } = this;
    on(grid, "click", (event) => this.send({ do: "cell", at: placeOf(grid, event) }));
    on(grid, "keydown", (event) => this.moveFocus(event));
    on(grid, "pointerover", (event) => this.hint(placeOf(grid, event)));
    on(grid, "pointerleave", () => this.hint(-1));
    on(grid, "focusout", () => this.hint(-1));
    on(grid, "focusin", (event) => this.focused(placeOf(grid, event)));
    on(moves, "click", (event) => this.send({ do: "move", at: this.view.moves[placeOf(moves, event)].at }));
    on(buttons, "click", (event) => this.send({ do: this.view.buttons[placeOf(buttons, event)][0] }));
  }

  moveFocus(event) {
    if (!(event.key in ARROWS)) return;
    event.preventDefault();
    const [down, right] = ARROWS[event.key];
    const { columns } = this.view;
    const row = Math.floor(this.here / columns) + down;
    const column = (this.here % columns) + right;
    if (column >= 0 && column < columns) this.grid.children[row * columns + column]?.focus();
  }

  focused(at) {
    this.grid.children[this.here].tabIndex = -1;
    this.here = at;
    this.grid.children[at].tabIndex = 0;
    this.hint(at);
  }
}

export default living({ controls, board: sheet }, (host, el, signal) => {
  const board = new Board(host, el);
  board.listen(signal);
  host.hear({ "change:view": () => board.draw() }, signal);
  board.draw();
});
