// The plot beside the tree: the statistics of the moves at the root, up to the current iteration.

import { choice } from "./controls.js";
import { html, svg } from "./dom.js";
import { quotientName } from "./mcts_appearance.js";
import { counted, formatMessage, whole } from "./messages.js";
import { amount, digits } from "./numbers.js";

const MAX_LINES = 9; // with a name
const MAX_POINTS = 400;
const SIZE = { width: 270, height: 165, left: 36, right: 34, top: 8, bottom: 18 };
const COLOURS = ["var(--max)", "var(--min)", "var(--chance)", "var(--other)", "#873df5", "var(--ink)"];
const DASHES = ["none", "7 3", "2 2"];
const GAP = 11; // pixels between two names
const FLOOR = SIZE.height - SIZE.bottom;
const END = SIZE.width - SIZE.right;

const strokeOf = (place) => `stroke: ${COLOURS[place % 6]}`;

export class Plot {
  constructor(tree, after) {
    this.tree = tree;
    this.series = { n: tree.record.courseOf("n"), mean: tree.record.courseOf("mean") };
    this.moves = tree.record.children(0);
    this.plotted = "mean";
    this.figure = html("figure", {});
    after.after(this.figure);
    const options = [
      ["mean", quotientName(tree)],
      ["n", formatMessage("mcts.visits")],
    ];
    const choose = (plotted) => {
      this.plotted = plotted;
      this.draw();
    };
    choice(this.figure, formatMessage("mcts.plot"), options, this.plotted, choose, tree.signal);
    this.draw();
  }

  // ---- axes and lines
  scales() {
    const values = this.moves
      .flatMap((k) => this.series[this.plotted].get(k))
      .filter((y) => !Number.isNaN(y));
    // From 0 to 1, or to the largest number of visits; Q is from −1 to 1.
    const fromZero = this.plotted === "n" || !this.tree.record.puct;
    const low = values.reduce((a, b) => Math.min(a, b), fromZero ? 0 : Infinity);
    const high = values.reduce((a, b) => Math.max(a, b), fromZero ? 1 : low + 0.1);
    const total = this.tree.record.iterations;
    this.x = (it) => SIZE.left + ((END - SIZE.left) * it) / Math.max(1, total);
    this.y = (value) => FLOOR - ((FLOOR - SIZE.top) * (value - low)) / (high - low);
    return [low, (low + high) / 2, high];
  }

  draw() {
    const ticks = this.scales();
    this.chart?.remove();
    this.chart = svg("svg", { viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, role: "img" }, this.figure);
    for (const value of ticks) this.drawTick(value);
    svg("text", { x: SIZE.left, y: SIZE.height - 4, class: "start" }, this.chart, "0");
    svg("text", { x: END, y: SIZE.height - 4 }, this.chart, whole(this.tree.record.iterations));
    svg(
      "text",
      { x: (SIZE.left + END) / 2, y: SIZE.height - 4 },
      this.chart,
      formatMessage("mcts.iteration"),
    );
    const id = `${this.tree.uid}-clip`;
    const clip = svg("clipPath", { id }, svg("defs", {}, this.chart));
    this.clip = svg("rect", { x: 0, y: 0, height: SIZE.height }, clip);
    const lines = svg("g", { "clip-path": `url(#${id})` }, this.chart);
    this.moves.forEach((k, place) => this.drawLine(k, place, lines));
    this.names = svg("g", { class: "names" }, this.chart);
    this.move();
  }

  drawTick(value) {
    const text = this.plotted === "n" ? whole(Math.round(value)) : amount(value);
    svg("path", { d: `M${SIZE.left} ${this.y(value)}H${END}`, class: "grid" }, this.chart);
    svg("text", { x: SIZE.left - 4, y: this.y(value) + 4, class: "tick" }, this.chart, text);
  }

  drawLine(k, place, lines) {
    const total = this.tree.record.iterations;
    const every = Math.max(1, Math.ceil(total / MAX_POINTS));
    const points = this.series[this.plotted].get(k).flatMap((y, it) => {
      const left = Number.isNaN(y) || (it % every && it < total);
      return left ? [] : [`${this.x(it).toFixed(1)} ${this.y(y).toFixed(1)}`];
    });
    const style = `${strokeOf(place)}; stroke-dasharray: ${DASHES[Math.floor(place / 6) % 3]}`;
    if (points.length) svg("path", { d: `M${points.join("L")}`, class: "line", style }, lines);
  }

  // ---- the visible part of the lines, and their names
  move() {
    const it = this.tree.replay.iteration;
    const x = this.x(it);
    const named = this.named(it);
    this.clip.setAttribute("width", x + 0.5);
    this.names.replaceChildren();
    svg("path", { d: `M${x} ${SIZE.top}V${FLOOR}`, class: "now" }, this.names);
    for (const { k, place, y, at } of named) {
      svg("path", { d: `M${x} ${y}L${x + 7} ${at}`, class: "line", style: strokeOf(place) }, this.names);
      svg("text", { x: x + 9, y: at + 4 }, this.names, this.tree.record.action(k));
    }
    this.chart.setAttribute("aria-label", this.label(it, named));
  }

  // The most visited moves from top to bottom, with the places of their names, which do not overlap.
  named(it) {
    const visits = (k) => this.series.n.get(k)[it];
    const named = this.moves
      .map((k, place) => ({ k, place, value: this.series[this.plotted].get(k)[it] }))
      .filter(({ k, value }) => !Number.isNaN(value) && (visits(k) || this.tree.record.puct))
      .sort((a, b) => visits(b.k) - visits(a.k))
      .slice(0, MAX_LINES)
      .map((move) => ({ ...move, y: this.y(move.value) }))
      .sort((a, b) => a.y - b.y);
    named.forEach((move, n) => (move.at = Math.max(move.y, n ? named[n - 1].at + GAP : SIZE.top)));
    for (let n = named.length - 1; n >= 0; n--)
      named[n].at = Math.min(named[n].at, n + 1 < named.length ? named[n + 1].at - GAP : FLOOR);
    return named;
  }

  label(it, named) {
    const value = (move) => (this.plotted === "n" ? move.value : digits(move.value));
    const texts = named.map((move) =>
      formatMessage("mcts.move", { action: this.tree.record.action(move.k), value: value(move) }),
    );
    const name = this.plotted === "n" ? "N" : quotientName(this.tree);
    const moves = texts.join(", ") || formatMessage("mcts.none yet");
    return formatMessage("mcts.plotted", { name, iterations: counted(it, "iteration"), moves });
  }
}
