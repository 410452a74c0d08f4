"""What the searches ask of their arguments, once, before they start: so a search is the lines of its pseudo-code."""

from collections.abc import Callable, Sequence
from functools import wraps
from inspect import signature
from math import inf
from numbers import Real

from course_lib.games import CHANCE, MAX, MIN, Game
from course_lib.games.checks import check_game
from course_lib.games.game import Action, State

Evaluate = Callable[[State], float]
"""An estimate of the utility for Max."""
Order = Callable[[State], Sequence[Action]]
"""The legal actions of a state in the order to try them."""
Answer = tuple[float, Action]
"""The value, which is Max's but in negamax, and the action; None if there is none to play."""


def for_max_and_min(search: Callable) -> Callable:
    """A search for games of Max and Min without chance, made to check its arguments before it starts.

    `search(game, state, …)` gets a game whose `to_move` and `actions` check what they return, see `CheckedGame`.
    """
    return _checked(search, (MAX, MIN))


def for_max_min_and_chance(search: Callable) -> Callable:
    """The same as `for_max_and_min`, for games in which chance may move too."""
    return _checked(search, (MAX, MIN, CHANCE))


def _checked(search, movers):
    takes = signature(search)

    @wraps(search)
    def checked_search(*arguments, **options):
        given = takes.bind(*arguments, **options).arguments
        check_depth(given.get("depth", 0))
        if given.get("player", MAX) not in (MAX, MIN):
            raise ValueError(f"player must be MAX or MIN, the one who decides, not {given['player']!r}")
        given["game"] = checked_game(given["game"], movers)
        return search(**given)

    return checked_search


def checked_game(game: Game, movers: Sequence[int]) -> Game:
    """The game to search: if it is not of this package, it checks that one of `movers` moves and has actions."""
    check_game(game)
    if game.players > 2:
        raise ValueError(f"minimax is for two players, and {game!r} has {game.players}; use max_n_search")
    return game if is_library_game(game) else CheckedGame(game, movers)


def is_library_game(game: Game) -> bool:
    """True if all functions of a game are of this package: tests hold them to their rules, and checks take time."""
    functions = game.to_move, game.actions, game.result, game.is_terminal, game.utility
    return all((getattr(function, "__module__", None) or "").startswith("course_lib.") for function in functions)


class GameWrapper(Game):
    """A game that asks another `game` for all that its class does not define; one that counts its calls counts them."""

    def __init__(self, game: Game):
        self._game = game
        for name, function in vars(Game).items():
            if not name.startswith("_") and getattr(type(self), name) is function:
                setattr(self, name, getattr(game, name))

    def __repr__(self) -> str:
        return repr(self._game)


class CheckedGame(GameWrapper):
    """A game whose `to_move` and `actions` raise `ValueError` where none of `movers` moves, or nobody can."""

    def __init__(self, game: Game, movers: Sequence[int]):
        super().__init__(game)
        self._movers = movers

    def to_move(self, state: State) -> int:
        return mover(self._game, state, self._movers)

    def actions(self, state: State) -> Sequence[Action]:
        actions = tuple(self._game.actions(state))
        if not actions:
            raise no_actions_error(state)
        return actions


def mover(game: Game, state: State, movers: Sequence[int] = (MAX, MIN)) -> int:
    """The player who moves in this state; `ValueError` if it is none of `movers`."""
    player = game.to_move(state)
    if player in movers:
        return player
    whose = "chance" if player == CHANCE else f"player {player!r}"
    raise ValueError(f"minimax is for Max and Min, and {whose} moves here; see expectiminimax and max^n")


def max_to_move(game: Game, state: State) -> bool:
    """True if Max is to move in this state, False if Min is; `ValueError` if chance or another player is."""
    return mover(game, state) == MAX


def no_actions_error(state: State) -> ValueError:
    """The error for a state that has no actions although the game goes on."""
    return ValueError(f"there are no actions in {state!r}, but the game is not over; fix actions() or is_terminal()")


def check_depth(depth: float, minimum: int = 0) -> None:
    """A depth must be a whole number of plies, or infinity, which means to the end of the game."""
    if not isinstance(depth, Real) or not depth >= minimum or (depth != inf and depth % 1):
        raise ValueError(f"depth must be a whole number of at least {minimum}, or inf, not {depth!r}")
