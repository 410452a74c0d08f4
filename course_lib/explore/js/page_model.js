// The model of a widget on a page without Python: what `host.js` asks of one, with the state that stands in
// the page. What the kernel would answer is in `known`, as far as it was saved: boards.

export class PageModel {
  withoutPython = true;

  constructor(state, known = {}, inVain = () => {}) {
    this.state = state;
    this.inVain = inVain;
    this.heard = new Map();
    this.boards = new Map((known.boards || []).map((board) => [board[0], board]));
  }

  get(name) {
    return this.state[name];
  }

  set(name, value) {
    if (this.state[name] === value) return;
    this.state[name] = value;
    this.tell(`change:${name}`);
  }

  save_changes() {}

  // Answers as the kernel does, a little later; fails as where no kernel is, and says `inVain`.
  send(message) {
    if (message.type !== "boards") {
      this.inVain();
      throw new Error(message.type);
    }
    const boards = message.nodes.map((node) => this.boards.get(node)).filter(Boolean);
    if (boards.length) queueMicrotask(() => this.tell("msg:custom", { type: "boards", boards }));
  }

  on(event, hear) {
    this.heard.set(event, [...(this.heard.get(event) || []), hear]);
  }

  off(event, hear) {
    this.heard.set(
      event,
      (this.heard.get(event) || []).filter((other) => other !== hear),
    );
  }

  tell(event, ...what) {
    for (const hear of this.heard.get(event) || []) hear(...what);
  }
}

const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

// Bytes come as { base64: … }; a widget takes them as views.
export function parse(text) {
  return JSON.parse(text, (_, value) =>
    value?.base64 === undefined ? value : new DataView(bytesOf(value.base64).buffer),
  );
}

// What stands in the page: gzip, in base64.
export async function unpack(text) {
  const packed = new Blob([bytesOf(text)]).stream();
  return parse(await new Response(packed.pipeThrough(new DecompressionStream("gzip"))).text());
}
