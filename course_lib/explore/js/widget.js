// The life of an explorer on a page: it is made, told of changes, made anew for another tree, and taken away.

import controls from "./controls.css" with { type: "css" };
import { Explorer } from "./explorer.js";
import { living } from "./host.js";
import { find } from "./reader.js";
import tree from "./tree.css" with { type: "css" };

// Another tree: the reader's place in it is kept.
function restarted(old, kind) {
  const { host, root, selected } = old;
  const focused = root.contains(document.activeElement);
  const path = selected === undefined ? null : old.record.path(selected);
  old.settling.forget();
  old.abort.abort();
  const explorer = new Explorer(host, root, kind);
  explorer.frame.pointer.moved = old.frame.pointer.moved; // the click that ends a drag is none
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

// What anywidget is given for an explorer of this kind.
export const widget = (kind) =>
  living({ controls, tree, ...kind.sheets }, (host, el, signal) => {
    let explorer = new Explorer(host, el, kind);
    const restart = () => (explorer = restarted(explorer, kind));
    const stepped = () => {
      // Of a tree and a step that come together the step may be told first: it is no step of the old tree's.
      const step = host.get("step");
      if (host.get("tree") !== explorer.sent || step === explorer.replay.step) return;
      if (explorer.settling.isEcho(step)) return;
      explorer.settling.forget();
      explorer.goTo(step);
    };
    const retreed = () => {
      if (explorer.frame.pointer.drag)
        explorer.frame.pointer.afterDrag = restart; // what the reader holds stays held
      else restart();
    };
    const asked = () => {
      explorer.asking.startAgain();
      explorer.describe();
    };
    const handlers = {
      "change:tree": retreed,
      "change:predict": asked,
      "change:step": stepped,
      "change:answers": () => explorer.repaint(),
      "change:marks": () => explorer.repaint(),
      "msg:custom": (message) => explorer.kernel.receive(message),
    };
    host.hear(handlers, signal);
    fitWhenResized(el, () => explorer, signal);
    signal.addEventListener("abort", () => explorer.abort.abort());
  });
