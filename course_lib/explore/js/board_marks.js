// What stands in the cells of a board, as drawings of 40 by 40.

import { write } from "./dom.js";

const PACMAN =
  '<path class="pacman" d="M20 20L32 12A14.5 14.5 0 1 0 32 28Z"/>' +
  '<circle class="eye" cx="21" cy="11.5" r="2"/>';
const PELLET = '<circle class="pellet" cx="20" cy="20" r="4.5"/>';
const ghost = (name, more = "") =>
  `<path class="ghost ${name}" d="M6 35V19a14 14 0 0 1 28 0V35l-4.7-4-4.6 4-4.7-4-4.7 4-4.6-4Z"/>` +
  '<g class="eyes"><circle cx="15" cy="15" r="3.6"/><circle cx="25" cy="15" r="3.6"/></g>' +
  '<g class="eye"><circle cx="15" cy="15" r="1.7"/><circle cx="25" cy="15" r="1.7"/></g>' +
  `<text x="20" y="30.5">${name}</text>${more}`;
const UNDER = '<circle class="pellet under" cx="35" cy="35" r="4.5"/>';

const MARKS = {
  marks: {
    X: '<path class="max line" d="M11 11L29 29M29 11L11 29"/>',
    O: '<circle class="min line" cx="20" cy="20" r="10"/>',
  },
  discs: {
    X: '<circle class="max disc" cx="20" cy="20" r="15"/>',
    O: '<circle class="min ring" cx="20" cy="20" r="11"/>',
  },
  objects: { o: '<circle class="disc" cx="20" cy="20" r="14"/>' },
  maze: {
    "#": "",
    o: PELLET,
    P: PACMAN,
    X: `${PACMAN}<path class="caught" d="M9 9L31 31M31 9L9 31"/>`,
    A: ghost("A"),
    B: ghost("B"),
    a: ghost("A", UNDER),
    b: ghost("B", UNDER),
  },
};

// Draws a mark into the part of a button that is there for it.
export function drawMark(button, look, mark) {
  if (button.dataset.mark === mark) return;
  button.dataset.mark = mark;
  const shape = MARKS[look]?.[mark] ?? '<text x="20" y="28"></text>';
  const drawing = `<svg viewBox="0 0 40 40" aria-hidden="true">${shape}</svg>`;
  button.firstChild.innerHTML = mark === "." ? "" : drawing;
  for (const text of button.querySelectorAll("text:empty")) write(text, mark);
}
