// A question to commit to before reading on. All that it knows is in its traits, so it needs no kernel.

import { judged, markOf } from "./choosing.js";
import controls from "./controls.css" with { type: "css" };
import { html, keepLetters, put, write } from "./dom.js";
import { living } from "./host.js";
import { say } from "./messages.js";
import sheet from "./predict.css" with { type: "css" };

const STATE = ["options", "reasons", "right", "tried"];

class Question {
  constructor(host, el) {
    this.host = host;
    this.root = html("form", { class: "course-predict course-ui" }, el);
    const box = html("fieldset", {}, this.root);
    html("legend", {}, box, host.get("question"));
    const name = `predict-${Math.random().toString(36).slice(2)}`;
    this.choices = host.get("options").map((option) => this.choice(option, name, box));
    this.button = html("button", { type: "submit", class: "check" }, this.root, say("choice.check"));
    this.verdict = html("p", { class: "verdict", role: "status" }, this.root);
    keepLetters(this.root);
  }

  choice(option, name, box) {
    const label = html("label", {}, box);
    const input = html("input", { type: "radio", name }, label);
    html("span", {}, label, option);
    return { label, input, mark: html("span", { class: "mark" }, label) };
  }

  get state() {
    return Object.fromEntries(STATE.map((name) => [name, this.host.get(name)]));
  }

  draw() {
    const { state } = this;
    const picked = this.host.get("picked");
    this.choices.forEach(({ label, input, mark }, option) => {
      const told = markOf(state, option);
      input.checked = option === picked;
      write(mark, told && say(`mark.${told}`));
      put(label, "class", told || undefined);
    });
    this.button.disabled = picked < 0 || picked === state.tried.at(-1);
    write(this.verdict, judged(state)?.words ?? "");
  }

  listen(signal) {
    const pick = () => this.host.set({ picked: this.choices.findIndex(({ input }) => input.checked) });
    const check = (event) => {
      event.preventDefault();
      if (!this.button.disabled) this.host.set({ tried: [...this.state.tried, this.host.get("picked")] });
    };
    this.root.addEventListener("change", pick, { signal });
    this.root.addEventListener("submit", check, { signal });
    const draw = () => this.draw();
    this.host.hear({ "change:picked": draw, "change:tried": draw }, signal);
  }
}

export default living({ controls, predict: sheet }, (host, el, signal) => {
  const question = new Question(host, el);
  question.listen(signal);
  question.draw();
});
