// What rows of controls are made of: buttons with an icon, switches, choices and sliders. All look and act
// alike in every widget (see controls.css).

import { html, svg } from "./dom.js";
import { ICONS } from "./shapes.js";

// JupyterLab takes no letters that are typed on these for commands.
const QUIET = { "data-lm-suppress-shortcuts": "true" };

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

// A list to choose from: `options` are texts by value.
export function choice(parent, label, options, value, change, signal) {
  const box = html("label", { class: "choice" }, parent);
  html("span", {}, box, label);
  const select = html("select", { ...QUIET, title: label }, box);
  for (const [given, text] of options) html("option", { value: given }, select, text);
  select.value = value;
  select.addEventListener("change", () => change(select.value), { signal });
  return select;
}

// A slider, whose keys are its own.
export function slider(parent, look, moved, signal) {
  const range = html("input", { ...QUIET, type: "range", ...look }, parent);
  range.addEventListener("keydown", (event) => event.stopPropagation(), { signal });
  range.addEventListener("input", () => moved(+range.value), { signal });
  return range;
}
