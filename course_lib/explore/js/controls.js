// Controls that are the same in every widget: buttons with an icon, dropdowns and sliders (see controls.css).

import { html, svg } from "./dom.js";
import { ICONS } from "./shapes.js";

export function iconButton(parent, name, label, act, signal) {
  const button = html("button", { type: "button", class: "icon", title: label, "aria-label": label }, parent);
  const picture = svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, button);
  svg("path", { d: ICONS[name] }, picture);
  button.addEventListener("click", act, { signal });
  return button;
}

// A dropdown list: `options` are [value, text].
export function choice(parent, label, options, value, change, signal) {
  const box = html("label", { class: "choice" }, parent);
  html("span", {}, box, label);
  const select = html("select", { title: label }, box);
  for (const [given, text] of options) html("option", { value: given }, select, text);
  select.value = value;
  select.addEventListener("change", () => change(select.value), { signal });
  return select;
}

export function slider(parent, attributes, changed, signal) {
  const range = html("input", { type: "range", ...attributes }, parent);
  range.addEventListener("input", () => changed(+range.value), { signal });
  return range;
}
