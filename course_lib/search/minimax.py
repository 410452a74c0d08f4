"""Minimax, each function as its pseudo-code. Values are Max's everywhere, whoever moves at the root."""

from math import inf
from numbers import Real

from course_lib.games import CHANCE, MAX, MIN
from course_lib.games.game import distribution


def minimax_value(game, state):
    """MINIMAX(s): what `state` is worth to Max when both players play as well as can be (AIMA, 4th edition, 6.2)."""
    if game.is_terminal(state):
        return game.utility(state, MAX)
    values = (minimax_value(game, game.result(state, action)) for action in game.actions(state))
    return max(values) if _max_to_move(game, state) else min(values)


def minimax_search(game, state):
    """MINIMAX-SEARCH: the (value, action) of best play; the value is Max's, the action None in a terminal state.

    Among equally good actions the first is chosen. Shaped like the pseudo-code of sources `000` and `003`, but for
    the two lines that ask whose turn it is, so that the root may be Min's and a player may move twice in a row, and
    the two where every action loses by infinitely much. No actions before the end of the game raise `ValueError`.
    """
    _check_two_players(game)

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
        if v == -inf:
            move = _first_action(game.actions(state), state)
        return v, move

    def min_value(state):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        if _max_to_move(game, state):
            return max_value(state)
        v, move = inf, None
        for action in game.actions(state):
            v2, _ = max_value(game.result(state, action))
            if v2 < v:
                v, move = v2, action
        if v == inf:
            move = _first_action(game.actions(state), state)
        return v, move

    return max_value(state)


def depth_limited_minimax_search(game, state, depth, evaluate=lambda state: 0):
    """Minimax that looks `depth` plies ahead: the (value, action), Max's value as far as it can be seen.

    Where the search is cut off, `evaluate(state)` estimates the utility for Max, as a finite number (infinite ones do
    work; NaN, which compares with nothing, makes the answer meaningless); terminal states keep their utility.
    At depth 0, as in a terminal state, the action is None. Source: the H-MINIMAX of AIMA, 4th edition, 6.3.
    """
    _check_two_players(game)
    _check_depth(depth)

    def max_value(state, depth):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        if depth == 0:
            return evaluate(state), None
        if game.to_move(state) != MAX:
            return min_value(state, depth)
        v, move = -inf, None
        for action in game.actions(state):
            v2, _ = min_value(game.result(state, action), depth - 1)
            if v2 > v:
                v, move = v2, action
        if v == -inf:
            move = _first_action(game.actions(state), state)
        return v, move

    def min_value(state, depth):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        if depth == 0:
            return evaluate(state), None
        if _max_to_move(game, state):
            return max_value(state, depth)
        v, move = inf, None
        for action in game.actions(state):
            v2, _ = max_value(game.result(state, action), depth - 1)
            if v2 < v:
                v, move = v2, action
        if v == inf:
            move = _first_action(game.actions(state), state)
        return v, move

    return max_value(state, depth)


def max_n_search(game, state):
    """max^n: the (utilities, action) when each player takes what is best for itself (Luckhardt and Irani, 1986).

    `utilities` is a tuple with a value for each player, in order. Any number of players; ties go to the first action.
    At a chance node each utility is its mean, weighted by probability, and the action None. No actions before the end
    of the game raise `ValueError`.
    """
    players = range(getattr(game, "players", 2))
    if game.is_terminal(state):
        return tuple(game.utility(state, player) for player in players), None
    player = game.to_move(state)
    if player == CHANCE:
        chances = distribution(game.chances(state), state)
        after = [(p, max_n_search(game, game.result(state, action))[0]) for action, p in chances]
        return tuple(sum(p * utilities[player] for p, utilities in after) for player in players), None
    best, move = None, None
    for action in game.actions(state):
        utilities, _ = max_n_search(game, game.result(state, action))
        if best is None or utilities[player] > best[player]:
            best, move = utilities, action
    if best is None:
        raise _no_actions(state)
    return best, move


def minimax_agent(depth=None, evaluate=lambda state: 0):
    """An agent that plays minimax's move: to the end of the game, or `depth` plies deep with `evaluate`."""

    if depth is not None:
        _check_depth(depth, least=1)

    def agent(game, state):
        if depth is None:
            return minimax_search(game, state)[1]
        return depth_limited_minimax_search(game, state, depth, evaluate)[1]

    return agent


def principal_variation(game, state, search=minimax_search):
    """The actions of best play from `state` to the end: `search(game, state) → (value, action)` asked at each ply."""
    line = []
    while not game.is_terminal(state):
        _, action = search(game, state)
        line.append(action)
        state = game.result(state, action)
    return line


def _max_to_move(game, state):
    player = game.to_move(state)
    if player == MAX:
        return True
    if player == MIN:
        return False
    whose = "chance" if player == CHANCE else f"player {player!r}"
    raise ValueError(f"minimax is for Max and Min, and {whose} moves here; see expectiminimax and max^n")


def _first_action(actions, state):
    """The first of these: as good as any where all lose by infinitely much. `ValueError` if there is none."""
    for action in actions:
        return action
    raise _no_actions(state)


def _no_actions(state):
    return ValueError(f"there are no actions in {state!r}, but the game is not over; mend actions() or is_terminal(), "
                      "or the order of the actions if you gave one")  # fmt: skip


def _check_depth(depth, least=0):
    """A depth is a whole number, or infinite: to the end of the game. An agent needs at least 1 to have a move."""
    if not isinstance(depth, Real) or not depth >= least or (depth != inf and depth % 1):
        raise ValueError(f"depth is the number of plies to look ahead, a whole number from {least} up, not {depth!r}")


def _check_two_players(game):
    players = getattr(game, "players", 2)
    if players > 2:
        raise ValueError(f"minimax is for two players, and {game!r} has {players}; use max_n_search")
