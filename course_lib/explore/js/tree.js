// The explorer of a recorded search, or of the tree of a game.

import { searchLegend } from "./frame.js";
import { nodeWidth, room, searchAppearance, shortState } from "./node_appearance.js";
import { formatMessage } from "./messages.js";
import { stackOf } from "./panel.js";
import { Record } from "./record.js";
import { Replay } from "./replay.js";
import { widget } from "./widget.js";
import { captionOf, factsOf } from "./descriptions.js";

const search = {
  row: ({ record }) => (record.labels.size.length ? 106 : 90), // pixels from a node to its children
  below: 0,
  fixedHeight: false,
  minScale: 0.62,
  room,
  width: nodeWidth,
  extent: ({ showBoards }) => (showBoards ? 100 : 40),
  value: (tree, i) => tree.replay.value(i),
  appearance: searchAppearance,
  list: stackOf,
  load(tree, sent) {
    tree.record = new Record(sent);
    tree.replay = new Replay(tree.record);
  },
  open({ drawing, host, openNodes, practice }) {
    openNodes.openLevels(host.get("open_depth"), () => practice.isActive || drawing.fits());
  },
  build: (tree) => searchLegend(tree, tree.frame.legend),
  // The height at which edges leave a node, below its labels, and at which they bend, below those of others.
  edges({ record }) {
    const windows = record.events.alpha ? 18 : 0;
    const under = windows + (shortState(record, 0) ? 14 : 0);
    return { under, bend: record.labels.size.length ? 32 : Math.max(19, under + 1) };
  },
  caption({ practice, record, replay }) {
    if (record.steps) return captionOf(replay);
    return practice.isActive ? "" : formatMessage("tree.open");
  },
  line: (tree, i) =>
    tree.practice.isTarget(i)
      ? searchAppearance(tree, i).label
      : formatMessage("text.line", { node: tree.record.name(i), facts: factsOf(tree.replay, i) }),
  details: (tree, i) => [["p", {}, factsOf(tree.replay, i)]],
  step: ({ replay }, name) =>
    ({ first: 0, back: replay.step - 1, forward: replay.step + 1, last: replay.steps })[name],
  drawn() {},
};

export default widget(search);
