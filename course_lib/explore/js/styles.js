// The style sheets of a widget, added to the page once. (anywidget would add them for each widget, and the
// browser would then style every element of the notebook again.)

import { html } from "./dom.js";

// `sheets` are texts by name.
export function addStyles(sheets) {
  for (const name in sheets) {
    const id = `course-${name}`;
    const style = document.getElementById(id) ?? html("style", { id }, document.head);
    if (style.textContent !== sheets[name]) style.textContent = sheets[name];
  }
}
