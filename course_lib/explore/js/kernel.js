// What the kernel is asked for, and what comes of it: boards, the children of a bare game's nodes, and moves;
// and what it asks: the answers of practice.

import { say } from "./messages.js";

export class Kernel {
  constructor(tree) {
    this.tree = tree;
    this.waiting = new Map(); // for the children of nodes
  }

  send(message) {
    const { asking, host } = this.tree;
    if (!host.send(message)) asking.tell(say(host.model.withoutPython ? "kernel.none" : "kernel.gone"));
  }

  // Whether a node has children. Those of a bare game come when they are asked for.
  async hasChildren(i) {
    const { record, replay } = this.tree;
    if (!replay.children(i).length && record.more[i])
      await new Promise((come) => {
        this.waiting.set(i, come);
        this.send({ type: "children", node: i });
      });
    return replay.children(i).length > 0;
  }

  // A move among siblings, by path and so many places: number and place may be others in the tree that the
  // kernel has by now.
  reorder(i, by) {
    if (i && by) this.send({ type: "move", path: this.tree.record.actions(i), by });
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

  // Boards make the tree higher.
  showBoards(boards) {
    const { tree } = this;
    tree.boards.receive(boards);
    if (tree.showBoards) tree.draw();
    tree.describe();
  }
}
