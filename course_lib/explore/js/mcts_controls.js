// What the explorer of a Monte-Carlo tree search has beside the others: the slider for C, and its own legend.

import { html, svg } from "./dom.js";
import { letter } from "./mcts_look.js";
import { say } from "./messages.js";
import { drawKey } from "./shapes.js";

const STEP = 0.05;

// A slider for C: nothing is searched again. Returns what shows the present C.
export function slider(tree, bar) {
  const { host, record, signal } = tree;
  const own = record.c;
  const label = html("label", { class: "c" }, bar, say("mcts.c"));
  const look = {
    type: "range",
    min: 0,
    max: Math.max(3, 2 * own),
    step: STEP,
    "data-lm-suppress-shortcuts": "true",
  };
  const range = html("input", look, label);
  const readout = html("output", {}, label);
  const chosen = () => {
    // The step nearest to the search's own C is that C.
    const isOwn = Math.abs(range.value - own) < STEP / 2 + 0.0001;
    host.set({ c: isOwn ? own : +range.value });
  };
  range.addEventListener("keydown", (event) => event.stopPropagation(), { signal });
  range.addEventListener("input", chosen, { signal });
  return () => {
    const c = tree.c.toFixed(2);
    range.value = tree.c;
    readout.textContent = tree.c === own ? say("mcts.c own", { c }) : c;
  };
}

export function mctsLegend(tree, legend) {
  const item = (draw, text) => {
    const span = html("span", {}, legend);
    draw(svg("svg", { viewBox: "-16 -16 32 32" }, span));
    span.append(text);
  };
  html("span", {}, legend, say("mcts.legend", { letter: letter(tree) }));
  item((icon) => drawKey(icon, 22, true), say("mcts.path"));
  item((icon) => {
    svg("path", { d: "M0 -14V4", class: "chosen" }, icon);
    svg("path", { d: "M-7 2L0 13L7 2Z", class: "arrow" }, icon);
  }, say("mcts.choice"));
  const playout = (icon) => svg("path", { d: "M0 -15V15", class: "playout" }, icon);
  if (tree.record.playout.length) item(playout, say("mcts.playout"));
}
