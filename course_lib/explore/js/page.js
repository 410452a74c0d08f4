// A page without Python: each widget is drawn from the state in its element, when it is nearly visible.

import mcts from "./mcts.js";
import { PageModel, unpack } from "./page_model.js";
import predict from "./predict.js";
import tree from "./tree.js";

const WIDGETS = { mcts, predict, tree };
const NEAR = "600px"; // below the view

// If the page of a site links to the same notebook with Python, a widget that needs Python shows this link.
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

// Elements wider than the page scroll, by keyboard too.
function makeScrollable() {
  for (const el of document.querySelectorAll(".notebook :is(table, math[display='block'])"))
    el.tabIndex = el.scrollWidth > el.clientWidth ? 0 : -1;
}
addEventListener("resize", makeScrollable);
makeScrollable();

const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries)
      if (isIntersecting) {
        near.unobserve(target);
        draw(target);
      }
  },
  { rootMargin: NEAR },
);
for (const el of document.querySelectorAll("[data-widget]")) near.observe(el);
