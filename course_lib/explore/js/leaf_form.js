// The form "What if this leaf were …?" beside a recorded search, on a page without Python.

import { html, write } from "./dom.js";
import { formatMessage } from "./messages.js";
import { Record } from "./record.js";
import { editableLeaves, searchAgain } from "./what_if.js";

// Offers the form for the leaf that the reader selects or double-clicks, if the page can search again.
export function offerOtherLeaves(model, el) {
  const leaves = editableLeaves(model.get("tree"));
  if (!leaves) return;
  const record = new Record(model.get("tree"));
  const form = html("form", { class: "what-if" });
  const label = html("label", {}, form);
  const question = html("span", {}, label);
  const input = html("input", { type: "number", step: "any", required: "" }, label);
  html("button", { type: "submit" }, form, formatMessage("leaf.search"));
  let leaf = -1;

  const show = (i) => {
    form.hidden = leaves[i] === undefined || record.children(i).length > 0;
    if (form.hidden || i === leaf) return;
    leaf = i;
    write(question, formatMessage("leaf.question", { leaf: record.name(i) }));
    input.value = leaves[i];
  };
  const place = () => el.querySelector(".panel").append(form); // which each new tree makes again
  const search = (event) => {
    event.preventDefault();
    leaves[leaf] = input.valueAsNumber;
    model.set("tree", searchAgain(model.get("tree"), leaves));
    model.set("step", 0);
  };
  model.on("change:selected", () => show(model.get("selected")));
  model.on("change:tree", place);
  form.addEventListener("submit", search);
  el.addEventListener("dblclick", ({ target }) => {
    const node = target.closest("[data-node]");
    if (!node) return;
    show(+node.dataset.node);
    input.select();
  });
  show(-1);
  place();
}
