// A trait that changes many times a second: the model is set after a pause.

const DELAY = 200; // milliseconds

export class DebouncedTrait {
  constructor(host, name, signal) {
    Object.assign(this, { host, name, timer: 0, pending: undefined });
    signal.addEventListener("abort", () => this.flush());
  }

  set(value) {
    clearTimeout(this.timer);
    this.pending = value;
    this.timer = setTimeout(() => this.flush(), DELAY);
  }

  flush() {
    const { name, pending, host } = this;
    this.cancel();
    if (pending === undefined || pending === host.get(name)) return;
    this.saved = pending;
    host.set({ [name]: pending });
  }

  // The kernel echoes the values that it receives; an echo is ignored if the value has changed since.
  isEcho(value) {
    return this.pending !== undefined && value === this.saved;
  }

  // Another value has come from the kernel: the pending one is dropped.
  cancel() {
    clearTimeout(this.timer);
    this.pending = undefined;
  }
}
