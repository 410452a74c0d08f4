// A page without Python: each widget on it is drawn from the state that stands in its element, when it comes
// near the reader's view.

import mcts from "./mcts.js";
import { PageModel, unpack } from "./page_model.js";
import predict from "./predict.js";
import tree from "./tree.js";

const WIDGETS = { mcts, predict, tree };
const NEAR = "600px"; // below the view

// Where a page of a site leads to the same notebook with Python, a widget that would need it now does too.
function offerPython(el) {
  const run = document.querySelector("a[data-run]");
  if (!run || el.querySelector("a[data-run]")) return;
  const note = document.createElement("p");
  note.className = "needs-python";
  note.append(run.cloneNode(true));
  el.append(note);
}

async function draw(el) {
  const { state, known } = await unpack(el.querySelector("script").textContent);
  const model = new PageModel(state, known, () => offerPython(el));
  WIDGETS[el.dataset.widget].render({ model, el: el.querySelector(".widget") });
  el.dataset.drawn = "";
  el.querySelector(".still")?.remove();
}

const dark = matchMedia("(prefers-color-scheme: dark)");
const theme = () => (document.body.dataset.jpThemeLight = String(!dark.matches));
dark.addEventListener("change", theme);
theme();

// What is wider than the page scrolls, also by keyboard.
function reach() {
  for (const el of document.querySelectorAll(".notebook :is(table, math[display='block'])"))
    el.tabIndex = el.scrollWidth > el.clientWidth ? 0 : -1;
}
addEventListener("resize", reach);
reach();

const near = new IntersectionObserver(
  (seen) => {
    for (const { isIntersecting, target } of seen)
      if (isIntersecting) {
        near.unobserve(target);
        draw(target);
      }
  },
  { rootMargin: NEAR },
);
for (const el of document.querySelectorAll("[data-widget]")) near.observe(el);
