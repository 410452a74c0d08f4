// The explorer of a Monte Carlo tree search: the tree grows by phases, four to an iteration.

import { PHASES } from "./constants.js";
import { nodeWidth } from "./node_appearance.js";
import { mctsLegend, sliderForC, strides } from "./mcts_controls.js";
import { fraction, labelOf, mctsAppearance, mctsRoom } from "./mcts_appearance.js";
import sheet from "./mcts.css" with { type: "css" };
import { drawPlayout, revealPlayout } from "./mcts_playout.js";
import { Plot } from "./mcts_plot.js";
import { MCTSRecord } from "./mcts_record.js";
import { MCTSReplay } from "./mcts_replay.js";
import { mctsDetails, mctsCaption } from "./mcts_descriptions.js";
import { widget } from "./widget.js";

const MIN_SCALE = 0.8; // nodes have more text than those of other searches
const MAX_OPEN = 200; // nodes that are open at the start

// Opens as many levels of the finished tree as fit.
function openLevels(tree) {
  const { openNodes, replay, drawing } = tree;
  const { count } = replay;
  replay.count = tree.record.count; // the finished tree, for as long as it is measured
  const fits = () => {
    const { order, width } = drawing.layOut();
    return order.length <= MAX_OPEN && width * MIN_SCALE <= tree.available;
  };
  openNodes.openLevels(tree.host.get("open_depth"), fits);
  replay.count = count;
  replay.present.clear();
}

// The slider moves many times a second: repaint once for each frame.
function listenToC(tree, show) {
  let waiting = false;
  const repaint = () => {
    waiting = false;
    if (tree.signal.aborted) return;
    tree.repaint();
    tree.describe();
  };
  const moved = () => {
    show();
    if (!waiting) requestAnimationFrame(repaint);
    waiting = true;
  };
  const stride = () => {
    const { step } = tree.replay;
    tree.goTo(tree.host.get("stride") === 1 ? step : step - (step % PHASES.length));
  };
  tree.host.listen({ "change:c": moved, "change:stride": stride }, tree.signal);
}

const mcts = {
  sheets: { mcts: sheet },
  row: 108, // pixels from a node to its children
  below: 110, // room for a playout
  fixedHeight: true, // while the tree grows
  room: mctsRoom,
  width: nodeWidth,
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
    const show = sliderForC(tree, tree.frame.panel);
    show();
    tree.plot = new Plot(tree, tree.frame.panel.list);
    listenToC(tree, show);
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
  drawn: (tree) => tree.plot && drawPlayout(tree),
  stepped(tree) {
    drawPlayout(tree);
    tree.plot.move();
  },
  revealed: revealPlayout,
  // The first click selects a node, the next closes it.
  keepsOpen: ({ openNodes }, i, known) => !known && openNodes.isOpen(i),
};

export default widget(mcts);
