// UCB1 and PUCT with the C of the slider.

import { CHANCE } from "./constants.js";

// U/N; for PUCT Q, which is 0 before the first visit.
export function quotient({ record, replay }, i) {
  const mean = replay.numbers.mean[i];
  return record.puct && i && Number.isNaN(mean) ? 0 : mean;
}

export function exploration({ record, replay, c }, i) {
  const { n, proven } = replay.numbers;
  const above = n[record.parent[i]];
  if (record.puct) return proven[i] === -1 ? 0 : (c * record.prior[i] * Math.sqrt(above)) / (1 + n[i]);
  return n[i] ? c * Math.sqrt(Math.log(above) / n[i]) : Infinity;
}

// The score of a node in selection; NaN at the root, after chance, and below a node without visits.
export function selectionScore(search, i) {
  const { record } = search;
  if (!i || record.kind[record.parent[i]] === CHANCE) return NaN;
  const more = exploration(search, i);
  return more === Infinity ? Infinity : quotient(search, i) + more;
}

// The child that selection chooses, or -1; of equal children the oldest.
export function choice(search, i) {
  const { record, replay } = search;
  const children = replay.children(i);
  const untried = !children.length || children.length < record.moves[i];
  if (untried || record.kind[i] === CHANCE || !Number.isNaN(replay.numbers.proven[i])) return -1;
  const oldest = [...children].sort((a, b) => a - b);
  const best = oldest.reduce((a, b) => (selectionScore(search, b) > selectionScore(search, a) ? b : a));
  return Number.isNaN(selectionScore(search, best)) ? -1 : best;
}

export const isChosen = (search, i) => i > 0 && choice(search, search.record.parent[i]) === i;
