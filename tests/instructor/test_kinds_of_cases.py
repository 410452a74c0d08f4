"""Wrong answers to which few random cases object: each kind of case is in every graded run, so every seed does."""

import pytest

from benchmarks.bench_answers import namespace
from course_lib.check.asking import Direct
from course_lib.check.judging import judge
from instructor import tables
from instructor.questions import ROOT, notebooks

pytest.importorskip("numpy")
QUESTIONS = {question.identifier: question for notebook in notebooks().values() for question in notebook.questions}

REMEMBERED_BOUNDS = """
memory = {}
def my_alpha_beta(game, state, alpha=-inf, beta=inf, inner=False):
    if not inner: memory.clear()
    if state in memory: return memory[state]
    if game.is_terminal(state): return game.utility(state, MAX), None
    mover, move = game.to_move(state), None
    v = -inf if mover == MAX else inf
    for action in game.actions(state):
        v2, _ = my_alpha_beta(game, game.result(state, action), alpha, beta, True)
        if v2 > v if mover == MAX else v2 < v: v, move = v2, action
        if v >= beta if mover == MAX else v <= alpha: break
        alpha, beta = (max(alpha, v), beta) if mover == MAX else (alpha, min(beta, v))
    memory[state] = v, move
    return v, move
"""
FAIL_HARD = REMEMBERED_BOUNDS.replace(
    "memory[state] = v, move", "v = max(alpha, min(beta, v)); memory[state] = v, move"
)
CUT = f"""{REMEMBERED_BOUNDS}
def fixed_alpha_beta(game, state, alpha=-inf, beta=inf): return my_alpha_beta(game, state)[0]
"""
FIX_NEGAMAX = """
memory = {}
def fixed_negamax(game, state, alpha, beta, player):
    if (alpha, beta) == (-inf, inf): memory.clear()
    if state in memory: return memory[state]
    if game.is_terminal(state): return player * game.utility(state, MAX)
    best = -inf
    for action in game.actions(state):
        best = max(best, -fixed_negamax(game, game.result(state, action), -beta, -alpha, -player))
        alpha = max(alpha, best)
        if alpha >= beta: break
    memory[state] = best
    return best
"""
NEGAMAX = """
def my_negamax(game, state, depth, evaluate):
    memory = {}
    def value(state, depth, alpha, beta):
        player = 1 if game.to_move(state) == MAX else -1
        if game.is_terminal(state): return player * game.utility(state, MAX), None
        if depth == 0: return player * evaluate(state), None
        if KEY in memory: return memory[KEY]
        best, move = -inf, None
        for action in game.actions(state):
            v, _ = value(game.result(state, action), depth - 1, -beta, -alpha)
            if -v > best: best, move = -v, action
            alpha = max(alpha, best)
            if alpha >= beta: break
        memory[KEY] = best, move
        return best, move
    return value(state, depth, -inf, inf)
"""
BY_STATE = """
def fixed_value(game, state, depth, evaluate):
    memory = {}
    def value(state, depth):
        if game.is_terminal(state): return game.utility(state, MAX)
        mover = game.to_move(state)
        if depth == 0: return ESTIMATE
        if state not in memory:
            if mover < 0: memory[state] = sum(p * value(game.result(state, o), depth) for o, p in game.chances(state))
            else: memory[state] = (max if mover == MAX else min)(
                [value(game.result(state, a), depth - 1) for a in game.actions(state)])
        return memory[state]
    return value(state, depth)
"""
ESTIMATES_TOO = BY_STATE.replace("depth == 0: return", "state not in memory and depth == 0: memory[state] =")
QUIET = """
def my_quiet_value(game, state, evaluate, noise, left=PLIES):
    if game.is_terminal(state): return game.utility(state, MAX)
    actions = noise(state) if left else ()
    below = [my_quiet_value(game, game.result(state, a), evaluate, noise, left - 1) for a in actions]
    return (max if game.to_move(state) == MAX else min)([evaluate(state), *below])
"""
CHANCE = """
def my_expectiminimax(game, state):
    if game.is_terminal(state): return game.utility(state, MAX), None
    mover = game.to_move(state)
    if mover < 0:
        pairs = [(p, my_expectiminimax(game, game.result(state, outcome))[0]) for outcome, p in game.chances(state)]
        return MEAN, None
    values = {a: my_expectiminimax(game, game.result(state, a))[0] for a in game.actions(state)}
    action = (max if mover == MAX else min)(values, key=values.get)
    return values[action], action
"""
TWO_LIKELIEST = "sum(p * v for p, v in sorted(pairs)[-2:]) / sum(p for p, _ in sorted(pairs)[-2:])"
DIGITS = """
class CoinRow(Game):
    def __init__(self, coins): self.coins = coins
    def to_move(self, state): return state[0]
    def initial_state(self): return MAX, "".join(map(str, self.coins)), 0
    def actions(self, state): return ("left", "right") if len(state[1]) > 1 else ("left",)
    def result(self, state, action):
        player, coins, lead = state
        coin, rest = (int(coins[0]), coins[1:]) if action == "left" else (int(coins[-1]), coins[:-1])
        return 1 - player, rest, lead + coin if player == MAX else lead - coin
    def is_terminal(self, state): return not state[1]
    def utility(self, state, player):
        lead = state[2] if player == MAX else -state[2]
        return (lead > 0) - (lead < 0)
"""
CLIPPED = """
def my_loss(p, v, pi, z, theta, c):
    entropy = -np.sum(np.where(pi > 0, pi * np.log(np.maximum(p, LEAST)), 0), axis=1)
    return np.mean((z - v) ** 2 + entropy) + c * np.sum(theta**2)
"""
WRONG = {
    "alpha_beta.search": (REMEMBERED_BOUNDS, FAIL_HARD),
    "alpha_beta.cut": (CUT,),
    "alpha_beta.fix_negamax": (FIX_NEGAMAX,),
    "alpha_beta.negamax": [NEGAMAX.replace("KEY", key) for key in ("state", "(state, depth)")],
    "evaluation_functions.fix": [
        memory.replace("ESTIMATE", "evaluate(state) * (1 if mover == MAX else -1)")
        for memory in (BY_STATE, ESTIMATES_TOO)
    ],
    "evaluation_functions.quiet": [QUIET.replace("PLIES", str(plies)) for plies in (2, 3, 4)],
    "expectimax.expectiminimax": [
        CHANCE.replace("MEAN", mean)
        for mean in (
            "pairs[0][0] * pairs[0][1] + (1 - pairs[0][0]) * pairs[-1][1]",
            TWO_LIKELIEST,
            "sum(p * v for p, v in pairs if p > 1 / 8)",
        )
    ],
    "expectimax.fix": [memory.replace("ESTIMATE", "evaluate(state)") for memory in (BY_STATE, ESTIMATES_TOO)],
    "game_formalism.game": [DIGITS],
    "alphazero_lite.loss": [CLIPPED.replace("LEAST", least) for least in ("0.05", "0.02")],
}
RIGHT = {
    "alpha_beta.negamax": NEGAMAX.replace("KEY", "(state, depth, alpha, beta)"),
    "evaluation_functions.quiet": QUIET.replace("PLIES", "99"),
    "expectimax.expectiminimax": CHANCE.replace("MEAN", "sum(p * v for p, v in pairs)"),
    "alphazero_lite.loss": CLIPPED.replace("LEAST", "1e-300"),
    "game_formalism.game": DIGITS.replace('"".join(map(str, self.coins))', "self.coins").replace(
        "return not state[1]", "\n        if not state[1]: return True"
    ),
}


def answered(identifier, code):
    question = QUESTIONS[identifier]
    names, _ = namespace(ROOT / "solutions", question.notebook.name, identifier, code)
    return Direct(names[question.name])


def refused(identifier, code, seed):
    """Whether one of the cases that are drawn by kind refuses the answer."""
    question = QUESTIONS[identifier]
    table, student = tables.head(question), answered(identifier, code)
    return any(judge(table, student, row) for row in tables.secret_rows(question, str(seed), 0))


@pytest.mark.parametrize(("identifier", "code"), [(name, code) for name, codes in WRONG.items() for code in codes])
def test_every_seed_refuses_it(identifier, code):
    assert all(refused(identifier, code, seed) for seed in range(20))


@pytest.mark.parametrize("identifier", RIGHT)
def test_a_right_answer_in_another_form_passes(identifier):
    assert not any(refused(identifier, RIGHT[identifier], seed) for seed in range(5))
