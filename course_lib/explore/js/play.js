// Playing: step after step at the reader's pace. A step is taken as a frame begins, and drawn in it.

const PACE = 600; // milliseconds to the next step

export class Player {
  // `changed` is called when playing begins and ends.
  constructor(tree, changed) {
    Object.assign(this, { tree, changed, playing: false });
  }

  toggle() {
    if (this.playing) return this.stop();
    const { replay } = this.tree;
    if (replay.step === replay.steps) this.tree.goTo(0);
    this.playing = true;
    this.due = performance.now() + PACE;
    this.changed();
    this.wait();
  }

  stop() {
    if (!this.playing) return;
    this.playing = false;
    this.changed();
  }

  wait() {
    requestAnimationFrame((now) => this.frame(now));
  }

  // Where a question stands before the step, playing waits for its answer.
  frame(now) {
    const { replay, signal } = this.tree;
    if (!this.playing || signal.aborted) return;
    if (now >= this.due && !this.tree.asking.mustAsk()) {
      this.tree.command("forward");
      this.due = Math.max(now, this.due + PACE); // what is late is not made up for
    }
    if (replay.step === replay.steps) this.stop();
    else this.wait();
  }
}
