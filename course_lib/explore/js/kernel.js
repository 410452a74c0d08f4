// Requests to the kernel and its replies: boards, the children of nodes of a game; and its request for the
// answers of practice.

import { write } from "./dom.js";
import { formatMessage } from "./messages.js";

export class Kernel {
  constructor(tree) {
    this.tree = tree;
    this.waiting = new Map(); // for the children of nodes
  }

  send(message) {
    const { predictionForm, host } = this.tree;
    if (!host.send(message))
      write(predictionForm.verdict, formatMessage(host.model.withoutPython ? "kernel.none" : "kernel.gone"));
  }

  // Whether a node has children; those of a game are requested.
  async hasChildren(i) {
    const { record, replay } = this.tree;
    if (!replay.children(i).length && record.more[i])
      await new Promise((resolve) => {
        this.waiting.set(i, resolve);
        this.send({ type: "children", node: i });
      });
    return replay.children(i).length > 0;
  }

  receive(message) {
    if (message.type === "boards") this.showBoards(message.boards);
    if (message.type === "children") this.append(message);
    if (message.type === "answers") this.send({ ...message, answers: this.tree.host.get("answers") });
  }

  append({ node, children }) {
    const { record } = this.tree;
    if (record.children(node).length) return;
    record.append(node, children);
    this.waiting.get(node)?.();
  }

  // The tree is drawn again, because boards make it higher.
  showBoards(boards) {
    const { tree } = this;
    tree.boards.receive(boards);
    if (tree.showBoards) tree.draw();
    tree.describe();
  }
}
