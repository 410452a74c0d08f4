"""Warm-up questions, generated at random; the library computes the correct answers."""

from collections.abc import Callable
from functools import partial
from math import sqrt
from random import Random
from types import SimpleNamespace
from typing import NamedTuple

from course_lib.check.graded import noting_leaves
from course_lib.games import MAX, MIN, Chance, Nim, TreeGame, player_name
from course_lib.games.texts import number_text
from course_lib.games.walking import leaf_paths
from course_lib.search import alpha_beta_search, backpropagate, expectiminimax_search, minimax_value, ucb1

C = 1.4
ODDS = {2: (0.2, 0.8), 3: (0.2, 0.3, 0.5)}
CHANGES = {"2u + 10": lambda u: 2 * u + 10, "u³": lambda u: u**3, "√u": sqrt, "10 − u": lambda u: 10 - u}


class Asked(NamedTuple):
    """A question with one correct answer among its options, and the tree that it is about."""

    text: str
    options: list[str]
    right: str
    because: str
    tree: TreeGame | None = None


def winning_action(rng: Random) -> Asked:
    winning: list = []
    while not winning:
        left, max_take = rng.randint(4, 9), rng.choice([2, 3])
        game = Nim(left, max_take)
        state = game.initial_state()
        values = {f"take {a[1]}": minimax_value(game, game.result(state, a)) for a in game.actions(state)}
        winning = [name for name, value in values.items() if value == 1]
    rules = (
        f"{left} objects are left. Two players take 1 to {max_take} of them in turn; whoever takes the last one wins."
    )
    because = "After this move you can win against every reply. After any other move your opponent can win."
    return Asked(f"{rules} Which first move wins?", list(values), winning[0], because)


def size_of_tree(rng: Random) -> Asked:
    b, m = rng.randint(2, 5), rng.randint(2, 4)
    wrong = {m**b, b * m, b ** (m - 1), b**m - 1, b**m + 1} - {b**m}
    text = f"A game lasts {m} plies, and each state has {b} actions. How many leaves does its tree have?"
    because = f"Each ply has {b} times as many nodes as the ply above it."
    return Asked(text, list(map(str, [b**m, *rng.sample(sorted(wrong), 3)])), str(b**m), because)


def two_plies(leaves: list[list], chance: bool) -> tuple[TreeGame, list]:
    """A tree with these leaves below Max's actions, after which Min or chance moves; and the values of the actions."""
    game = TreeGame([Chance(list(zip(ODDS[len(below)], below))) if chance else below for below in leaves])
    return game, [round(expectiminimax_search(game, (action,))[0], 6) for action in game.actions(())]


def random_tree(rng: Random, chance: bool, change: Callable = sqrt) -> tuple[TreeGame, list, list]:
    """A tree, and the values of Max's actions before and after a change of utilities, each with one best action."""
    while True:
        leaves = [rng.sample(range(10), rng.choice([2, 3])) for _ in range(rng.choice([2, 3]))]
        game, before = two_plies(leaves, chance)
        _, after = two_plies([list(map(change, below)) for below in leaves], chance)
        if all(sorted(values)[-1] - sorted(values)[-2] > 0.001 for values in (before, after)):
            return game, before, after


def value_of_root(rng: Random, chance: bool = False) -> Asked:
    game, values, _ = random_tree(rng, chance)
    wrong = sorted({*values, *(game.utility(path, MAX) for path in leaf_paths(game))} - {max(values)})
    options = list(map(number_text, [max(values), *rng.sample(wrong, min(3, len(wrong)))]))
    below = "the value is the mean, weighted by probability" if chance else "Min takes the smallest value"
    because = f"The values of Max’s actions are {number_text(tuple(values))}: after each, {below}."
    return Asked("What is the value of the root for Max, with best play?", options, options[0], because, game)


def best_action(rng: Random) -> Asked:
    game, values, _ = random_tree(rng, False)
    because = f"The values of the actions are {number_text(tuple(values))}."
    best = str(values.index(max(values)))
    return Asked("Which action at the root is best for Max?", list("012"[: len(values)]), best, because, game)


def leaves_of_alpha_beta(rng: Random) -> Asked:
    game, _, _ = random_tree(rng, False)
    seen: list = []
    alpha_beta_search(noting_leaves(game, seen), ())
    first = max(1, len(seen) - rng.randrange(4))
    text = "How many leaves does alpha-beta visit, from left to right? (It cuts at v ≤ α and at v ≥ β.)"
    because = f"It visits {number_text(tuple(game.utility(path, MAX) for path in seen))}, and prunes the others."
    return Asked(text, [str(first + more) for more in range(4)], str(len(seen)), because, game)


def scale_of_utilities(rng: Random, chance: bool = False) -> Asked:
    name = rng.choice(list(CHANGES))
    game, before, after = random_tree(rng, chance, CHANGES[name])
    stays = before.index(max(before)) == after.index(max(after))
    text = f"Each utility u of this tree is replaced by {name}. Does Max’s best action stay the same?"
    old, new = number_text(tuple(before)), number_text(tuple(after))
    because = f"The values of the actions are {old}, and {new} after the change."
    return Asked(text, ["Yes", "No"], "Yes" if stays else "No", because, game)


def choice_of_ucb1(rng: Random) -> Asked:
    scores = [0.0, 0.0]
    while sorted(scores)[-1] - sorted(scores)[-2] < 0.05:
        counts = [(rng.randint(0, n), n) for n in rng.sample(range(2, 20), 3)]
        scores = [ucb1(u, n, sum(n for _, n in counts), C) for u, n in counts]
    options = [f"{u}/{n}" for u, n in counts]
    text = f"The root’s children have U/N {', '.join(options)}; its N is the sum. Which does UCB1 choose with C = {C}?"
    because = f"The values of UCB1 are {', '.join(f'{score:.2f}' for score in scores)}; it chooses the largest."
    return Asked(text, options, options[scores.index(max(scores))], because)


def backed_up(rng: Random) -> Asked:
    end, rewards = rng.choice([("Max wins", (1, 0)), ("Min wins", (0, 1)), ("neither wins", (0.5, 0.5))])
    u, n, mover = rng.randint(1, 3), rng.randint(4, 9), rng.choice([MAX, MIN])
    node = SimpleNamespace(player=mover, utility=u, visits=n)
    backpropagate([node], rewards)
    name = player_name(mover)
    text = f"{name} moved into a node with U/N = {u}/{n}. In a playout from there, {end}. What is the node’s new U/N?"
    because = f"U is for the player who moved into the node, {name}: it grows by {rewards[mover]:g}, and N by 1."
    options = [*(f"{u + more:g}/{n + 1}" for more in (0, 0.5, 1)), f"{u + 1}/{n}"]
    return Asked(text, options, f"{node.utility:g}/{node.visits}", because)


KINDS: dict[str, tuple[Callable, ...]] = {
    "game_formalism": (winning_action, size_of_tree),
    "minimax": (value_of_root, best_action),
    "alpha_beta": (leaves_of_alpha_beta,),
    "evaluation_functions": (scale_of_utilities,),
    "expectimax": (partial(value_of_root, chance=True), partial(scale_of_utilities, chance=True)),
    "mcts_ucb1": (choice_of_ucb1, backed_up),
}
"""By notebook: its kinds of questions, each a function of a `random.Random`."""
