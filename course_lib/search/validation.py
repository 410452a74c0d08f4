"""The checks of a search's arguments, before it starts: so a search contains only the lines of its pseudo-code."""

from collections.abc import Callable, Sequence
from functools import partial, wraps
from inspect import signature
from math import inf
from numbers import Real
from typing import Any, TypeVar, cast

from course_lib.games.game import CHANCE, MAX, MIN, Action, Agent, Game, GameWrapper, State
from course_lib.games.validation import as_game, check_function, check_state

SearchFunction = TypeVar("SearchFunction", bound=Callable)
FORMS = {"evaluate": "evaluate(state) → number", "order": "order(state) → actions", "noise": "noise(state) → actions",
         "model": "model(state) → (action, probability) pairs"}  # fmt: skip
"""The functions that a search may take, by parameter."""


def checked(search: SearchFunction, movers: Sequence[int] | None) -> SearchFunction:
    """`search(game, state, …)`, made to check its arguments, for games in which only `movers` move (None: anybody).

    Inside, `game` is a `Game`, which is a `CheckedGame` unless it is trusted, and `evaluate` returns numbers only.
    """
    parameters = signature(search)

    @wraps(search)
    def checked_search(*arguments, **options):
        given = parameters.bind(*arguments, **options).arguments
        game = given["game"] = as_game(given["game"])
        if movers and game.players > 2:
            raise ValueError(f"minimax is for two players, and {game!r} has {game.players}; use max_n_search")
        check_state(game, given["state"])
        check_depth(given.get("depth", 0))
        check_functions(**given)
        if given.get("player", MAX) not in (MAX, MIN):
            raise ValueError(f"player must be MAX or MIN, the one who decides, not {given['player']!r}")
        alpha, beta = given.get("alpha", -inf), given.get("beta", inf)
        if not alpha < beta:
            raise ValueError(f"Expected a window with alpha < beta, got {alpha=}, {beta=}")
        if "evaluate" in parameters.parameters:
            given["evaluate"] = numbers_only("evaluate", given.get("evaluate") or estimate_0)
        if not game.trusted and not isinstance(game, CheckedGame):
            given["game"] = CheckedGame(game, movers or (CHANCE, *range(game.players)))
        try:
            return search(**given)
        except RecursionError:
            raise RecursionError(f"{game!r} is too long for {search.__name__}, which calls itself for each ply: "
                                 f"pass a depth, or call sys.setrecursionlimit") from None  # fmt: skip

    return cast(SearchFunction, checked_search)


for_max_and_min = partial(checked, movers=(MAX, MIN))
for_max_min_and_chance = partial(checked, movers=(MAX, MIN, CHANCE))
for_all_players = partial(checked, movers=None)


def estimate_0(state: State) -> float:
    """The estimate of a search that gets no evaluation."""
    return 0


def numbers_only(name: str, function: Callable) -> Callable:
    """The function called `name`, with `ValueError` if it returns no number or nan; infinity is a number."""

    def checked_function(state, *player):
        number = function(state, *player)
        try:
            if -inf <= number <= inf:
                return number
        except (TypeError, ValueError):
            pass
        raise ValueError(f"Expected numbers from evaluate(state) and utility(state, player), got {number!r} "
                         f"from {name} in {state!r}")  # fmt: skip

    return checked_function


def check_functions(**arguments: Any) -> None:
    """The functions among the arguments of a search must be of their form; `evaluate` and `order` may be None."""
    for name in FORMS.keys() & arguments.keys():
        if arguments[name] is not None or name in ("noise", "model"):
            check_function(FORMS[name], arguments[name])


class CheckedGame(GameWrapper):
    """A game that raises `ValueError` if none of `movers` moves, nobody can move, or a utility is not a number."""

    def __init__(self, game: Game, movers: Sequence[int]):
        super().__init__(game)
        self._movers, self._utility = movers, numbers_only("utility", game.utility)

    def utility(self, state: State, player: int) -> float:
        return self._utility(state, player)

    def to_move(self, state: State) -> int:
        return mover(self._game, state, self._movers)

    def actions(self, state: State) -> Sequence[Action]:
        actions = tuple(self._game.actions(state))
        if not actions:
            raise no_actions_error(state)
        return actions


def mover(game: Game, state: State, movers: Sequence[int]) -> int:
    """The player who moves in this state; `ValueError` if it is none of `movers`."""
    player = game.to_move(state)
    if player in movers:
        return player
    whose = "chance" if player == CHANCE else f"player {player!r}"
    raise ValueError(f"minimax is for Max and Min, and {whose} moves here; see expectiminimax and max^n")


def no_actions_error(state: State) -> ValueError:
    """The error for a state that has no actions although the game goes on."""
    return ValueError(f"there are no actions in {state!r}, but the game is not over; fix actions() or is_terminal()")


def agent_of(search: Callable, depth: float, **functions: Any) -> Agent:
    """An agent that plays the action of `search`, at least one ply deep, with these functions as options."""
    check_depth(depth, minimum=1)
    check_functions(**functions)

    def agent(game, state):
        return search(game, state, depth=depth, **functions)[1]

    return agent


def check_depth(depth: float, minimum: int = 0) -> None:
    """A depth must be a whole number of plies, or infinity, which means to the end of the game."""
    if not isinstance(depth, Real) or isinstance(depth, bool) or not depth >= minimum or (depth != inf and depth % 1):
        raise ValueError(f"depth must be a whole number of at least {minimum}, or inf, not {depth!r}")
