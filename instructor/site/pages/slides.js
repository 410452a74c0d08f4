// A page to read as slides of one screen each: texts are split between paragraphs, and a question has a picture.
/* global addEventListener, document, innerHeight, requestAnimationFrame, Event, window */
(() => {
const BLOCKS = ".text_cell_render > *, .input_area, .output_area:not(:has(> div > .needs-python))";
const FIGURE = ".output_area:has(img, table, .course-live)";
const QUESTION = "[data-widget='predict']";
const UNITS = 1.82; // the zoom of widgets: site.css
const AROUND = 46; // what a widget has above and below its tree, in its own pixels
const SMALLEST = 0.75; // the scale of what is taller than a screen; then it scrolls
const LINE = 12; // pixels
const WIDEST = 0.7; // the part of a slide that a picture beside a question may take when it is alone
const SHORT = 150; // pixels of code that only draws

const texts = document.currentScript.dataset;
const all = (selector) => [...document.querySelectorAll(selector)];
const main = document.querySelector("main");
const cells = all("main > .cell");
const shown = cells.filter((cell) => !cell.querySelector(".warm-up")); // which needs Python
const blocks = shown.flatMap((cell) => [...cell.querySelectorAll(BLOCKS)]);
const bar = document.createElement("nav");
bar.className = "slides-bar";
bar.ariaLabel = texts.slides;
const place = document.createElement("span");
place.role = "status";
let slides = []; // lists of blocks
let at = -1; // the number of the slide that is shown, or -1
let restore = []; // what makes the page as it was

const room = () => innerHeight - bar.offsetHeight - 28;
const isHeading = (block) => /^H[123]$/.test(block.tagName);
const isQuestion = (block) => Boolean(block.querySelector(QUESTION));
const isLive = (block) => Boolean(block.querySelector(".course-live"));
const isFigure = (block) => block.matches(FIGURE) && !isQuestion(block);

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

/** Whether these blocks fit on one slide. Widgets keep their size; texts and pictures may be a little smaller. */
function fit(blocks) {
  const scale = isFigure(blocks.at(-1)) ? SMALLEST : 0.85;
  return height(blocks[0], blocks.at(-1)) <= room() / (blocks.some(isLive) ? 1.03 : scale);
}

/** Makes the slides, measured while all blocks are on the page. */
function paginate() {
  slides = [];
  for (const group of groups()) {
    const slide = slides.at(-1) ?? [];
    const figure = isQuestion(group[0]) ? figureBefore(group[0]) : [];
    const ends = isHeading(group[0]) || slide.some(isQuestion) || !figure.every((block) => slide.includes(block));
    if (slide.length && !ends && fit([...slide, ...group])) slide.push(...group);
    else split([...figure, ...group]);
  }
}

function split(group) {
  slides.push([]);
  for (const block of group) {
    const slide = slides.at(-1);
    if (isQuestion(block) || slide.every(isHeading) || fit([...slide, block])) slide.push(block);
    else if (isLive(block) && slide.length === 1 && height(slide[0], slide[0]) < SHORT) slides.splice(-1, 1, [block]);
    else slides.push(isHeading(slide.at(-1)) ? [slide.pop(), block] : [block]);
  }
}

/** The last picture above a question in its section, as a list, or [], also if it is too wide for half a slide. */
function figureBefore(question) {
  const above = blocks.slice(0, blocks.indexOf(question));
  const [figure] = above.slice(above.findLastIndex(isHeading) + 1).filter(isFigure).slice(-1);
  const picture = figure?.querySelector("img:not(.course-live *)");
  return figure && !(picture?.getBoundingClientRect().width > WIDEST * main.clientWidth) ? [figure] : [];
}

function show(number) {
  at = Math.max(0, Math.min(number, slides.length - 1));
  const slide = slides[at];
  for (const block of blocks) block.hidden = !slide.includes(block);
  for (const cell of cells) cell.hidden = !slide.some((block) => cell.contains(block));
  main.classList.toggle("beside", slide.length === 2 && isFigure(slide[0]) && isQuestion(slide[1]));
  if (document.activeElement.closest("[hidden]")) document.activeElement.blur(); // it would keep the keys
  place.textContent = `${at + 1} / ${slides.length}`;
  main.style.zoom = "";
  squeeze();
  nameNext();
  window.scrollTo(0, 0);
}

/** Makes the slide smaller if it is higher than the screen. */
function squeeze() {
  const now = Number(main.style.zoom) || 1;
  const scale = now * Math.min(1, room() / main.getBoundingClientRect().height);
  if (at >= 0 && scale < now) main.style.zoom = Math.max(SMALLEST, scale);
}

/** Gives a widget the size of a slide. Returns what undoes it. */
function enlarge({ model }) {
  const { height, least_scale } = model.state;
  const resize = (values) => {
    Object.assign(model.state, values);
    model.emit("change:tree");
  };
  resize({ height: Math.min(height, room() / UNITS - AROUND), least_scale: 1 });
  return () => resize({ height, least_scale });
}

function shrink(block) {
  const scale = room() / height(block, block);
  if (scale >= 1 || isLive(block)) return;
  block.style.zoom = Math.max(SMALLEST, scale);
  block.style.maxHeight = `${room() / block.style.zoom}px`;
}

/** Shows the page as slides, beginning with the one that has the block `first`. */
async function begin(first) {
  document.body.classList.add("slides");
  document.body.append(bar);
  for (const folded of all("main .folded")) folded.open = true;
  window.dispatchEvent(new Event("slides"));
  const undrawn = (el) => !("drawn" in el.dataset) && el.checkVisibility();
  while (all("main [data-widget]").some(undrawn)) await new Promise(requestAnimationFrame);
  restore = all("main .course-live:has([role=tree])").map(enlarge);
  blocks.forEach(shrink);
  paginate();
  show(slides.findIndex((slide) => blocks.indexOf(slide.at(-1)) >= blocks.indexOf(first)));
}

/** Makes the page as it was. Returns the first block of the last slide. */
function end() {
  const [first] = slides[at];
  at = -1;
  document.body.classList.remove("slides");
  bar.remove();
  for (const part of [...blocks, ...cells]) part.hidden = false;
  for (const { style } of [main, ...blocks]) style.zoom = style.maxHeight = "";
  for (const folded of all("main .folded")) folded.open = false;
  restore.forEach((act) => act());
  return first;
}

/** What scrolls on this slide and still has a line below, if anything. */
const unread = () => blocks.find((el) => !el.hidden && el.scrollTop + el.clientHeight < el.scrollHeight - LINE);

/** Shows the next slide, or the rest of what scrolls on this one. */
function next() {
  const rest = unread();
  if (!rest) return show(at + 1);
  rest.scrollBy(0, rest.clientHeight - 40);
  nameNext();
}

function nameNext() {
  forward.textContent = unread() ? texts.more : texts.next;
}

function button(text, act) {
  const made = document.createElement("button");
  made.className = "button plain";
  made.textContent = text;
  made.addEventListener("click", act);
  return made;
}
const leave = () => end().scrollIntoView();
const forward = button(texts.next, next);
bar.append(button(texts.back, () => show(at - 1)), place, forward, button(texts.end, leave));
const visible = () => blocks.find((block) => block.getBoundingClientRect().bottom > 0);
document.querySelector("nav:not(.languages) a")?.after(button(texts.slides, () => begin(visible())));

addEventListener("resize", () => at >= 0 && begin(end()));
main.addEventListener("click", () => requestAnimationFrame(squeeze)); // a verdict makes a slide higher

const KEYS = {
  PageDown: next,
  PageUp: () => show(at - 1),
  ArrowRight: next,
  ArrowLeft: () => show(at - 1),
  Escape: leave,
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
}, true); // before a widget, which keeps its keys
})();
