// Practice by hand: nodes that the reader answers, by typing or by a click.

import { formatMessage } from "./messages.js";

const TICK = "M-5 1l3 4l6 -9";
const CROSS = "M-4 -4l8 8m0 -8l-8 8";

export class Practice {
  constructor(host) {
    this.host = host;
    this.targets = new Set(host.get("targets"));
  }

  get isActive() {
    return this.targets.size > 0;
  }
  get mark() {
    return this.host.get("mark"); // the answer of a click; "" if answers are typed
  }
  get unanswered() {
    return [...this.targets].filter((i) => !this.answer(i));
  }
  isTarget(i) {
    return this.targets.has(i);
  }
  answer(i) {
    return this.host.get("answers")[i] ?? "";
  }

  // Stores an answer, and removes the mark of the one before.
  write(i, text) {
    const answers = { ...this.host.get("answers") };
    const marks = { ...this.host.get("marks") };
    delete answers[i];
    delete marks[i];
    if (text) answers[i] = text;
    this.host.set({ answers, marks });
  }

  toggleMark(i) {
    this.write(i, this.answer(i) ? "" : this.mark);
  }

  // The appearance of a node with its answer. A node without a value is not filled.
  appearance(tree, i, appearance) {
    if (!appearance.value.text) appearance.className = appearance.className.replace(" visited", "");
    if (!this.isTarget(i)) return appearance;
    const { record, replay } = tree;
    const answer = this.answer(i);
    const mark = this.host.get("marks")[i];
    const value = replay.value(i);
    const parts = [
      record.name(i),
      value && formatMessage("node.value", { value }),
      answer ? formatMessage("practice.answer", { answer }) : formatMessage("practice.none"),
      mark && formatMessage(`mark.${mark}`),
    ];
    appearance.className += ` target${mark ? ` ${mark}` : ""}`;
    appearance.label = parts.filter(Boolean).join(", ");
    appearance.verdict = mark && verdict(mark, record.kind[i], appearance.width);
    if (!this.mark) appearance.value = { ...appearance.value, text: answer || "?" };
    else if (answer) {
      appearance.className = appearance.className.replace(" visited", " cut"); // dotted like a cut node
      appearance.crossed = crossMark(appearance.width / 2);
    }
    return appearance;
  }
}

function verdict(mark, kind, width) {
  const at = kind ? `translate(${width / 2 + 6} -6)` : "translate(0 20)";
  return { d: mark === "right" ? TICK : CROSS, transform: at };
}

// In the corners only, so that the number can be read.
const crossMark = (a) => ({ d: `M${-a} -11l7 5M${a} 11l-7 -5M${a} -11l-7 5M${-a} 11l7 -5` });
