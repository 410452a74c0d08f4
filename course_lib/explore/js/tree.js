// The explorer of a recorded search, or of a game's own tree.

import { searchLegend } from "./frame.js";
import { nodeWidth, room, searchLook, shortState } from "./look.js";
import { say } from "./messages.js";
import { stackOf } from "./panel.js";
import { Record } from "./record.js";
import { Replay } from "./replay.js";
import { widget } from "./widget.js";
import { captionOf, factsOf } from "./words.js";

const SCALE = 0.62;
const MOST = 200; // nodes that are open at the start

// Whether what is open is small enough to begin with.
const fits = (tree) => {
  if (tree.practice.going) return true;
  const { order, width } = tree.drawing.layOut();
  return order.length <= MOST && width * SCALE <= tree.available;
};

const search = {
  row: 86, // pixels from a node to its children
  below: 0,
  steady: false,
  room,
  width: nodeWidth,
  value: (tree, i) => tree.replay.value(i),
  look: searchLook,
  list: stackOf,
  load(tree, sent) {
    tree.record = new Record(sent);
    tree.replay = new Replay(tree.record);
  },
  open: (tree) => tree.opening.openLevels(tree.host.get("open_depth"), () => fits(tree)),
  build: (tree) => searchLegend(tree, tree.frame.legend),
  // Where edges leave a node, below its labels, and from where they go across.
  edges({ record }) {
    const windows = record.events.alpha ? 18 : 0;
    const under = windows + (shortState(record, 0) ? 14 : 0);
    return { under, bend: Math.max(19, under + 1) };
  },
  caption({ practice, record, replay }) {
    if (record.steps) return captionOf(replay);
    return practice.going ? "" : say("tree.walk");
  },
  line: (tree, i) =>
    tree.practice.isTarget(i)
      ? searchLook(tree, i).label
      : say("text.line", { node: tree.record.name(i), facts: factsOf(tree.replay, i) }),
  details: (tree, i) => [["p", {}, factsOf(tree.replay, i)]],
  step: ({ replay }, name) =>
    ({ first: 0, back: replay.step - 1, forward: replay.step + 1, last: replay.steps })[name],
  drawn() {},
  stepped() {},
  keepsOpen: () => false,
};

export default widget(search);
