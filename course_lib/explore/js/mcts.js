// The explorer of a Monte Carlo tree search: the tree grows by phases, four to an iteration.

import { PHASES } from "./constants.js";
import { nodeWidth } from "./node_appearance.js";
import { choice, slider } from "./controls.js";
import { html, svg } from "./dom.js";
import { fraction, labelOf, letter, mctsAppearance, mctsRoom } from "./mcts_appearance.js";
import sheet from "./mcts.css" with { type: "css" };
import { drawPlayout, extent } from "./mcts_playout.js";
import { Plot } from "./mcts_plot.js";
import { MCTSRecord } from "./mcts_record.js";
import { MCTSReplay } from "./mcts_replay.js";
import { mctsDetails, mctsCaption } from "./mcts_descriptions.js";
import { formatMessage } from "./messages.js";
import { digits } from "./numbers.js";
import { drawItem, drawKey } from "./shapes.js";
import { widget } from "./widget.js";

const STEP = 0.05; // of the slider

// Opens as many levels of the finished tree as fit.
function openLevels(tree) {
  const { openNodes, replay, drawing } = tree;
  const { count } = replay;
  replay.count = tree.record.count; // the finished tree, for as long as it is measured
  openNodes.openLevels(tree.host.get("open_depth"), () => drawing.fits());
  replay.count = count;
  replay.present.clear();
}

// Whether a step is an iteration or one of its phases.
function strides(tree, bar) {
  const { host, replay, signal } = tree;
  const options = [
    [PHASES.length, formatMessage("mcts.iteration")],
    [1, formatMessage("mcts.phase")],
  ];
  const change = (stride) => host.set({ stride: +stride });
  const changed = () => tree.goTo(host.get("stride") === 1 ? replay.step : replay.iteration * PHASES.length);
  host.listen({ "change:stride": changed }, signal);
  choice(bar, formatMessage("bar.step by"), options, host.get("stride"), change, signal);
}

// A slider for C, which does not change the search.
function sliderForC(tree, panel) {
  const { host, record, signal } = tree;
  const own = record.c;
  const label = html("label", { class: "c" }, null, formatMessage("mcts.c"));
  panel.caption.before(label); // no text moves it
  // The step nearest to the C of the search is that C.
  const isOwn = (c) => Math.abs(c - own) < STEP / 2 + 0.0001;
  const changed = (c) => host.set({ c: isOwn(c) ? own : c });
  const range = slider(label, { min: 0, max: Math.max(3, 2 * own), step: STEP }, changed, signal);
  const readout = html("output", {}, label);
  const show = () => {
    const c = digits(tree.c, 2);
    range.value = tree.c;
    readout.textContent = tree.c === own ? formatMessage("mcts.c own", { c }) : c;
  };
  const moved = () => {
    show();
    tree.repaint();
    tree.describe();
  };
  host.listen({ "change:c": moved }, signal);
  show();
}

function mctsLegend(tree, legend) {
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

const mcts = {
  sheets: { mcts: sheet },
  row: () => 112,
  below: 110, // room for a playout
  fixedHeight: true, // while the tree grows
  minScale: 0.8, // nodes have more text than those of other searches
  room: mctsRoom,
  width: nodeWidth,
  extent,
  value: fraction,
  appearance: mctsAppearance,
  list: () => [],
  controls: strides,
  load(tree, sent) {
    tree.record = new MCTSRecord(sent);
    tree.replay = new MCTSReplay(tree.record);
    Object.defineProperty(tree, "c", { get: () => tree.host.get("c") });
  },
  open: openLevels,
  build(tree) {
    tree.root.classList.add("mcts");
    mctsLegend(tree, tree.frame.legend);
    sliderForC(tree, tree.frame.panel);
    tree.plot = new Plot(tree, tree.frame.panel.list);
  },
  edges: () => ({ under: 37, bend: 50 }),
  caption: mctsCaption,
  details: mctsDetails,
  line: labelOf,
  step({ host, replay }, name) {
    const stride = host.get("stride");
    const back = (Math.ceil(replay.step / stride) - 1) * stride;
    const forward = (Math.floor(replay.step / stride) + 1) * stride;
    return { first: 0, back, forward, last: replay.steps }[name];
  },
  drawn(tree) {
    drawPlayout(tree);
    tree.plot.move();
  },
};

export default widget(mcts);
