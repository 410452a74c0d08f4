// A page to read as slides: each text or prediction begins one, and the code and outputs below it belong to it.
/* global addEventListener, document, scrollTo */
(() => {
const slides = [];
for (const cell of document.querySelectorAll("main > .cell")) {
  if (!slides.length || cell.matches(".text_cell, :has([data-widget='predict'])")) slides.push([]);
  slides.at(-1).push(cell);
}
const cells = slides.flat();
const bar = document.createElement("nav");
bar.className = "slides-bar";
bar.ariaLabel = "Slides";
const place = document.createElement("span");
place.role = "status";
let at = -1; // the number of the slide that is shown, or -1

function show(number) {
  at = Math.max(0, Math.min(number, slides.length - 1));
  for (const cell of cells) cell.hidden = !slides[at].includes(cell);
  if (document.activeElement.closest("[hidden]")) document.activeElement.blur(); // it would keep the keys to itself
  place.textContent = `${at + 1} of ${slides.length}`;
  scrollTo(0, 0);
}

function begin() {
  const first = slides.findIndex((slide) => slide.at(-1).getBoundingClientRect().bottom > 0);
  document.body.classList.add("slides");
  document.body.append(bar);
  show(first);
}

function end() {
  const [cell] = slides[at];
  at = -1;
  document.body.classList.remove("slides");
  bar.remove();
  for (const each of cells) each.hidden = false;
  cell.scrollIntoView();
}

function button(text, act) {
  const made = document.createElement("button");
  made.className = "button plain";
  made.textContent = text;
  made.addEventListener("click", act);
  return made;
}
bar.append(button("← Back", () => show(at - 1)), place, button("Next →", () => show(at + 1)), button("End", end));
document.querySelector("nav a")?.after(button("Slides", begin));

const KEYS = {
  PageDown: () => show(at + 1),
  PageUp: () => show(at - 1),
  ArrowRight: () => show(at + 1),
  ArrowLeft: () => show(at - 1),
  Escape: end,
};
const OWN = ".course-live, input, select, textarea"; // what uses the arrow keys itself

addEventListener("keydown", (event) => {
  const act = KEYS[event.key];
  const inside = !event.key.startsWith("Page") && event.target.closest?.(OWN);
  if (at < 0 || !act || inside || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  act();
});
})();
