// The record of a tree, as Python sends it: nodes are numbers, parents before children; their attributes are
// columns, and texts are indices into a list.

import { CHANCE, KINDS, LEAF, VISITED } from "./constants.js";
import { formatMessage } from "./messages.js";

const LABELS = ["action", "edge", "leaf", "size", "state"];
export const DETAILS = ["value", "alpha", "beta", "rest"];

// The numbers of a column, or null. They are copied only if their offset is not aligned.
export function column(view, Type) {
  if (!view || !view.byteLength) return null;
  const { buffer, byteOffset, byteLength } = view;
  if (byteOffset % Type.BYTES_PER_ELEMENT) return new Type(buffer.slice(byteOffset, byteOffset + byteLength));
  return new Type(buffer, byteOffset, byteLength / Type.BYTES_PER_ELEMENT);
}

export class Record {
  constructor({ texts, columns, players = 2 }) {
    this.players = players;
    // The record of a game grows when the reader opens nodes.
    const growing = columns.more ? (values) => [...values] : (values) => values;
    this.texts = growing(texts);
    this.parent = growing(column(columns.parent, Int32Array));
    this.kind = growing(column(columns.kind, Uint8Array));
    this.status = growing(column(columns.status, Uint8Array));
    this.labels = Object.fromEntries(
      LABELS.map((name) => [name, growing(column(columns[name], Int32Array) ?? [])]),
    );
    if (!columns.edge) this.labels.edge = growing(this.labels.action);
    this.more = columns.more ? [...column(columns.more, Int32Array)] : []; // children that have not been sent
    this.move = column(columns.move, Int32Array) || []; // the child that the search chose
    this.probability = column(columns.probability, Int32Array);
    this.numbers = column(columns.numbers, Float64Array); // that the texts show
    this.op = column(columns.op, Uint8Array) || [];
    this.at = column(columns.at, Int32Array) || [];
    this.events = Object.fromEntries(DETAILS.map((name) => [name, column(columns[name], Int32Array)]));
    this.paths = new Map([[0, ""]]);
    this.below = Array.from(this.parent, () => []);
    this.depth = [0];
    for (let i = 1; i < this.count; i++) {
      this.below[this.parent[i]].push(i);
      this.depth[i] = this.depth[this.parent[i]] + 1;
    }
  }

  get count() {
    return this.parent.length;
  }
  get steps() {
    return this.op.length;
  }

  children(i) {
    return this.below[i];
  }

  // Adds children to a node that had none.
  append(above, children) {
    for (const child of children) {
      const i = this.parent.push(above) - 1;
      for (const name of LABELS) this.labels[name][i] = this.texts.push(child[name] ?? "") - 1;
      this.kind[i] = child.kind;
      this.more[i] = child.more;
      this.status[i] = VISITED;
      this.depth[i] = this.depth[above] + 1;
      this.below[i] = [];
      this.below[above].push(i);
    }
  }

  // ---- names
  label(name, i) {
    return this.texts[this.labels[name][i]] ?? "";
  }
  action(i) {
    return this.label("action", i);
  }
  // The text of the value that the search returns at last.
  returned(i) {
    if (!this.last) {
      this.last = new Map();
      this.events.value?.forEach((text, e) => text >= 0 && this.last.set(this.at[e], text));
    }
    return this.texts[this.last.get(i)] ?? "";
  }
  path(i) {
    return this.pathTo(i) || formatMessage("path.root");
  }
  pathTo(i) {
    let path = this.paths.get(i);
    if (path === undefined) {
      const above = this.pathTo(this.parent[i]);
      path = above ? `${above} ${this.action(i)}` : this.action(i);
      this.paths.set(i, path);
    }
    return path;
  }
  className(i) {
    return KINDS[this.kind[i]] || "other";
  }
  // With more than two players, nobody minimises.
  player(kind) {
    return formatMessage("node.player", { player: kind > CHANCE ? kind - 2 : kind - 1 });
  }
  name(i) {
    const kind = this.kind[i];
    const isPlayer = kind !== LEAF && kind !== CHANCE;
    const noun = isPlayer && this.players > 2 ? this.player(kind) : formatMessage(`node.${KINDS[kind]}`);
    return i ? `${noun} ${this.path(i)}` : `${noun} (${formatMessage("path.root")})`;
  }
}
