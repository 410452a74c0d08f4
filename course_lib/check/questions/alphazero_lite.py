"""The questions of notebook 7, AlphaZero-lite. Cases are numbers and lists of them."""

from functools import lru_cache, partial
from itertools import cycle, islice, product
from math import sqrt

import numpy as np

from course_lib.check.compare import as_call, by_entries, equal, is_number, misfit, same, shown
from course_lib.check.question import Bug, Question, choice, heading
from course_lib.explore import picture
from course_lib.games import MAX, MIN, TicTacToe, TreeGame, Turn, player_name
from course_lib.watch.texts import number_text

C = 1.5
NEAR = 1e-6
"""How far a number may be off: in float32 it has seven digits; and who adds 1e-8 to p before its logarithm is right."""


# What pictures show: a node and its children, and a line of play, with texts in the nodes.


def choice_drawn(texts, above=""):
    return picture(TreeGame([0] * len(texts)), answers={(): above} | {(a,): text for a, text in enumerate(texts)})


def line_drawn(movers, texts, end):
    """One position below the other, by who is to move there."""
    game = 0
    for mover in reversed(movers):
        game = Turn(mover, [game])
    return picture(TreeGame(game), answers={(0,) * plies: text for plies, text in enumerate([*texts, end])})


def fits(given, numbers, kind=is_number):
    """Whether an answer can be drawn: as many of a kind as there are `numbers`."""
    return isinstance(given, list | tuple) and len(given) == len(numbers) and all(map(kind, given))


def random_value(luck):
    return luck.randint(-9, 9) / 10


# PUCT. A case is (Q, P, N, N of the parent, c).


def my_puct(Q, P, N, N_parent, c):
    return Q + c * P * sqrt(N_parent) / (1 + N)


PUCT = Question(
    **heading("write", "alphazero_lite.puct", "PUCT", 1),
    small=lambda: [(Q, P, N, parent, c) for parent in range(1, 6) for N in range(parent) for Q in (0, 0.5)
                   for P in (0.5, 0.25) for c in (1, 2)],
    cases=lambda luck: (random_value(luck), luck.randint(0, 9) / 10, N := luck.randint(0, 99),
                        luck.randint(N + 1, 4 * N + 2), luck.choice([0.5, 1, 1.5, 3])),
    reference=my_puct,
    compare=partial(equal, tolerance=NEAR),
    draw=lambda case, given: [("the node and its parent", choice_drawn(["Q {:g}  P {:g}  N {}".format(*case)],
                                                                      f"N {case[3]}"))],
    bugs=(
        ("PUCT without the root", "√N(parent) is left out: without it a child that was once neglected may never be "
            "tried again.", {" * sqrt(N_parent)": ""}),
        ("no square root", "N(parent) stands under a square root.", {"sqrt": ""}),
        ("ΣN for N(parent)", "N_parent is used as it is: take nothing away from it.",
            {"sqrt(N_parent)": "sqrt(N_parent - 1)"}),
        ("brackets left out", "all of 1 + N stands below the line: it needs brackets.", {"/ (1 + N)": "/ 1 + N"}),
        ("the root goes on too long", "only N(parent) stands under the square root, not 1 + N.",
            {"sqrt(N_parent) / (1 + N)": "sqrt(N_parent / (1 + N))"}),
        ("the prior left out", "the exploration term is weighted with the prior P.", {" * P": ""}),
        ("Q left out", "the value Q is the first term.", {"Q + ": ""}),
        ("C left out", "c weighs the exploration.", {"c * ": ""}),
    ),
)  # fmt: skip


# The back-up, to be mended. A case is (path, v): (N, W) pairs, the root first, and the network's value at the end.


def mended_back_up(path, v):
    updated = []
    for N, W in reversed(path):
        v = -v
        updated.append((N + 1, W + v, (W + v) / (N + 1)))
    return updated[::-1]


def wrong_node(case, expected, given):
    path, v = case
    if not isinstance(given, list | tuple) or len(given) != len(path):
        return misfit(expected, given) or f"One (N, W, Q) was expected for each of {len(path)} nodes."
    for depth, (right, triple) in enumerate(zip(expected, given)):
        if not same(right, triple, NEAR):
            plies = len(path) - 1 - depth
            where = f"The node {plies} {'ply' if plies == 1 else 'plies'} above the last" if plies else "The last node"
            return f"{where} is wrong: it was {path[depth]}, and v = {v} is for the player to move in the last node."
    return None


def back_up_drawn(case, given):
    path, v = case
    drawn = [("W/N before", path), ("expected", mended_back_up(path, v)), ("yours", given)]
    movers = list(islice(cycle((MAX, MIN)), len(path)))
    return [(caption, line_drawn(movers, (f"{W:.3g}/{N}" for N, W, *_ in nodes), f"v {v}"))
            for caption, nodes in drawn if fits(nodes, path, is_node)]  # fmt: skip


def is_node(numbers):
    return isinstance(numbers, list | tuple) and len(numbers) > 1 and all(map(is_number, numbers))


NEVER = "back-propagation that never changes sides"
ANOTHER_SIDE = "        v = -v\n"
INTO = "W counts for the player who moved into a node, v for the one to move in the last"
BACK_UP = Question(
    **heading("mend", "alphazero_lite.back_up", "Mend the back-up", 2),
    small=lambda: [([(3 - depth, 0.5) for depth in range(length)], v) for length in (1, 2, 3) for v in (0.5, -0.25)],
    cases=lambda luck: ([(N, random_value(luck)) for N in luck.choices(range(10), k=luck.randint(1, 6))],
                        random_value(luck)),
    reference=mended_back_up,
    compare=wrong_node,
    draw=back_up_drawn,
    handed_out=NEVER,
    bugs=(
        (NEVER, f"{INTO}: −v there, and the other sign with each ply.", {ANOTHER_SIDE: ""}),
        (f"{NEVER}, from the other side", f"{INTO}: −v there, and the other sign with each ply.",
            {ANOTHER_SIDE: "", "updated = []": "updated, v = [], -v"}),
        ("the wrong side", f"{INTO}: so the last node gets −v, and the one above it v.",
            {ANOTHER_SIDE: "", "    return": f"{ANOTHER_SIDE}    return"}),
        ("Q with the old N", "Q is W/N, both as they are after this visit.", {"/ (N + 1)": "/ (N or 1)"}),
        ("in reversed order", "the root comes first in the list, as in `path`.", {"[::-1]": ""}),
        ("sides counted from the root", "it is the last node whose side is known: count from there.",
            {ANOTHER_SIDE: "", "    return": f"{ANOTHER_SIDE}    return", "reversed(path)": "path", "[::-1]": ""}),
    ),
)  # fmt: skip


# The temperature. A case is (visit counts, τ).


def my_policy(counts, tau):
    if tau == 0:
        return [1.0 if action == counts.index(max(counts)) else 0.0 for action in range(len(counts))]
    powers = [N ** (1 / tau) for N in counts]
    return [power / sum(powers) for power in powers]


def wrong_policy(case, expected, given):
    counts, tau = case
    if isinstance(given, list | tuple) and any(p != p for p in given):
        return "A probability is nan: that comes of ∞/∞ or 0/0. Was a power or an exponential too large?"
    if not isinstance(given, list | tuple) or len(given) != len(counts) or not all(map(is_number, given)):
        return f"A list of {len(counts)} probabilities was expected, not {shown(given)}."
    if tau == 0:
        kept = [(N, p) for N, p in zip(counts, given) if p]
        right = kept and all(max(counts) == N and same(p, 1 / len(kept), NEAR) for N, p in kept)
        return None if right else "With τ = 0 the most visited action has probability 1; equals may share it."
    right = f"That is not π: with τ = {tau:g} it is {[round(p, 3) for p in expected]}."
    return None if same(given, expected, NEAR) else right


def policy_drawn(case, given):
    """The visits, and the probabilities beside the student's, in the children of a node."""
    drawn = [("the visits N", case[0]), ("expected π", my_policy(*case)), ("your π", given)]
    return [(caption, choice_drawn([f"{number:.3g}" for number in numbers]))
            for caption, numbers in drawn if fits(numbers, case[0])]  # fmt: skip


def random_counts(luck):
    counts = [*luck.choices([0] * 9 + [*range(41)], k=luck.randint(0, 6)), luck.randint(1, 40)]
    return luck.sample(counts, len(counts))


POLICY = Question(
    **heading("write", "alphazero_lite.policy", "π and the temperature", 2),
    small=lambda: [([*counts], tau) for actions in (1, 2, 3) for counts in product(range(4), repeat=actions)
                   if any(counts) for tau in (1, 0.5, 2, 0)],
    cases=lambda luck: (random_counts(luck), luck.choice([0, 0.25, 0.5, 1, 2])),
    reference=my_policy,
    compare=wrong_policy,
    draw=policy_drawn,
    bugs=(
        ("τ instead of 1/τ", "the exponent is 1/τ, and τ = 0 has a case of its own.",
            {"(1 / tau)": "tau"}, {"(1 / tau)": "tau", "tau == 0": "False"}),
        ("τ without effect", "each count is raised to the power 1/τ first; to divide it by τ changes nothing.",
            {" ** (1 / tau)": " / tau"}),
        ("not divided by the sum", "probabilities sum to 1.", {" / sum(powers)": ""}),
        ("softmax", "it is powers of N that are compared, not exponentials.", {"N ** (1 / tau)": "exp(N / tau)"}),
        ("division by zero", "τ = 0 has a case of its own: the most visited action has probability 1.",
            {"tau == 0": "False"}),
        ("equals not shared", "probabilities sum to 1, also where several actions are the most visited.",
            {"action == counts.index(max(counts))": "counts[action] == max(counts)"}),
        ("actions left out", "an action without visits has probability 0; keep its place in the list.",
            {"    if": "    counts = [N for N in counts if N]\n    if"}),
    ),
)  # fmt: skip


# The loss. A case is (p, v, π, z, θ, c), which are handed over as arrays.


def arrays(case):
    return [*(np.array(part, float) for part in case[:-1]), case[-1]]


def ask_loss(student, name, case):
    with np.errstate(all="ignore"):  # a warning of log 0 would stand above a case in which there is none
        return student.call(name, *arrays(case))


def cross_entropy(p, pi):
    logarithms = np.log(np.where(pi > 0, p, 1))
    return -np.sum(pi * logarithms, axis=1)


def my_loss(p, v, pi, z, theta, c):
    return float(np.mean((z - v) ** 2 + cross_entropy(p, pi)) + c * np.sum(theta**2))


NOT_A_NUMBER = Bug("0 · log 0", "Where π is 0 its term counts as 0, though log p may be −∞ there: leave it out, or put "
                   "another number in the place of p.")  # fmt: skip


def right_number(case, expected, given):
    if isinstance(given, float) and given != given:
        return NOT_A_NUMBER
    if same(expected, given, NEAR):
        return None
    p, v, pi, z, theta, c = arrays(case)
    terms = np.mean((z - v) ** 2), np.mean(cross_entropy(p, pi)), c * np.sum(theta**2)
    wrong = misfit(expected, given) or f"The loss is not {shown(given)}."
    return "{} It is the sum of (z − v)², {:.4f}, −π·log p, {:.4f}, and c‖θ‖², {:.4f}.".format(wrong, *terms)


def random_batch(luck):
    def shares():
        weights = luck.choices(range(1, 10), k=3)
        return tuple(weight / sum(weights) for weight in weights)

    rows = [(shares(), random_value(luck), shares(), luck.choice([0, 1, -1])) for _ in range(luck.randint(1, 4))]
    p, v, pi, z = zip(*rows)
    if luck.random() < 0.5:
        p, pi = (tuple((0.0, *row) for row in part) for part in (p, pi))  # an action in front that is illegal
    return p, v, pi, z, tuple(random_value(luck) for _ in range(luck.randint(1, 3))), luck.choice([0, 0.01, 0.5])


def small_batches():
    one = ((0.5, 0.5),), (0.5,), ((0.25, 0.75),), (1,), (0.5, 2.0)
    two = ((0.5, 0.5), (0.25, 0.75)), (0.5, -0.5), ((1.0, 0.0), (0.5, 0.5)), (1, 0), (0.5, 2.0)
    sure = ((1.0, 0.0),), (0.5,), ((1.0, 0.0),), (-1,), (1.0,)
    return [(*batch, c) for batch in (one, sure, two) for c in (0, 0.1)]


LOSS = Question(
    **heading("write", "alphazero_lite.loss", "The loss", 3),
    small=small_batches,
    cases=random_batch,
    ask=ask_loss,
    reference=my_loss,
    compare=right_number,
    tell=lambda case: as_call("my_loss", arrays(case)),
    parts=(cross_entropy,),
    bugs=(
        ("the cross entropy has the wrong sign", "log p is below 0, so −π·log p is above it.", {"-np.sum": "np.sum"}),
        ("a mean over the actions", "π·log p is a sum over the actions; the mean is taken over the batch.",
            {"-np.sum": "-np.mean"}),
        ("the error is not squared", "the first term is (z − v)².", {"(z - v) ** 2": "(z - v)"}),
        ("the sum over the batch", "the first two terms are means over the batch.", {"np.mean": "np.sum"}),
        ("‖θ‖ is not squared", "‖θ‖² is the sum of the squares.", {"np.sum(theta**2)": "np.sqrt(np.sum(theta**2))"}),
    ),
)  # fmt: skip


# The targets z. A case is (who was to move in each position, who won, or None).


def my_targets(movers, winner):
    if winner is None:
        return [0 for mover in movers]
    return [1 if mover == winner else -1 for mover in movers]


def wrong_target(case, expected, given):
    movers, winner = case
    if not isinstance(given, list | tuple) or len(given) != len(movers):
        return misfit(expected, given) or f"One z was expected for each of the {len(movers)} positions."
    for number, (mover, right, z) in enumerate(zip(movers, expected, given)):
        if not same(right, z):
            result = "the game is drawn" if winner is None else f"{NAMES[winner]} wins"
            wrong = f"z is {number_text(right)} there, not {shown(z)}."
            return f"In position {number} {NAMES[mover]} is to move, and {result}: {wrong}"
    return None


def targets_drawn(case, given):
    movers, winner = case
    end = "draw" if winner is None else f" {player_name(winner).capitalize()} wins "  # spaces keep it off the frame
    drawn = [("expected z", my_targets(movers, winner)), ("your z", given)]
    return [(caption, line_drawn(movers, map(number_text, z), end)) for caption, z in drawn if fits(z, movers)]


NAMES = {MAX: "MAX", MIN: "MIN", None: "None"}
NUMBERED = {"-1 for mover in movers": "-1 for number in range(len(movers))"}
Z = Question(
    **heading("write", "alphazero_lite.targets", "The targets z", 2),
    small=lambda: [([*movers], winner) for plies in (1, 2, 3) for movers in product((MAX, MIN), repeat=plies)
                   for winner in (MAX, MIN, None)],
    cases=lambda luck: (luck.choices((MAX, MIN), k=luck.randint(1, 9)), luck.choice([MAX, MIN, None])),
    reference=my_targets,
    compare=wrong_target,
    tell=lambda case: f"my_targets([{', '.join(map(NAMES.get, case[0]))}], {NAMES[case[1]]})",
    draw=targets_drawn,
    bugs=(
        ("z for Max", "z is the result for the player to move in that position.", {"mover == winner": "winner == MAX"}),
        ("the wrong side", "z is 1 where the winner is to move, not where the winner has moved.",
            {"mover == winner": "mover != winner"}),
        ("a draw counted as a loss", "a draw is 0 for both.", {"[0 for": "[-1 for"}),
        ("turns counted instead of asked", "ask movers: Max need not begin, the winner need not have moved last, and a "
            "player may move twice.", NUMBERED | {"mover == winner": "(number % 2 == 0) == (movers[0] == winner)"},
            NUMBERED | {"mover == winner": "number % 2 == winner"},
            NUMBERED | {"mover == winner": "(len(movers) - number) % 2 == 1"}),
        ("MAX is 0", "`not 0` is true, so a win of Max is taken for a draw: ask whether winner `is None`.",
            {"winner is None": "not winner"}),
    ),
)  # fmt: skip


# Training: a network learns the exact values of tic-tac-toe. A case is a seed, which chooses the positions to learn
# from. The answer is the mean square error on these and on others, and how much its values differ; or what is wrong.

LEARNT, UNSEEN, HIDDEN, MARK = 1500, 1000, 64, 0.35


@lru_cache
def exact_values():
    """(X, z): all positions of tic-tac-toe before the end, with 1 for marks of the player to move, and their values."""
    game, z = TicTacToe(), {}

    def value(state):
        if game.is_terminal(state):
            return game.utility(state, game.to_move(state))
        own = "XO"[game.to_move(state)]
        row = tuple(0 if cell == "." else 1 if cell == own else -1 for line in game.grid(state) for cell in line)
        if row not in z:
            z[row] = max(-value(game.result(state, action)) for action in game.actions(state))
        return z[row]

    value(game.initial_state())
    return np.array(list(z), float), np.array(list(z.values()), float)


def lesson(seed):
    """(positions to learn from, their values, other positions, their values)."""
    X, z = exact_values()
    order = np.random.default_rng(seed).permutation(len(z))
    own, others = order[:LEARNT], order[LEARNT : LEARNT + UNSEEN]
    return X[own], z[own], X[others], z[others]


def network(weights, X):
    W1, b1, w2, b2 = weights
    return np.tanh(np.maximum(0, X @ W1 + b1) @ w2 + b2)


def my_training(X, z, seed):
    luck, hidden, rate = np.random.default_rng(seed), 32, 1.0
    W1, b1 = luck.normal(0, 1 / 3, (9, hidden)), np.zeros(hidden)
    w2, b2 = luck.normal(0, hidden**-0.5, hidden), 0.0
    for _ in range(600):
        H = np.maximum(0, X @ W1 + b1)
        v = np.tanh(H @ w2 + b2)
        d = 2 * (v - z) * (1 - v**2) / len(z)
        D = np.outer(d, w2) * (H > 0)
        W1, b1 = W1 - rate * X.T @ D, b1 - rate * D.sum(axis=0)
        w2, b2 = w2 - rate * H.T @ d, b2 - rate * d.sum()
    return W1, b1, w2, b2


def ask_training(student, name, case):
    X, z, *others = lesson(*case)
    given = student.call(name, X.copy(), z.copy(), *case)
    try:
        weights = [np.array(part, float) for part in given]
        hidden = weights[0].shape[-1]
        fitting = [part.shape for part in weights] == [(9, hidden), (hidden,), (hidden,), ()] and hidden <= HIDDEN
    except (TypeError, ValueError, IndexError):
        fitting = False
    if not fitting:
        return f"[W1, b1, w2, b2] were expected: {SHAPES}"
    with np.errstate(all="ignore"):
        v, unseen = network(weights, X), network(weights, others[0])
    return float(np.mean((v - z) ** 2)), float(np.mean((unseen - others[1]) ** 2)), float(np.std(v))


SHAPES = f"arrays of the shapes (9, h), (h,) and (h,), with at most {HIDDEN} for h, and a number."


def not_learnt(case, expected, given):
    if isinstance(given, str):
        return given
    own, unseen, spread = given
    if own != own or unseen != unseen:
        return Bug("no numbers any more", "The weights have grown beyond all numbers: take smaller steps.")
    if unseen <= MARK:
        return None
    errors = (f"The mean square error is {own:.3f} on the positions that it learnt from, and {unseen:.3f} on others. "
              f"The mark is {MARK}; to say 0 everywhere gives 0.77.")  # fmt: skip
    if spread < 1e-3:
        return Bug("the same value everywhere", f"{errors} Yours says the same of every position. Do the weights begin "
                   "at 0, go up the gradient, or in too large steps? Are they returned in their order?")  # fmt: skip
    if own <= MARK / 2:
        return Bug("learnt by heart", f"{errors} Take fewer steps, or fewer hidden units.")
    return (
        f"{errors} Does it get smaller from step to step? Then more steps or larger ones will help. "
        "If it stands still, a gradient is wrong: change one weight by 0.0001 and compare."
    )


def error_words(answer):
    if isinstance(answer, str):
        return answer
    error = f"{MARK} or less" if answer[1] <= MARK else f"{answer[1]:.3f}"
    return f"an error of {error} on positions not seen"


TRAIN = Question(
    **heading("beat", "alphazero_lite.train", "Train a network on exact values", 3),
    small=lambda: [(1,)],
    ask=ask_training,
    reference=my_training,
    compare=not_learnt,
    show=error_words,
    tell=lambda case: f"my_training(X, z, {case[0]}), with {LEARNT:,} positions of tic-tac-toe",
    seconds=10,
)


# Numbers of one's own, by hand.


def own_numbers(numbers):
    """Three values, and a node whose PUCT choice is clear, and not simply the largest Q."""
    while True:
        N = [numbers.between(1, 9) for _ in range(2)] + [0]
        tenths = numbers.choice([(5, 3, 2), (2, 3, 5), (3, 2, 5), (2, 6, 2), (4, 4, 2), (1, 4, 5), (6, 1, 3)])
        mine = {
            "values": [value / 10 for value in numbers.sample(range(-9, 10), 3)],
            "N": N,
            "W": [numbers.between(-5 * n, 5 * n) / 10 for n in N],
            "P": [tenth / 10 for tenth in tenths],
            "N_parent": 1 + sum(N),
        }
        if N[0] == N[1]:  # then π would be the same for every τ
            continue
        scores = by_hand(mine)["puct"]
        best = max(range(3), key=scores.__getitem__)
        if sorted(scores)[-1] - sorted(scores)[-2] > 0.1 and best != max(range(2), key=lambda a: mine["W"][a] / N[a]):
            return (mine,)


def by_hand(mine):
    values, N, W, P = (mine[key] for key in ("values", "N", "W", "P"))
    scores = [my_puct(w / n if n else 0, p, n, mine["N_parent"], C) for n, w, p in zip(N, W, P)]
    return {
        "Q": [round(sum(values[:n]) / n, 2) for n in (1, 2, 3)],
        "puct": [round(score, 2) for score in scores],
        "choice": scores.index(max(scores)),
        "pi": [round(p, 2) for p in my_policy(N, 0.5)],
    }


HINTS = {
    "Q": "Q is the mean of the values so far.",
    "puct": "Q is W/N, and 0 for the child without a visit; to it comes C · P · √N(parent) / (1 + N), with C = 1.5.",
    "choice": "The choice is the action (0, 1 or 2) with the largest PUCT.",
    "pi": "With τ = ½ each N is squared, and divided by the sum of the squares.",
}


def numbers_drawn(case, given):
    (mine,) = case
    children = [f"W {W:g}  P {P:g}  N {N}" for W, P, N in zip(mine["W"], mine["P"], mine["N"])]
    return [("the node with three children", choice_drawn(children, f"N {mine['N_parent']}"))]


TRACE = Question(
    **heading("trace", "alphazero_lite.trace", "Q, PUCT and π by hand", 3),
    personal=own_numbers,
    reference=by_hand,
    compare=by_entries(HINTS),
    draw=numbers_drawn,
)

PLATEAU = choice(
    identifier="alphazero_lite.plateau",
    title="Why nothing is promoted",
    right="b",
    reasons={
        "a": "The loss may go on falling: what would the candidate have to do to the champion for a score above 0.6?",
        "c": "More games make the score more certain. They do not raise it: that of 400 draws is the same.",
        "d": "The candidate may well be better elsewhere; what does a match between two that do not lose come to?",
    },
)

QUESTIONS = (TRACE, PUCT, POLICY, BACK_UP, LOSS, Z, TRAIN, PLATEAU)
