"""How the right answer to a case comes about, in numbers: for questions whose answer is a formula.

Each function gets the right answer and the case, and returns the calculation as a text.
"""

from collections import Counter
from collections.abc import Callable
from itertools import accumulate
from math import log

from course_lib.games import MAX, Game, TreeGame, player_name
from course_lib.games.game import State
from course_lib.games.texts import listed_numbers, number_text
from course_lib.games.walking import leaf_paths, moves_of
from course_lib.language import N_, gettext, numbers_in
from course_lib.search import ucb1 as value_of_ucb1


def digits(*numbers: float) -> list[str]:
    """Numbers as texts with at most four digits."""
    return [numbers_in(f"{number:.4g}".replace("-", "−")) for number in numbers]


def sizes(right: list, game: Game, state: State) -> str:
    """The state of each node, and of each leaf; in a large tree how many there are at each ply."""
    nodes = [(state, 0)]
    for above, ply in nodes:
        nodes += [(game.result(above, action), ply + 1) for action, _ in moves_of(game, above)]
    trees = nodes, [(leaf, ply) for leaf, ply in nodes if game.is_terminal(leaf)]
    if len(nodes) > 12:
        counts = [dict(Counter(ply for _, ply in tree)) for tree in trees]
        return gettext("by their ply, the numbers of nodes are {}, and of leaves {}.", *counts)
    return gettext("the nodes are {}, and the leaves {}.", *([state for state, _ in tree] for tree in trees))


def totals(right: bool, game: Game) -> str:
    """The sum of the utilities at all leaves, or each sum with a leaf where it occurs."""
    sums = {sum(game.utility(leaf, player) for player in range(game.players)): leaf for leaf in leaf_paths(game)}
    if right:
        return gettext("at each leaf the sum of the utilities is {total:g}.", total=min(sums))
    each = gettext("; ").join(gettext("{total:g} at {leaf}", total=total, leaf=leaf) for total, leaf in sums.items())
    return gettext("sums of the utilities, and a leaf with each: {each}.", each=each)


def interval(right: list, wins: int, draws: int, losses: int) -> str:
    games, low, high = wins + draws + losses, *right[:2]
    s, error, variance = digits((low + high) / 2, (high - low) / 4, ((high - low) / 4) ** 2 * games)
    squares = f"{wins} · (1 − {s})² + {draws} · (½ − {s})² + {losses} · {s}²"
    begin, end = digits(low, high)
    steps = (f"s = ({wins} + {draws}/2)/{games} = {s}", f"({squares})/{games} = {variance}",
             f"√({variance}/{games}) = {error}", f"low = {s} − 2 · {error} = {begin}",
             f"high = {s} + 2 · {error} = {end}", gettext("is ½ outside? {answer}", answer=right[2]))  # fmt: skip
    return f"{gettext('; ').join(steps)}."


def timed(right: list, searches: list, start: int, seconds: int) -> str:
    """When the searches would end, and when the time is up."""
    _, *ends = accumulate((cost for cost, *_ in searches), initial=start)
    words = N_(
        "the searches of depth 1, 2 … would end at {ends}, and the time is up at {deadline} s. Column {column} is "
        "that of the deepest one that finished, or else of depth 1."
    )
    return gettext(words, ends=", ".join(f"{end} s" for end in ends), deadline=start + seconds, column=right[0])


def ucb1(right: float, U: float, N: int, parent: int, c: float) -> str:
    if N == 0:
        return gettext("{name}: {text}", name="N = 0", text="+∞.")
    sum_of_rewards, factor, mean, bonus, total = digits(U, c, U / N, right - U / N, right)
    return f"{sum_of_rewards}/{N} + {factor} · √(ln({parent})/{N}) = {mean} + {bonus} = {total}."


def selection(right: list, game: TreeGame, counts: dict, c: float) -> str:
    """UCB1 of all children at each node where selection goes on."""
    path = [*map(tuple, right)]
    children = [(*node, action) for node in path[:-1] for action in game.actions(node)]
    if not children:
        return gettext("none, as the path ends at the root: an action is untried there, or the game is over.")
    cases = {child: (*counts[child], counts[child[:-1]][1], c) for child in children}
    return " ".join(gettext("{name}: {text}", name=child, text=ucb1(value_of_ucb1(*case), *case))
                    for child, case in cases.items())  # fmt: skip


def playout(right: float, game: TreeGame, state: State, policy: Callable) -> str:
    end = state
    while not game.is_terminal(end):
        end = game.result(end, policy(end))
    utility, reward = digits(game.utility(end, MAX), right)
    words = N_("the policy leads from {state} to {end}, where game.utility(state, MAX) is {utility}: ")
    words = gettext(words, state=state, end=end, utility=utility)
    return f"{words}({utility} + 1)/2 = {reward}."


def gains(right: dict, game: TreeGame, counts: dict, path: tuple, reward: float) -> str:
    """what is added at each node: U counts for the player who moved into it."""
    movers = [(node, game.to_move(node[:-1]) if node else 1 - game.to_move(())) for node in right]
    words = N_("add {gain:g} to U and 1 to N at {node}, for {player}")
    each = (gettext(words, gain=reward if mover == MAX else 1 - reward, node=node, player=gettext(player_name(mover)))
            for node, mover in movers)  # fmt: skip
    return f"{gettext('; ').join(each)}."


def puct(right: float, Q: float, P: float, N: int, parent: int, c: float) -> str:
    mean, factor, prior, bonus, total = digits(Q, c, P, right - Q, right)
    return f"{mean} + {factor} · {prior} · √{parent}/(1 + {N}) = {mean} + {bonus} = {total}."


def policy(right: list, counts: list, tau: float) -> str:
    if tau == 0:
        return gettext("at τ = 0 the most visited actions share a probability of 1 in all, and the others have 0.")
    powers = [N ** (1 / tau) for N in counts]
    steps = (f"N^(1/τ) = ({listed_numbers(powers)})", f"Σ = {number_text(sum(powers))}",
             f"π = ({listed_numbers(right)})")  # fmt: skip
    return f"{gettext('; ').join(steps)}."


def back_up(right: list, path: list, v: float) -> str:
    old = [W for _, W in path]
    lines = (f"W = {' + '.join(digits(before, W - before))} = {digits(W)[0]}, Q = {digits(W)[0]}/{N} = {digits(Q)[0]}"
             for before, (N, W, Q) in reversed([*zip(old, right)]))  # fmt: skip
    return gettext("from the last node up: {lines}.", lines=gettext("; ").join(lines).replace("+ −", "− "))


def targets(right: list, movers: list, winner: int | None) -> str:
    each = ", ".join(f"{player_name(mover)} {z}" for mover, z in zip(movers, digits(*right)))
    won = gettext("nobody") if winner is None else player_name(winner)
    return gettext("{won} has won; z for each player who is to move: {each}.", won=won, each=each)


def loss(right: float, p: list, v: list, pi: list, z: list, theta: list, c: float, terms: list) -> str:
    squares = digits(*((outcome - value) ** 2 for outcome, value in zip(z, v)))
    entropies = digits(*(0 - sum(t * log(q) for t, q in zip(*row) if t) for row in zip(pi, p)))
    first, second, third, norm = digits(*terms, sum(weight**2 for weight in theta))
    mean = N_("mean of {term}")
    sums = {gettext(mean, term="(z − v)²"): f"({' + '.join(squares)})/{len(z)} = {first}",
            gettext(mean, term="−π·log p"): f"({' + '.join(entropies)})/{len(z)} = {second}",
            "λ‖θ‖²": f"{c:g} · {norm} = {third}"}  # fmt: skip
    return f"{gettext('; ').join(gettext('{name}: {text}', name=name, text=text) for name, text in sums.items())}."
