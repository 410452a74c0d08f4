// A page to read: its list of contents, buttons that copy code, and the trees on paper.
/* global addEventListener, document, matchMedia, navigator, parent, setTimeout, window */
(() => {
const all = (selector) => [...document.querySelectorAll(selector)];
const texts = document.currentScript.dataset;

for (const list of all(".contents")) list.open = matchMedia("(min-width: 75rem)").matches;
if (window !== parent) {
  document.documentElement.classList.add("inside"); // above a notebook that is being loaded
  document.head.append(Object.assign(document.createElement("base"), { target: "_top" }));
}

function copyButton(code) {
  const button = document.createElement("button");
  button.className = "copy";
  button.tabIndex = -1; // code can be selected by keyboard: forty buttons are not in the way to the first tree
  const label = (text) => (button.textContent = text);
  label(texts.copy);
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(code.textContent.trimEnd());
    label(texts.copied);
    setTimeout(label, 2000, texts.copy);
  });
  code.before(button);
}
if (navigator.clipboard) for (const code of all(".highlight > pre")) copyButton(code);

/** On paper a tree is whole and at its last step, and no question holds it up. Returns what shows it as before. */
function onPaper({ model, firstElementChild: widget }) {
  const before = { predict: model.get("predict"), step: model.get("step") };
  model.set("predict", "");
  model.set("step", Number.MAX_SAFE_INTEGER);
  const svg = widget.querySelector("svg[role=tree]");
  const drawn = svg.getBBox(); // of all in it, as it is moved and zoomed
  svg.setAttribute("viewBox", [drawn.x - 8, drawn.y - 8, drawn.width + 16, drawn.height + 16].join(" "));
  svg.style.maxWidth = `${1.2 * drawn.width + 16}px`; // a small tree stays small
  return () => {
    svg.removeAttribute("viewBox");
    svg.style.maxWidth = "";
    for (const name in before) model.set(name, before[name]);
  };
}

let restore = [];
addEventListener("beforeprint", () => {
  const trees = all("[data-drawn]:has([role=tree])").filter((el) => el.checkVisibility());
  restore = trees.map(onPaper);
});
addEventListener("afterprint", () => restore.forEach((act) => act()));
})();
