// Buttons with a mark, a name and a value: the cells of a board, and its moves.

import { html, write } from "./dom.js";

// Sets a text and hides the element if it is empty.
export function setOptionalText(element, text) {
  write(element, text);
  element.hidden = !text;
}

function newButton(parent) {
  const button = html("button", { type: "button" }, parent);
  for (const part of ["mark", "name", "value"]) html("span", { class: part }, button);
}

// A button for each item; existing buttons and the keyboard focus are kept.
export function fitButtons(parent, items) {
  const focused = parent.contains(document.activeElement);
  while (parent.children.length > items.length) parent.lastChild.remove();
  while (parent.children.length < items.length) newButton(parent);
  if (focused && !parent.contains(document.activeElement)) parent.focus();
  if (focused && document.activeElement === parent) parent.firstChild?.focus();
  return items.map((item, at) => [item, parent.children[at], at]);
}

export function drawMove(button, move) {
  setOptionalText(button.querySelector(".name"), move.name ?? "");
  setOptionalText(button.querySelector(".value"), move.value ?? "");
  button.classList.toggle("best", Boolean(move.best));
}
