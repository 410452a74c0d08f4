// Draws what board.py describes in `view`, and tells it what was clicked. The rules of the games are all there.

const PACMAN = '<path class="pacman" d="M20 20L32 12A14.5 14.5 0 1 0 32 28Z"/><circle class="eye" cx="21" cy="11.5" r="2"/>';
const PELLET = '<circle class="pellet" cx="20" cy="20" r="4.5"/>';
const ghost = (name, more = "") =>
  `<path class="ghost ${name}" d="M6 35V19a14 14 0 0 1 28 0V35l-4.7-4-4.6 4-4.7-4-4.7 4-4.6-4Z"/>` +
  '<g class="eyes"><circle cx="15" cy="15" r="3.6"/><circle cx="25" cy="15" r="3.6"/></g>' +
  '<g class="eye"><circle cx="15" cy="15" r="1.7"/><circle cx="25" cy="15" r="1.7"/></g>' +
  `<text x="20" y="30.5">${name}</text>${more}`;
const UNDER = '<circle class="pellet under" cx="35" cy="35" r="4.5"/>';

const MARKS = {
  marks: {
    X: '<path class="max line" d="M11 11L29 29M29 11L11 29"/>',
    O: '<circle class="min line" cx="20" cy="20" r="10"/>',
  },
  discs: {
    X: '<circle class="max disc" cx="20" cy="20" r="15"/>',
    O: '<circle class="min ring" cx="20" cy="20" r="11"/>',
  },
  objects: { o: '<circle class="disc" cx="20" cy="20" r="14"/>' },
  maze: {
    "#": "",
    o: PELLET,
    P: PACMAN,
    X: `${PACMAN}<path class="caught" d="M9 9L31 31M31 9L9 31"/>`,
    A: ghost("A"),
    B: ghost("B"),
    a: ghost("A", UNDER),
    b: ghost("B", UNDER),
  },
};
const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

function make(tag, parent, className) {
  const element = document.createElement(tag);
  element.className = className;
  parent.append(element);
  return element;
}

// Texts are set only when they change, so that a screen reader does not read them again.
function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
  element.hidden = !text;
}

// A button for each item. Those that are there already are kept, and so is the keyboard's focus.
function fit(parent, items) {
  const focused = parent.contains(document.activeElement);
  while (parent.children.length > items.length) parent.lastChild.remove();
  while (parent.children.length < items.length) {
    const button = make("button", parent, "");
    button.type = "button";
    button.dataset.lmSuppressShortcuts = "true"; // letters typed here are no commands of JupyterLab's
    for (const part of ["mark", "name", "value"]) make("span", button, part);
  }
  if (focused && !parent.contains(document.activeElement)) parent.focus();
  if (focused && document.activeElement === parent) parent.firstChild?.focus();
  return items.map((item, at) => [item, parent.children[at], at]);
}

function drawMark(button, look, mark) {
  if (button.dataset.mark === mark) return;
  button.dataset.mark = mark;
  const shape = MARKS[look]?.[mark] ?? '<text x="20" y="28"></text>';
  button.firstChild.innerHTML = mark === "." ? "" : `<svg viewBox="0 0 40 40" aria-hidden="true">${shape}</svg>`;
  for (const text of button.querySelectorAll("text:empty")) text.textContent = mark;
}

// Labels that are wider than their cells, in whatever font, are shortened, and then made smaller: all of them alike.
function fitLabels(grid) {
  if (!grid.clientWidth) return;
  for (const part of ["name", "value"]) {
    const labels = [...grid.querySelectorAll(`.${part}:not([hidden])`)];
    const tooWide = () => labels.some((label) => label.scrollWidth > label.clientWidth);
    const write = (length) => labels.forEach((label) => put(label, label.dataset[length] ?? label.textContent));
    grid.style.removeProperty(`--${part}-scale`);
    write("full");
    if (tooWide()) write("short");
    for (let scale = 0.9; scale > 0.3 && tooWide(); scale -= 0.1) grid.style.setProperty(`--${part}-scale`, scale);
  }
}

function drawMove(button, move) {
  const name = button.querySelector(".name");
  Object.assign(name.dataset, { full: move.name ?? "", short: move.short ?? move.name ?? "" });
  put(name, name.dataset.full);
  put(button.querySelector(".value"), move.value ?? "");
  button.classList.toggle("best", Boolean(move.best));
}

function render({ model, el }) {
  const root = make("div", el, "");
  const grid = make("div", root, "grid");
  const panel = make("div", root, "panel");
  const told = make("div", panel, "told");
  const [status, text, story] = ["p", "pre", "p"].map((tag, i) => make(tag, told, ["status", "text", "story"][i]));
  const [moves, caption, buttons] = ["moves", "caption", "buttons"].map((name) => make("div", panel, name));
  told.setAttribute("role", "status");
  grid.setAttribute("role", "group");
  grid.setAttribute("aria-label", "board");
  moves.dataset.lmSuppressShortcuts = "true";
  moves.tabIndex = -1; // it keeps the focus while there are no moves to choose
  let here = 0; // the cell that Tab leads to

  const send = (message) => {
    try {
      model.send({ ...message, ply: model.get("view").ply });
    } catch {
      put(story, "The kernel does not answer: run the cell again.");
    }
  };
  const place = (parent, event) => [...parent.children].indexOf(event.target.closest("button"));

  function hint(at) {
    const changes = model.get("view").cells[at]?.changes ?? [];
    [...grid.children].forEach((button, i) => button.classList.toggle("hint", changes.includes(i)));
  }

  function moveFocus(event) {
    const [down, right] = ARROWS[event.key] ?? [];
    const columns = model.get("view").columns;
    const row = Math.floor(here / columns) + down;
    const column = (here % columns) + right;
    if (down === undefined) return;
    event.preventDefault();
    if (column >= 0 && column < columns) grid.children[row * columns + column]?.focus();
  }

  function draw() {
    const view = model.get("view");
    root.className = `course-board ${view.look}${view.asking ? " asking" : ""}`;
    grid.style.setProperty("--columns", view.columns);
    for (const [cell, button, at] of fit(grid, view.cells)) {
      drawMark(button, view.look, cell.mark);
      drawMove(button, cell);
      for (const name of ["last", "won"]) button.classList.toggle(name, cell[name]);
      button.setAttribute("aria-label", cell.label);
      button.setAttribute("aria-disabled", cell.action === null);
      button.tabIndex = at === here ? 0 : -1;
    }
    hint(place(grid, { target: grid.querySelector("button:hover, button:focus-visible") ?? grid }));
    for (const [move, button] of fit(moves, view.moves)) {
      drawMove(button, move);
      button.setAttribute("aria-label", move.label);
    }
    for (const [[, label, pressed], button] of fit(buttons, view.buttons)) {
      put(button, label);
      if (pressed !== null) button.setAttribute("aria-pressed", pressed);
    }
    put(status, view.status);
    put(text, view.text);
    put(story, view.story);
    put(caption, view.caption);
    grid.hidden = !view.cells.length;
    fitLabels(grid);
  }

  grid.addEventListener("click", (event) => send({ do: "cell", at: place(grid, event) }));
  grid.addEventListener("keydown", moveFocus);
  grid.addEventListener("pointerover", (event) => hint(place(grid, event)));
  grid.addEventListener("pointerleave", () => hint(-1));
  grid.addEventListener("focusout", () => hint(-1));
  grid.addEventListener("focusin", (event) => {
    grid.children[here].tabIndex = -1;
    here = place(grid, event);
    grid.children[here].tabIndex = 0;
    hint(here);
  });
  moves.addEventListener("click", (event) => send({ do: "move", at: model.get("view").moves[place(moves, event)].at }));
  buttons.addEventListener("click", (event) => send({ do: model.get("view").buttons[place(buttons, event)][0] }));
  model.on("change:view", draw);
  draw();
  // Out of view nothing is laid out, and what was measured there says nothing: they are fitted again when in view.
  const refit = () => requestAnimationFrame(() => fitLabels(grid));
  const observers = [new ResizeObserver(refit), new IntersectionObserver(refit)];
  for (const observer of observers) observer.observe(grid);
  return () => {
    for (const observer of observers) observer.disconnect();
    model.off("change:view", draw);
    el.replaceChildren(); // the page may keep the element for long
  };
}

export default { render };
