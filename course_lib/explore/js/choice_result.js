// The result of the last answer to a question with options: { right, over, words }, or null before the first.
// After the first wrong answer the reader chooses again; after the second one the answer is shown.

import { formatMessage } from "./messages.js";

export function resultOf({ options, reasons, right, tried }) {
  if (!tried.length) return null;
  const last = tried.at(-1);
  const because = reasons[right];
  if (last === right) return { right: true, over: true, words: formatMessage("choice.right", { because }) };
  const reason = reasons[last];
  const over = tried.length > 1;
  const wrong = reason ? formatMessage("choice.wrong", { reason }) : formatMessage("choice.wrong, no reason");
  const words = formatMessage(over ? "choice.answer" : "choice.again", {
    wrong,
    answer: options[right],
    because,
  });
  return { right: false, over, words };
}

// The mark beside an option: "right", "wrong" or none, as far as the answers have shown it.
export function markOf({ right, tried }, option) {
  if (option === right) return resultOf({ options: [], reasons: [], right, tried })?.over ? "right" : "";
  return tried.includes(option) ? "wrong" : "";
}
