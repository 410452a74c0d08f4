"""Minimax, each function written like its pseudo-code. Values are Max's everywhere, whoever moves at the root."""

from math import inf

from course_lib.games.game import CHANCE, MAX, Action, Agent, Answer, Evaluate, Game, State
from course_lib.games.validation import distribution
from course_lib.search.validation import agent_of, for_all_players, for_max_and_min


@for_max_and_min
def minimax_value(game: Game, state: State) -> float:
    """MINIMAX(s): the value of `state` for Max when both players play as well as they can (AIMA, 4th edition, 5.2)."""

    def value(state):
        if game.is_terminal(state):
            return game.utility(state, MAX)
        values = (value(game.result(state, action)) for action in game.actions(state))
        return max(values) if game.to_move(state) == MAX else min(values)

    return value(state)


@for_max_and_min
def minimax_search(game: Game, state: State) -> Answer:
    """MINIMAX-SEARCH: the value of `state` for Max under best play, and the action to play: (value, action).

    The action is None when the game is over. Of equally good actions it is the first.

    >>> from course_lib.games import TreeGame
    >>> minimax_search(TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]]), ())
    (3, 0)
    """

    def max_value(state):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        if game.to_move(state) != MAX:
            return min_value(state)
        v, move = -inf, None
        for action in game.actions(state):
            v2, _ = min_value(game.result(state, action))
            if v2 > v:
                v, move = v2, action
        return v, move

    def min_value(state):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        if game.to_move(state) == MAX:
            return max_value(state)
        v, move = inf, None
        for action in game.actions(state):
            v2, _ = max_value(game.result(state, action))
            if v2 < v:
                v, move = v2, action
        return v, move

    return max_value(state)


@for_max_and_min
def depth_limited_minimax_search(game: Game, state: State, depth: float, evaluate: Evaluate | None = None) -> Answer:
    """H-MINIMAX: minimax that looks `depth` plies ahead, to the (value, action) that it sees (AIMA, 4th edition, 5.3).

    At that depth `evaluate(state)` estimates the utility for Max (None: 0 everywhere). At depth 0 the action is None.

    >>> from course_lib.games import Nim
    >>> depth_limited_minimax_search(Nim(3), Nim(3).initial_state(), 1)
    (1, (0, 3))
    """

    def value(state, depth):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        if depth == 0:
            return evaluate(state), None
        maximizing = game.to_move(state) == MAX
        v, move = None, None
        for action in game.actions(state):
            v2, _ = value(game.result(state, action), depth - 1)
            if move is None or (v2 > v if maximizing else v2 < v):
                v, move = v2, action
        return v, move

    return value(state, depth)


@for_all_players
def max_n_search(game: Game, state: State) -> tuple[tuple[float, ...], Action]:
    """max^n: the (utilities, action) when each player takes what is best for itself (Luckhardt and Irani, 1986).

    `utilities` has a value for each player, in order; there may be any number of players, and chance. Of equally good
    actions it is the first. At a chance node or a terminal state the action is None.
    """
    players = range(game.players)

    def values(state):
        if game.is_terminal(state):
            return tuple(game.utility(state, player) for player in players), None
        mover = game.to_move(state)
        if mover == CHANCE:
            after = [(p, values(game.result(state, a))[0]) for a, p in distribution(game.chances(state), state)]
            return tuple(sum(p * utilities[player] for p, utilities in after) for player in players), None
        best, move = None, None
        for action in game.actions(state):
            utilities, _ = values(game.result(state, action))
            if best is None or utilities[mover] > best[mover]:
                best, move = utilities, action
        return best, move

    return values(state)


def minimax_agent(depth: float = inf, evaluate: Evaluate | None = None) -> Agent:
    """An agent that plays the action of `depth_limited_minimax_search`, which without a depth searches to the end."""
    return agent_of(depth_limited_minimax_search, depth, evaluate=evaluate)
