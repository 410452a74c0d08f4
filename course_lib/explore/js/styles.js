// The style sheets of a widget, put into the page once. (anywidget would put them there anew for each widget,
// and the browser then styles every element of the notebook again.)

import { html } from "./dom.js";

// `sheets` are texts by name.
export function wear(sheets) {
  for (const name in sheets) {
    const id = `course-${name}`;
    const style = document.getElementById(id) ?? html("style", { id }, document.head);
    if (style.textContent !== sheets[name]) style.textContent = sheets[name];
  }
}
