// The form below the caption: a prediction that waits for its answer, or a node of practice to fill in.

import { html, keepLetters, write } from "./dom.js";
import { say } from "./messages.js";
import { judge, questionAt, explain, words } from "./questions.js";

export class Asking {
  constructor(tree, panel) {
    this.tree = tree;
    this.form = html("form", { class: "question" }, panel);
    this.verdict = html("p", { class: "verdict", role: "status" }, panel);
    this.pending = -1; // the event that is asked about
    this.said = Infinity; // the event that the verdict is about
    this.score = [0, 0];
    this.answered = new Set();
    this.known = tree.host.get("step"); // what is shown at the start is no question
    const { signal } = tree;
    this.form.addEventListener("submit", (event) => this.submit(event), { signal });
    this.form.addEventListener("keydown", (event) => event.stopPropagation(), { signal });
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
    return e < this.known || this.answered.has(e) ? -1 : e;
  }
  mustAsk() {
    return this.question() >= 0;
  }

  startAgain() {
    this.score = [0, 0];
    this.answered.clear();
    this.known = 0;
    this.said = Infinity;
    this.tell("");
  }

  // ---- asking
  ask() {
    const { practice, selected, replay } = this.tree;
    this.pending = this.question();
    const isOther = this.pending !== this.said && this.said < Infinity && replay.step !== this.said + 1;
    if (isOther) this.tell("");
    const target = practice.isTarget(selected) && !practice.mark;
    const asked = target ? `${selected} ${practice.answer(selected)}` : `${this.pending} ${this.mode}`;
    if (asked === this.asked) return;
    this.asked = asked;
    this.form.replaceChildren();
    if (target) this.askFor(selected);
    else if (this.pending >= 0) this.askAbout(this.pending);
    keepLetters(this.form);
  }

  // A step that a question holds up: the reader is told so.
  insist() {
    const first = say("ask.first");
    const before = this.said === this.pending ? this.verdict.textContent : "";
    if (!before.endsWith(first)) write(this.verdict, `${before} ${first}`.trim());
    this.said = this.pending;
  }

  // An answer of practice.
  askFor(i) {
    const { practice, record } = this.tree;
    const label = html("label", {}, this.form, say("practice.label", { node: record.name(i) }));
    const input = html("input", { name: "answer", size: 10, autocomplete: "off" }, label);
    input.value = practice.answer(i);
    html("button", { type: "submit" }, this.form, say("practice.write"));
    input.select();
  }

  // A prediction.
  askAbout(e) {
    const question = words(this.tree.replay, this.mode, e);
    const label = html("label", {}, this.form, say("ask.label", { question }));
    const example = this.mode === "value" ? {} : { placeholder: say("ask.path") };
    html("input", { name: "answer", size: 12, autocomplete: "off", ...example }, label);
    html("button", { type: "submit" }, this.form, say("ask.check"));
    const show = html("button", { type: "button" }, this.form, say("ask.show"));
    const answer = () => explain(this.tree.replay, this.mode, this.pending);
    show.addEventListener("click", () => this.reply("shown", answer()), { signal: this.tree.signal });
  }

  // ---- answering
  submit(event) {
    event.preventDefault();
    const { practice, svg, selected } = this.tree;
    if (!practice.going) return this.answer(this.input.value);
    practice.write(selected, this.input.value.trim());
    const [next] = practice.unanswered;
    if (next === undefined) return svg.focus({ preventScroll: true });
    this.tree.select(next);
    this.input.focus();
  }

  answer(given) {
    if (this.pending < 0) return;
    if (!given.trim()) return this.insist();
    const { unread, right, words } = judge(this.tree.replay, this.mode, this.pending, given);
    if (unread) return write(this.verdict, unread);
    this.score[1]++;
    this.score[0] += right;
    this.reply(right ? "right" : "wrong", words);
  }

  reply(verdict, words) {
    const [right, asked] = this.score;
    this.said = this.pending;
    write(this.verdict, say(`answer.${verdict}`, { words, right, asked }));
    this.verdict.className = `verdict ${verdict === "right" ? "right" : "wrong"}`;
    this.tree.host.set({ score: [...this.score] }); // a new list: of the old one no change would be seen
    if (verdict === "wrong") return;
    this.answered.add(this.pending);
    this.tree.goTo(this.pending + 1);
    this.tree.svg.focus({ preventScroll: true });
  }

  // Something else that the reader must know.
  tell(text) {
    write(this.verdict, text);
    this.verdict.className = "verdict";
  }
}
