// The marks on a board, as drawings of 40 by 40; their colours are in controls.css.

const PACMAN = '<path class="pacman" d="M20 20L32 12A14.5 14.5 0 1 0 32 28Z"/>';
const PELLET = '<circle class="object" cx="20" cy="20" r="4.5"/>';
const COVERED_PELLET = '<circle class="object under" cx="35" cy="35" r="4.5"/>';
const ghost = (name, more = "") =>
  `<circle class="ghost ${name}" cx="20" cy="20" r="14.5"/>` +
  `<text class="letter" x="20" y="26">${name}</text>${more}`;

const MARKS = {
  squares: {
    X: '<path class="mark-x" d="M11 11L29 29M29 11L11 29"/>',
    O: '<circle class="mark-o" cx="20" cy="20" r="10"/>',
    o: '<circle class="object" cx="20" cy="21" r="11"/>',
  },
  discs: {
    X: '<circle class="mark-x disc" cx="20" cy="20" r="15"/>',
    O: '<circle class="mark-o disc" cx="20" cy="20" r="11"/>',
  },
  maze: {
    "#": "",
    o: PELLET,
    P: PACMAN,
    X: `${PACMAN}<path class="caught" d="M9 9L31 31M31 9L9 31"/>`,
    A: ghost("A"),
    B: ghost("B"),
    a: ghost("A", COVERED_PELLET),
    b: ghost("B", COVERED_PELLET),
  },
};
const escaped = (text) => text.replace("&", "&amp;").replace("<", "&lt;");

// The drawing of a mark, as SVG; other characters are drawn as text.
export const drawingOf = (style, mark) =>
  (MARKS[style] ?? MARKS.squares)[mark] ?? `<text x="20" y="29">${escaped(mark)}</text>`;

// Draws a mark on a button.
export function drawMark(button, style, mark) {
  if (button.dataset.mark === mark) return;
  button.dataset.mark = mark;
  const drawing = `<svg viewBox="0 0 40 40" aria-hidden="true">${drawingOf(style, mark)}</svg>`;
  button.firstChild.innerHTML = mark === "." ? "" : drawing;
}
