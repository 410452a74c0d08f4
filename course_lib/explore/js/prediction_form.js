// The form below the caption: the question of a prediction, or the answer field of practice.

import { html, write } from "./dom.js";
import { formatMessage } from "./messages.js";
import { judge, questionAt, explain, words } from "./questions.js";

export class PredictionForm {
  constructor(tree, panel) {
    this.tree = tree;
    this.form = html("form", { class: "question" }, panel);
    this.verdict = html("p", { class: "verdict", role: "status" }, panel);
    this.pending = -1; // the event of the question
    this.explained = Infinity; // the event of the verdict
    this.score = [0, 0];
    this.answered = new Set();
    this.firstStep = tree.host.get("step"); // no questions about earlier steps
    const { signal } = tree;
    this.form.addEventListener("submit", (event) => this.submit(event), { signal });
  }

  get mode() {
    return this.tree.host.get("predict");
  }
  get input() {
    return this.form.elements.answer;
  }
  question() {
    const { record, replay } = this.tree;
    const e = questionAt(record, this.mode, replay.step);
    return e < this.firstStep || this.answered.has(e) ? -1 : e;
  }
  hasQuestion() {
    return this.question() >= 0;
  }

  reset() {
    this.score = [0, 0];
    this.answered.clear();
    this.firstStep = 0;
    this.explained = Infinity;
    write(this.verdict, "");
  }

  // ---- asking
  ask() {
    const { practice, selected, replay } = this.tree;
    this.pending = this.question();
    const isOther =
      this.pending !== this.explained && this.explained < Infinity && replay.step !== this.explained + 1;
    if (isOther) write(this.verdict, "");
    const target = practice.isTarget(selected) && !practice.mark;
    const asked = target ? `${selected} ${practice.answer(selected)}` : `${this.pending} ${this.mode}`;
    if (asked === this.asked) return;
    this.asked = asked;
    this.form.replaceChildren();
    if (target) this.showAnswerField(selected);
    else if (this.pending >= 0) this.showQuestion(this.pending);
  }

  // The next step needs an answer first.
  remindToAnswer() {
    const first = formatMessage("predict.first");
    const before = this.explained === this.pending ? this.verdict.textContent : "";
    if (!before.endsWith(first)) write(this.verdict, `${before} ${first}`.trim());
    this.explained = this.pending;
  }

  // An answer of practice.
  showAnswerField(i) {
    const { practice, record } = this.tree;
    const label = html("label", {}, this.form, formatMessage("practice.label", { node: record.name(i) }));
    const input = html("input", { name: "answer", size: 10, autocomplete: "off" }, label);
    input.value = practice.answer(i);
    const button = html("button", { type: "submit" }, this.form, formatMessage("practice.enter"));
    const leave = ({ relatedTarget }) => {
      const text = input.value.trim();
      if (!this.form.contains(relatedTarget) && text !== practice.answer(i)) practice.write(i, text);
    };
    for (const part of [input, button])
      part.addEventListener("focusout", leave, { signal: this.tree.signal });
    input.select();
  }

  // A prediction.
  showQuestion(e) {
    const question = words(this.tree.replay, this.mode, e);
    const label = html("label", {}, this.form, formatMessage("predict.label", { question }));
    const example = this.mode === "value" ? {} : { placeholder: formatMessage("predict.path") };
    html("input", { name: "answer", size: 12, autocomplete: "off", ...example }, label);
    html("button", { type: "submit" }, this.form, formatMessage("predict.check"));
    const show = html("button", { type: "button" }, this.form, formatMessage("predict.show"));
    const answer = () => explain(this.tree.replay, this.mode, this.pending);
    show.addEventListener("click", () => this.reply("shown", answer()), { signal: this.tree.signal });
  }

  // ---- answering
  submit(event) {
    event.preventDefault();
    const { practice, svg, selected } = this.tree;
    if (!practice.isActive) return this.answer(this.input.value);
    practice.write(selected, this.input.value.trim());
    const [next] = practice.unanswered;
    if (next === undefined) return svg.focus({ preventScroll: true });
    this.tree.select(next);
    this.input.focus();
  }

  answer(given) {
    if (this.pending < 0) return;
    if (!given.trim()) return this.remindToAnswer();
    const { invalid, right, words } = judge(this.tree.replay, this.mode, this.pending, given);
    if (invalid) return write(this.verdict, invalid);
    this.score[1]++;
    this.score[0] += right;
    this.reply(right ? "right" : "wrong", words);
  }

  reply(verdict, words) {
    const [right, asked] = this.score;
    this.explained = this.pending;
    write(this.verdict, formatMessage(`answer.${verdict}`, { words, right, asked }));
    this.tree.host.set({ score: [...this.score] }); // a new list, so that the model detects the change
    if (verdict === "wrong") return;
    this.answered.add(this.pending);
    this.tree.goTo(this.pending + 1);
    this.tree.svg.focus({ preventScroll: true });
  }
}
