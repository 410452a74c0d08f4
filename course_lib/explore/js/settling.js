// A value that changes many times a second: the model is told when it rests.

const RESTED = 200; // milliseconds

export class Settling {
  constructor(host, name, signal) {
    Object.assign(this, { host, name, timer: 0, pending: undefined });
    signal.addEventListener("abort", () => this.settle());
  }

  tell(value) {
    clearTimeout(this.timer);
    this.pending = value;
    this.timer = setTimeout(() => this.settle(), RESTED);
  }

  settle() {
    const { name, pending, host } = this;
    this.forget();
    if (pending === undefined || pending === host.get(name)) return;
    this.saved = pending;
    host.set({ [name]: pending });
  }

  // The kernel repeats what it was told, and the page takes that for news: not if the reader has gone on.
  isEcho(value) {
    return this.pending !== undefined && value === this.saved;
  }

  // Another value has come from outside: what was not told is no longer so.
  forget() {
    clearTimeout(this.timer);
    this.pending = undefined;
  }
}
