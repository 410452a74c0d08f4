// The model of a widget on a page without Python, with the state in the page and the boards that the kernel
// would send.

export class PageModel {
  withoutPython = true;

  constructor(state, known = {}, onUnavailable = () => {}) {
    this.state = state;
    this.onUnavailable = onUnavailable;
    this.handlers = {};
    this.boards = new Map((known.boards || []).map((board) => [board[0], board]));
  }

  get(name) {
    return this.state[name];
  }

  set(name, value) {
    if (this.state[name] === value) return;
    this.state[name] = value;
    this.emit(`change:${name}`);
  }

  save_changes() {}

  // Sends boards asynchronously, as the kernel does; throws for other messages, and calls `onUnavailable`.
  send(message) {
    if (message.type !== "boards") {
      this.onUnavailable();
      throw new Error(message.type);
    }
    const boards = message.nodes.map((node) => this.boards.get(node)).filter(Boolean);
    if (boards.length) queueMicrotask(() => this.emit("msg:custom", { type: "boards", boards }));
  }

  on(event, handler) {
    (this.handlers[event] ??= new Set()).add(handler);
  }

  off(event, handler) {
    this.handlers[event]?.delete(handler);
  }

  emit(event, ...what) {
    for (const handler of [...(this.handlers[event] ?? [])]) handler(...what);
  }
}

const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

// Bytes are { base64: … } and become views.
export function parse(text) {
  return JSON.parse(text, (_, value) =>
    value?.base64 === undefined ? value : new DataView(bytesOf(value.base64).buffer),
  );
}

// The state in the page: JSON, gzip, base64.
export async function unpack(text) {
  const packed = new Blob([bytesOf(text)]).stream();
  return parse(await new Response(packed.pipeThrough(new DecompressionStream("gzip"))).text());
}
