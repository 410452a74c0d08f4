// Every word that is shown comes from the table of messages, and the table has no other words.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { formatMessage } from "../../course_lib/explore/js/messages.js";

const folder = new URL("../../course_lib/explore/js/", import.meta.url);
const table = JSON.parse(readFileSync(new URL("messages.en.json", folder), "utf8"));
const modules = readdirSync(folder).filter((name) => name.endsWith(".js"));
const source = (name) =>
  readFileSync(new URL(name, folder), "utf8")
    .replace(/(^|\s)\/\/ .*$/gm, "")
    .replace(/^import[^;]*;$/gm, "");

// Names that are put together, such as `bar.${name}`.
const built = /^(start|thought|node|state|bar|pace|predict|ask|answer|mark|visit|action|iteration)\./;

test("every message is used, and every message that is used is there", () => {
  const code = modules.map(source).join("\n");
  const used = new Set(Object.keys(table).filter((name) => code.includes(`"${name}"`)));
  for (const name in table) assert.ok(used.has(name) || built.test(name), `${name} is not used`);
  for (const [, name] of code.matchAll(/formatMessage\(\s*"([^"]+)"/g))
    assert.ok(name in table, `${name} is not there`);
});

test("a message says what it was given, and one that is not there is an error", () => {
  assert.equal(formatMessage("node.value", { value: "$1 {x}" }), "value $1 {x}");
  assert.throws(() => formatMessage("no such message"), /no message "no such message"/);
});

// Two words that follow each other, or a capital that begins a word: text, unless it is one of these.
const PROSE = /\p{L}{2,} \p{L}{2,}|^\p{Lu}\p{Ll}/u;
const CLASSES = /^(seen|new|key|node|x|course-board|course-predict|verdict|line|interval|cell|board|cut)\b/;
const FOR_PROGRAMMERS = /^messages\.en\.json has no message/;
const NO_PROSE = [
  /^\.[\w-]/,
  /sans-serif/,
  CLASSES,
  /^(zoom|next)\b/,
  /^(Arrow|Home|End|Enter)/,
  FOR_PROGRAMMERS,
];

test("no module has text of its own", () => {
  for (const name of modules) {
    for (const [, , text] of source(name).matchAll(/(["'`])((?:(?!\1)[^\\\n]|\\.)*)\1/g)) {
      const plain = text
        .replace(/\$\{[^}]*\}/g, "")
        .replace(/<[^>]*>/g, "")
        .trim();
      const isNone = plain in table || NO_PROSE.some((pattern) => pattern.test(plain));
      assert.ok(isNone || !PROSE.test(plain), `${name}: "${text}"`);
    }
  }
});
