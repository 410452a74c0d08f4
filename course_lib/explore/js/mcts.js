// The explorer of a Monte-Carlo tree search: the tree grows by phases, four to an iteration. It follows tree.js, whose
// layout, drawing and keys it uses; a node's children are those that it has at the present step.

const SELECTION = 0, EXPANSION = 1, SIMULATION = 2, PHASES = 4;  // back-propagation is the last
const SMALLEST = 0.8;                                           // nodes say more than in tree.js, so they are drawn larger where there is room
const MOST_LINES = 9;                                           // so many of the root's moves have a name in the plot
const PLOT = { width: 270, height: 165, left: 36, right: 34, top: 8, bottom: 18 };
const digits = (x, places = 3) => x === Infinity ? "∞" : x.toFixed(places).replace(/^-(?=[0.]*$)/, "").replace("-", "−");   // no −0
const amount = x => String(+x.toFixed(2)).replace("-", "−");
const counted = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;

class SearchExplorer extends Explorer {
  // ---- the tree and its columns
  load() {
    const facts = this.facts = this.model.get("tree"), c = facts.columns;
    const whole = name => column(c[name], Int32Array) || [], real = name => column(c[name], Float64Array) || [];
    this.puct = facts.formula === "puct";
    for (const name of ["born", "mover", "moves", "changed", "playout", "rewards"]) this[name] = whole(name);
    for (const name of ["prior", "reward"]) this[name] = real(name);
    this.changedFrom = whole("changed_from");
    this.playoutFrom = whole("playout_from");
    this.numbers = {}; this.after = {}; this.undo = {};          // a node's now; what a change makes of them; what they were
    for (const name of ["n", "u", "mean", "proven"]) {
      this.numbers[name] = real(`start_${name}`);
      this.after[name] = real(name);
      this.undo[name] = new Float64Array(this.changed.length);
    }
    this.way = new Set();
    super.load();
    const rank = whole("rank");
    this.kids.forEach(kids => kids.sort((a, b) => rank[a] - rank[b]));
    this.all = this.kids;
    if (this.model.get("open_depth") < 0) this.closeWideLevels();
    this.grown = this.born.filter(step => step === 0).length;
    this.kids = this.all.map(kids => this.present(kids));
    this.series = this.rootMoves();
  }

  closeWideLevels() {                                           // all but the first, as far as the finished tree needs
    const opened = i => this.open[i] && this.kids[i].length ? this.depth[i] : 0;
    for (let level = this.open.reduce((most, _, i) => Math.max(most, opened(i)), 0); level && this.layout().width * SMALLEST > (this.root.clientWidth || 1000) - 300; level--) {
      this.open.forEach((_, i) => { if (this.depth[i] === level) this.open[i] = false; });
      this.everythingOpen = false;
    }
  }

  present(kids) { return kids.filter(k => k < this.grown); }     // numbers are in the order in which the nodes came

  rootMoves() {                                                 // N and U/N of the root's moves after each iteration
    const series = { n: {}, mean: {} };
    for (const name in series) {
      const now = {};
      for (const k of this.all[0]) { now[k] = this.numbers[name][k]; series[name][k] = [now[k]]; }
      for (let it = 0; it + 1 < this.changedFrom.length; it++) {
        for (let e = this.changedFrom[it]; e < this.changedFrom[it + 1]; e++) if (this.changed[e] in now) now[this.changed[e]] = this.after[name][e];
        for (const k of this.all[0]) series[name][k].push(now[k]);
      }
    }
    return series;
  }

  // ---- the numbers of a node, and what selection makes of them with the C of the slider
  get c() { return this.model.get("c"); }
  quotient(i) { const mean = this.numbers.mean[i]; return this.puct && i && Number.isNaN(mean) ? 0 : mean; }
  exploration(i) {
    const n = this.numbers.n[i], above = this.numbers.n[this.parent[i]];
    if (this.puct) return this.numbers.proven[i] === -1 ? 0 : this.c * this.prior[i] * Math.sqrt(above) / (1 + n);
    return n ? this.c * Math.sqrt(Math.log(Math.max(1, above)) / n) : Infinity;
  }
  proves(i) { return !this.puct && !Number.isNaN(this.numbers.proven[i]); }   // then selection counts what is proven
  urgency(i) {                                                    // NaN where nothing is compared: at the root, after chance
    if (!i || this.kind[this.parent[i]] === 3) return NaN;
    if (this.proves(i)) return this.numbers.proven[i];
    const exploration = this.exploration(i);
    return exploration === Infinity ? Infinity : this.quotient(i) + exploration;
  }
  choice(i) {                                                   // the child that selection goes to from here, or -1
    const kids = this.kids[i];
    if (!kids.length || kids.length < this.moves[i] || this.kind[i] === 3 || !Number.isNaN(this.numbers.proven[i])) return -1;
    return [...kids].sort((a, b) => a - b).reduce((best, k) => this.urgency(k) > this.urgency(best) ? k : best);   // of equals the first that the search made
  }
  isChosen(i) { return i > 0 && this.choice(this.parent[i]) === i; }
  valueOf(i) { return `${amount(this.numbers.u[i])}/${this.numbers.n[i].toLocaleString("en")}`; }
  get quotientName() { return this.puct ? "Q" : "U/N"; }
  get formulaName() { return this.puct ? "PUCT" : "UCB1"; }
  quotientText(i) { return Number.isNaN(this.quotient(i)) ? "" : `${this.quotientName} ${digits(this.quotient(i))}`; }
  scoreText(i) { return Number.isNaN(this.urgency(i)) ? "" : `${this.proves(i) ? "proven" : this.formulaName} ${digits(this.urgency(i))}`; }

  // ---- the page
  get row() { return 108; }
  get bend() { return 50; }
  get under() { return 37; }
  room(i) { return Math.max(this.shapeWidth(i), width(this.label("edge", i)), width(this.quotientText(i)), width(this.scoreText(i), "bold 11px system-ui, sans-serif")); }
  layout() { const layout = super.layout(); return { ...layout, height: layout.height + 110 }; }
  fit(i) { super.fit(i, this.smallest()); this.svg.setAttribute("height", this.model.get("height")); this.reveal(i ?? 0); }   // it stays as high, while the tree grows

  smallest() {                                                  // at which the root's moves are in view, if they can be read then
    const level = this.kids[0].reduce((sum, k) => sum + this.room(k) + 8, 0);
    return Math.max(0.62, Math.min(SMALLEST, (this.available - 16) / level));
  }

  build() {
    super.build();
    this.root.classList.add("mcts");
    this.drawLegend(this.root.querySelector(".legend"));
    this.slider();
    this.plot = html("figure", {});
    this.list.after(this.plot);
    const label = html("label", {}, this.plot, "The root’s moves: "), select = html("select", { "data-lm-suppress-shortcuts": "true" }, label);
    for (const [value, text] of [["mean", this.quotientName], ["n", "N, the visits"]]) html("option", { value }, select, text);
    this.on(select, "change", () => { this.plotted = select.value; this.drawPlot(); });
    this.plotted = "mean";
    this.drawPlot();
    let waiting = false;
    const redraw = () => { waiting = false; if (this.abort.signal.aborted) return; this.drawn.order.forEach(i => this.paint(i)); this.describe(); };
    const changes = {
      "change:c": () => { this.showC(); if (!waiting) { waiting = true; requestAnimationFrame(redraw); } },
      "change:stride": () => this.goto(this.model.get("stride") === 1 ? this.step : this.step - this.step % PHASES),
    };
    for (const event in changes) this.model.on(event, changes[event]);
    this.abort.signal.addEventListener("abort", () => { for (const event in changes) this.model.off(event, changes[event]); });
  }

  slider() {                                                    // for C: nothing is searched again
    const label = html("label", { class: "c" }, this.bar, "C");
    this.range = html("input", { type: "range", min: 0, max: Math.max(3, 2 * this.facts.c), step: 0.05, "data-lm-suppress-shortcuts": "true" }, label);
    this.readout = html("output", {}, label);
    this.on(this.range, "keydown", e => e.stopPropagation());
    this.on(this.range, "input", () => {                          // the step nearest to the search's own C is that C
      const value = +this.range.value, own = this.facts.c;
      this.model.set("c", Math.abs(value - own) < 0.0251 ? own : value);
      this.model.save_changes();
    });
    this.showC();
  }
  showC() { this.range.value = this.c; this.readout.textContent = `${this.c.toFixed(2)}${this.c === this.facts.c ? ", as in the search" : ""}`; }

  drawLegend(legend) {
    const item = (draw, text) => { const span = html("span", {}, legend); draw(svg("svg", { viewBox: "-16 -16 32 32" }, span)); span.append(text); return span; };
    legend.replaceChildren();
    html("span", {}, legend, `${this.puct ? "W" : "U"}/N for the player who moved into the node`);
    item(icon => this.shape(svg("g", { class: "key max" }, icon), 1, STACK, 22), "path of this iteration");
    item(icon => { svg("path", { d: "M0 -14V4", class: "chosen" }, icon); svg("path", { d: "M-7 2L0 13L7 2Z", class: "arrow" }, icon); }, "what this C chooses");
    if (this.playout.length) item(icon => svg("path", { d: "M0 -15V15", class: "playout" }, icon), "playout");
  }

  draw() {
    super.draw();
    this.drawPlayout();
  }

  paint(i) {
    const group = this.groups.get(i);
    if (!group) return;
    const kind = this.kind[i], w = this.shapeWidth(i), chosen = this.isChosen(i), way = this.way.has(i), line = this.lines.get(i);
    const board = this.showBoards && this.boards.get(i)?.rows, low = board ? 63 : 0;
    const closed = !this.open[i] && this.kids[i].length, quotient = this.quotientText(i), score = this.scoreText(i);
    group.replaceChildren();
    group.setAttribute("class", `node ${KINDS[kind] || "other"} done${chosen ? " choice" : ""}${way ? " way" : ""}${i === this.shownCurrent ? " current" : ""}${i === this.selected ? " selected" : ""}`);
    group.setAttribute("aria-label", [this.name(i), `N ${this.numbers.n[i]}`, `${this.puct ? "W" : "U"} ${amount(this.numbers.u[i])} for ${this.facts.names[this.mover[i]]}`, quotient, score, chosen ? "would be chosen" : "", way ? "on the path" : ""].filter(Boolean).join(", "));
    group.setAttribute("aria-selected", i === this.selected);
    if (this.kids[i].length) group.setAttribute("aria-expanded", this.open[i]); else group.removeAttribute("aria-expanded");
    svg("rect", { x: -w / 2 - 3, y: -30, width: w + 6, height: 78 + low, class: "hit" }, group);
    this.shape(group, kind, way ? STACK : DONE, w);
    if (i === this.selected) svg("rect", { x: -w / 2 - 5, y: -17, width: w + 10, height: 33, rx: 4, class: "ring" }, group);
    if (i === this.shownCurrent) svg("path", { d: `M${-w / 2 - 9} -5l6 5l-6 5z`, class: "pointer" }, group);
    svg("text", { y: kind === 1 ? 10 : kind === 2 ? -1 : 4, class: "value" }, group, this.valueOf(i));
    if (i) svg("text", { y: -18, class: "edge" }, group, this.label("edge", i));
    if (chosen) svg("path", { d: "M-6 -38L0 -28L6 -38Z", class: "arrow" }, group);
    if (board) drawBoard(board, this.model.get("discs"), 58, svg("g", { transform: "translate(-29 17)" }, group));
    if (quotient) svg("text", { y: 28 + low, class: "interval" }, group, quotient);
    if (score) svg("text", { y: 42 + low, class: "interval score" }, group, score);
    if (closed) svg("text", { y: (score ? 56 : 42) + low, class: "more" }, group, `+${this.kids[i].length}`);
    if (line) line.setAttribute("class", chosen ? "seen chosen" : way ? "seen way" : "seen");
  }

  received(message) {                                           // boards make the tree higher
    super.received(message);
    if (message.type === "boards" && this.groups.has(this.revealed)) this.reveal(this.revealed);
  }

  drawPlayout() {                                               // dotted below the new node, at the step of the simulation only
    this.played?.remove();
    const tip = this.current, it = Math.floor((this.step - 1) / PHASES);
    if (this.phase !== SIMULATION || !this.groups.has(tip)) return;
    const shown = this.shownOf(this.actionsPlayed(it));
    const x = this.drawn.x[tip], top = this.drawn.y(tip) + this.under + 14 + (this.showBoards && this.boards.get(tip)?.rows ? 62 : 0);
    const bottom = top + 16 * shown.length + 8, reward = this.reward[it];
    this.played = svg("g", { class: "played", transform: `translate(${x} 0)`, "aria-hidden": "true" }, this.canvas);
    svg("rect", { x: -34, y: top, width: 68, height: bottom - top + 24, class: "clear" }, this.played);
    svg("path", { d: `M0 ${top}V${bottom}`, class: "playout" }, this.played);
    shown.forEach((action, k) => svg("text", { x: 9, y: top + 16 * k + 14 }, this.played, action));
    if (Number.isNaN(reward)) return;
    svg("rect", { x: -30, y: bottom, width: 60, height: 20, class: "end" }, this.played);
    svg("text", { y: bottom + 14, class: "value" }, this.played, `${this.puct ? "v" : "reward"} ${amount(reward)}`);
  }

  actionsPlayed(it) { return [...this.playout.slice(this.playoutFrom[it], this.playoutFrom[it + 1])].map(text => this.texts[text]); }

  shownOf(actions) { return actions.length > 7 ? [...actions.slice(0, 5), "…", actions.at(-1)] : actions; }

  reveal(i) {                                                   // scrolls no further than it must; with room for the playout
    const { y } = this.view, h = this.model.get("height"), board = this.showBoards && this.boards.get(i)?.rows ? 62 : 0;
    super.reveal(this.revealed = i);
    const { k } = this.view, played = this.phase === SIMULATION && i === this.current ? 16 * this.shownOf(this.actionsPlayed(this.iteration)).length + 44 : 0;
    const top = (this.drawn.y(i) - 34) * k, low = (this.drawn.y(i) + this.under + 26 + board + played) * k, down = Math.min(y, h - low);
    this.look({ y: Math.max(down, -top) });
  }

  // ---- stepping
  get phase() { return this.step ? (this.step - 1) % PHASES : -1; }   // the one that is shown: the last one done
  get iteration() { return Math.floor(this.step / PHASES); }    // how many are complete

  forward() {
    const e = this.step++, it = Math.floor(e / PHASES);
    const first = this.grown;
    while (this.born[this.grown] <= this.step) this.grown++;
    for (let i = first; i < this.grown; i++) this.kids[this.parent[i]] = this.present(this.all[this.parent[i]]);
    if (this.phase !== PHASES - 1) return [];
    const changes = this.changesOf(it);
    for (const k of changes) for (const name in this.numbers) {
      this.undo[name][k] = this.numbers[name][this.changed[k]];
      this.numbers[name][this.changed[k]] = this.after[name][k];
    }
    return changes.map(k => this.changed[k]);
  }

  backward() {
    const changes = this.phase === PHASES - 1 ? this.changesOf(this.iteration - 1).reverse() : [];
    for (const k of changes) for (const name in this.numbers) this.numbers[name][this.changed[k]] = this.undo[name][k];
    const last = this.grown;
    this.step--;
    while (this.grown && this.born[this.grown - 1] > this.step) this.grown--;
    for (let i = this.grown; i < last; i++) this.kids[this.parent[i]] = this.present(this.all[this.parent[i]]);
    return changes.map(k => this.changed[k]);
  }

  changesOf(it) { return Array.from({ length: this.changedFrom[it + 1] - this.changedFrom[it] }, (_, k) => this.changedFrom[it] + k); }

  goto(target, redraw) {
    target = Math.max(0, Math.min(this.op.length, target));
    const dirty = new Set(this.way), grown = this.grown;
    while (this.step > target) this.backward().forEach(i => dirty.add(i));
    while (this.step < target) this.forward().forEach(i => dirty.add(i));
    this.current = this.step ? this.at[this.step - 1] : 0;
    if (this.selected >= this.grown) this.selected = undefined;  // that node is gone again
    this.way = new Set();
    if (this.step) for (let i = this.current; i >= 0; i = this.parent[i]) { this.way.add(i); dirty.add(i); }
    if (this.follow && this.followOpen()) redraw = true;
    redraw ||= grown !== this.grown;
    let shown = this.current;
    while (shown && !(redraw ? this.isShown(shown) : this.groups.has(shown))) shown = this.parent[shown];
    this.shownCurrent = this.step ? shown : -1;
    if (redraw) { this.draw(); if (!this.zoomed) this.fit(shown); }
    else {
      [...dirty].concat([...dirty].flatMap(i => this.kids[i])).forEach(i => this.paint(i));
      this.drawPlayout();
    }
    if (this.step) this.reveal(shown);
    this.describe();
    this.movePlot();
    if (this.model.get("step") !== this.step) { this.model.set("step", this.step); this.model.save_changes(); }
  }

  command(name) {
    const stride = this.model.get("stride"), next = { back: Math.ceil(this.step / stride) - 1, forward: Math.floor(this.step / stride) + 1 }[name];
    if (next === undefined) super.command(name); else this.goto(next * stride);
  }

  async click(i) {                                              // the first click tells about a node, the next closes it
    const known = this.selected === i;
    this.select(i);
    if (known || !this.open[i]) await this.toggleOpen(i);
  }

  // ---- what the panel says
  describe() {
    super.describe();
    this.caption.textContent = this.story();
    this.list.replaceChildren();
    const i = this.selected ?? this.current, facts = this.details.querySelector("p"), above = this.parent[i];
    const who = this.facts.names[this.mover[i]], letter = this.puct ? "W" : "U";
    facts.textContent = `N = ${this.numbers.n[i].toLocaleString("en")}, ${letter} = ${amount(this.numbers.u[i])}: the ${this.puct ? "values for" : "rewards of"} ${who}${i ? ", who moved into it" : ""}.`;
    const say = (text, kind = "") => html("p", { class: kind }, this.details, text);
    if (!Number.isNaN(this.numbers.proven[i])) say(`It is proven to be worth ${amount(this.numbers.proven[i])} to ${who}.`);
    if (this.label("leaf", i)) say(`The game is over here: utility ${this.label("leaf", i)}.`);
    if (i && this.kind[above] !== 3 && !this.proves(i)) say(this.worked(i), "worked");
    const untried = this.moves[i] - this.kids[i].length;
    if (untried) say(`${this.kids[i].length ? `${counted(untried, "action")} not tried yet: a visit here tries one.` : `It has no children yet; ${counted(untried, "action")} to try.`}`);
    if (this.kids[i].length) this.tabulate(i);
    this.details.append(...this.details.querySelectorAll(":scope > svg, :scope > pre"));
  }

  worked(i) {                                                   // both terms of the formula, with the numbers put in
    const n = this.numbers.n[i], above = this.numbers.n[this.parent[i]], c = amount(this.c), q = digits(this.quotient(i), 4), name = this.formulaName;
    const end = `= ${q} + ${digits(this.exploration(i), 4)} = ${digits(this.urgency(i), 4)}`;
    if (this.puct) return `PUCT = Q + C P √N(parent) / (1 + N) = ${q} + ${c} · ${digits(this.prior[i])} · √${above} / (1 + ${n}) ${end}`;
    if (!n) return `${name} = ∞ without visits`;
    return `${name} = U/N + C √(ln N(parent) / N) = ${amount(this.numbers.u[i])}/${n} + ${c} √(ln ${above} / ${n}) ${end}`;
  }

  tabulate(i) {
    const table = html("table", {}, this.details), chosen = this.choice(i), compared = this.kind[i] !== 3;
    html("caption", {}, table, chosen < 0 ? "Its children" : `Its children: with C = ${amount(this.c)} selection goes to ${this.label("action", chosen)}`);
    const head = html("tr", {}, html("thead", {}, table)), body = html("tbody", {}, table);
    ["", "N", this.quotientName, ...compared ? ["exploration", this.formulaName] : []].forEach(name => html(name ? "th" : "td", name ? { scope: "col" } : {}, head, name));
    for (const k of this.kids[i]) {
      const row = html("tr", k === chosen ? { class: "chosen" } : {}, body), real = x => Number.isNaN(x) ? "" : digits(x);
      html("th", { scope: "row" }, row, `${k === chosen ? "→ " : ""}${this.label("action", k)}`);
      [this.numbers.n[k].toLocaleString("en"), real(this.quotient(k)), ...compared ? [real(this.exploration(k)), real(this.urgency(k))] : []].forEach(text => html("td", {}, row, text));
    }
  }

  story() {
    if (!this.step) return this.numbers.n[0] ? `The tree that the search starts from, ${counted(this.numbers.n[0], "visit")} at the root.` : "Nothing has been searched yet.";
    const it = Math.floor((this.step - 1) / PHASES), tip = this.current, rewards = this.texts[this.rewards[it]];
    const leaf = this.at[it * PHASES], played = this.actionsPlayed(it), fresh = tip !== leaf;
    const child = fresh ? `action ${this.label("action", tip)} gets a node` : "there is no child to add";
    const result = this.puct ? `value ${rewards} for ${this.facts.names[this.mover[tip]]}` : rewards;
    const playout = played.length ? `the playout ${played.join(" ")} ends with ${result}` : this.puct ? result : `the game is over, with ${result}`;
    const phases = [
      () => `Selection goes down to the ${this.name(leaf)}${this.moves[leaf] > this.kids[leaf].length ? ", which has actions not tried yet" : ""}.`,
      () => `Expansion: ${child}${fresh ? " without visits" : ", the game is over there or known"}.`,
      () => `${this.puct ? "Evaluation, in the place of a playout" : "Simulation"}: ${playout}.${played.length ? " The tree does not keep it." : ""}`,
      () => this.model.get("stride") === 1 ? `Back-propagation: N and ${this.puct ? "W" : "U"} change from the ${this.name(tip)} up to the root.`
        : `Selected: the ${this.name(leaf)}; ${child}; ${playout}; N and ${this.puct ? "W" : "U"} updated up to the root.`,
    ];
    return `Iteration ${(it + 1).toLocaleString("en")} of ${(this.op.length / PHASES).toLocaleString("en")}. ${phases[this.phase]()}`;
  }

  // ---- the plot: how the root's moves did, up to the present iteration
  drawPlot() {
    const { width: w, height: h, left, right, top, bottom } = PLOT, total = this.op.length / PHASES, moves = this.all[0];
    const series = this.series[this.plotted], known = moves.flatMap(k => series[k].filter(y => !Number.isNaN(y)));
    const whole = this.plotted === "n" || !this.puct;            // from 0 to 1, or to the most visits; a Q is from −1 to 1
    const low = known.reduce((a, b) => Math.min(a, b), whole ? 0 : Infinity), high = known.reduce((a, b) => Math.max(a, b), whole ? 1 : low + 0.1);
    this.x = it => left + (w - left - right) * it / Math.max(1, total);
    this.y = value => h - bottom - (h - top - bottom) * (value - low) / (high - low);
    this.plot.querySelector("svg")?.remove();
    const figure = this.figure = svg("svg", { viewBox: `0 0 ${w} ${h}`, role: "img" }, this.plot);
    for (const value of [low, (low + high) / 2, high]) {
      svg("path", { d: `M${left} ${this.y(value)}H${w - right}`, class: "grid" }, figure);
      svg("text", { x: left - 4, y: this.y(value) + 4, class: "tick" }, figure, this.plotted === "n" ? Math.round(value).toLocaleString("en") : amount(value));
    }
    svg("text", { x: left, y: h - 4, class: "start" }, figure, "0");
    svg("text", { x: w - right, y: h - 4 }, figure, total.toLocaleString("en"));
    svg("text", { x: (left + w - right) / 2, y: h - 4 }, figure, "iteration");
    this.clip = svg("rect", { x: 0, y: 0, height: h }, svg("clipPath", { id: `${this.uid}-clip` }, svg("defs", {}, figure)));
    const lines = svg("g", { "clip-path": `url(#${this.uid}-clip)` }, figure), every = Math.max(1, Math.ceil(total / 400));
    moves.forEach((k, j) => {
      const points = series[k].flatMap((y, it) => Number.isNaN(y) || (it % every && it < total) ? [] : [`${this.x(it).toFixed(1)} ${this.y(y).toFixed(1)}`]);
      if (points.length) svg("path", { d: `M${points.join("L")}`, class: `line line${j % 6} dash${Math.floor(j / 6) % 3}` }, lines);
    });
    this.names = svg("g", { class: "names" }, figure);
    this.movePlot();
  }

  movePlot() {
    const it = this.iteration, x = this.x(it), series = this.series[this.plotted], moves = this.all[0];
    this.clip.setAttribute("width", x + 0.5);
    this.names.replaceChildren();
    svg("path", { d: `M${x} ${PLOT.top}V${PLOT.height - PLOT.bottom}`, class: "now" }, this.names);
    const shown = moves.map((k, j) => ({ k, j, value: series[k][it] })).filter(move => !Number.isNaN(move.value) && (this.series.n[move.k][it] || this.puct))
      .sort((a, b) => this.series.n[b.k][it] - this.series.n[a.k][it]);
    const named = shown.slice(0, MOST_LINES).map(move => ({ ...move, y: this.y(move.value) })).sort((a, b) => a.y - b.y);
    const gap = 11, floor = PLOT.height - PLOT.bottom;
    named.forEach((move, n) => { move.at = Math.max(move.y, n ? named[n - 1].at + gap : PLOT.top); });
    for (let n = named.length - 1; n >= 0; n--) named[n].at = Math.min(named[n].at, n + 1 < named.length ? named[n + 1].at - gap : floor);
    for (const { k, j, y, at } of named) {
      svg("path", { d: `M${x} ${y}L${x + 7} ${at}`, class: `line line${j % 6}` }, this.names);
      svg("text", { x: x + 9, y: at + 4 }, this.names, this.label("action", k));
    }
    const words = named.map(({ k, value }) => `move ${this.label("action", k)}: ${this.plotted === "n" ? value : digits(value)}`);
    this.figure.setAttribute("aria-label", `${this.plotted === "n" ? "N" : this.quotientName} of the root’s moves after ${counted(it, "iteration")}: ${words.join(", ") || "none yet"}`);
  }
}

export default widget(SearchExplorer);
