// What becomes of the answer that the reader has checked last: { right, over, words }, or null before the
// first. A first wrong one is told why it is wrong, and the reader chooses again; after a second comes the
// answer.

import { say } from "./messages.js";

export function judged({ options, reasons, right, tried }) {
  if (!tried.length) return null;
  const last = tried.at(-1);
  const because = reasons[right];
  if (last === right) return { right: true, over: true, words: say("choice.right", { because }) };
  const reason = reasons[last];
  const over = tried.length > 1;
  const wrong = reason ? say("choice.wrong", { reason }) : say("choice.wrong, no reason");
  const words = say(over ? "choice.answer" : "choice.again", { wrong, answer: options[right], because });
  return { right: false, over, words };
}

// What is written beside an option: nothing, or whether it is right, as far as the reader knows.
export function markOf({ right, tried }, option) {
  if (option === right) return judged({ options: [], reasons: [], right, tried })?.over ? "right" : "";
  return tried.includes(option) ? "wrong" : "";
}
