"""Write recorded searches as JSON, for the tests of the scripts in Node: `python tests/js/records.py FOLDER`.

Each file has the record as the browser gets it (columns as base64), and beside it what Python says of the same search:
the reasons for cuts, or UCB1 and PUCT and the child that selection goes to, after some of the iterations.
"""

import json
import math
import sys
from base64 import b64encode
from pathlib import Path

from course_lib.alphazero import puct_search
from course_lib.explore import explore, watch, watch_mcts
from course_lib.explore.practice import random_exercise
from course_lib.games import CHANCE, MAX, MIN, Chance, ConnectFour, Nim, TicTacToe, TreeGame
from course_lib.games.texts import number_text
from course_lib.search import (
    alpha_beta_search,
    depth_limited_alpha_beta_search,
    depth_limited_minimax_search,
    expectiminimax_search,
    max_n_search,
    minimax_search,
    monte_carlo_tree_search,
)
from course_lib.watch.calls import CUT
from made_up_games import Countdown
from oracle import negamax
from selection import chosen, numbers_at, score

SMALL = TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
DEEP = TreeGame([[5, 1, 6], [[7, 8], 4, 9], [2, [0, [3, 1]]]])
OTHER_LEAF = TreeGame([[5, 1, 6], [[7, 8], -2.5, 9], [2, [0, [3, 1]]]])
SECOND = TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]], first=MIN)
LUCK = TreeGame([Chance([(0.5, [1, 2]), (0.25, 3), (0.25, -4)]), {"stop": 2, "go": [4, Chance([(0.5, 8), (0.5, 0)])]}])
THREE = TreeGame([[(1, 2, 3), (4, 5, 6)], [(7, 8, 9), (0, 0, 0)]], players=3)
MIDDLE = TicTacToe().after(0, 1, 2)
SEARCHES = {
    "minimax": lambda: watch(minimax_search, SMALL),
    "minimax, second": lambda: watch(minimax_search, SECOND),
    "minimax, tic-tac-toe": lambda: watch(minimax_search, TicTacToe(), MIDDLE),
    "alpha-beta": lambda: watch(alpha_beta_search, SMALL),
    "alpha-beta, deep": lambda: watch(alpha_beta_search, DEEP),
    "alpha-beta, deep, other leaf": lambda: watch(alpha_beta_search, OTHER_LEAF),
    "minimax, other leaf": lambda: watch(minimax_search, OTHER_LEAF),
    "minimax, deep": lambda: watch(minimax_search, DEEP),
    "alpha-beta, more than 128 texts": lambda: watch(
        alpha_beta_search, TreeGame([[*range(9 * n, 18 * n)] for n in (9, 8, 7)])
    ),
    "alpha-beta, second": lambda: watch(alpha_beta_search, SECOND),
    "alpha-beta, tic-tac-toe": lambda: watch(alpha_beta_search, TicTacToe(), MIDDLE),
    "alpha-beta, depth-limited": lambda: watch(depth_limited_alpha_beta_search, TicTacToe(), MIDDLE, depth=3),
    "minimax, depth-limited": lambda: watch(depth_limited_minimax_search, ConnectFour(), depth=2),
    "negamax": lambda: watch(negamax, SMALL, (), -math.inf, math.inf, 1),
    "expectiminimax": lambda: watch(expectiminimax_search, LUCK),
    "star1": lambda: watch(star1, LUCK, (), -4, 8),
    "strict": lambda: watch(star1, TreeGame([[3, 12], [3, 4, 5], [2, 6], [14, 5, 2]]), (), -math.inf, math.inf, True),
    "max^n": lambda: watch(max_n_search, THREE),
    "words": lambda: watch(wins, Nim([1, 1])),
    "too early": lambda: watch(too_early, SMALL),
    "coins": lambda: watch(minimax_search, Countdown()),
    "deepening": lambda: watch(deepening, SMALL),
    "practice": lambda: random_exercise("alpha-beta", 3, 7).trace,
    "mcts": lambda: watch_mcts(monte_carlo_tree_search, TicTacToe(), MIDDLE, iterations=90, seed=1),
    "mcts, chance": lambda: watch_mcts(monte_carlo_tree_search, LUCK, iterations=60, seed=2, bounds=(-8, 8)),
    "mcts, three": lambda: watch_mcts(monte_carlo_tree_search, THREE, iterations=30, seed=3, bounds=(0, 9)),
    "puct": lambda: watch_mcts(puct_search, TicTacToe(), MIDDLE, iterations=80, formula="puct", evaluate=even),
}


def star1(game, state, alpha, beta, strict=False):
    """A search as a student writes it, with cuts at chance nodes too; all utilities are from −4 to 8.

    A `strict` one goes on when a value equals its bound.
    """
    if game.is_terminal(state):
        return game.utility(state, MAX)
    mover = game.to_move(state)
    if mover == CHANCE:
        seen, unseen = 0, 1
        for outcome, p in game.chances(state):
            unseen -= p
            low, high = (alpha - seen - 8 * unseen) / p, (beta - seen + 4 * unseen) / p
            v = star1(game, game.result(state, outcome), max(-4, low), min(8, high))
            seen += p * v
            if not low < v < high:
                return seen + unseen * (8 if v <= low else -4)
        return seen
    best = max if mover == MAX else min
    v = None
    for action in game.actions(state):
        v2 = star1(game, game.result(state, action), alpha, beta, strict)
        v = v2 if v is None else best(v, v2)
        alpha, beta = (max(alpha, v), beta) if mover == MAX else (alpha, min(beta, v))
        if alpha > beta or (alpha == beta and not strict):
            break
    return v


def wins(game, state, left=9):
    """Whether Max can win: values that are no numbers, and an argument that changes."""
    if game.is_terminal(state):
        return game.utility(state, MAX) > 0
    left = left - 1
    below = [wins(game, game.result(state, action), left) for action in game.actions(state)]
    return any(below) if game.to_move(state) == MAX else all(below)


def deepening(game, state):
    """Iterative deepening, which enters nodes again."""
    return [depth_limited_alpha_beta_search(game, state, depth) for depth in (1, 2)][-1]


def too_early(game, state, alpha=-math.inf, beta=math.inf):
    """A mistake: it returns after one child, whatever the window is."""
    if game.is_terminal(state) or not state:
        below = [too_early(game, game.result(state, action), alpha, beta) for action in game.actions(state)]
        return max(below) if below else game.utility(state, MAX)
    return too_early(game, game.result(state, 0), alpha, beta)


def even(state):
    """All actions alike, and the value 0."""
    actions = TicTacToe().actions(state)
    return {action: 1 / len(actions) for action in actions}, 0.0


def written(trace):
    """The record and the facts of a watched search, ready for JSON."""
    sent = explore(trace).tree.tree
    columns = {name: b64encode(column).decode() for name, column in sent["columns"].items()}
    details = {"numbers": selection(trace)} if "formula" in sent else {"cuts": cuts(trace)}
    return {"sent": sent | {"columns": columns}} | details


def cuts(trace):
    """Of each node that was cut at a window: the value and the window of the node above, as texts."""
    found = {}
    for node in trace.nodes():
        if node.status == CUT and {"alpha", "beta"} <= node.parent.arguments.keys():
            above = node.parent
            given = [number_text(above.arguments[name]) for name in ("alpha", "beta")]
            found[node.number] = [number_text(above.value), *given]
    return found


def selection(trace):
    """After each tenth iteration: the score of each node that has one, and the child that selection goes to."""
    found = {}
    for step in range(0, trace.steps + 1, 40):
        numbers = numbers_at(trace, step)
        scores = {number: score(trace, number, numbers) for number in numbers}
        found[step] = {
            "scores": {number: plain(found) for number, found in scores.items() if not math.isnan(found)},
            "chosen": {number: chosen(trace, number, numbers) for number in numbers},
        }
    return found


def plain(score):
    """JSON has no infinity."""
    return "inf" if score == math.inf else score


def main(folder):
    for name, search in SEARCHES.items():
        path = Path(folder) / f"{name}.json"
        path.write_text(json.dumps(written(search()), ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
