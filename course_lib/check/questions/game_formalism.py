"""The questions of notebook 1: games as six functions, their trees, and what kinds of games there are."""

from collections import deque
from functools import wraps
from itertools import product

from course_lib.check.cases import random_tree
from course_lib.check.compare import by_entries, misfit, same, shown
from course_lib.check.question import Bug, Question, choice, heading
from course_lib.check.report import watched_so_far
from course_lib.check.searches import at_the_root
from course_lib.explore import picture
from course_lib.games import MAX, MIN, Game, Nim, TicTacToe, TreeGame
from course_lib.watch.paths import depth_first, inner_paths, leaf_paths
from course_lib.watch.texts import number_text

# A game as six functions. A case is (what the game is made of, a path of actions); an answer is what the game tells
# along that path, and again from the same first state when each action is tried before one is taken, as a search does.
# Both times that is for each state (who is to move, the actions, whether it is over), and at the end who gets what.


def told(game, path):
    """What the game tells along this path, and again when each action is tried first; the notebook has the same."""

    def walk(state, tries):
        seen = []
        for action in (*path, None):
            over = game.is_terminal(state)
            seen.append((None if over else game.to_move(state), [] if over else list(game.actions(state)), over))
            if over:
                return seen, [game.utility(state, player) for player in (MAX, MIN)]
            if action not in seen[-1][1]:
                return seen, []
            if tries:
                _ = [game.result(state, other) for other in seen[-1][1]]
            state = game.result(state, action)

    first = game.initial_state()
    return walk(first, False), walk(first, True)


RESULT_CHANGES = Bug(
    "trying an action leaves something behind",
    "Either result() changes the state that it is given, in place of making a new one, or something that belongs to "
    "the state is kept in `self`, which all states share.",
)


def first_untrue(case, expected, given):
    """The first thing along the path that the game tells otherwise."""
    wrong = misfit(expected, given) or untrue_on(case[1], expected[0], given[0])
    if wrong:
        return wrong
    again = untrue_on(case[1], expected[1], given[1])
    words = f"When each action is tried before one is taken, the game tells something else. {again}"
    return again and RESULT_CHANGES._replace(sentence=f"{words} {RESULT_CHANGES.sentence}", here=words)


def untrue_on(path, expected, given):
    """What is wrong in what is told on one walk, or None."""
    for n, (right, answer) in enumerate(zip(expected[0], given[0])):
        where = f"After {', '.join(map(str, path[:n]))}" if n else "At the start"
        for what, at in (("is_terminal", 2), ("to_move", 0), ("actions", 1)):
            if not told_alike(right[at], answer[at]):
                return f"{where}, {what} gives {right[at]}, and yours gives {shown(answer[at])}."
    if len(given[0]) != len(expected[0]):
        return f"The game has {len(expected[0])} states on this way, and yours tells of {len(given[0])}."
    if not same(expected[1], given[1]):
        return f"At the end the utilities of MAX and MIN are {expected[1]}, and yours are {shown(given[1])}."
    return None


def told_alike(right, given):
    """Whether a player, a list of actions or a truth is told. `not player` is a player; actions come in any order."""
    if isinstance(right, list):
        return sorted(map(repr, right)) == sorted(map(repr, given))
    return same(right, int(given) if type(right) is int and isinstance(given, bool) else given)


def told_as_text(answer):
    """The last state of the path, and the utilities."""
    first, again = answer
    seen, utilities = first
    mover, actions, over = seen[-1]
    last = f"over, utilities {utilities}" if over else f"player {mover} to move, actions {actions}"
    return last if same(first, again) else f"{last}; and something else when each action is tried before one is taken"


class CoinRow(Game):
    """A row of coins; players take the leftmost or the rightmost in turn, and whoever has more in the end wins.

    A state is (player to move, the coins left, Max's sum minus Min's).
    """

    def __init__(self, coins):
        self.coins = tuple(coins)

    def initial_state(self):
        return MAX, self.coins, 0

    def to_move(self, state):
        return state[0]

    def actions(self, state):
        return ("left", "right") if len(state[1]) > 1 else ("left",)

    def result(self, state, action):
        player, coins, lead = state
        coin, rest = (coins[0], coins[1:]) if action == "left" else (coins[-1], coins[:-1])
        return 1 - player, rest, lead + (coin if player == MAX else -coin)

    def is_terminal(self, state):
        return not state[1]

    def utility(self, state, player):
        lead = state[2] if player == MAX else -state[2]
        return (lead > 0) - (lead < 0)


def coin_row(coins, path):
    return told(CoinRow(coins), path)


def paths_of(game):
    """All paths of a game from its start, the shortest first."""
    waiting = deque([((), game.initial_state())])
    while waiting:
        path, state = waiting.popleft()
        yield path
        if not game.is_terminal(state):
            waiting.extend(((*path, action), game.result(state, action)) for action in game.actions(state))


def random_row(luck):
    """A row and a path, mostly to the end; the coins are worth so little that many games are close."""
    coins = tuple(luck.choices(range(1, 5), k=luck.randint(1, 6)))
    path = *luck.choices(["left", "right"], k=len(coins) - 1), "left"
    return coins, path if luck.random() < 0.8 else path[: luck.randint(0, len(coins))]


OTHER_SIDE = "utility(state, player) is asked for a player, whoever is to move: what is +1 for one is −1 for the other."

GAME = Question(
    **heading("write", "game_formalism.game", "A game as six functions", 4),
    small=lambda: [(coins, path) for n in (1, 2, 3) for coins in product((1, 2, 3), repeat=n)
                   for path in paths_of(CoinRow(coins))],
    cases=random_row,
    reference=coin_row,
    compare=first_untrue,
    show=told_as_text,
    parts=(CoinRow,),
    bugs=(
        ("utility from the wrong side", OTHER_SIDE, {"state[2] if player == MAX else -state[2]": "state[2]"},
            {"state[2] if player == MAX": "state[2] if state[0] == MAX"},
            {"state[2] if player == MAX": "state[2] if player == state[0]"}),
        ("a draw counts as a loss", "equal sums are worth 0 to both.",
            {"(lead > 0) - (lead < 0)": "1 if lead > 0 else -1"}),
        ("a draw counts as a win", "equal sums are worth 0 to both.",
            {"(lead > 0) - (lead < 0)": "1 if lead >= 0 else -1"}),
        ("the margin for the utility", "a win is worth +1, however high it is.",
            {"(lead > 0) - (lead < 0)": "lead"}),
        ("players do not take turns", "after a move it is the other player's turn: 1 − player.",
            {"1 - player": "player"}),
        ("left and right exchanged", "the leftmost coin is the first.", {'action == "left"': 'action == "right"'}),
        ("another coin is taken", "do not look for a coin by its worth: there may be two of the same.",
            {"rest, lead": "coins[:at] + coins[at + 1 :], lead",
             "return 1 - player": "at = coins.index(coin)\n        return 1 - player"}),
        ("the coin goes to the wrong player", "it belongs to the player who was to move before the action.",
            {"coin if player == MAX else -coin": "-coin if player == MAX else coin"}),
        ("the game ends a move early", "it is over when no coin is left: the last one is taken too.",
            {"not state[1]": "len(state[1]) < 2"}),
        ("the last coin can be taken in two ways", "with one coin left there is one action, 'left'.",
            {' if len(state[1]) > 1 else ("left",)': ""}),
        RESULT_CHANGES,
    ),
)  # fmt: skip


class LastOneLoses(Game):
    """Take one, two or three objects; whoever takes the last one loses. A state is (player to move, objects left)."""

    def __init__(self, objects):
        self.objects = objects

    def initial_state(self):
        return MAX, self.objects

    def to_move(self, state):
        return state[0]

    def actions(self, state):
        return tuple(range(1, min(3, state[1]) + 1))

    def result(self, state, action):
        return 1 - state[0], state[1] - action

    def is_terminal(self, state):
        return state[1] == 0

    def utility(self, state, player):
        return 1 if player == state[0] else -1


def random_heap(luck):
    """A heap and a path, mostly to the end."""
    objects, path = luck.randint(1, 12), []
    while sum(path) < objects and (not path or luck.random() < 0.9):
        path.append(luck.randint(1, min(3, objects - sum(path))))
    return objects, tuple(path)


def last_one_loses(objects, path):
    return told(LastOneLoses(objects), path)


THREE = {"tuple(range(1, min(3, state[1]) + 1))": "1, 2, 3"}
LAST_WINS = {"player == state[0]": "player != state[0]"}
IN_PLACE = {
    "return MAX, self.objects": "return [MAX, self.objects]",
    "return 1 - state[0], state[1] - action": "state[:] = 1 - state[0], state[1] - action\n        return state",
}
MEND = Question(
    **heading("mend", "game_formalism.mend", "Mend a game", 3),
    small=lambda: [(objects, path) for objects in range(1, 6) for path in paths_of(LastOneLoses(objects))],
    cases=random_heap,
    reference=last_one_loses,
    compare=first_untrue,
    show=told_as_text,
    parts=(LastOneLoses,),
    bugs=(
        ("not mended yet", "there are three mistakes: hold each function against the rules.",
            {**THREE, **LAST_WINS, **IN_PLACE}),
        ("more is taken than there is", "with one or two objects left there are fewer actions.",
            THREE, {**THREE, **IN_PLACE}),
        ("utility from the wrong side", "who is to move when nothing is left: the one who took the last object?",
            LAST_WINS),
        ("utility from the wrong side", OTHER_SIDE, {"player == state[0]": "state[0] == MAX"},
            {"player == state[0]": "player == MAX"}, {"player == state[0]": "player != MAX"}),
        ("the largest number is missing", "three may be taken, and all that there is: range(a, b) ends before b.",
            {"min(3, state[1]) + 1": "min(3, state[1])"}),
        ("the game ends a move early", "the last object must be taken, too.", {"state[1] == 0": "state[1] <= 1"}),
        RESULT_CHANGES,
    ),
)  # fmt: skip


# Counting nodes, leaves and states.


def my_count(game, state):
    """(nodes, leaves, different states) of the tree below `state`."""
    states = set()

    def count(state):
        states.add(state)
        if game.is_terminal(state):
            return 1, 1
        below = [count(game.result(state, action)) for action in game.actions(state)]
        return 1 + sum(nodes for nodes, _ in below), sum(leaves for _, leaves in below)

    nodes, leaves = count(state)
    return nodes, leaves, len(states)


def small_games():
    heaps = [1], [2], [1, 1], [3], [2, 1], [2, 2], [4], [1, 1, 1]
    nims = [Nim(sizes, most) for sizes in heaps for most in (None, 1, 2)]
    begun = [(game, game.after(action)) for game in nims for action in game.actions(game.initial_state())]
    ends = [(TicTacToe(), TicTacToe().parse(text)) for text in ("XOXOXO...", "XOXXO.O..", "XOXOOX.X.", "XXOOOXX..")]
    trees = map(TreeGame, (5, [5], [1, 1], [1, [2, 3]], [[0], [0, 0]]))
    return sorted([*map(at_the_root, (*nims, *trees)), *begun, *ends], key=lambda case: my_count(*case))


def random_position(luck):
    """The root of a random tree, or a small game of Nim after no, one or two moves."""
    if luck.random() < 0.5:
        return at_the_root(random_tree(luck))
    heaps = luck.choice([heaps for n in (1, 2, 3) for heaps in product((1, 2, 3), repeat=n) if sum(heaps) < 6])
    game = Nim(heaps, luck.choice([None, 1, 2]))
    state = game.initial_state()
    for _ in range(luck.randint(0, 2)):
        if not game.is_terminal(state):
            state = game.result(state, luck.choice(game.actions(state)))
    return game, state


def which_number(case, expected, given):
    numbers = zip(("Nodes", "Leaves", "Different states"), expected, given or ())
    wrong = (f"{name}: the tree has {right}, and you count {shown(answer)}." for name, right, answer in numbers
             if not same(right, answer))  # fmt: skip
    return misfit(expected, given) or next(wrong, None)


COUNT = Question(
    **heading("write", "game_formalism.count", "Nodes, leaves, states", 3),
    small=small_games,
    cases=random_position,
    reference=my_count,
    compare=which_number,
    draw=lambda case, given: [("the tree", picture(case[0], state=case[1]))],
    bugs=(
        ("states counted like nodes", "a state that is reached in several ways is one state, and several nodes.",
            {"len(states)": "nodes"}),
        ("states that come again are skipped", "a state reached in another way is another node: count it too.",
            {"        states.add(state)\n        if": "        if state in states:\n            return 0, 0\n"
                                                  "        states.add(state)\n        if"}),
        ("leaves are no nodes", "every state of the picture is a node, leaves too.", {"return 1, 1": "return 0, 1"}),
        ("the whole game is counted", "begin at `state`, which need not be the initial one.",
            {"nodes, leaves = count(state)": "nodes, leaves = count(game.initial_state())"}),
        ("states counted anew on each ply", "a state that is reached in two moves and in three is one state.",
            {"def count(state)": "def count(state, ply=0)", "add(state)": "add((state, ply))",
             "action))": "action), ply + 1)"}),
    ),
)  # fmt: skip


# Constant-sum or not.


def totals(game):
    return [sum(game.utility(path, player) for player in range(game.players)) for path in leaf_paths(game)]


def my_constant_sum(game):
    return len(set(totals(game))) == 1


def utilities_of(game):
    """Path → what the players get, as text, of each leaf."""
    players = range(game.players)
    return {path: ", ".join(number_text(game.utility(path, p)) for p in players) for path in leaf_paths(game)}


def not_constant(case, expected, given):
    found = sorted(set(totals(*case)))
    words = f"The players' utilities add up to {' at one leaf and '.join(map(str, found[:2]))} at another."
    every = f"The players' utilities add up to {found[0]} at each leaf."
    return misfit(expected, given) or (None if same(expected, given) else every if expected else words)


UTILITIES = {
    2: ((1, -1), (0, 0), (1, 0), (0.5, 0.5), (3, 0), (0.5, 0)),
    3: ((1, 0, 0), (0, 0, 1), (1, 1, 0), (0, 1, 1)),
}


def small_sums():
    flat = [list(leaves) for n in (1, 2, 3) for leaves in product(UTILITIES[2], repeat=n)]
    nested = [[one, [other, third]] for one, other, third in product(UTILITIES[2][:4], repeat=3)]
    last = [[*[(0, 0)] * 3, (1, 0)], [(1, 0), (0, 0), (1, 1)], [(1, 0), (0, -1)]]
    three = [list(leaves) for n in (1, 2) for leaves in product(UTILITIES[3], repeat=n)]
    return [(TreeGame(tree),) for tree in flat + nested + last] + [(TreeGame(tree, players=3),) for tree in three]


def random_sums(luck):
    """A tree of two or three players; in most the last one gets what is missing to a fixed total, in some now and then
    half a point more, or what is missing to the opposite."""
    players, fixed = luck.choice([2, 3]), luck.choice([None, 0, 1, 4])
    worths = list(product([0, 1, -1, 0.5, 3], repeat=players))
    if fixed is not None:
        totals = luck.choice([[fixed], [fixed, fixed + 0.5], [fixed, -fixed]])
        worths = [(*worth[:-1], total - sum(worth[:-1])) for worth in worths for total in totals]
    return (random_tree(luck, worths, players),)


def watched_from_the_root(function, failure):
    """What a function of the game alone does, with the root for the state."""
    return watched_so_far(wraps(function)(lambda game, state: function(game)), *failure.case)


CONSTANT_SUM = Question(
    **heading("write", "game_formalism.constant_sum", "Constant-sum or not", 2),
    small=small_sums,
    cases=random_sums,
    reference=my_constant_sum,
    compare=not_constant,
    explored=watched_from_the_root,
    draw=lambda case, given: [("the game", picture(*case, answers=utilities_of(*case)))],
    parts=(totals,),
    bugs=(
        ("zero-sum for constant-sum", "the total may be any number, as long as it is the same at each leaf.",
            {"len(set(totals(game))) == 1": "set(totals(game)) == {0}"}),
        ("two players only", "add up the utilities of all players, range(game.players).",
            {"range(game.players)": "range(2)"}),
        ("the first leaf is compared with itself", "look at all leaves before you say True.",
            {"totals(game))": "totals(game)[:1])"}),
        ("first and last leaf only", "compare the totals of all leaves.",
            {"len(set(totals(game))) == 1": "totals(game)[0] == totals(game)[-1]"}),
        ("the first leaves only", "compare the totals of all leaves.",
            {"totals(game))": "totals(game)[:2])"}, {"totals(game))": "totals(game)[:3])"}),
        ("the mean is compared", "totals that differ can have the first one for their mean: compare each.",
            {"len(set(totals(game))) == 1": "sum(totals(game)) / len(totals(game)) == totals(game)[0]"}),
        ("totals without their signs", "1 and −1 are different totals.",
            {"set(totals(game))": "set(map(abs, totals(game)))"}),
    ),
)  # fmt: skip


# A strategy for the game of taking 1 to `most` objects, which must win against every opponent.


def ask_strategy(student, name, case):
    """The shortest way to lose with the student's strategy: what is taken, in turn; empty if there is none."""
    objects, most = case
    waiting, seen = deque([(objects, ())]), set()
    while waiting:
        left, taken = waiting.popleft()
        mine = student.call(name, left, most)
        if type(mine) is not int or not 1 <= mine <= min(left, most):
            return [*taken, shown(mine)]
        for reply in range(1, min(left - mine, most) + 1):
            after = left - mine - reply
            if after == 0:
                return [*taken, mine, reply]
            if after not in seen:
                seen.add(after)
                waiting.append((after, (*taken, mine, reply)))
    return []


def loses(case, expected, given):
    if not given:
        return None
    if type(given[-1]) is str:
        so_far = f"After {', '.join(map(str, given[:-1]))} are taken, with" if given[1:] else "With"
        left = case[0] - sum(given[:-1])
        return f"{so_far} {left} left, your strategy takes {given[-1]}. It may take from 1 to {min(left, case[1])}."
    turns = ", ".join(f"{'you' if n % 2 == 0 else 'the opponent'} {number}" for n, number in enumerate(given))
    return f"This opponent beats you: {turns}, and that was the last object."


def my_strategy(objects, most):
    return objects % (most + 1) or 1


BEST = "objects % (most + 1) or 1"
STRATEGY = Question(
    **heading("beat", "game_formalism.strategy", "A strategy that always wins", 2),
    small=lambda: [(objects, most) for objects in range(1, 25) for most in (3, 2, 4) if objects % (most + 1)],
    ask=ask_strategy,
    reference=my_strategy,
    compare=loses,
    tell=lambda case: f"{case[0]} objects, up to {case[1]} may be taken, you begin",
    show=lambda answer: f"taken in turn: {', '.join(map(str, answer))}" if answer else "you always win",
    bugs=(
        ("as many as can be", "what matters is what you leave to the opponent.", {BEST: "min(objects, most)"}),
        ("multiples of the wrong number", "you and the opponent together can always make most + 1, not most.",
            {BEST: "objects % most or most"}, {BEST: "objects % most or 1"}),
        ("three for every game", "`most` is not always 3.",
            {BEST: "min(objects % 4 or 1, most)"}, {BEST: "objects % 4 or 1"}),
        ("the last one loses", "here whoever takes the last object wins: leave a multiple of most + 1.",
            {BEST: "(objects - 1) % (most + 1) or 1"}),
    ),
)  # fmt: skip


# A tree of one's own, read by hand.


def own_tree(numbers):
    """A tree of games of different lengths, four plies at most, with all leaves different."""
    while True:
        worths = iter(numbers.sample(range(-9, 10), 19))
        game = TreeGame(uneven_tree(numbers, worths, plies=4))
        if 8 <= len(leaf_paths(game)) <= 12:
            return (game,)


def uneven_tree(numbers, worths, plies):
    """A node with two or three children, one of them a ply lower and the others that or less."""
    if plies == 0:
        return next(worths, 0)
    heights = [plies - 1, *(max(0, plies - 1 - numbers.below(3)) for _ in range(1 + numbers.below(2)))]
    return [uneven_tree(numbers, worths, height) for height in numbers.sample(heights, len(heights))]


def by_hand(tree):
    best = max(leaf_paths(tree), key=lambda path: tree.utility(path, MAX))
    return {
        "nodes": len(depth_first(tree, ())),
        "leaves": len(leaf_paths(tree)),
        "plies": max(map(len, leaf_paths(tree))),
        "best for Max": best,
        "what Min gets there": tree.utility(best, MIN),
        "Min's turn": {path for path in inner_paths(tree) if tree.to_move(path) == MIN},
    }


HINTS = {
    "nodes": "Count everything that is drawn, triangles and squares: each is a node.",
    "leaves": "A leaf is a node at which the game is over, drawn as a square.",
    "plies": "Each line from a node to one below it is a ply: how many are there on the longest way down?",
    "best for Max": "Find the leaf with the largest number, and write down the actions that lead to it from the root.",
    "what Min gets there": "The numbers are Max's utilities, and the game is zero-sum.",
    "Min's turn": "Min moves at the triangles that point down. Write the path of each; leaves are nobody's turn. The "
    "path of one action is written (0,), with a comma.",
}


TRACE = Question(
    **heading("trace", "game_formalism.trace", "A game tree by hand", 3),
    personal=own_tree,
    reference=by_hand,
    compare=by_entries(HINTS),
    draw=lambda case, given: [("your tree", picture(*case))],
)


# Kinds of games.

KINDS_OF = {
    "draughts": "CDPT",
    "battleships": "CDT",
    "snakes and ladders": "CPT",
    "poker": "CT",
    "prisoner's dilemma": "D",
    "chess for points": "DPT",
}
LETTERS = {
    "C": "add up what the two players get, for each way in which it can end. Is the total always the same?",
    "D": "does each action have one possible result, or do dice or shuffled cards decide as well?",
    "P": "does each player see the whole state when choosing?",
    "T": "does one player move at a time?",
}


def first_misjudged(case, expected, given):
    if not isinstance(given, dict):
        return f"A dictionary was expected, not {shown(given)}."
    for game, letters in expected.items():
        answer = given.get(game)
        if not isinstance(answer, str) or set(answer.upper()) - set(LETTERS) - {" "}:
            return f"The answer for {game} is a text of the letters C, D, P and T, not {shown(answer)}."
        for letter, question in LETTERS.items():
            if (letter in letters) != (letter in answer.upper()):
                return f"Look at {letter} for {game} again: {question}"
    return None


KINDS = Question(
    **heading("explain", "game_formalism.kinds", "Kinds of games", 2),
    name="kinds",
    reference=lambda: KINDS_OF,
    compare=first_misjudged,
)

REPLIES = choice(
    identifier="game_formalism.replies",
    title="A plan and a strategy",
    right="b",
    reasons={
        "a": "One action for each turn is a plan. It says nothing about what to do when Min replies otherwise.",
        "c": "Those are all of Max's nodes. After Max's own first move most of them cannot come up any more.",
        "d": "Those are all leaves, the ways in which the game can end.",
    },
)

QUESTIONS = (TRACE, GAME, MEND, COUNT, CONSTANT_SUM, STRATEGY, KINDS, REPLIES)
