// A question that the reader answers before reading on. It needs only its traits, and no kernel.

import { resultOf, markOf } from "./choice_result.js";
import controls from "./controls.css" with { type: "css" };
import { html, put, write } from "./dom.js";
import { widgetModule } from "./host.js";
import { formatMessage } from "./messages.js";
import sheet from "./predict.css" with { type: "css" };

const STATE = ["options", "reasons", "right", "tried"];

class Prediction {
  constructor(host, el) {
    this.host = host;
    this.root = html("form", { class: "course-predict course-ui" }, el);
    const box = html("fieldset", {}, this.root);
    html("legend", {}, box, host.get("question"));
    const name = `predict-${Math.random().toString(36).slice(2)}`;
    this.choices = host.get("options").map((option) => this.choice(option, name, box));
    this.button = html(
      "button",
      { type: "submit", class: "check" },
      this.root,
      formatMessage("choice.check"),
    );
    this.verdict = html("p", { class: "verdict", role: "status" }, this.root);
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
      const verdict = markOf(state, option);
      input.checked = option === picked;
      write(mark, verdict && formatMessage(`mark.${verdict}`));
      put(label, "class", verdict || undefined);
    });
    // Not `disabled`, which would take the keyboard's focus away.
    put(this.button, "aria-disabled", picked < 0 || picked === state.tried.at(-1));
    write(this.verdict, resultOf(state)?.words ?? "");
  }

  listen(signal) {
    const pick = () => this.host.set({ picked: this.choices.findIndex(({ input }) => input.checked) });
    const check = (event) => {
      event.preventDefault();
      if (this.button.getAttribute("aria-disabled") === "false")
        this.host.set({ tried: [...this.state.tried, this.host.get("picked")] });
    };
    this.root.addEventListener("change", pick, { signal });
    this.root.addEventListener("submit", check, { signal });
    const draw = () => this.draw();
    this.host.listen({ "change:picked": draw, "change:tried": draw }, signal);
  }
}

export default widgetModule({ controls, predict: sheet }, (host, el, signal) => {
  const question = new Prediction(host, el);
  question.listen(signal);
  question.draw();
});
