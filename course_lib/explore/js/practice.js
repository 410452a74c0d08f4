// Practice by hand: nodes that take an answer of the reader's, typed, or put there by a click.

import { say } from "./messages.js";

const TICK = "M-5 1l3 4l6 -9";
const CROSS = "M-4 -4l8 8m0 -8l-8 8";

export class Practice {
  constructor(host) {
    this.host = host;
    this.targets = new Set(host.get("targets"));
  }

  get going() {
    return this.targets.size > 0;
  }
  get mark() {
    return this.host.get("mark"); // the answer that a click gives; "" where answers are typed
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

  // Writes an answer, and takes away what was said of the one before.
  write(i, text) {
    const answers = { ...this.host.get("answers") };
    const marks = { ...this.host.get("marks") };
    delete answers[i];
    delete marks[i];
    if (text) answers[i] = text;
    this.host.set({ answers, marks });
  }

  cross(i) {
    this.write(i, this.answer(i) ? "" : this.mark);
  }

  // The look of a node with the answer at it. What has no value is not filled: nobody has been there.
  look(tree, i, look) {
    if (!look.value.text) look.className = look.className.replace(" done", "");
    if (!this.isTarget(i)) return look;
    const { record, replay } = tree;
    const answer = this.answer(i);
    const mark = this.host.get("marks")[i];
    const value = replay.value(i);
    const said = [
      record.name(i),
      value && say("fact.value", { value }),
      answer ? say("practice.answer", { answer }) : say("practice.none"),
      mark && say(`mark.${mark}`),
    ];
    look.className += ` target${mark ? ` ${mark}` : ""}`;
    look.label = said.filter(Boolean).join(", ");
    look.verdict = mark && verdict(mark, record.kind[i], look.width);
    if (!this.mark) look.value = { ...look.value, text: answer || "?" };
    else if (answer) {
      look.className = look.className.replace(" done", " cut"); // dotted as what is cut
      look.crossed = crossed(look.width / 2);
    }
    return look;
  }
}

function verdict(mark, kind, width) {
  const at = kind ? `translate(${width / 2 + 6} -6)` : "translate(0 20)";
  return { d: mark === "right" ? TICK : CROSS, transform: at };
}

// In the corners only, so that the number can be read.
const crossed = (a) => ({ d: `M${-a} -11l7 5M${a} 11l-7 -5M${a} -11l-7 5M${-a} 11l7 -5` });
