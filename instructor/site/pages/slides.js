// A page to read as slides of one screen each: texts are split between paragraphs, and a question has a picture.
/* global addEventListener, document, innerHeight, requestAnimationFrame, Event, window */
(() => {
const BLOCKS = ".text_cell_render > *, .input_area, .output_area";
const FIGURE = ":has(img, table, .course-live)";
const QUESTION = "[data-widget='predict']";
const UNITS = 1.82; // the zoom of widgets: site.css
const AROUND = 62; // what a widget has above and below its tree, in its own pixels
const SMALLEST = 0.7; // the scale of what is taller than a screen; then it scrolls

const all = (selector) => [...document.querySelectorAll(selector)];
const main = document.querySelector("main");
const cells = all("main > .cell");
const blocks = all("main > .cell").flatMap((cell) => [...cell.querySelectorAll(BLOCKS)]);
const bar = document.createElement("nav");
bar.className = "slides-bar";
bar.ariaLabel = "Slides";
const place = document.createElement("span");
place.role = "status";
let slides = []; // lists of blocks
let at = -1; // the number of the slide that is shown, or -1
let restore = []; // what makes the page as it was

const room = () => innerHeight - bar.offsetHeight - 24;
const isHeading = (block) => /^H[123]$/.test(block.tagName);
const isQuestion = (block) => Boolean(block.querySelector(QUESTION));
const isFigure = (block) => block.matches(`.output_area${FIGURE}`) && !isQuestion(block);

/** Groups of blocks that belong together: a text with the code and the outputs below it; a question. */
function groups() {
  const found = [];
  blocks.forEach((block, k) => {
    const isText = block.matches(".text_cell_render > :first-child");
    if (isText || isHeading(block) || isQuestion(block) || isQuestion(blocks[k - 1] ?? block)) found.push([]);
    found.at(-1).push(block);
  });
  return found;
}

const height = (first, last) => last.getBoundingClientRect().bottom - first.getBoundingClientRect().top;

/** The slides, measured while all blocks are on the page. */
function paginate() {
  slides = [];
  for (const group of groups()) {
    const slide = slides.at(-1);
    const fits = slide && height(slide[0], group.at(-1)) <= room();
    if (fits && !isHeading(group[0]) && !slide.some(isQuestion)) slide.push(...group);
    else split(isQuestion(group[0]) ? [...figureBefore(group[0]), ...group] : group);
  }
}

function split(group) {
  slides.push([]);
  for (const block of group) {
    const slide = slides.at(-1);
    const full = slide.length && !isQuestion(block) && height(slide[0], block) > room();
    if (!full) slide.push(block);
    else slides.push(isHeading(slide.at(-1)) && slide.length > 1 ? [slide.pop(), block] : [block]);
  }
}

/** The last picture above a question in its section, as a list, or []. */
function figureBefore(question) {
  const above = blocks.slice(0, blocks.indexOf(question));
  return above.slice(above.findLastIndex(isHeading) + 1).filter(isFigure).slice(-1);
}

function show(number) {
  at = Math.max(0, Math.min(number, slides.length - 1));
  const slide = slides[at];
  for (const block of blocks) block.hidden = !slide.includes(block);
  for (const cell of cells) cell.hidden = !slide.some((block) => cell.contains(block));
  main.classList.toggle("beside", slide.length === 2 && isFigure(slide[0]) && isQuestion(slide[1]));
  if (document.activeElement.closest("[hidden]")) document.activeElement.blur(); // it would keep the keys
  place.textContent = `${at + 1} of ${slides.length}`;
  window.scrollTo(0, 0);
}

/** Gives a widget the size of a slide. Returns what undoes it. */
function enlarge({ model }) {
  const { height, least } = model.state;
  const resize = (values) => {
    Object.assign(model.state, values);
    model.emit("change:tree");
  };
  resize({ height: Math.min(height, room() / UNITS - AROUND), least: 1 });
  return () => resize({ height, least });
}

function shrink(block) {
  const scale = room() / height(block, block);
  if (scale >= 1 || block.querySelector(".course-live")) return;
  block.style.zoom = Math.max(SMALLEST, scale);
  block.style.maxHeight = `${room() / block.style.zoom}px`;
}

async function begin() {
  const first = blocks.find((block) => block.getBoundingClientRect().bottom > 0);
  document.body.classList.add("slides");
  document.body.append(bar);
  await layOut();
  show(slides.findIndex((slide) => slide.includes(first)));
}

async function layOut() {
  for (const folded of all("main .folded")) folded.open = true;
  window.dispatchEvent(new Event("slides"));
  while (all("main [data-widget]:not([data-drawn])").length) await new Promise(requestAnimationFrame);
  restore = all(`main .course-live:not(${QUESTION})`).map(enlarge);
  blocks.forEach(shrink);
  paginate();
}

function undo() {
  for (const part of [...blocks, ...cells]) part.hidden = false;
  for (const { style } of blocks) style.zoom = style.maxHeight = "";
  main.classList.remove("beside");
}

function end() {
  const [first] = slides[at];
  at = -1;
  document.body.classList.remove("slides");
  bar.remove();
  undo();
  restore.forEach((act) => act());
  for (const folded of all("main .folded")) folded.open = false;
  first.scrollIntoView();
}

/** The next slide, or the rest of what scrolls on this one. */
function next() {
  const rest = blocks.find((el) => !el.hidden && el.scrollTop + el.clientHeight < el.scrollHeight - 2);
  if (rest) rest.scrollBy(0, rest.clientHeight - 40);
  else show(at + 1);
}

function button(text, act) {
  const made = document.createElement("button");
  made.className = "button plain";
  made.textContent = text;
  made.addEventListener("click", act);
  return made;
}
bar.append(button("← Back", () => show(at - 1)), place, button("Next →", next), button("End", end));
document.querySelector("nav a")?.after(button("Slides", begin));

const KEYS = {
  PageDown: next,
  PageUp: () => show(at - 1),
  ArrowRight: next,
  ArrowLeft: () => show(at - 1),
  Escape: end,
};
const OWN = ".course-live, input, select, textarea"; // what uses the arrow keys itself

addEventListener("keydown", (event) => {
  const act = KEYS[event.key];
  const inside = !event.key.startsWith("Page") && event.target.closest?.(OWN);
  if (at < 0 || !act || event.altKey || event.ctrlKey || event.metaKey) return;
  if (inside && event.key !== "Escape") return;
  event.preventDefault();
  if (inside) event.target.blur(); // the first Escape leaves the widget
  else act();
});
})();
