"""The questions of notebook 4, evaluation functions."""

from itertools import product
from math import exp, isfinite, log1p, sqrt
from time import thread_time

from course_lib.check import matches, searches
from course_lib.check.cases import Lookup, in_turn, inner_nodes, random_tree, shapes, tree_game
from course_lib.check.compare import NOT_EXPECTED, equal, first_other, is_number, misfit, same, shown
from course_lib.check.question import Bug, Question, heading
from course_lib.check.report import board_picture, watched_so_far
from course_lib.games import MAX, MIN, TicTacToe
from course_lib.search import (
    CONNECT_FOUR_FEATURES,
    alpha_beta_agent,
    depth_limited_alpha_beta_search,
    linear,
    open_lines,
)
from course_lib.search.evaluation import centre
from course_lib.watch.paths import inner_paths

# A search with an evaluation for the player to move, to be mended. A case is (game, state, depth, evaluate).


def mended_value(game, state, depth, evaluate):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    player = game.to_move(state)
    if depth == 0:
        return evaluate(state) if player == MAX else -evaluate(state)
    below = [game.result(state, action) for action in game.actions(state)]
    values = [mended_value(game, after, depth - 1, evaluate) for after in below]
    return max(values) if player == MAX else min(values)


AT_HORIZON = "evaluate(state) if player == MAX else -evaluate(state)"
MEND = Question(
    **heading("mend", "evaluation_functions.mend", "Mend the horizon", 2),
    small=searches.small_limited,
    cases=searches.random_limited,
    reference=mended_value,
    compare=equal,
    value_of=lambda case, node: searches.value_at_depth(mended_value, case, node, len(node.path)),
    bugs=(
        ("not mended yet", "two things are wrong where depth is 0.",
            {AT_HORIZON: "evaluate(state)", "if game.is_terminal(state)": "if depth > 0 and game.is_terminal(state)"}),
        ("estimate from the wrong side", "evaluate(state) is for the player to move in the state itself, and plies do "
            "not tell who that is: turn it round where Min is to move, nowhere else.",
            {AT_HORIZON: "evaluate(state)"}, {AT_HORIZON: "-evaluate(state)"},
            {AT_HORIZON: "-evaluate(state) if player == MAX else evaluate(state)"},
            {"evaluate):": "evaluate, sign=1):", AT_HORIZON: "sign * evaluate(state)",
             "1, evaluate)": "1, evaluate, -sign)"}),
        *searches.of_searches(mended_value),
    ),
)  # fmt: skip


# Quiescence. A case is (game, state, evaluate, noisy): tables of a tree's estimates and of its noisy actions.


def with_noise(game, estimates, marks):
    """The case in which those actions are noisy, in the order of a walk over the inner nodes, whose mark is true."""
    marks = iter(marks)
    noisy = {path: tuple(action for action in game.actions(path) if next(marks)) for path in inner_paths(game)}
    game, state, _, evaluate = searches.limited(game, 0, estimates)
    return game, state, evaluate, Lookup(noisy, ())


def small_noise():
    """Trees of up to three leaves in which players take turns, with every choice of noisy actions."""
    cases = []
    for leaves, depth in ((1, 2), (2, 2), (3, 2)):
        for shape, first in product(sorted(shapes(leaves, depth), key=inner_nodes), (MAX, MIN)):
            game = tree_game(shape, (3, -2, 6), in_turn(shape, first))
            cases += [with_noise(game, estimates, marks) for marks in product((True, False), repeat=edges(game))
                      for estimates in ((5, -4, 2, -6, 7, -8), (-3, 1, -5, 4, 0, 8))]  # fmt: skip
    return cases


def edges(game):
    return sum(len(game.actions(path)) for path in inner_paths(game))


def random_noise(luck):
    game = random_tree(luck)
    marks = luck.choices((True, True, False), k=edges(game))
    return with_noise(game, luck.choices(range(-9, 10), k=edges(game) + 1), marks)


def my_quiet_value(game, state, evaluate, noisy):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    player = game.to_move(state)
    v = evaluate(state)
    for action in noisy(state):
        v2 = my_quiet_value(game, game.result(state, action), evaluate, noisy)
        if v2 > v if player == MAX else v2 < v:
            v = v2
    return v


MUST_PLAY = "v = evaluate(state) if {} not noisy(state) else (-inf if player == MAX else inf)"
QUIET = Question(
    **heading("write", "evaluation_functions.quiet", "Until it is quiet", 3),
    small=small_noise,
    cases=random_noise,
    reference=my_quiet_value,
    compare=equal,
    value_of=lambda case, node: my_quiet_value(case[0], node.state, *case[2:]),
    bugs=(
        ("nobody may stop", "no noisy action has to be played: the player to move may take evaluate(state) instead.",
            {"v = evaluate(state)": MUST_PLAY.format("")}),
        ("only one player may stop", "Min may stop as well as Max, and take evaluate(state).",
            {"v = evaluate(state)": MUST_PLAY.format("player == MAX or")},
            {"v = evaluate(state)": MUST_PLAY.format("player != MAX or")}),
        ("all actions are looked at", "only those of noisy(state) are followed: that is why it comes to an end.",
            {"noisy(state):": "game.actions(state):"}),
        ("it stops at once", "go on with each action of noisy(state), by a call of the function itself.",
            {"noisy(state):": "():"}),
        ("it goes on for one ply only", "what follows a noisy action may be noisy too: let the function call itself.",
            {"my_quiet_value(game, game.result(state, action), evaluate, noisy)":
             "evaluate(game.result(state, action))"}),
        ("estimate from the wrong side", "evaluate(state) is Max's already, whoever is to move.",
            {"v = evaluate(state)": "v = evaluate(state) * (1 if player == MAX else -1)"}),
        searches.said("terminal states are evaluated", {"game.utility(state, MAX)": "evaluate(state)"}),
        searches.said("max and min exchanged", {searches.BETTER: "v2 < v if player == MAX else v2 > v"}),
        searches.said("only the first action is looked at", {"noisy(state):": "noisy(state)[:1]:"}),
        *searches.of_searches(my_quiet_value),
    ),
)  # fmt: skip


# Weights fitted to games. A case is a list of (two features, the share of the points that Max got from there).

RATE, STEPS, NEAR = 2, 300, 0.001
"""How far and how often the reference steps downhill, and how far above the smallest a loss may be."""


def sum_of(weights, features):
    return weights[0] * features[0] + weights[1] * features[1]


def my_weights(positions):
    weights = 0, 0
    for _ in range(STEPS):
        slopes = [0, 0]
        for features, points in positions:
            p = 1 / (1 + exp(-sum_of(weights, features)))
            for i in range(2):
                slopes[i] += (p - points) * features[i]
        weights = tuple(weight - RATE * slope / len(positions) for weight, slope in zip(weights, slopes))
    return weights


def loss(weights, positions):
    """The mean of −z log p − (1 − z) log(1 − p) for points z and p = 1/(1 + e^−sum), without an overflow."""
    sums = [(sum_of(weights, features), points) for features, points in positions]
    return sum(max(x, 0) + log1p(exp(-abs(x))) - points * x for x, points in sums) / len(positions)


def small_fits():
    shares = 0.25, 0.5, 0.75
    pairs = [[((1, 0), one), ((0, 1), two)] for one in shares for two in shares]
    many = [[((1, 0), 0.25), ((0, 1), 0.75)] * 15]
    return [(pair,) for pair in pairs] + [([*pair, ((1, -1), 0.25)],) for pair in pairs] + [(pairs,) for pairs in many]


def random_fit(luck):
    """Each feature alone, and up to six positions more, or thirty."""
    more = luck.choices([*product((-1, 0, 1), repeat=2)], k=luck.choice([*range(7), 30]))
    return ([(features, luck.randint(1, 9) / 10) for features in [(1, 0), (0, 1), *more]],)


def not_least(case, expected, given):
    """Compare: any weights whose loss is nearly the smallest."""
    wrong = misfit(expected, given)
    if wrong or not all(is_number(weight) and isfinite(weight) for weight in given):
        return wrong or f"A weight is a finite number; yours are {shown(given)}."
    mine, least, none = (loss(weights, *case) for weights in (given, expected, (0, 0)))
    if mine <= least + NEAR:
        return None
    return (f"The loss of your weights is {mine:.4f}; {least:.4f} can be reached, weights of 0 have {none:.4f}. "
            "Does the loss fall from step to step? If so, more steps help; if not, look at the sign of the steps, and "
            "at their size.")  # fmt: skip


FIT = Question(
    **heading("write", "evaluation_functions.fit", "Fit two weights", 3),
    small=small_fits,
    cases=random_fit,
    visible=30,
    graded=12,
    reference=my_weights,
    compare=not_least,
    gist=lambda weights: [round(weight, 2) for weight in weights],
    show=lambda weights: ", ".join(f"{weight:.3f}" for weight in weights),
    parts=(sum_of,),
    bugs=(
        ("the steps are too few", "repeat the step until the weights hardly change.", {"STEPS": "1"}, {"STEPS": "10"}),
        ("the sign is turned", "p is the share that Max expects: 1/(1 + e^−sum), with a minus in the exponent.",
            {"exp(-sum_of": "exp(sum_of", "(p - points)": "(points - p)"}),
        ("each weight is fitted by itself", "p comes of both weights together: one sum for each position.",
            {"            p = 1 / (1 + exp(-sum_of(weights, features)))\n": "",
             "(p - points)": "(1 / (1 + exp(-weights[i] * features[i])) - points)"}),
        ("the slopes are added up", "a slope is the mean over all positions: a sum of many makes the steps too large.",
            {" / len(positions) for": " for"}),
        ("only the last position counts", "a slope is the mean over all positions: add up before you step.",
            {"+= (p": "= (p"}),
        ("the slope leaves the feature out", "the slope for a weight is (p − z) times its own feature.",
            {" * features[i]": ""}),
        ("a straight line is fitted", "the sum has to be squashed: p = 1/(1 + e^−sum) lies between 0 and 1.",
            {"1 / (1 + exp(-sum_of(weights, features)))": "sum_of(weights, features)", "RATE": "0.5"}),
        ("the weights are exchanged", "return them in the order of the features.",
            {"return weights\n": "return weights[::-1]\n"}),
    ),
)  # fmt: skip


# How sure a match is. A case is (wins, draws, losses); an answer is (low, high, whether ½ lies outside).


def my_interval(wins, draws, losses):
    games = wins + draws + losses
    share = (wins + draws / 2) / games
    variance = (wins * (1 - share) ** 2 + draws * (0.5 - share) ** 2 + losses * share**2) / games
    error = sqrt(variance / games)
    low, high = share - 2 * error, share + 2 * error
    return low, high, not low <= 0.5 <= high


def is_clear(case):
    """Whether there is an error at all, and rounding cannot decide on which side of an end ½ lies."""
    low, high, _ = my_interval(*case)
    return low < high and min(abs(low - 0.5), abs(high - 0.5)) > 1e-6


def random_match(luck):
    case = 0, 0, 0
    while not (any(case) and is_clear(case)):
        case = tuple(luck.choices(range(61), k=3))
    return case


def not_the_interval(case, expected, given):
    wrong = equal(case, expected, given)
    if wrong != NOT_EXPECTED:
        return wrong
    if same(expected[:2], given[:2]):
        return f"The interval is right; ½ lies {'outside' if expected[2] else 'inside'} of it, and you say otherwise."
    return next(filter(None, map(misfit, expected, given)), wrong)


INTERVAL = Question(
    **heading("write", "evaluation_functions.interval", "More than chance?", 2),
    small=lambda: sorted(filter(is_clear, [*product(range(4), repeat=3)][1:]), key=sum),
    cases=random_match,
    reference=my_interval,
    compare=not_the_interval,
    gist=lambda answer: answer[:2],
    show=lambda answer: "from {:.4f} to {:.4f}, {}".format(*answer),
    bugs=(
        ("the deviation for the error", "the error of a mean is the deviation of one game, divided by √n.",
            {"sqrt(variance / games)": "sqrt(variance)"}),
        ("divided by n instead of √n", "the variance is divided by n, and the root is taken of that.",
            {"sqrt(variance / games)": "sqrt(variance) / games"}),
        ("the root is forgotten", "the error is the square root of the variance divided by n.",
            {"sqrt(variance / games)": "variance / games"}),
        ("one error instead of two", "the interval goes two standard errors to either side.",
            {("2 * error", 2): "error"}),
        ("a draw counts as a loss", "a draw is worth ½.", {"draws / 2": "0", "(0.5 - share)": "share"}),
        ("draws are left out", "a draw is a game too, with a result of ½.",
            {"wins + draws + losses": "wins + losses or 1", "draws / 2": "0", "draws * ": "0 * "}),
        ("draws spread like wins and losses", "s(1 − s) is right without draws; those lie closer to the mean.",
            {"(wins * (1 - share) ** 2 + draws * (0.5 - share) ** 2 + losses * share**2) / games":
             "share * (1 - share)"}),
        ("n − 1 for n", "here the variance is the mean over all n games.",
            {"share**2) / games": "share**2) / max(games - 1, 1)"}),
        ("only more than half is clear", "a player may also be clearly worse: ½ lies above the interval then.",
            {"not low <= 0.5 <= high": "low > 0.5"}),
    ),
)  # fmt: skip


# Searching by the clock. A case is (the seconds that a search of each depth takes, the time at the start, the seconds
# that there are). An answer is (the action, the (depth, deadline) of each search that was begun).

BEST, SEEN = (0, 3, 3, 0, 6), (1, 4, 5, 2, 2)
"""The columns that searches of depth 1, 2 … find, and those that they have when they are cut short."""


def ask_timed(student, name, case):
    costs, now, seconds = case
    begun = []

    def search(depth, deadline):
        nonlocal now
        if len(begun) <= len(costs):  # one more than there should be is enough to see: nobody fills the memory
            begun.append((depth, deadline))
        ready = now + costs[min(max(depth, 1), len(costs)) - 1]
        finished, now = ready <= deadline, max(now, min(ready, deadline))
        return column(depth, finished), finished

    return student.call(name, search, lambda: now, seconds, len(costs)), tuple(begun)


def column(depth, finished):
    return (BEST if finished else SEEN)[(depth - 1) % len(BEST)]


def my_timed_search(search, clock, seconds, deepest):
    deadline, best = clock() + seconds, None
    for depth in range(1, deepest + 1):
        action, finished = search(depth, deadline)
        if finished or best is None:
            best = action
        if not finished:
            break
    return best


THE_START = "the deadline forgets the start", "the clock need not begin at 0: time is up at clock() + seconds."
ALL_THE_TIME = "every search gets all the time", "the seconds are for all searches together: ask the clock once."
GOES_ON = "it goes on after the time", "when a search was not finished, time is up: stop."
UNFINISHED = "the unfinished search is believed", "what is cut short has not seen all: play the action before it."


def not_in_time(case, expected, given):
    (action, begun), (given_action, given_begun) = expected, given
    costs, now, seconds = case
    for depth, (asked, until) in enumerate(given_begun, 1):
        if not is_number(until) or not same(until, now + seconds):
            words = f"Search {depth} got the deadline {shown(until)}; by the clock, time is up at {now + seconds}."
            late = ALL_THE_TIME if depth > 1 and is_number(until) and until > now + seconds else None
            known = THE_START if same(until, seconds) else late
            return Bug(*known, here=words) if known else words
        if asked != depth:
            return f"The depths are 1, 2, 3 … in turn; your search {depth} was of depth {shown(asked)}."
        if depth > len(costs):
            return f"A search of depth {depth} was begun, and the game lasts {len(costs)} plies at most."
        if depth > len(begun):
            return Bug(*GOES_ON)
    return None if same(action, given_action) else misfit(action, given_action) or wrong_column(case, given)


def wrong_column(case, given):
    """What is said of an action that is another one."""
    costs, _, seconds = case
    action, begun = given[0], len(given[1])
    finished = [sum(costs[:depth]) <= seconds for depth in range(1, len(costs) + 1)]
    if all(finished[: begun + 1]) and begun < len(finished):
        return f"The last search was of depth {begun}, and there was time for depth {begun + 1}."
    if begun > 1 and action == column(begun, finished[begun - 1]):
        return Bug(*UNFINISHED, here="The action is another one.")
    return "The action is another one."


def timed_words(case):
    costs, start, seconds = case
    takes = ", ".join(f"depth {depth} takes {cost} s and finds column {column(depth, True)}, or {column(depth, False)} "
                      "if it is cut short" for depth, cost in enumerate(costs, 1))  # fmt: skip
    return f"my_timed_search(search, clock, {seconds}, {len(costs)}), where {takes}, and clock() is {start} at first"


def timed_answer(answer):
    action, begun = answer
    searches = ", ".join(f"{depth} until {shown(until)}" for depth, until in begun)
    return f"{shown(action)}, after searches of depth {searches or 'none'}"


TIMED = Question(
    **heading("write", "evaluation_functions.timed", "Search by the clock", 3),
    small=lambda: [(costs, start, seconds) for deepest in (1, 2, 3) for costs in product((1, 2, 3), repeat=deepest)
                   for start in (0, 10) for seconds in range(6)],
    cases=lambda luck: (tuple(luck.choices(range(1, 10), k=luck.randint(1, 8))), luck.randint(0, 99),
                        luck.randint(0, 40)),
    ask=ask_timed,
    reference=my_timed_search,
    compare=not_in_time,
    tell=timed_words,
    show=timed_answer,
    bugs=(
        (*UNFINISHED, {"finished or best is None": "True"}),
        (*THE_START, {"clock() + seconds": "seconds"}),
        (*ALL_THE_TIME, {"search(depth, deadline)": "search(depth, clock() + seconds)"}),
        ("depth off by one", "the last depth is `deepest`.",
            {"deepest + 1": "deepest"}, {"deepest + 1": "deepest + 2"}),
        ("the first search is played", "each deeper search that is finished replaces the action.",
            {"finished or best is None": "best is None"}),
        ("no answer when time is short", "the first search is made even when no time is left: if it is not finished, "
            "its action is all there is.", {"finished or best is None": "finished"}),
        (*GOES_ON, {"if not finished": "if False"}),
        ("column 0 is taken for nothing", "0 is false to Python: ask whether it `is None`.",
            {"best is None": "not best"}),
    ),
)  # fmt: skip


# Connect Four: matches that must be won, with an evaluation and with a player; see `matches`.


TRIED, SLOW = 2, 1.2
"""Openings with which −f and the mover's view are tried, unless the match itself took so many seconds of work."""


def within_bounds(value):
    """In the order of the values, but between a loss and a win."""
    return 0.999 * value / (1 + abs(value))


def ask_evaluation(student, name, case):
    (openings, mark), known = case, {}

    def evaluate(state):
        if state not in known:
            value = student.call(name, state)
            if not is_number(value) or not isfinite(value):
                raise matches.Unfit(state, value, "a number was asked for")
            known[state] = within_bounds(value)
        return known[state]

    def score_of(evaluate, openings):
        rival = alpha_beta_agent(matches.PLIES, lambda state: centre(state) / 100)
        return matches.score(alpha_beta_agent(matches.PLIES, evaluate), rival, openings)

    try:
        began = thread_time()
        first = score_of(evaluate, openings)
        if matches.is_enough(first, mark):
            return first
        if len(set(known.values())) == 1:
            return first._replace(found=(matches.NO_OPINION,))
        sign = {MAX: 1, MIN: -1}
        views = {matches.SIGN: lambda state: -evaluate(state),
                 matches.MOVER: lambda state: sign[matches.GAME.to_move(state)] * evaluate(state)}  # fmt: skip
        views = views if thread_time() - began < SLOW else {}
        found = (name for name, view in views.items() if matches.is_enough(score_of(view, TRIED), mark))
        return first._replace(found=tuple(found))
    except matches.Unfit as unfit:
        return unfit.args


def ask_player(student, name, case):
    def agent(game, state):
        action = student.call(name, game, state)
        if type(action) is not int or action not in game.actions(state):
            columns = ", ".join(map(str, game.actions(state)))
            raise matches.Unfit(state, action, f"the columns that are not full are {columns}")
        return action

    try:
        missed = tuple(probe for probe in matches.PROBES if agent(matches.GAME, probe.state) != probe.column)
        return matches.score(agent, matches.careful, case[0])._replace(missed=missed)
    except matches.Unfit as unfit:
        return unfit.args


def match(identifier, title, name, rival, mark=0.6, openings=4, **parts):
    def in_words(answer):
        if not isinstance(answer, matches.Score):
            return shown(answer[1])
        if matches.is_enough(answer, mark):
            return f"{mark:.0%} of the points or more, half with each colour"
        return f"{answer.share:.0%} of the points"

    return Question(identifier=identifier, title=title, kind="beat", points=3, name=name, seconds=10,
                    small=lambda: [(openings, mark)], compare=matches.too_few_points, show=in_words,
                    draw=matches.positions_drawn,
                    tell=lambda case: f"{2 * openings} games of Connect Four against {rival}", **parts)  # fmt: skip


features_of_max = linear({"open threes": 4, "open twos": 1, "centre": 1}, CONNECT_FOUR_FEATURES)


def evaluation_watched(evaluate, failure):
    """The search of the match, with the student's evaluation, at its last choice."""
    state = matches.last_choice(evaluate, failure)
    if state is not None:
        return watched_so_far(depth_limited_alpha_beta_search, matches.GAME, state, matches.PLIES,
                              lambda state: within_bounds(evaluate(state)))  # fmt: skip
    return None


def player_watched(player, failure):
    """The student's own search at its last choice."""
    state = matches.last_choice(player, failure)
    return None if state is None else watched_so_far(player, matches.GAME, state)


EVALUATION = match(
    "evaluation_functions.connect_four", "Beat the centre counter", "my_evaluation",
    rival=f"an evaluation that counts the centre; both look {matches.PLIES} plies ahead",
    ask=ask_evaluation, reference=features_of_max, explored=evaluation_watched,
)  # fmt: skip

PLAYER = match(
    "evaluation_functions.player", "Your own player", "my_player",
    rival="a player who sees what wins, and loses, at once",
    ask=ask_player, reference=alpha_beta_agent(matches.PLIES, lambda state: within_bounds(features_of_max(state))),
    explored=player_watched,
)  # fmt: skip


# A position of one's own, by hand.

TIC_TAC_TOE = TicTacToe()


def own_position(numbers):
    """Two marks each, X to move, and no move that wins."""
    while True:
        cells = numbers.sample(range(9), 4)
        state = TIC_TAC_TOE.after(*cells)
        after = [TIC_TAC_TOE.result(state, cell) for cell in TIC_TAC_TOE.actions(state)]
        if not any(map(TIC_TAC_TOE.is_terminal, after)) and len(set(map(open_lines, after))) > 2:
            return (state,)


def cell_values(state):
    """What X's moves to the free cells are worth, in the cells' order."""
    return [open_lines(TIC_TAC_TOE.result(state, cell)) for cell in TIC_TAC_TOE.actions(state)]


def first_wrong_cell(case, expected, given):
    cells = TIC_TAC_TOE.actions(case[0])
    if not isinstance(given, list | tuple) or len(given) != len(cells):
        return f"A list of {len(cells)} numbers was expected, for the cells {cells}, not {shown(given)}."
    if any(expected) and same([-value for value in expected], given):
        return Bug("estimate from the wrong side", "X is Max: take O's open lines from X's, not the other way round.")
    wrong = first_other(expected, given, "cell_values")
    lines = "Draw the board with X in that cell: how many lines hold no O, and how many no X?"
    return wrong and "{} is not {}. {}".format(*wrong, lines)


def cells_drawn(case, given):
    """The position, and the one after the move to the first cell whose value is wrong, if that many were given."""
    (state,) = case
    drawn = [("your position", board_picture(TIC_TAC_TOE.grid(state)))]
    if isinstance(given, list | tuple):
        for cell, value, answer in zip(TIC_TAC_TOE.actions(state), cell_values(state), given):
            if not same(value, answer):
                after = TIC_TAC_TOE.grid(TIC_TAC_TOE.result(state, cell))
                return [*drawn, (f"after X's move to cell {cell}", board_picture(after))]
    return drawn


TRACE = Question(
    **heading("trace", "evaluation_functions.trace", "Open lines by hand", 2),
    personal=own_position,
    reference=cell_values,
    compare=first_wrong_cell,
    draw=cells_drawn,
)

QUESTIONS = (TRACE, MEND, QUIET, FIT, INTERVAL, EVALUATION, TIMED, PLAYER)
