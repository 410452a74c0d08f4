"""Answers to the questions of notebook 1."""

from functools import cache
from itertools import combinations

from answers import Wrong, leaves, mistyped
from course_lib.check.questions.game_formalism import told
from course_lib.games import MAX, MIN, Game, TreeGame


def size(case):
    """The coins or objects of a game, the nodes of a tree to count, the leaves of a tree; 0 if there is no case."""
    if not case:
        return 0
    made_of, *rest = case
    if isinstance(made_of, TreeGame):
        return leaves(case)
    if isinstance(made_of, Game):
        return by_recursion(made_of, rest[0])[0]
    return made_of if isinstance(made_of, int) else len(made_of)


def asked(game_class):
    def answer(made_of, path):
        return told(game_class(made_of), path)

    answer.__name__ = game_class.__name__
    return answer


# game_formalism.game


class WithSums(Game):
    """A state is (player, coins, Max's sum, Min's sum)."""

    def __init__(self, coins):
        self.coins = coins

    def initial_state(self):
        return MAX, tuple(self.coins), 0, 0

    def to_move(self, state):
        return state[0]

    def actions(self, state):
        return ["left"] if len(state[1]) == 1 else ["left", "right"]

    def result(self, state, action):
        player, coins, for_max, for_min = state
        coin = coins[0] if action == "left" else coins[-1]
        rest = coins[1:] if action == "left" else coins[:-1]
        return (MIN, rest, for_max + coin, for_min) if player == MAX else (MAX, rest, for_max, for_min + coin)

    def is_terminal(self, state):
        return len(state[1]) == 0

    def utility(self, state, player):
        mine, other = (state[2], state[3]) if player == MAX else (state[3], state[2])
        if mine == other:
            return 0
        return 1 if mine > other else -1


class WithHistory(Game):
    """A state is the text of all actions, and everything is worked out from it."""

    def __init__(self, coins):
        self.coins = coins

    def initial_state(self):
        return ""

    def replay(self, state):
        coins, sums = list(self.coins), [0, 0]
        for n, letter in enumerate(state):
            sums[n % 2] += coins.pop(0 if letter == "l" else -1)
        return coins, sums

    def to_move(self, state):
        return len(state) % 2

    def actions(self, state):
        return ("right", "left")[len(self.replay(state)[0]) < 2 :]

    def result(self, state, action):
        return state + action[0]

    def is_terminal(self, state):
        return not self.replay(state)[0]

    def utility(self, state, player):
        sums = self.replay(state)[1]
        lead = sums[player] - sums[1 - player]
        return 0 if lead == 0 else lead // abs(lead)


class OtherTurn(WithSums):
    """Players are told apart as truth values, and actions come one by one."""

    def actions(self, state):
        yield from super().actions(state)

    def result(self, state, action):
        _, *rest = super().result(state, action)
        return not state[0], *rest


class SharedSums(Game):
    """A state is copied, and the list of sums in it is not."""

    def __init__(self, coins):
        self.coins = list(coins)

    def initial_state(self):
        return {"coins": self.coins, "sums": [0, 0], "turn": MAX}

    def to_move(self, state):
        return state["turn"]

    def actions(self, state):
        return ["left", "right"][: len(state["coins"])]

    def result(self, state, action):
        after = dict(state, turn=1 - state["turn"], coins=list(state["coins"]))
        after["sums"][state["turn"]] += after["coins"].pop(0 if action == "left" else -1)
        return after

    def is_terminal(self, state):
        return not state["coins"]

    def utility(self, state, player):
        lead = state["sums"][player] - state["sums"][1 - player]
        return (lead > 0) - (lead < 0)


# game_formalism.mend


class Mended(Game):
    """With tuples."""

    def __init__(self, objects):
        self.objects = objects

    def initial_state(self):
        return MAX, self.objects

    def to_move(self, state):
        return state[0]

    def actions(self, state):
        return tuple(number for number in (1, 2, 3) if number <= state[1])

    def result(self, state, action):
        return 1 - state[0], state[1] - action

    def is_terminal(self, state):
        return state[1] == 0

    def utility(self, state, player):
        return 1 if player == state[0] else -1


class MendedLists(Mended):
    """With new lists."""

    def initial_state(self):
        return [MAX, self.objects]

    def result(self, state, action):
        after = list(state)
        after[0], after[1] = MIN if state[0] == MAX else MAX, state[1] - action
        return after


class MendedNumbers(Mended):
    """A state is one number, negative where Min is to move; the empty heap needs a half."""

    def initial_state(self):
        return self.objects

    def to_move(self, state):
        return MAX if state > 0 else MIN

    def actions(self, state):
        return range(1, min(3, int(abs(state))) + 1)

    def result(self, state, action):
        left = int(abs(state)) - action
        return -(left or 0.5) if state > 0 else (left or 0.5)

    def is_terminal(self, state):
        return abs(state) < 1

    def utility(self, state, player):
        return 1 if player == self.to_move(state) else -1


class StillChanges(Mended):
    """All but result."""

    def initial_state(self):
        return [MAX, self.objects]

    def result(self, state, action):
        state[0], state[1] = 1 - state[0], state[1] - action
        return state


# game_formalism.count


def by_recursion(game, state):
    seen = set()

    def count(state):
        seen.add(state)
        if game.is_terminal(state):
            return 1, 1
        nodes, ends = 1, 0
        for action in game.actions(state):
            more, ended = count(game.result(state, action))
            nodes, ends = nodes + more, ends + ended
        return nodes, ends

    return *count(state), len(seen)


def with_a_list(game, state):
    open_nodes, nodes, ends, states = [state], 0, 0, []
    while open_nodes:
        state = open_nodes.pop()
        nodes += 1
        if state not in states:
            states.append(state)
        if game.is_terminal(state):
            ends += 1
        else:
            open_nodes += [game.result(state, action) for action in game.actions(state)]
    return [nodes, ends, len(states)]


def ply_by_ply(game, state):
    ply, nodes, ends, states = [state], 0, 0, set()
    while ply:
        nodes += len(ply)
        ends += sum(game.is_terminal(state) for state in ply)
        states |= set(ply)
        ply = [game.result(s, action) for s in ply if not game.is_terminal(s) for action in game.actions(s)]
    return nodes, ends, len(states)


def graph_search(game, state):
    """Never opens a state twice, so nodes and leaves come out as states."""
    seen, waiting = {state}, [state]
    for state in waiting:
        for action in () if game.is_terminal(state) else game.actions(state):
            after = game.result(state, action)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return len(seen), sum(map(game.is_terminal, seen)), len(seen)


# game_formalism.constant_sum


def sums_below(game, state):
    """The set of totals below a state."""
    if game.is_terminal(state):
        return {sum(game.utility(state, player) for player in range(game.players))}
    return set().union(*(sums_below(game, game.result(state, action)) for action in game.actions(state)))


def one_total(game):
    return len(sums_below(game, game.initial_state())) == 1


def total_handed_down(game):
    """Compares each leaf with the leftmost one."""

    def total(state):
        return sum(game.utility(state, player) for player in range(game.players))

    state = game.initial_state()
    while not game.is_terminal(state):
        state = game.result(state, next(iter(game.actions(state))))
    first = total(state)

    def holds(state):
        if game.is_terminal(state):
            return total(state) == first
        return all(holds(game.result(state, action)) for action in game.actions(state))

    return holds(game.initial_state())


def no_two_differ(game):
    totals, waiting = [], [game.initial_state()]
    while waiting:
        state = waiting.pop()
        if game.is_terminal(state):
            totals.append(sum([game.utility(state, player) for player in range(game.players)]))
        else:
            waiting.extend(game.result(state, action) for action in game.actions(state))
    return not any(one != other for one, other in combinations(totals, 2))


# game_formalism.strategy


def remainder(objects, most):
    return objects % (most + 1) or 1


def looks_for_it(objects, most):
    for take in range(1, min(objects, most) + 1):
        if (objects - take) % (most + 1) == 0:
            return take
    return most if most < objects else objects


def by_search(objects, most):
    @cache
    def wins(objects):
        return any(not wins(objects - take) for take in range(1, min(objects, most) + 1))

    return next((take for take in range(1, min(objects, most) + 1) if not wins(objects - take)), 1)


def with_sums(coins, path):
    return told(WithSums(coins), path)


def mended(objects, path):
    return told(Mended(objects), path)


def sums(changes):
    """The row of coins with sums, mistyped."""
    return mistyped((WithSums, with_sums), changes)


def heap(changes):
    """The mended game, mistyped."""
    return mistyped((Mended, mended), changes)


def totals(changes):
    return mistyped((sums_below, one_total), changes)


GAMES = "draughts", "battleships", "snakes and ladders", "poker", "prisoner's dilemma", "chess for points"
ONE_TOTAL = "len(sums_below(game, game.initial_state())) == 1"
IN_THE_END = "(state[2], state[3]) if player == MAX else (state[3], state[2])"


def no_states(coins, path):
    """No game: nothing is told on the way, and at the end the right sums."""
    sums, row = [0, 0], list(coins)
    for turn, action in enumerate(path):
        sums[turn % 2] += row.pop(0 if action == "left" else -1)
    worth = (sums[0] > sums[1]) - (sums[0] < sums[1])
    return ([], [worth, -worth]), ([], [worth, -worth])


WRONG = {
    "game_formalism.game": [
        Wrong(no_states, 3),
        Wrong(asked(SharedSums), 2, "trying an action leaves something behind"),
        Wrong(sums({IN_THE_END: "state[2:]"}), 1, "utility from the wrong side"),
        Wrong(sums({"return 0": "return 1"}), 2),
        Wrong(sums({"return 0": "return 0.5", "else -1": "else 0"}), 1),
        Wrong(sums({"return state[0]": "return MAX"}), 2),
        Wrong(sums({"len(state[1]) == 0": "len(state[1]) == 1"}), 1),
        Wrong(sums({'["left"] if': "[0] if", '["left", "right"]': "[0, 1]"}), 1),
        Wrong(sums({"return len": "len"}), 1),
        Wrong(lambda coins, path: None, 1),
        Wrong(lambda coins, path: ([], []), 1),
    ],
    "game_formalism.mend": [
        Wrong(asked(StillChanges), 2, "trying an action leaves something behind"),
        Wrong(heap({"state[1] == 0": "state[1] <= 1"}), 1, "the game ends a move early"),
        Wrong(heap({"number <= state[1]": "number < state[1]"}), 1),
        Wrong(heap({"in (1, 2, 3)": "in (1, 2)"}), 3),
    ],
    "game_formalism.count": [
        Wrong(mistyped(by_recursion, {"return 1, 1": "return 0, 1"}), 1, "leaves are no nodes"),
        Wrong(mistyped(by_recursion, {"*count(state)": "*count(game.initial_state())"}), 1,
              "the whole game is counted"),
        Wrong(graph_search, 5),
        Wrong(lambda game, state: by_recursion(game, state)[0], 1),
    ],
    "game_formalism.constant_sum": [
        Wrong(totals({ONE_TOTAL: "sums_below(game, game.initial_state()) == {0}"}), 1, "zero-sum for constant-sum"),
        Wrong(totals({"range(game.players)": "(MAX, MIN)"}), 2, "two players only"),
        Wrong(mistyped(total_handed_down, {"total(state) == first":
                                           "game.utility(state, 0) == -game.utility(state, 1)"}), 1),
        Wrong(totals({ONE_TOTAL: "sorted(sums_below(game, game.initial_state()))"}), 1),
        Wrong(lambda game: int(one_total(game)), 1),
        Wrong(lambda game: len(set(map(int, sums_below(game, game.initial_state())))) == 1, 2),
    ],
    "game_formalism.strategy": [
        Wrong(lambda objects, most: most if most < objects else objects, 4, "as many as can be"),
        Wrong(lambda objects, most: 1, 3),
        Wrong(lambda objects, most: objects % 4 or 1, 4),
        Wrong(lambda objects, most: objects, 4),
        Wrong(lambda objects, most: objects if objects <= most else 1, 6),
        Wrong(lambda objects, most: None, 1),
        Wrong(lambda objects, most: 10**400, 1),
    ],
    "game_formalism.trace": [
        Wrong({}, 99),
        Wrong(None, 99),
        Wrong({"nodes": 15, "leaves": 9, "plies": 4, "best for Max": (), "what Min gets there": 7}, 99),
        Wrong({"nodes": True, "leaves": "9", "plies": [], "best for Max": 3, "Min's turn": [{}]}, 99),
    ],
    "game_formalism.kinds": [
        Wrong({}, 0),
        Wrong("CDPT", 0),
        Wrong(dict.fromkeys(GAMES, "CDPT"), 0),
        Wrong({"draughts": "CDPTX"}, 0),
        Wrong({"draughts": ["C", "D", "P", "T"]}, 0),
    ],
    "game_formalism.replies": [Wrong(letter, 0) for letter in ("a", "c", "d", "bb", 4)],
}  # fmt: skip

RIGHT = {
    "game_formalism.game": [asked(WithSums), asked(WithHistory), asked(OtherTurn)],
    "game_formalism.mend": [asked(Mended), asked(MendedLists), asked(MendedNumbers)],
    "game_formalism.count": [by_recursion, with_a_list, ply_by_ply],
    "game_formalism.constant_sum": [one_total, total_handed_down, no_two_differ],
    "game_formalism.strategy": [remainder, looks_for_it, by_search],
    "game_formalism.kinds": [
        dict(zip(GAMES, ("TPDC", "DCT", "PTC", "TC", "D", "DPT"))),
        dict(zip(GAMES, ("cdpt", "C D T", " cpt", "tc ", "d", "Dpt"))),
    ],
}  # fmt: skip
