// The life cycle of an explorer: creation, changes of traits, replacement for another tree, removal.

import controls from "./controls.css" with { type: "css" };
import { Explorer } from "./explorer.js";
import { widgetModule } from "./host.js";
import tree from "./tree.css" with { type: "css" };

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
    const restart = () => {
      explorer.abort.abort();
      explorer = new Explorer(host, el, kind);
    };
    const stepped = () => {
      const step = host.get("step");
      if (step !== explorer.replay.step) explorer.goTo(step);
    };
    const asked = () => {
      explorer.predictionForm.reset();
      explorer.describe();
    };
    const handlers = {
      "change:tree": restart,
      "change:predict": asked,
      "change:step": stepped,
      "change:answers": () => explorer.draw(),
      "change:marks": () => explorer.repaint(),
      "msg:custom": (message) => explorer.kernel.receive(message),
    };
    host.listen(handlers, signal);
    fitWhenResized(el, () => explorer, signal);
    signal.addEventListener("abort", () => explorer.abort.abort());
  });
