// The tree explorer: draws a game tree as SVG and steps through a recorded search in the browser.
// Nodes are numbers, parents before children; what is known of them comes as columns (see explorer.py).

const KEYS = "Keys: ← → step, ↑ ↓ and shift ← → select, Enter opens and closes, Home and End jump, + and − zoom, f fits.";
const SVG = "http://www.w3.org/2000/svg";
const KINDS = ["leaf", "max", "min", "chance"], NAMES = ["leaf", "Max node", "Min node", "chance node"];
const ENTER = 0, UPDATE = 1, EXIT = 2, ASK = 3;                 // events
const VISITED = 0, ASKED = 1, CUT = 2;                          // how a node ends
const NEW = 0, STACK = 1, DONE = 2, MADE = 3;                   // what it is at this step
const STATES = ["not visited yet", "on the stack", "visited", "made, not searched", "cut: never looked at"];
const CLASSES = ["new", "stack", "done", "made", "cut"];
const ICONS = {
  first: "M3 3v10M13 3L6 8l7 5z", back: "M11 3L4 8l7 5z", forward: "M5 3l7 5-7 5z", last: "M13 3v10M3 3l7 5-7 5z",
  "zoom in": "M8 3v10M3 8h10", "zoom out": "M3 8h10", fit: "M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3",
};

function svg(name, attributes, parent, text) {
  const element = document.createElementNS(SVG, name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  if (text !== undefined) element.textContent = text;
  if (parent) parent.appendChild(element);
  return element;
}

function html(name, attributes, parent, text) {
  const element = document.createElement(name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  if (text !== undefined) element.textContent = text;
  if (parent) parent.appendChild(element);
  return element;
}

const column = (view, Type) => !view || !view.byteLength ? null
  : new Type(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
const pen = document.createElement("canvas").getContext("2d");
const widths = new Map();
function width(text, font = "11px system-ui, sans-serif") {     // in pixels, as drawn
  const key = font + text;
  if (!widths.has(key)) { pen.font = font; widths.set(key, pen.measureText(text).width * 1.06); }
  return widths.get(key);
}
const plainText = text => text.replace(/[−–]/g, "-").replace(/\+?(∞|oo|inf(inity)?)\b|\+?∞/gi, "Infinity");
function numberOf(text) {                                       // −3, –3, 0,5, 1/2, 1e5 and ∞ are numbers
  const [top, bottom] = plainText(text).trim().replace(/^(-?\d+),(\d+)$/, "$1.$2").split("/");
  return top.trim() === "" ? NaN : Number(top) / (bottom === undefined ? 1 : Number(bottom));
}
const numbersOf = text => plainText(text).replace(/[()[\]]/g, " ").split(/,\s+|;|\s+/).filter(Boolean).map(numberOf);
const tokens = text => plainText(text).match(/[^\s,()[\]]+/g) || [];

function drawBoard(rows, discs, size, parent) {
  const cell = size / Math.max(rows.length, rows[0].length), board = svg("g", { class: "board" }, parent);
  svg("rect", { width: cell * rows[0].length, height: cell * rows.length }, board);
  rows.forEach((row, r) => [...row].forEach((mark, c) => {
    const x = (c + 0.5) * cell, y = (r + 0.5) * cell, d = cell * 0.28;
    svg("rect", { x: c * cell, y: r * cell, width: cell, height: cell, class: "cell" }, board);
    if (mark === "X" && !discs) svg("path", { d: `M${x - d} ${y - d}l${2 * d} ${2 * d}m0 ${-2 * d}l${-2 * d} ${2 * d}`, class: "x" }, board);
    else if (mark === "X" || mark === "o") svg("circle", { cx: x, cy: y, r: d * 1.3, class: mark === "X" ? "x disc" : "object" }, board);
    else if (mark === "O") svg("circle", { cx: x, cy: y, r: d * 1.1, class: "o" }, board);
    else if (mark !== ".") svg("text", { x, y: y + d, "font-size": cell * 0.8 }, board, mark);
  }));
  return board;
}

class Explorer {
  constructor(model, root) {
    this.model = model;
    this.root = root;
    this.uid = `tree-${Math.random().toString(36).slice(2)}`;  // two views of one widget have different ids
    this.abort = new AbortController();
    this.groups = new Map();
    this.measure();
    this.load();
    this.build();
    this.measure();
    this.goto(model.get("step"), true);
  }

  // ---- the tree and its columns
  load() {
    const tree = this.tree = this.model.get("tree"), c = tree.columns;
    this.texts = tree.texts;
    const growing = c.more ? values => [...values] : values => values;   // a bare game's tree grows as it is walked
    this.parent = growing(column(c.parent, Int32Array));
    this.kind = growing(column(c.kind, Uint8Array));
    this.ending = growing(column(c.status, Uint8Array));
    this.labels = {};
    for (const name of ["action", "edge", "leaf", "size"]) this.labels[name] = growing(column(c[name], Int32Array));
    this.move = column(c.move, Int32Array) || [];                  // the child that the search chose
    this.more = c.more ? [...column(c.more, Int32Array)] : [];
    this.kids = Array.from(this.parent, () => []);
    this.depth = growing(new Uint16Array(this.parent.length));
    this.parent.forEach((p, i) => { if (i) { this.kids[p].push(i); this.depth[i] = this.depth[p] + 1; } });
    this.op = column(c.op, Uint8Array) || [];
    this.at = column(c.at, Int32Array) || [];
    const n = this.parent.length, steps = this.op.length;
    this.events = {}; this.now = {}; this.before = {};
    for (const name of ["value", "alpha", "beta", "rest"]) {
      this.events[name] = column(c[name], Int32Array);
      this.now[name] = new Int32Array(n).fill(-1);
      this.before[name] = this.events[name] && new Int32Array(steps);
    }
    this.state = new Uint8Array(n);
    this.stateBefore = new Uint8Array(steps);
    this.step = 0;
    this.current = 0;
    this.stack = [];
    this.boards = new Map();
    this.waiting = new Map();
    this.followed = new Set();
    this.asked = new Set(Array.from({ length: this.model.get("step") }, (_, e) => e));  // what is shown at the start is no question
    this.score = [0, 0];
    this.targets = new Set(this.model.get("targets"));
    this.open = Array.from(this.parent, () => false);
    const levels = this.model.get("open_depth");
    for (let level = 0; level < (levels < 0 ? 30 : levels); level++) {
      const next = this.kids.flatMap((kids, i) => this.depth[i] === level && kids.length ? [i] : []);
      if (!next.length) break;
      next.forEach(i => { this.open[i] = true; });
      const layout = this.layout();
      if (levels < 0 && level && !this.targets.size && (layout.order.length > 200 || layout.width * 0.62 > this.available)) {
        next.forEach(i => { this.open[i] = false; });
        break;
      }
    }
    this.everythingOpen = this.kids.every((kids, i) => !kids.length || this.open[i]);
  }

  label(name, i) { return this.texts[this.labels[name][i]]; }
  text(name, i) { const t = this.now[name][i]; return t >= 0 ? this.texts[t] : ""; }
  actions(i) { const actions = []; for (; i; i = this.parent[i]) actions.unshift(this.label("action", i)); return actions; }
  path(i) { return this.actions(i).join(" ") || "root"; }
  name(i) { return `${NAMES[this.kind[i]] || `player ${this.kind[i] - 2}’s node`} ${i ? this.path(i) : "(root)"}`; }
  stateOf(i) { return this.ending[i] === CUT && this.state[this.parent[i]] === DONE ? 4 : this.state[i]; }
  answerOf(i) { return this.model.get("answers")[i] ?? ""; }
  valueOf(i) { return this.text("value", i) || this.label("leaf", i); }
  interval(i) { return !this.kids[i].length || !(this.now.alpha[i] >= 0) || this.state[i] === NEW ? "" : `[${this.text("alpha", i)}, ${this.text("beta", i)}]`; }

  given(i) {                                                    // [α, β] as its last call got them; later, they may be its own value
    if (!this.entries) {                                        // of each node: the step, α and β of each call
      this.entries = Array.from(this.parent, () => []);
      this.op.forEach((op, e) => {
        const entries = this.entries[this.at[e]], window = ["alpha", "beta"].map(name => this.events[name]?.[e] ?? -1);
        if (op === ENTER) entries.push([e]);
        if (entries.at(-1)?.length === 1 && Math.min(...window) >= 0) entries.at(-1).push(...window);
      });
    }
    const [, ...window] = this.entries[i].findLast(([step]) => step < this.step) || [];
    return window.map(text => this.texts[text]);
  }
  reason(i) {                                                   // why a node was cut
    const p = this.parent[i], kind = this.kind[p], v = this.text("value", p), [alpha, beta] = this.given(p);
    const low = alpha && numberOf(v) <= numberOf(alpha), high = beta && numberOf(v) >= numberOf(beta);
    if (kind === 2 && low) return `α-cut: Min already has ${v} here, Max has ${alpha} elsewhere: ${v} ≤ α = ${alpha}`;
    if (kind === 1 && high) return `β-cut: Max already has ${v} here, Min has ${beta} elsewhere: ${v} ≥ β = ${beta}`;
    if (high) return `cut: ${v} ≥ β = ${beta} at the ${this.name(p)}`;
    if (low && kind !== 1) return `cut: ${v} ≤ α = ${alpha} at the ${this.name(p)}`;
    return `the search returned before it came here${alpha && !Number.isNaN(numberOf(v)) ? `, and [α, β] = [${alpha}, ${beta}] is no reason to, with ${v}` : ""}`;
  }

  // ---- layout: a tidy tree; a node takes the room of its labels, and stands above the middle of its children
  // Asking the page for a size makes it lay out all that is drawn, so it is asked before anything is, and when it resizes.
  measure() { this.available = Math.max(320, this.main?.clientWidth || (this.root.clientWidth || 760) - 240); }
  shapeWidth(i) {                                               // a triangle is narrower where its value stands
    const room = width(this.valueOf(i) || this.label("leaf", i), "bold 12px system-ui, sans-serif"), kind = this.kind[i];
    return Math.max(34, kind === 1 || kind === 2 ? room * 1.3 + 18 : room + 14);
  }
  room(i) {                                                     // the width of a node with its labels
    return Math.max(this.shapeWidth(i), width(this.label("edge", i)), this.open[i] ? 0 : width(this.label("size", i).split(" ")[0]), (this.events.alpha || this.targets.has(i)) && this.kids[i].length ? 66 : 0);
  }
  get row() { return 86; }                                      // from a node to its children
  get under() { return this.events.alpha || this.model.get("windows") ? 18 : 0; }   // the height of the labels below a node
  get bend() { return Math.max(19, this.under + 1); }           // edges go down so far, then across
  layout() {
    const order = [], x = {};
    const stack = [0];
    while (stack.length) { const i = stack.pop(); order.push(i); if (this.open[i]) stack.push(...[...this.kids[i]].reverse()); }
    const shown = i => this.open[i] ? this.kids[i] : [];
    const board = this.showBoards ? 62 : 0;
    const left = {}, right = {}, shift = {};                    // contours: how far a subtree reaches, row by row
    for (const i of [...order].reverse()) {
      const own = Math.max(this.room(i), board) / 2 + 4;
      const kids = shown(i), l = [], r = [];
      for (const k of kids) {
        shift[k] = Math.max(-Infinity, ...left[k].map((reach, row) => row < r.length ? r[row] - reach : -Infinity));
        if (k === kids[0]) shift[k] = 0;
        left[k].forEach((reach, row) => { l[row] = Math.min(l[row] ?? Infinity, reach + shift[k]); r[row] = right[k][row] + shift[k]; });
      }
      const middle = kids.length ? (shift[kids[0]] + shift[kids.at(-1)]) / 2 : 0;
      kids.forEach(k => { shift[k] -= middle; });
      left[i] = [-own, ...l.map(reach => reach - middle)];
      right[i] = [own, ...r.map(reach => reach - middle)];
    }
    x[0] = -Math.min(...left[0]);
    for (const i of order) for (const k of shown(i)) x[k] = x[i] + shift[k];
    const row = this.row + (board ? board + 4 : 0), depth = Math.max(...order.map(i => this.depth[i]));
    return { order, x, y: i => 34 + this.depth[i] * row, width: x[0] + Math.max(...right[0]), height: 34 + depth * row + 46 + (board ? board + 4 : 0) };
  }

  // ---- the page
  build() {
    this.root.replaceChildren();
    this.root.classList.add("game-tree");
    this.root.classList.toggle("plain", this.model.get("plain"));
    this.bar = html("div", { class: "bar", role: "toolbar", "aria-label": "tree" }, this.root);
    const steps = this.op.length ? ["first", "back", "forward", "last"] : [];
    for (const name of [...steps, "zoom out", "zoom in", "fit"]) {
      const label = steps.includes(name) ? { first: "first step", back: "step back", forward: "step forward", last: "last step" }[name] : name;
      const button = html("button", { type: "button", title: label, "aria-label": label }, this.bar);
      svg("path", { d: ICONS[name] }, svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, button));
      this.on(button, "click", () => this.command(name));
    }
    this.toggle("boards", this.model.get("boards"), on => { this.showBoards = on; this.draw(); this.fit(); });
    if (this.op.length && !this.everythingOpen) this.toggle("follow the search", true, on => { this.follow = on; });
    this.finder = html("input", { type: "text", placeholder: "path, e.g. 0 1", "aria-label": "find a node by its path", size: 16 }, this.bar);
    this.on(this.finder, "keydown", e => { e.stopPropagation(); if (e.key === "Enter") this.find(this.finder.value); });
    const help = html("details", { class: "help" }, this.bar);
    html("summary", { title: "keys", "aria-label": "keys" }, help, "?");
    html("p", {}, help, this.model.get("reorder") ? KEYS.replace("select,", "select, alt ← → move a node,") : KEYS);
    const columns = html("div", { class: "columns" }, this.root);
    this.main = html("div", { class: "main" }, columns);
    this.svg = svg("svg", { tabindex: 0, role: "tree", "aria-label": `game tree of ${this.model.get("name")}`, "aria-description": KEYS, width: "100%" }, this.main);
    this.canvas = svg("g", {}, this.svg);
    const legend = html("div", { class: "legend", "aria-hidden": "true" }, this.main);
    const used = new Set(this.op.length ? [0, 1, 2, ...this.ending.map(s => s === CUT ? 4 : s === ASKED ? 3 : 0)] : []);
    [...used].sort().forEach(state => {
      const item = html("span", {}, legend), icon = svg("svg", { viewBox: "-15 -16 30 32" }, item);
      this.shape(svg("g", { class: `key max ${CLASSES[state]}` }, icon), 1, state, 20);
      item.append(STATES[state]);
    });
    const panel = html("div", { class: "panel" }, columns);
    this.caption = html("p", { class: "caption", "aria-live": "polite" }, panel);
    this.question = html("form", { class: "question" }, panel);
    this.on(this.question, "submit", e => {
      e.preventDefault();
      if (!this.targets.size) return this.answer(this.question.elements.answer.value);
      this.write(this.selected, this.question.elements.answer.value.trim());
      const left = [...this.targets].filter(i => !this.answerOf(i));
      if (left.length) { this.select(left[0]); this.question.elements.answer.focus(); } else this.svg.focus({ preventScroll: true });
    });
    this.on(this.question, "keydown", e => e.stopPropagation());
    this.verdict = html("p", { class: "verdict", role: "status" }, panel);
    this.list = html("div", { class: "stack" }, panel);
    this.details = html("div", { class: "details" }, panel);
    // Letters typed here are no commands of JupyterLab's; it looks for this on the element that has the focus.
    this.root.querySelectorAll("svg[tabindex], button, input, summary").forEach(part => { part.dataset.lmSuppressShortcuts = "true"; });
    this.on(this.svg, "keydown", e => this.key(e));
    this.drag = null;
    const end = dropped => {
      const drag = this.drag;
      this.drag = null;
      if (drag && this.moved && this.held !== null) dropped ? this.drop((dropped.clientX - drag[2]) / this.view.k) : this.carry(0);
      this.afterDrag?.();
    };
    this.on(this.svg, "pointerdown", e => {
      const held = this.model.get("reorder") && e.target.closest("[data-node]");
      this.held = held && +held.dataset.node ? +held.dataset.node : null;
      this.drag = [e.clientX - this.view.x, e.clientY - this.view.y, e.clientX, e.clientY];
      this.moved = false;
    });
    this.on(window, "pointermove", e => {
      if (!this.drag) return;
      if (!e.buttons) return end(null);                         // let go where the page could not see it
      const [x, y, x0, y0] = this.drag;
      this.moved ||= Math.abs(e.clientX - x0) + Math.abs(e.clientY - y0) > 4;
      if (this.moved && this.held !== null) this.carry((e.clientX - x0) / this.view.k);
      else if (this.moved) this.zoomed = true, this.look({ x: e.clientX - x, y: e.clientY - y });
    });
    this.on(window, "pointerup", end);
    this.on(window, "pointercancel", () => end(null));          // a touch that turned out to scroll the page
    this.on(this.svg, "wheel", e => { if (e.ctrlKey || e.metaKey) { e.preventDefault(); this.zoom(Math.exp(-e.deltaY / 500)); } }, { passive: false });
    this.on(this.svg, "click", e => {
      const node = e.target.closest("[data-node]");
      if (node && !this.moved) this.click(+node.dataset.node);
    });
  }

  carry(by) { this.groups.get(this.held).setAttribute("transform", `translate(${this.drawn.x[this.held] + by} ${this.drawn.y(this.held)})`); }
  drop(by) {                                                    // among the siblings, by where it was let go
    const x = this.drawn.x[this.held] + by, others = this.kids[this.parent[this.held]].filter(k => k !== this.held);
    this.shift(this.held, others.filter(k => this.drawn.x[k] < x).length - this.kids[this.parent[this.held]].indexOf(this.held));
    this.carry(0);
  }
  // By its path and so many places: its number and place may be others in the tree that the kernel has by now.
  shift(i, by) { if (i && by) this.send({ type: "move", path: this.actions(i), by }); }

  on(target, event, handler, options) { target.addEventListener(event, handler, { signal: this.abort.signal, ...options }); }

  toggle(label, on, change) {
    const box = html("label", {}, this.bar), input = html("input", { type: "checkbox" }, box);
    input.checked = on;
    box.append(label);
    this.on(input, "change", () => change(input.checked));
    if (label === "boards") { box.hidden = !this.model.get("has_boards"); this.showBoards = on; } else this.follow = on;
  }

  shape(group, kind, state, w) {
    const h = 13, a = w / 2;
    const d = kind === 1 ? `M${-a} ${h}L0 ${-h}L${a} ${h}Z` : kind === 2 ? `M${-a} ${-h}L0 ${h}L${a} ${-h}Z`
      : kind === 3 ? `M${-a} 0a${a} ${h + 2} 0 1 0 ${w} 0a${a} ${h + 2} 0 1 0 ${-w} 0Z`
      : kind === 0 ? `M${-a} ${-11}H${a}V11H${-a}Z` : `M${-a} 0L${5 - a} ${-h}H${a - 5}L${a} 0L${a - 5} ${h}H${5 - a}Z`;
    if (state === STACK) svg("path", { d, class: "halo" }, group);
    svg("path", { d, class: "shape" }, group);
  }

  draw() {
    const layout = this.drawn = this.layout(), edges = document.createDocumentFragment(), nodes = document.createDocumentFragment();
    this.groups = new Map();
    this.lines = new Map();
    for (const i of layout.order) {
      const x = layout.x[i], y = layout.y(i);
      if (i) {
        const p = this.parent[i], px = layout.x[p], top = layout.y(p) + 12, board = this.showBoards && this.boards.get(p)?.rows ? 62 : 0;
        this.lines.set(i, svg("path", { d: `M${px} ${top + board + this.under}V${top + board + this.bend}L${x} ${y - 27}` }, edges));   // below the labels, then across
      }
      this.groups.set(i, svg("g", { transform: `translate(${x} ${y})`, "data-node": i, role: "treeitem", id: this.id(i), "aria-level": this.depth[i] + 1, ...this.placeOf(i) }, nodes));
    }
    this.canvas.replaceChildren(edges, nodes);
    this.paintAll();
    const missing = this.showBoards && layout.order.length <= 300 ? layout.order.filter(i => !this.boards.has(i)) : [];
    if (missing.length) this.send({ type: "boards", nodes: missing, run: this.tree.run });
  }

  // Of a large tree what is in view is painted at once, the rest after the next frame, some nodes at a time.
  paintAll() {
    const rest = this.rest = new Set(this.drawn.order);
    if (rest.size <= 300) return this.paintSome(rest.size);
    if (this.view) this.paintSeen();
    const goOn = () => { if (this.rest === rest && rest.size && !this.abort.signal.aborted) { this.paintSome(300); setTimeout(goOn); } };
    requestAnimationFrame(() => setTimeout(goOn));
  }
  paintSome(most) { for (const i of this.rest) { if (!most--) return; this.rest.delete(i); this.paint(i); } }
  paintSeen() {
    for (const i of this.rest) {
      const x = this.drawn.x[i] * this.view.k + this.view.x;
      if (x > -99 && x < this.available + 99) { this.rest.delete(i); this.paint(i); }
    }
  }

  id(i) { return `${this.uid}-${i}`; }
  placeOf(i) { const siblings = this.kids[this.parent[i]] || [i]; return { "aria-posinset": siblings.indexOf(i) + 1, "aria-setsize": siblings.length }; }

  paint(i) {
    const group = this.groups.get(i);
    if (!group) return;
    const state = this.op.length ? this.stateOf(i) : DONE, value = this.valueOf(i), line = this.lines.get(i), kind = this.kind[i];
    group.replaceChildren();
    group.setAttribute("class", `node ${KINDS[kind] || "other"} ${CLASSES[state]}${i === this.shownCurrent ? " current" : ""}${i === this.selected ? " selected" : ""}`);
    group.setAttribute("aria-label", [this.name(i), this.op.length ? STATES[state] : "", value ? `value ${value}` : ""].filter(Boolean).join(", "));
    group.setAttribute("aria-selected", i === this.selected);
    if (this.kids[i].length || this.more[i]) group.setAttribute("aria-expanded", this.open[i]);
    const w = this.shapeWidth(i), board = this.showBoards && this.boards.get(i)?.rows;
    svg("rect", { x: -w / 2 - 3, y: -30, width: w + 6, height: board ? 108 : 48, class: "hit" }, group);
    this.shape(group, kind, state, w);
    if (i === this.selected) svg("rect", { x: -w / 2 - 5, y: -17, width: w + 10, height: 33, rx: 4, class: "ring" }, group);
    if (i === this.shownCurrent) svg("path", { d: `M${-w / 2 - 9} -5l6 5l-6 5z`, class: "pointer" }, group);
    const hidden = this.op.length && state === NEW && !this.label("leaf", i), answer = this.answerOf(i), mark = this.model.get("marks")[i];
    if (this.targets.has(i)) {
      group.classList.add("target", ...mark ? [mark] : []);
      group.setAttribute("aria-label", `${this.name(i)}${value ? `, value ${value}` : ""}, ${answer ? `your answer ${answer}` : "no answer"}${mark ? `, ${mark}` : ""}`);
      if (mark) svg("path", { d: mark === "right" ? "M-5 1l3 4l6 -9" : "M-4 -4l8 8m0 -8l-8 8", transform: kind ? `translate(${w / 2 + 6} -6)` : "translate(0 20)", class: "verdict" }, group);
      if (answer && this.model.get("mark")) svg("path", { d: `M${-w / 2} -11L${w / 2} 11M${w / 2} -11L${-w / 2} 11`, class: "crossed" }, group);
    }
    const typed = this.targets.has(i) && !this.model.get("mark"), window = typed && /[, ]/.test(answer.trim());
    svg("text", { y: kind === 1 ? 10 : kind === 2 ? -1 : 4, class: "value" }, group, typed ? window ? "" : answer || "?" : hidden ? "" : value);
    if (window) svg("text", { y: 26, class: "interval" }, group, answer);
    if (i) svg("text", { y: -18, class: "edge" }, group, this.label("edge", i));
    if (board) drawBoard(board, this.model.get("discs"), 58, svg("g", { transform: "translate(-29 17)" }, group));
    const below = board ? 90 : 26, closed = !this.open[i] && (this.kids[i].length || this.more[i]);
    const size = this.label("size", i), note = closed ? size || `+${this.kids[i].length || this.more[i]}` : this.interval(i) || (size.startsWith("…") ? "…" : "");
    if (closed && size) note.split(" ").forEach((word, line) => svg("text", { y: below + 11 * line, class: "more" }, group, word));
    else if (note) svg("text", { y: below, class: closed ? "more" : "interval" }, group, note);
    if (state === 4) svg("title", {}, group, this.reason(i));
    if (line) line.setAttribute("class", state === 4 ? "cut" : state === NEW || state === MADE ? "new" : this.move[this.parent[i]] === i && this.state[this.parent[i]] === DONE ? "seen chosen" : "seen");
  }

  look(change) {
    this.view = { ...this.view, ...change };
    this.canvas.setAttribute("transform", `translate(${this.view.x} ${this.view.y}) scale(${this.view.k})`);
    if (this.rest.size) this.paintSeen();
  }

  fit(i = 0, least = 0.62) {                                                  // the whole tree if it stays readable, else around a node
    const { width: w, height: h } = this.drawn, room = this.available - 16, most = this.model.get("height");
    const k = Math.max(least, Math.min(this.follow ? 0.85 : this.model.get("zoom"), room / w, most / h));
    this.svg.setAttribute("height", this.follow && this.step < this.op.length ? most : Math.min(most, Math.ceil(h * k)));   // steady while it steps
    this.look({ k, x: 8 + Math.max(0, (room - w * k) / 2), y: 0 });
    if (w * k > room) this.look({ x: room / 2 - this.drawn.x[0] * k });
    this.reveal(i);
    this.zoomed = false;
  }

  zoom(factor) {
    this.zoomed = true;
    const x = this.available / 2, y = this.svg.getAttribute("height") / 2, k = Math.max(0.2, Math.min(4, this.view.k * factor)), f = k / this.view.k;
    this.look({ k, x: x - (x - this.view.x) * f, y: y - (y - this.view.y) * f });
  }

  reveal(i) {                                                   // pan so that a node is in view
    const { k, x, y } = this.view, nx = this.drawn.x[i] * k + x, ny = this.drawn.y(i) * k + y, half = this.shapeWidth(i) / 2 * k;
    const w = this.available, h = +this.svg.getAttribute("height");
    if (nx < half || nx > w - half) this.look({ x: w / 2 - this.drawn.x[i] * k });
    if (ny < 24 || ny > h - (this.showBoards ? 100 : 40) * k) this.look({ y: Math.min(0, h / 2 - this.drawn.y(i) * k) });
  }

  // ---- stepping: each event changes one node; what it was before is kept, so that a step back is as quick
  forward() {
    const e = this.step++, i = this.at[e], op = this.op[e];
    this.stateBefore[e] = this.state[i];
    for (const name in this.before) if (this.before[name]) {
      this.before[name][e] = this.now[name][i];
      if (this.events[name][e] >= 0) this.now[name][i] = this.events[name][e];
    }
    if (op === ENTER) { this.stack.push(i); this.state[i] = STACK; if (this.before.value) this.now.value[i] = -1; }
    else if (op === EXIT) { this.stack.pop(); this.state[i] = DONE; }
    else if (op === ASK) this.state[i] = MADE;
    return i;
  }

  backward() {
    const e = --this.step, i = this.at[e], op = this.op[e];
    if (op === ENTER) this.stack.pop(); else if (op === EXIT) this.stack.push(i);
    this.state[i] = this.stateBefore[e];
    for (const name in this.before) if (this.before[name]) this.now[name][i] = this.before[name][e];
    return i;
  }

  goto(target, redraw) {
    target = Math.max(0, Math.min(this.op.length, target));
    const dirty = new Set([this.shownCurrent]), far = Math.abs(target - this.step) > 300;
    while (this.step > target) dirty.add(this.backward());
    while (this.step < target && !this.mustAsk()) dirty.add(this.forward());
    this.current = this.step ? this.at[this.step - 1] : 0;
    if (this.follow && this.followOpen()) redraw = true;
    let shown = this.current;
    while (shown && !this.groups.has(shown) && !(redraw && this.isShown(shown))) shown = this.parent[shown];
    this.shownCurrent = this.step ? shown : -1;
    if (redraw) { this.draw(); if (!this.zoomed) this.fit(shown); }
    else if (far) this.paintAll();
    else [...dirty].concat([shown], ...[...dirty].map(i => this.kids[i] || [])).forEach(i => this.paint(i));
    if (this.step) this.reveal(shown);
    this.describe();
    if (this.model.get("step") !== this.step) { this.model.set("step", this.step); this.model.save_changes(); }
  }

  isShown(i) { for (; i; i = this.parent[i]) if (!this.open[this.parent[i]]) return false; return true; }

  followOpen() {                                                // open the way to the current node, close what was left
    const way = new Set();
    for (let i = this.current; i; i = this.parent[i]) way.add(this.parent[i]);
    let changed = false;
    for (const i of this.followed) if (!way.has(i)) { this.open[i] = false; this.followed.delete(i); changed = true; }
    for (const i of way) if (!this.open[i]) { this.open[i] = true; this.followed.add(i); changed = true; }
    return changed;
  }

  // ---- what the panel says
  chosen(i) { return this.move[i] >= 0 ? `, by action ${this.label("action", this.move[i])}` : ""; }
  cutBelow(i) {
    const cut = this.kids[i].filter(k => this.stateOf(k) === 4), labels = cut.slice(0, 9).map(k => this.label("action", k));
    return cut.length ? ` Not looked at: ${labels.join(" ")}${cut.length > 9 ? " …" : ""} (${this.reason(cut[0])}).` : "";
  }
  windowChanged(e) { return this.interval(this.at[e]) && ["alpha", "beta"].some(name => this.events[name][e] !== this.before[name][e]); }
  describe() {
    const e = this.step - 1, i = this.current, steps = this.op.length;
    const said = e < 0 ? "Nothing has been visited yet." : [
      () => `The search enters the ${this.name(i)}.`,
      () => this.windowChanged(e) ? `At the ${this.name(i)} the interval is now ${this.interval(i)}.` : `The arguments of the ${this.name(i)} are now ${this.text("rest", i)}.`,
      () => `The ${this.name(i)} ${this.text("value", i) ? `returns ${this.text("value", i)}` : "returns its move"}${this.chosen(i)}.${this.cutBelow(i)}`,
      () => `The ${this.name(i)} is made, not searched.`,
    ][this.op[e]]();
    this.caption.textContent = steps ? `Step ${this.step.toLocaleString("en")} of ${steps.toLocaleString("en")}. ${said}` : this.targets.size ? "" : "Click a node to open it, and again to close it.";
    this.list.replaceChildren();
    if (steps) {
      html("h4", {}, this.list, "Stack, newest first");
      const rows = html("ol", {}, this.list);
      [...this.stack].reverse().slice(0, 40).forEach(n => {
        const waiting = this.kids[n].filter(k => this.state[k] === NEW && this.ending[k] !== CUT).map(k => this.label("action", k));
        html("li", { class: KINDS[this.kind[n]] || "other" }, rows, `${this.path(n)} ${this.interval(n)}${waiting.length ? ` · waiting: ${waiting.slice(0, 9).join(" ")}` : ""}`);
      });
      if (!this.stack.length) html("li", {}, rows, "empty");
    }
    const chosen = this.selected ?? (steps ? this.current : 0), rows = this.boards.get(chosen);
    this.details.replaceChildren();
    if (!rows && this.model.get("has_boards")) this.send({ type: "boards", nodes: [chosen], run: this.tree.run });
    html("h4", {}, this.details, this.name(chosen));
    const facts = steps ? [STATES[this.stateOf(chosen)]] : [];
    if (this.valueOf(chosen)) facts.push(`value ${this.valueOf(chosen)}`);
    if (this.stateOf(chosen) === DONE && this.chosen(chosen)) facts.push(this.chosen(chosen).slice(2));
    if (this.interval(chosen)) facts.push(`[α, β] = ${this.interval(chosen)}`);
    if (this.text("rest", chosen)) facts.push(this.text("rest", chosen));
    if (this.label("size", chosen)) facts.push(this.label("size", chosen));
    if (steps && this.stateOf(chosen) === 4) facts.push(this.reason(chosen));
    html("p", {}, this.details, facts.join("; "));
    if (rows?.rows) drawBoard(rows.rows, this.model.get("discs"), 96, svg("svg", { width: 100, height: 100, viewBox: "-2 -2 100 100", role: "img", "aria-label": rows.text }, this.details));
    else if (rows) html("pre", {}, this.details, rows.text);
    let named = chosen;
    while (named && !this.groups.has(named)) named = this.parent[named];
    this.svg.setAttribute("aria-activedescendant", this.id(named));
    this.ask();
  }

  // ---- predictions: a step that would show the answer waits for the reader's
  questionAt(step) {
    const mode = this.model.get("predict"), searched = k => this.ending[k] === VISITED, inner = i => this.kids[i].some(searched);
    if (mode === "value") return this.op[step] === EXIT && this.events.value?.[step] >= 0 && inner(this.at[step]) ? step : -1;
    if (mode === "next") return this.op[step] === ENTER && this.at[step] ? step : -1;
    if (mode !== "next leaf") return -1;
    let e = step;
    while (e < this.op.length && !(this.op[e] === ENTER && !inner(this.at[e]))) e++;
    return e < this.op.length ? e : -1;
  }

  mustAsk() { const e = this.questionAt(this.step); return e >= 0 && !this.asked.has(e); }

  ask() {
    this.question.replaceChildren();
    this.pending = this.mustAsk() ? this.questionAt(this.step) : -1;
    if (this.pending !== this.said && this.step > this.said + 1) this.verdict.textContent = "";   // that was another question
    if (this.targets.has(this.selected) && !this.model.get("mark")) {
      const input = html("input", { name: "answer", size: 10, autocomplete: "off" }, html("label", {}, this.question, `${this.name(this.selected)}: `));
      input.value = this.answerOf(this.selected);
      html("button", { type: "submit" }, this.question, "Write it in");
      input.select();
    }
    if (this.pending < 0) return;
    const i = this.at[this.pending], mode = this.model.get("predict");
    const words = mode === "value" ? `What will the ${this.name(i)} return?` : `Which ${mode === "next" ? "node" : "leaf"} comes next? Click it, or type its path.`;
    const label = html("label", {}, this.question, `Predict: ${words}`);
    html("input", { name: "answer", size: 8, autocomplete: "off" }, label);
    html("button", { type: "submit" }, this.question, "Check");
    this.on(html("button", { type: "button", "data-lm-suppress-shortcuts": "true" }, this.question, "Show me"), "click", () => this.reply(false, `${this.explain(i)}`, true));
  }

  explain(i) {
    if (this.model.get("predict") !== "value") {
      const p = this.parent[i];
      return `Depth first: the search is at the ${this.name(p)} and goes on with action ${this.label("action", i)}.`;
    }
    const value = this.texts[this.events.value[this.pending]];
    return `${this.rule(i)} The search returns ${value}.`;
  }

  rule(i) {                                                     // how a node's value comes from its children's
    const seen = this.kids[i].filter(k => this.state[k] === DONE).map(k => this.text("value", k));
    const value = this.texts[this.events.value[this.pending]], picks = this.kind[i] === 1 ? Math.max : Math.min;
    const left = this.kids[i].length > seen.length ? "; the rest is cut off" : "";
    const minimax = (this.kind[i] === 1 || this.kind[i] === 2) && picks(...seen.map(numberOf)) === numberOf(value);
    if (minimax) return `${this.kind[i] === 1 ? "Max takes the largest" : "Min takes the smallest"} of ${seen.join(", ")}${left}.`;
    return `It comes from the children's ${seen.join(", ")}${left}.`;
  }

  answer(given) {
    if (this.pending < 0 || !given.trim()) return;
    const asksValue = this.model.get("predict") === "value", value = asksValue ? this.texts[this.events.value[this.pending]] : "";
    const words = numbersOf(value).some(Number.isNaN);           // such as True, or "won"
    if (asksValue && !words && numbersOf(given).some(Number.isNaN)) {
      this.verdict.textContent = `“${given.trim()}” is no number. Type one, such as −1 or 0.5.`;
      return;
    }
    const i = this.at[this.pending], same = (a, b) => tokens(a).length && tokens(a).join() === tokens(b).join();
    const right = words ? given.trim().toLowerCase() === value.toLowerCase() : asksValue ? this.equal(given, value) : same(given, this.path(i));
    this.reply(right, right ? this.explain(i) : this.hint(i, given), false);
  }

  equal(a, b) {                                                 // as exactly as the value is written
    const [given, right] = [a, b].map(numbersOf), near = (x, y) => x === y || Math.abs(x - y) <= 1e-3 * Math.abs(y);
    return given.length === right.length && given.every((x, k) => near(x, right[k]));
  }

  hint(i, given) {
    if (this.model.get("predict") === "value") return `It is not ${given.trim()}. ${this.rule(i)}`;
    const j = [...this.parent.keys()].find(k => tokens(this.path(k)).join() === tokens(given).join());
    if (j === undefined) return "There is no node with that path.";
    if (this.ending[j] === CUT && this.parent[j] === this.parent[i]) return "Not that one: by then it no longer matters.";
    return `Not the ${this.name(j)}. The search goes depth first, and takes the actions in order; it is at the ${this.name(this.stack.at(-1) ?? 0)}.`;
  }

  reply(right, words, shown) {
    if (!shown) { this.score[1]++; this.score[0] += right; }
    this.said = this.pending;
    this.verdict.textContent = `${shown ? "" : right ? "Right. " : "Not yet. "}${words} (${this.score[0]} of ${this.score[1]} right)`;
    this.verdict.className = `verdict ${right ? "right" : "wrong"}`;
    this.model.set("score", [...this.score]);           // a new list: Backbone sends no change of the old one
    if (!right && !shown) return this.model.save_changes();
    this.asked.add(this.pending);
    this.goto(this.pending + 1);
    this.svg.focus({ preventScroll: true });
  }

  // ---- what the reader does
  command(name) {
    if (name === "fit") return this.fit(0, 0.25);
    if (name.startsWith("zoom")) return this.zoom(name === "zoom in" ? 1.25 : 0.8);
    this.goto({ first: 0, back: this.step - 1, forward: this.step + 1, last: this.op.length }[name]);
  }

  select(i) {
    const old = this.selected;
    this.selected = i;
    [old, i].forEach(n => this.paint(n));
    this.describe();
    this.model.set("selected", i);
    this.model.save_changes();
  }

  async click(i) {
    if (this.pending >= 0 && this.model.get("predict") !== "value") return this.answer(i ? this.path(i) : "root");
    this.select(i);
    if (this.targets.has(i)) return this.model.get("mark") ? this.write(i, this.answerOf(i) ? "" : this.model.get("mark")) : this.question.elements.answer?.focus();
    if (this.targets.size) return;
    await this.toggleOpen(i);
  }

  write(i, text) {                                              // an answer of the reader's, in practice
    const { [i]: old, ...answers } = this.model.get("answers"), { [i]: mark, ...marks } = this.model.get("marks");
    this.model.set("answers", text ? { ...answers, [i]: text } : answers);
    this.model.set("marks", marks);
    this.model.save_changes();
  }

  async toggleOpen(i) {
    if (!this.kids[i].length && this.more[i]) await this.fetch(i);
    if (!this.kids[i].length) return;
    this.open[i] = !this.open[i];
    this.followed.delete(i);
    this.draw();
    if (!this.zoomed) this.fit(i);
    this.reveal(i);
    this.describe();
  }

  send(message) {                                               // to the kernel, which may be gone
    try { this.model.send(message); } catch { this.verdict.textContent = "The kernel does not answer: run the cell again."; this.verdict.className = "verdict"; }
  }

  fetch(i) {
    return new Promise(done => { this.waiting.set(i, done); this.send({ type: "children", node: i }); });
  }

  received(message) {
    if (message.type === "boards") {
      message.boards.forEach(([i, rows, text]) => this.boards.set(i, { rows, text }));
      if (this.showBoards) this.draw();
      this.describe();
    } else if (message.type === "children" && !this.kids[message.node].length) {
      message.children.forEach(child => {
        const i = this.parent.push(message.node) - 1;
        for (const name in this.labels) this.labels[name][i] = this.texts.push(child[name]) - 1;
        this.kind[i] = child.kind; this.more[i] = child.more;
        this.ending[i] = VISITED; this.kids[i] = []; this.open[i] = false; this.depth[i] = this.depth[message.node] + 1;
        this.kids[message.node].push(i);
      });
      this.waiting.get(message.node)?.();
    }
  }

  async find(path) {
    let rest = tokens(path).join(" ") || path.trim(), i = 0;
    while (rest && rest !== "root") {
      if (!this.kids[i].length && this.more[i]) await this.fetch(i);
      const label = k => tokens(this.label("action", k)).join(" ");
      const next = this.kids[i].find(k => rest === label(k) || rest.startsWith(`${label(k)} `));
      if (next === undefined) { this.caption.textContent = `No node has the path ${path}: ${this.name(i)} ${this.kids[i].length ? `has the actions ${this.kids[i].map(k => this.label("action", k)).join(", ")}` : "is a leaf"}.`; return; }
      this.open[i] = true;
      rest = rest.slice(label(next).length).trim();
      i = next;
    }
    this.draw();
    this.reveal(i);
    this.select(i);
  }

  key(e) {
    const i = this.selected ?? (this.op.length ? this.shownCurrent < 0 ? 0 : this.shownCurrent : 0), siblings = this.kids[this.parent[i]] || [0];
    const beside = by => siblings[siblings.indexOf(i) + by] ?? i;
    const commands = { ArrowRight: "forward", ArrowLeft: "back", Home: "first", End: "last", "+": "zoom in", "-": "zoom out", f: "fit" };
    const moves = { ArrowUp: this.parent[i], ArrowDown: this.open[i] ? this.kids[i][0] : i };
    if (!this.op.length) delete commands.ArrowRight, delete commands.ArrowLeft;
    if (e.shiftKey || !this.op.length) Object.assign(moves, { ArrowRight: beside(1), ArrowLeft: beside(-1) });
    if (e.altKey && this.model.get("reorder") && /Arrow(Left|Right)/.test(e.key)) {
      this.shift(i, e.key === "ArrowRight" ? 1 : -1);
      return e.preventDefault(), e.stopPropagation();
    }
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === "Enter" || e.key === " ") this.click(i);
    else if ((/^[-\d[(]$/.test(e.key) || (this.pending >= 0 && /^[^+\s]$/.test(e.key))) && this.question.elements.answer) { this.question.elements.answer.value = ""; return this.question.elements.answer.focus(); }
    else if (e.key in moves && moves[e.key] >= 0) { this.select(moves[e.key]); this.reveal(moves[e.key]); }
    else if (e.key in commands) this.command(commands[e.key]);
    else return;
    e.preventDefault();
    e.stopPropagation();
  }
}

// The controls around the tree are ipywidgets', whose buttons and handles have no names.
function outermost(box) {
  for (let above; (above = box.parentElement?.closest(".jupyter-widgets"));) box = above;
  return box;
}
function nameControls(box) {
  const names = { ".widget-play button:first-child": "play or pause", ".widget-play button:nth-child(2)": "stop, back to step 0" };
  for (const part in names) box.querySelectorAll(part).forEach(control => control.setAttribute("aria-label", names[part]));
  box.querySelectorAll(".widget-slider").forEach(slider => slider.querySelector(".noUi-handle")?.setAttribute("aria-label", slider.querySelector(".widget-label")?.textContent || "step"));
}

// What a widget of this kind of explorer does; the module that is sent to the browser exports one (see explorer.py).
const widget = Kind => ({
  render({ model, el }) {
    let explorer = new Kind(model, el);
    const restart = () => {                                     // another tree: keep the reader's place in it
      const focused = el.contains(document.activeElement), path = explorer.selected === undefined ? null : explorer.path(explorer.selected);
      const { moved } = explorer;
      explorer.abort.abort();
      explorer = new Kind(model, el);
      explorer.moved = moved;                                   // the click that ends a drag is none
      if (focused) explorer.svg.focus({ preventScroll: true });
      if (path) explorer.find(path);
    };
    const handlers = {
      "change:tree": () => { if (explorer.drag) explorer.afterDrag = restart; else restart(); },   // what the reader holds stays held
      "change:predict": () => { explorer.score = [0, 0]; explorer.asked.clear(); explorer.describe(); },
      // Of a tree and a step that come together the step may be told first: it is no step of the old tree's.
      "change:step": () => { if (model.get("tree") === explorer.tree && model.get("step") !== explorer.step) explorer.goto(model.get("step")); },
      "change:answers": () => { explorer.drawn.order.forEach(i => explorer.paint(i)); },
      "change:marks": () => { explorer.drawn.order.forEach(i => explorer.paint(i)); },
      "msg:custom": message => explorer.received(message),
    };
    for (const event in handlers) model.on(event, handlers[event]);
    let box = null;
    const resized = new ResizeObserver(() => {
      const before = explorer.available, around = outermost(el);
      if (box !== around) resized.observe(box = around);        // it grows when another control comes into it
      nameControls(box);
      explorer.measure();
      if (explorer.available !== before) explorer.fit(Math.max(0, explorer.shownCurrent));
    });
    resized.observe(el);
    return () => {
      resized.disconnect();
      explorer.abort.abort();
      for (const event in handlers) model.off(event, handlers[event]);
      el.replaceChildren();                                     // the page may keep the element for long
    };
  },
});
