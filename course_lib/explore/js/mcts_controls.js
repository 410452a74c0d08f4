// What the explorer of a Monte-Carlo tree search has beside the others: the slider for C, and its own legend.

import { PHASES } from "./codes.js";
import { choice, slider } from "./controls.js";
import { html, svg } from "./dom.js";
import { letter } from "./mcts_look.js";
import { say } from "./messages.js";
import { drawItem, drawKey } from "./shapes.js";

const STEP = 0.05;

// Whether a step is an iteration or one of its phases.
export function strides(tree, bar) {
  const { host, signal } = tree;
  const options = [
    [PHASES.length, say("mcts.iteration")],
    [1, say("mcts.phase")],
  ];
  const change = (stride) => host.set({ stride: +stride });
  choice(bar, say("bar.step by"), options, host.get("stride"), change, signal);
}

// A slider for C: nothing is searched again. Returns what shows the present C.
export function sliderForC(tree, panel) {
  const { host, record, signal } = tree;
  const own = record.c;
  const label = html("label", { class: "c" }, null, say("mcts.c"));
  panel.caption.after(label);
  // The step nearest to the search's own C is that C.
  const isOwn = (c) => Math.abs(c - own) < STEP / 2 + 0.0001;
  const moved = (c) => host.set({ c: isOwn(c) ? own : c });
  const range = slider(label, { min: 0, max: Math.max(3, 2 * own), step: STEP }, moved, signal);
  const readout = html("output", {}, label);
  return () => {
    const c = tree.c.toFixed(2);
    range.value = tree.c;
    readout.textContent = tree.c === own ? say("mcts.c own", { c }) : c;
  };
}

export function mctsLegend(tree, legend) {
  const item = (draw, text) => drawItem(legend, text, draw, "-16 -16 32 32");
  legend.prepend(say("mcts.legend", { letter: letter(tree) }));
  item((icon) => drawKey(icon, 22, true), say("mcts.path"));
  item((icon) => {
    svg("path", { d: "M0 -14V4", class: "chosen" }, icon);
    svg("path", { d: "M-7 2L0 13L7 2Z", class: "arrow" }, icon);
  }, say("mcts.choice"));
  const playout = (icon) => svg("path", { d: "M0 -15V15", class: "playout" }, icon);
  if (tree.record.playout.length) item(playout, say("mcts.playout"));
}
