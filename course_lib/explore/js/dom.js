// Elements of a page.

const SVG = "http://www.w3.org/2000/svg";

function create(element, attributes, parent, text) {
  for (const name in attributes) element.setAttribute(name, attributes[name]);
  if (text !== undefined) element.textContent = text;
  parent?.append(element);
  return element;
}

export const svg = (name, attributes, parent, text) =>
  create(document.createElementNS(SVG, name), attributes, parent, text);

export const html = (name, attributes, parent, text) =>
  create(document.createElement(name), attributes, parent, text);

// Sets an attribute if it differs; undefined removes it.
export function put(element, name, value) {
  if (value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

// Sets a text only if it changes, so that a screen reader does not read it again.
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// Sets the children of an element: [name, attributes, text or children]. Existing ones are kept.
export function fill(parent, items) {
  items.forEach(([name, attributes, content = ""], place) => {
    let part = parent.children[place];
    if (part?.localName !== name) {
      const made = html(name, {});
      if (part) part.replaceWith(made);
      else parent.append(made);
      part = made;
    }
    for (const { name: old } of [...part.attributes]) if (!(old in attributes)) part.removeAttribute(old);
    for (const key in attributes) put(part, key, attributes[key]);
    if (Array.isArray(content)) fill(part, content);
    else write(part, content);
  });
  while (parent.children.length > items.length) parent.lastElementChild.remove();
}

const widths = new Map();
let pen;

// The width of a text in pixels, as drawn.
export function textWidth(text, font = "11px system-ui, sans-serif") {
  const key = font + text;
  if (!widths.has(key)) {
    pen ??= document.createElement("canvas").getContext("2d");
    if (pen.font !== font) pen.font = font;
    widths.set(key, pen.measureText(text).width * 1.06);
  }
  return widths.get(key);
}
