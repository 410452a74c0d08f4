// The explorer of a Monte-Carlo tree search: the tree grows by phases, four to an iteration.

import { PHASES } from "./codes.js";
import { nodeWidth } from "./look.js";
import { mctsLegend, sliderForC, strides } from "./mcts_controls.js";
import { fraction, labelOf, mctsLook, mctsRoom } from "./mcts_look.js";
import sheet from "./mcts.css" with { type: "css" };
import { drawPlayout, revealPlayout } from "./mcts_playout.js";
import { Plot } from "./mcts_plot.js";
import { SearchRecord } from "./mcts_record.js";
import { Growth } from "./mcts_replay.js";
import { mctsDetails, story } from "./mcts_words.js";
import { widget } from "./widget.js";

const SMALLEST = 0.8; // nodes say more than those of other searches: they are larger where there is room
const MOST = 200; // nodes that are open at the start

// All levels are opened that the finished tree has room for.
function openLevels(tree) {
  const { opening, replay, drawing } = tree;
  const { count } = replay;
  replay.count = tree.record.count; // the finished tree, for as long as it is measured
  const fits = () => {
    const { order, width } = drawing.layOut();
    return order.length <= MOST && width * SMALLEST <= tree.available;
  };
  opening.openLevels(tree.host.get("open_depth"), fits);
  replay.count = count;
  replay.present.clear();
}

// The slider moves many times a second: all is painted once for each frame.
function hearC(tree, show) {
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
  tree.host.hear({ "change:c": moved, "change:stride": stride }, tree.signal);
}

const mcts = {
  sheets: { mcts: sheet },
  row: 108, // pixels from a node to its children
  below: 110, // room for a playout
  steady: true, // it stays as high, while the tree grows
  room: mctsRoom,
  width: nodeWidth,
  value: fraction,
  look: mctsLook,
  list: () => [],
  controls: strides,
  load(tree, sent) {
    tree.record = new SearchRecord(sent);
    tree.replay = new Growth(tree.record);
    Object.defineProperty(tree, "c", { get: () => tree.host.get("c") });
  },
  open: openLevels,
  build(tree) {
    tree.root.classList.add("mcts");
    mctsLegend(tree, tree.frame.legend);
    const show = sliderForC(tree, tree.frame.panel);
    show();
    tree.plot = new Plot(tree, tree.frame.panel.list);
    hearC(tree, show);
  },
  edges: () => ({ under: 37, bend: 50 }),
  caption: story,
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
  // The first click tells about a node, the next closes it.
  keepsOpen: ({ opening }, i, known) => !known && opening.isOpen(i),
};

export default widget(mcts);
