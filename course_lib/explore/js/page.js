// A page without Python: each widget is drawn from the state in its element: first those nearly visible.

import board from "./board.js";
import { offerOtherLeaves } from "./leaf_form.js";
import mcts from "./mcts.js";
import { PageModel, unpack } from "./page_model.js";
import { PlayedGame } from "./played_game.js";
import predict from "./predict.js";
import { followTheme } from "./theme.js";
import tree from "./tree.js";

const WIDGETS = { board, mcts, predict, tree };

// If the page of a site links to the same notebook with Python, a widget that needs Python shows this link.
function offerPython(el) {
  const run = document.querySelector("a[data-run]");
  if (!run || el.querySelector("a[data-run]")) return;
  const note = document.createElement("p");
  note.className = "needs-python";
  note.append(run.cloneNode(true));
  el.append(note);
}

// The boards of a page are those of tic-tac-toe against a program that nobody beats.
function boardModel({ cells }) {
  const start = cells.map(({ mark }) => mark).join("");
  return new PlayedGame(start, ["undo", "newGame", "showValues"]);
}

async function draw(el) {
  const { state, known } = await unpack(el.querySelector("script").textContent);
  const model = state.view ? boardModel(state.view) : new PageModel(state, known, () => offerPython(el));
  el.model = model; // for the scripts of a site
  WIDGETS[el.dataset.widget].render({ model, el: el.querySelector(".widget") });
  if (el.dataset.widget === "tree") offerOtherLeaves(model, el);
  el.dataset.drawn = "";
  el.querySelector(".still")?.remove();
}

followTheme();

// Elements wider than the page scroll, by keyboard too.
function makeScrollable() {
  for (const el of document.querySelectorAll(".notebook :is(table, math[display='block'])"))
    el.tabIndex = el.scrollWidth > el.clientWidth ? 0 : -1;
}
addEventListener("resize", makeScrollable);
makeScrollable();

const waiting = new Set(document.querySelectorAll("[data-widget]"));
const start = (el) => waiting.delete(el) && draw(el);
const near = new IntersectionObserver(
  (entries) => entries.forEach(({ isIntersecting, target }) => isIntersecting && start(target)),
  { rootMargin: "600px" },
);
for (const el of waiting) near.observe(el);

// The others that are not hidden are drawn when the browser is idle, so that the Tab key reaches them; slides
// unfold more of them.
async function drawOthers() {
  for (const el of waiting) {
    await new Promise((resolve) => (window.requestIdleCallback ?? setTimeout)(resolve)); // Safari lacks it
    if (el.checkVisibility()) await start(el);
  }
}
for (const event of ["load", "slides"]) addEventListener(event, drawOthers);
