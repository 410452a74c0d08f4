// The start page: tic-tac-toe against alpha-beta, and beside the board what the program sees beyond a move.

import board from "./board.js";
import { html, write } from "./dom.js";
import { formatMessage, whole } from "./messages.js";
import { PlayedGame, thoughtAfter } from "./played_game.js";
import { countNodes, sizeOfTree } from "./searches.js";
import { followTheme } from "./theme.js";
import { drawThought } from "./thought.js";
import { ticTacToe } from "./tic_tac_toe.js";

const FIRST = 1; // the square of the first picture, which few readers play first
const sizes = new Map(); // of whole trees

// The sentence below the tree: what the program found, and how little it looked at.
function summary(state) {
  const node = thoughtAfter(state);
  if (!node.children.length) return formatMessage("thought.over");
  const counts = { looked: whole(countNodes(node)), all: whole(sizeOfTree(ticTacToe, state, sizes)) };
  return `${formatMessage(`thought.value ${node.value}`)} ${formatMessage("thought.counts", counts)}`;
}

function start(el) {
  const model = new PlayedGame();
  const place = el.querySelector(".start-board");
  board.render({ model, el: place });
  const figure = el.querySelector(".start-thought");
  const drawing = html("div", { class: "course-ui" }, figure);
  const caption = html("figcaption", {}, figure);
  const grid = place.querySelector(".grid");
  const draw = () => {
    const seen = model.after(model.pointed);
    const state = seen ?? model.asked;
    if (!state) return; // between a button and the next picture
    drawThought(drawing, thoughtAfter(state), summary(state), !seen);
    write(caption, summary(state));
  };
  const point = ({ target }) => model.pointAt([...grid.children].indexOf(target.closest("button")));
  const first = () => (model.after(FIRST) ? FIRST : model.position.indexOf("."));
  const leave = () => model.pointAt(model.asked ? null : first(), 1);
  for (const event of ["pointerover", "focusin"]) grid.addEventListener(event, point);
  for (const event of ["pointerleave", "focusout"]) grid.addEventListener(event, leave);
  place.querySelector(".buttons").addEventListener("click", leave);
  model.on("change:view", draw);
  new ResizeObserver(draw).observe(figure);
  leave();
}

// What a method plays is above its column once the reader has opened it.
for (const found of document.querySelectorAll(".path details"))
  found.addEventListener("toggle", () => {
    document.querySelector(`.serial .${found.id}`).classList.toggle("open", found.open);
  });

followTheme();
for (const el of document.querySelectorAll(".start")) start(el);
