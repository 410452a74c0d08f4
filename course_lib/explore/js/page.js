// A page without Python: each widget on it is drawn from the state that stands in its element, when it comes
// near the reader's view.

import mcts from "./mcts.js";
import { PageModel, unpack } from "./page_model.js";
import predict from "./predict.js";
import tree from "./tree.js";

const WIDGETS = { mcts, predict, tree };
const NEAR = "600px"; // below the view

async function draw(el) {
  const { state, known } = await unpack(el.querySelector("script").textContent);
  const place = el.querySelector(".widget");
  WIDGETS[el.dataset.widget].render({ model: new PageModel(state, known), el: place });
  el.dataset.drawn = "";
  el.querySelector(".still")?.remove();
}

const dark = matchMedia("(prefers-color-scheme: dark)");
const theme = () => (document.body.dataset.jpThemeLight = String(!dark.matches));
dark.addEventListener("change", theme);
theme();

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
