"""The checks of a search's arguments, before it starts: so a search contains only the lines of its pseudo-code."""

from collections.abc import Callable, Sequence
from functools import wraps
from inspect import signature
from math import inf
from numbers import Real
from typing import Any, TypeVar

from course_lib.games import CHANCE, MAX, MIN, Game
from course_lib.games.game import Action, GameWrapper, State
from course_lib.games.validation import check_function, check_game, check_state

SearchFunction = TypeVar("SearchFunction", bound=Callable)
FORMS = {"evaluate": "evaluate(state) → number", "order": "order(state) → actions", "noise": "noise(state) → actions",
         "model": "model(state) → (action, probability) pairs"}  # fmt: skip
"""The functions that a search may take, by parameter."""


def for_max_and_min(search: SearchFunction) -> SearchFunction:
    """A search for games of Max and Min without chance, made to check its arguments before it starts.

    `search(game, state, …)` gets a game whose `to_move` and `actions` check what they return, see `CheckedGame`.
    """
    return _checked(search, (MAX, MIN))


def for_max_min_and_chance(search: SearchFunction) -> SearchFunction:
    """The same as `for_max_and_min`, for games in which chance may move too."""
    return _checked(search, (MAX, MIN, CHANCE))


def _checked(search, movers):
    takes = signature(search)
    form = ", ".join(f"{name}=" if p.kind is p.KEYWORD_ONLY else name for name, p in takes.parameters.items())

    @wraps(search)
    def checked_search(*arguments, **options):
        try:
            given = takes.bind(*arguments, **options).arguments
        except TypeError as error:
            raise TypeError(f"Expected {search.__name__}({form}): {error}") from None
        check_depth(given.get("depth", 0))
        if given.get("player", MAX) not in (MAX, MIN):
            raise ValueError(f"player must be MAX or MIN, the one who decides, not {given['player']!r}")
        game = given["game"]
        check_game(game)
        if game.players > 2:
            raise ValueError(f"minimax is for two players, and {game!r} has {game.players}; use max_n_search")
        if type(game).__module__.startswith("course_lib.games."):
            check_state(game, given["state"])
        is_checked = is_library_game(game) or isinstance(game, CheckedGame)
        given["game"] = game if is_checked else CheckedGame(game, movers)
        check_functions(**given)
        if "evaluate" in takes.parameters and given.get("evaluate") is None:
            given["evaluate"] = estimate_0
        try:
            found = search(**given)
        except RecursionError:
            raise RecursionError(f"{given['game']!r} is too long for {search.__name__}, which calls itself for each "
                                 f"ply: pass a depth, or call sys.setrecursionlimit") from None  # fmt: skip
        except (TypeError, LookupError, AttributeError):
            found = given.get("evaluate", estimate_0)(given["state"]), None
            if isinstance(found[0], Real):
                raise
        if isinstance(found, tuple) and not (isinstance(found[0], Real) and found[0] == found[0]):
            raise ValueError(f"Expected numbers from evaluate(state) and utility(state, player), got {found[0]!r}")
        return found

    return checked_search


def estimate_0(state: State) -> float:
    """The estimate of a search that gets no evaluation."""
    return 0


def check_functions(**arguments: Any) -> None:
    """The functions among the arguments of a search must be of their form; `evaluate` and `order` may be None."""
    for name in FORMS.keys() & arguments.keys():
        if arguments[name] is not None or name in ("noise", "model"):
            check_function(FORMS[name], arguments[name])


def is_library_game(game: Game) -> bool:
    """True if all functions of a game are of this package: tests hold them to their rules, and checks take time."""
    functions = game.to_move, game.actions, game.result, game.is_terminal, game.utility
    return all((getattr(function, "__module__", None) or "").startswith("course_lib.") for function in functions)


class CheckedGame(GameWrapper):
    """A game whose `to_move` and `actions` raise `ValueError` if none of `movers` moves, or nobody can move."""

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
    if not isinstance(depth, Real) or isinstance(depth, bool) or not depth >= minimum or (depth != inf and depth % 1):
        raise ValueError(f"depth must be a whole number of at least {minimum}, or inf, not {depth!r}")
