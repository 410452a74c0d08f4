// Controls that are the same in every widget: buttons with an icon, toggles, dropdowns and sliders (see
// controls.css).

import { html, svg } from "./dom.js";
import { ICONS } from "./shapes.js";

// Keys on these elements are not commands of JupyterLab.
const NO_SHORTCUTS = { "data-lm-suppress-shortcuts": "true" };

function icon(name, parent) {
  const picture = svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, parent);
  return svg("path", { d: ICONS[name] }, picture);
}

export function iconButton(parent, name, label, act, signal) {
  const button = html("button", { type: "button", class: "icon", title: label, "aria-label": label }, parent);
  icon(name, button);
  button.addEventListener("click", act, { signal });
  return button;
}

// A button that stays pressed.
export function toggle(parent, name, label, pressed, change, signal) {
  let on = pressed;
  const act = () => {
    on = !on;
    button.setAttribute("aria-pressed", on);
    change(on);
  };
  const button = iconButton(parent, name, label, act, signal);
  button.setAttribute("aria-pressed", on);
  return button;
}

// A dropdown list: `options` are [value, text].
export function choice(parent, label, options, value, change, signal) {
  const box = html("label", { class: "choice" }, parent);
  html("span", {}, box, label);
  const select = html("select", { ...NO_SHORTCUTS, title: label }, box);
  for (const [given, text] of options) html("option", { value: given }, select, text);
  select.value = value;
  select.addEventListener("change", () => change(select.value), { signal });
  return select;
}

// A slider, which handles its own keys.
export function slider(parent, attributes, changed, signal) {
  const range = html("input", { ...NO_SHORTCUTS, type: "range", ...attributes }, parent);
  range.addEventListener("keydown", (event) => event.stopPropagation(), { signal });
  range.addEventListener("input", () => changed(+range.value), { signal });
  return range;
}
