// Buttons with a mark, a name and a value: the cells of a board, and its moves.

import { html, write } from "./dom.js";

// A text that takes no room where it is empty.
export function put(element, text) {
  write(element, text);
  element.hidden = !text;
}

function newButton(parent) {
  // Letters typed on a button are no commands of JupyterLab's.
  const button = html("button", { type: "button", "data-lm-suppress-shortcuts": "true" }, parent);
  for (const part of ["mark", "name", "value"]) html("span", { class: part }, button);
}

// A button for each item. Those that are there already are kept, and so is the keyboard's focus.
export function fit(parent, items) {
  const focused = parent.contains(document.activeElement);
  while (parent.children.length > items.length) parent.lastChild.remove();
  while (parent.children.length < items.length) newButton(parent);
  if (focused && !parent.contains(document.activeElement)) parent.focus();
  if (focused && document.activeElement === parent) parent.firstChild?.focus();
  return items.map((item, at) => [item, parent.children[at], at]);
}

export function drawMove(button, move) {
  put(button.querySelector(".name"), move.name ?? "");
  put(button.querySelector(".value"), move.value ?? "");
  button.classList.toggle("best", Boolean(move.best));
}
