// Controls for a Monte Carlo tree search: the step size, the slider for C, and its legend.

import { PHASES } from "./constants.js";
import { choice, slider } from "./controls.js";
import { html, svg } from "./dom.js";
import { letter } from "./mcts_appearance.js";
import { formatMessage } from "./messages.js";
import { drawItem, drawKey } from "./shapes.js";

const STEP = 0.05;

// Whether a step is an iteration or one of its phases.
export function strides(tree, bar) {
  const { host, signal } = tree;
  const options = [
    [PHASES.length, formatMessage("mcts.iteration")],
    [1, formatMessage("mcts.phase")],
  ];
  const change = (stride) => host.set({ stride: +stride });
  choice(bar, formatMessage("bar.step by"), options, host.get("stride"), change, signal);
}

// A slider for C, which does not change the search. Returns a function that shows the current C.
export function sliderForC(tree, panel) {
  const { host, record, signal } = tree;
  const own = record.c;
  const label = html("label", { class: "c" }, null, formatMessage("mcts.c"));
  panel.caption.after(label);
  // The step nearest to the C of the search is that C.
  const isOwn = (c) => Math.abs(c - own) < STEP / 2 + 0.0001;
  const changed = (c) => host.set({ c: isOwn(c) ? own : c });
  const range = slider(label, { min: 0, max: Math.max(3, 2 * own), step: STEP }, changed, signal);
  const readout = html("output", {}, label);
  return () => {
    const c = tree.c.toFixed(2);
    range.value = tree.c;
    readout.textContent = tree.c === own ? formatMessage("mcts.c own", { c }) : c;
  };
}

export function mctsLegend(tree, legend) {
  const item = (draw, text) => drawItem(legend, text, draw, "-16 -16 32 32");
  legend.prepend(formatMessage("mcts.legend", { letter: letter(tree) }));
  item((icon) => drawKey(icon, 22, true), formatMessage("mcts.path"));
  item((icon) => {
    svg("path", { d: "M0 -14V4", class: "chosen" }, icon);
    svg("path", { d: "M-7 2L0 13L7 2Z", class: "arrow" }, icon);
  }, formatMessage("mcts.choice"));
  const playout = (icon) => svg("path", { d: "M0 -15V15", class: "playout" }, icon);
  if (tree.record.playout.length) item(playout, formatMessage("mcts.playout"));
}
