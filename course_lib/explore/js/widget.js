// The life cycle of an explorer: creation, changes of traits, replacement for another tree, removal.

import controls from "./controls.css" with { type: "css" };
import { Explorer } from "./explorer.js";
import { widgetModule } from "./host.js";
import { find } from "./node_actions.js";
import tree from "./tree.css" with { type: "css" };

// An explorer for another tree, with the same selected node.
function restarted(old, kind) {
  const { host, root, selected } = old;
  const focused = root.contains(document.activeElement);
  const path = selected === undefined ? null : old.record.path(selected);
  old.debouncedStep.cancel();
  old.abort.abort();
  const explorer = new Explorer(host, root, kind);
  explorer.frame.pointer.moved = old.frame.pointer.moved; // the end of a drag is not a click
  if (focused) explorer.svg.focus({ preventScroll: true });
  if (path) find(explorer, path);
  return explorer;
}

function fitWhenResized(el, explorer, signal) {
  const resized = new ResizeObserver(() => {
    const tree = explorer();
    const before = tree.available;
    tree.measure();
    if (tree.available !== before) tree.camera.fit(Math.max(0, tree.shown));
  });
  resized.observe(el);
  signal.addEventListener("abort", () => resized.disconnect());
}

// The anywidget module of an explorer of this kind.
export const widget = (kind) =>
  widgetModule({ controls, tree, ...kind.sheets }, (host, el, signal) => {
    let explorer = new Explorer(host, el, kind);
    const restart = () => (explorer = restarted(explorer, kind));
    const stepped = () => {
      // A new step may arrive before its new tree: it is not a step of the old tree.
      const step = host.get("step");
      if (host.get("tree") !== explorer.sent || step === explorer.replay.step) return;
      if (explorer.debouncedStep.isEcho(step)) return;
      explorer.debouncedStep.cancel();
      explorer.goTo(step);
    };
    const treeChanged = () => {
      if (explorer.frame.pointer.drag)
        explorer.frame.pointer.afterDrag = restart; // during a drag
      else restart();
    };
    const asked = () => {
      explorer.predictionForm.reset();
      explorer.describe();
    };
    const handlers = {
      "change:tree": treeChanged,
      "change:predict": asked,
      "change:step": stepped,
      "change:answers": () => explorer.repaint(),
      "change:marks": () => explorer.repaint(),
      "msg:custom": (message) => explorer.kernel.receive(message),
    };
    host.listen(handlers, signal);
    fitWhenResized(el, () => explorer, signal);
    signal.addEventListener("abort", () => explorer.abort.abort());
  });
