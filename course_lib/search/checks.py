"""What the searches ask of their arguments, once, before they start: so a search is the lines of its pseudo-code."""

from functools import wraps
from inspect import signature
from math import inf
from numbers import Real

from course_lib.games import CHANCE, MAX, MIN, Game
from course_lib.games.checks import check_game


def for_max_and_min(search):
    """A search for games of Max and Min without chance, made to check its arguments before it starts.

    `search(game, state, …)` gets a game whose `to_move` and `actions` check what they return, see `Checked`.
    """
    return _checked(search, (MAX, MIN))


def for_max_min_and_chance(search):
    """The same as `for_max_and_min`, for games in which chance may move too."""
    return _checked(search, (MAX, MIN, CHANCE))


def _checked(search, movers):
    takes = signature(search)

    @wraps(search)
    def checked_search(*arguments, **options):
        try:
            given = takes.bind(*arguments, **options).arguments
        except TypeError:
            return search(*arguments, **options)  # whose own error names the search
        if "depth" in given:
            check_depth(given["depth"])
        if given.get("player", MAX) not in (MAX, MIN):
            raise ValueError(f"player must be MAX or MIN, the one who decides, not {given['player']!r}")
        given["game"] = checked_game(given["game"], movers)
        if given.get("order") is not None:
            given["order"] = at_least_one(given["order"])
        return search(**given)

    return checked_search


def checked_game(game, movers):
    """The game to search: where its functions can be wrong, it checks that one of `movers` moves and has actions."""
    check_game(game)
    if game.players > 2:
        raise ValueError(f"minimax is for two players, and {game!r} has {game.players}; use max_n_search")
    return game if is_ours(game) else Checked(game, movers)


def is_ours(game):
    """True if all functions of a game are of this package: tests hold them to their rules, and checks take time."""
    functions = game.to_move, game.actions, game.result, game.is_terminal, game.utility
    return all((getattr(function, "__module__", None) or "").startswith("course_lib.") for function in functions)


class Around(Game):
    """A game that asks another `game` for all that its class does not define; one that counts its calls counts them."""

    def __init__(self, game):
        self._game = game
        for name, function in vars(Game).items():
            if not name.startswith("_") and getattr(type(self), name) is function:
                setattr(self, name, getattr(game, name))

    def __repr__(self):
        return repr(self._game)


class Checked(Around):
    """A game whose `to_move` and `actions` raise `ValueError` where none of `movers` moves, or nobody can."""

    def __init__(self, game, movers):
        super().__init__(game)
        self._movers, self.actions = movers, at_least_one(game.actions)

    def to_move(self, state):
        return mover(self._game, state, self._movers)


def mover(game, state, movers=(MAX, MIN)):
    """The player who moves in this state; `ValueError` if it is none of `movers`."""
    player = game.to_move(state)
    if player in movers:
        return player
    whose = "chance" if player == CHANCE else f"player {player!r}"
    raise ValueError(f"minimax is for Max and Min, and {whose} moves here; see expectiminimax and max^n")


def max_to_move(game, state):
    """True if Max is to move in this state, False if Min is; `ValueError` if chance or another player is."""
    return mover(game, state) == MAX


def at_least_one(actions):
    """`actions`, a function of a state, which raises `ValueError` where it gives none."""

    def checked_actions(state):
        found = actions(state)
        try:
            if len(found):
                return found
        except TypeError:  # a generator
            return found
        raise no_actions(state)

    return checked_actions


def no_actions(state):
    """The error for a state that has no actions although the game goes on."""
    return ValueError(f"there are no actions in {state!r}, but the game is not over; mend actions() or is_terminal(), "
                      "or the order of the actions if you gave one")  # fmt: skip


def check_depth(depth, least=0):
    """A depth must be a whole number of plies, or infinity, which means to the end of the game."""
    if not isinstance(depth, Real) or not depth >= least or (depth != inf and depth % 1):
        raise ValueError(f"depth must be a whole number of at least {least}, or inf, not {depth!r}")
