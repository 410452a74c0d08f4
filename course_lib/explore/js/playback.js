// Playback: one step after another, each taken and drawn at the start of a frame.

const PACE = 600; // milliseconds to the next step

export class Playback {
  // `changed` is called when playback starts and stops.
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

  // Playback waits while the next step needs a prediction.
  frame(now) {
    const { replay, signal } = this.tree;
    if (!this.playing || signal.aborted) return;
    if (now >= this.due && !this.tree.predictionForm.hasQuestion()) {
      this.tree.command("forward");
      this.due = Math.max(now, this.due + PACE); // late steps are not caught up
    }
    if (replay.step === replay.steps) this.stop();
    else this.wait();
  }
}
