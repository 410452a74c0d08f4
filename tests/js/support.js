// Recorded searches, as tests/js/records.py wrote them into the folder that RECORDS names.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { MCTSRecord } from "../../course_lib/explore/js/mcts_record.js";
import { MCTSReplay } from "../../course_lib/explore/js/mcts_replay.js";
import { OpenNodes } from "../../course_lib/explore/js/open_nodes.js";
import { Practice } from "../../course_lib/explore/js/practice.js";
import { Record } from "../../course_lib/explore/js/record.js";
import { Replay } from "../../course_lib/explore/js/replay.js";

const folder = process.env.RECORDS;
if (!folder) throw new Error("RECORDS names no folder: run `python tests/js/records.py FOLDER` first");

function read(name) {
  const { sent, ...details } = JSON.parse(readFileSync(join(folder, name), "utf8"));
  for (const column in sent.columns) {
    const bytes = Uint8Array.from(Buffer.from(sent.columns[column], "base64"));
    sent.columns[column] = new DataView(bytes.buffer);
  }
  return { name: name.replace(".json", ""), sent, ...details };
}

export const recorded = readdirSync(folder).map(read);
export const calls = recorded.filter(({ sent }) => !sent.formula);
export const mcts = recorded.filter(({ sent }) => sent.formula);
if (calls.length < 10 || mcts.length < 4) throw new Error(`${folder} has too few records`);

const DEFAULTS = { answers: {}, marks: {}, targets: [], mark: "", stride: 1 };

// What a look or a sentence asks of an explorer, without a page.
export function treeOf({ sent }, kind) {
  const isSearch = Boolean(sent.formula);
  const record = isSearch ? new MCTSRecord(sent) : new Record(sent);
  const replay = isSearch ? new MCTSReplay(record) : new Replay(record);
  const host = { get: (name) => DEFAULTS[name] };
  const openNodes = new OpenNodes(record);
  for (let i = 0; i < record.count; i++) if (record.children(i).length) openNodes.set(i, true);
  const practice = new Practice(host);
  const width = (text) => 7 * text.length;
  const boardOf = () => undefined;
  return { record, replay, host, openNodes, practice, kind, width, boardOf, shown: -1, c: sent.c };
}

// A generator of numbers from 0 to 1, the same ones each time.
export function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
