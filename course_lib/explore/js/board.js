// Draws the `view` of board.py, which has the rules of the games, and sends it the clicks.

import sheet from "./board.css" with { type: "css" };
import { drawMark } from "./board_marks.js";
import { drawMove, fitButtons, setOptionalText } from "./board_buttons.js";
import controls from "./controls.css" with { type: "css" };
import { html } from "./dom.js";
import { widgetModule } from "./host.js";
import { formatMessage } from "./messages.js";

const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

const placeOf = (parent, event) => [...parent.children].indexOf(event.target.closest("button"));

class Board {
  constructor(host, el) {
    this.host = host;
    this.focusedCell = 0; // the cell in the tab order
    this.root = html("div", {}, el);
    this.grid = html(
      "div",
      { class: "grid", role: "group", "aria-label": formatMessage("board.label") },
      this.root,
    );
    const panel = html("div", { class: "panel" }, this.root);
    this.buttons = html("div", { class: "buttons" }, panel); // at the top, where no text moves them
    const messages = html("div", { class: "messages", role: "status" }, panel);
    this.status = html("p", { class: "status" }, messages);
    this.text = html("pre", { class: "text" }, messages);
    this.message = html("p", { class: "message" }, messages);
    this.moves = html("div", { class: "moves", tabindex: -1 }, panel); // keeps the focus while it is empty
    this.caption = html("div", { class: "caption" }, panel);
  }

  get view() {
    return this.host.get("view");
  }

  send(message) {
    if (!this.host.send({ ...message, ply: this.view.ply }))
      setOptionalText(this.message, formatMessage("kernel.gone"));
  }

  // ---- what is drawn
  draw() {
    const { view } = this;
    this.root.className = `course-board course-ui ${view.style}${view.analysis ? " analysis" : ""}`;
    this.drawCells(view);
    for (const [move, button] of fitButtons(this.moves, view.moves)) {
      drawMove(button, move);
      button.setAttribute("aria-label", move.label);
    }
    for (const [[, label, pressed], button] of fitButtons(this.buttons, view.buttons)) {
      setOptionalText(button, label);
      if (pressed !== null) button.setAttribute("aria-pressed", pressed);
    }
    for (const part of ["status", "text", "message", "caption"]) setOptionalText(this[part], view[part]);
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
    for (const [cell, button, at] of fitButtons(this.grid, view.cells)) {
      drawMark(button, view.style, cell.mark);
      drawMove(button, cell);
      button.classList.toggle("last", cell.last);
      button.classList.toggle("won", Boolean(cell.won));
      button.classList.toggle("faint", Boolean(cell.faint));
      button.setAttribute("aria-label", cell.label);
      button.setAttribute("aria-disabled", cell.action === null);
      button.tabIndex = at === this.focusedCell ? 0 : -1;
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
    const row = Math.floor(this.focusedCell / columns) + down;
    const column = (this.focusedCell % columns) + right;
    if (column >= 0 && column < columns) this.grid.children[row * columns + column]?.focus();
  }

  focused(at) {
    this.grid.children[this.focusedCell].tabIndex = -1;
    this.focusedCell = at;
    this.grid.children[at].tabIndex = 0;
    this.hint(at);
  }
}

export default widgetModule({ controls, board: sheet }, (host, el, signal) => {
  const board = new Board(host, el);
  board.listen(signal);
  host.listen({ "change:view": () => board.draw() }, signal);
  board.draw();
});
