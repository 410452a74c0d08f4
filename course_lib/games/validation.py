"""Checks of the numbers, probabilities and games that a reader gives, each written once.

Each raises `ValueError`, which says what was given and what is expected.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from math import fsum, inf
from numbers import Integral, Real
from typing import Any, get_origin

from course_lib.games.game import RULES, Action, Agent, Answer, Chances, Game, GameWrapper, State

TOLERANCE = 1e-9
"""How far the probabilities of a chance node may be from 1 in sum."""
AGENT = "agent(game, state) → action"


def check_whole(minimum: int, maximum: float = inf, /, **numbers: Any) -> None:
    """Each must be an `int` or a whole number of NumPy's (not True, not 2.0) from `minimum` to `maximum`."""
    _check("a whole number", Integral, minimum, maximum, numbers)


def check_number(minimum: float, maximum: float = inf, /, **numbers: Any) -> None:
    """Each of these must be a finite number of at least `minimum`, and at most `maximum`."""
    _check("a finite number", Real, minimum, maximum, numbers)


def _check(description, kind, minimum, maximum, numbers):
    expected = f"{description} of at least {minimum}" if minimum > -inf else description
    expected = f"{description} from {minimum} to {maximum}" if maximum < inf else expected
    for name, number in numbers.items():
        fits = isinstance(number, kind) and (kind is Real or not isinstance(number, bool))
        if not (fits and minimum <= number <= maximum and number < inf):
            raise ValueError(f"{name} must be {expected}, not {number!r}")


def check_kind(kind: type, **arguments: Any) -> None:
    """Each of these must be an object of this class."""
    for name, given in arguments.items():
        if not isinstance(given, kind):
            raise ValueError(f"Expected {name} to be a {kind.__name__}, got {given!r}")


def as_game(game: Any) -> Game:
    """`game` itself, or an object with the six functions together with all else that a `Game` has."""
    if isinstance(game, Game):
        return game
    missing = [name for name in RULES if not callable(getattr(game, name, None))]
    if missing or isinstance(game, type):
        without = f"it is without the functions {', '.join(missing)}"
        remedy = f"pass {game.__name__}(), with parentheses" if isinstance(game, type) else without
        raise ValueError(f"Expected a game, an object with the functions {', '.join(RULES)}, got {game!r}: {remedy}")
    return GameWrapper(game)


def check_two_players(game: Any, asker: str) -> Game:
    """`as_game(game)`, which must have two players; `asker`, in words, is what needs one."""
    game = as_game(game)
    if game.players != 2:
        raise ValueError(f"{asker} needs a game of two players, and {game!r} has {game.players}")
    return game


def check_state(game: Any, state: State) -> None:
    """`game` must be a game, and `state` one that it can read; a state of another game often is not."""
    game = as_game(game)
    try:
        if not game.is_terminal(state):
            game.to_move(state)
        start = game.initial_state() if game.trusted else ()
        parts = zip(start, state, strict=True) if isinstance(start, tuple) and start else ()
        if any(isinstance(ours, tuple) != isinstance(given, tuple) for ours, given in parts):
            raise TypeError("its parts are of other types")
    except (TypeError, ValueError, LookupError, AttributeError) as error:
        start = game.initial_state()
        if state == start:
            raise
        raise ValueError(f"Expected a state of {game!r}, such as {start!r}, got {state!r}: "
                         f"pass what initial_state() or result() returned") from error  # fmt: skip


def first_state(game: Any, state: State = None) -> State:
    """The given state, checked, or the initial one instead of None."""
    state = as_game(game).initial_state() if state is None else state
    check_state(game, state)
    return state


def check_function(form: str, function: Any) -> None:
    """`function` must be a function of a form such as "evaluate(state) → number", not a factory of such functions."""
    if not callable(function):
        raise ValueError(f"Expected a function {form}, got {function!r}")
    from inspect import Parameter, signature  # late: each sandbox of the grader would load it

    try:
        takes = signature(function)
    except ValueError:  # some functions written in C have none
        return
    required = any(parameter.default is Parameter.empty for parameter in takes.parameters.values())
    makes = getattr(function, "__annotations__", {}).get("return")
    if isinstance(function, type) or "__call__" in getattr(makes, "__dict__", ()) or get_origin(makes) is Callable:
        name, kind = function.__name__, "class" if isinstance(function, type) else "factory"
        call = f"{name}({'…' if required else ''})"
        raise ValueError(f"Expected a function {form}, got the {kind} {name}: pass {call}, not {name}")
    if names := re.match(r"\w+\(([\w, ]+)\)", form):
        if not required:
            raise ValueError(f"Expected a function {form}, got one without required arguments, like a factory: {takes}")
        try:
            takes.bind(*names[1].split(", "))
        except TypeError as error:
            raise ValueError(f"Expected a function {form}, got one that takes {takes}: {error}") from error


def check_agents(agents: Any, count: int | None = None) -> dict[str, Agent]:
    """The agents by name; those of a list are "agent 1", "agent 2" … There must be `count` of them, if it is given."""
    named = dict(agents) if isinstance(agents, Mapping) else {}
    if isinstance(agents, Sequence):
        named = {f"agent {number}": agent for number, agent in enumerate(agents, 1)}
    if len(named) != (count or max(2, len(named))):
        number = count or "at least 2"
        raise ValueError(f"Expected {number} functions {AGENT}, in a list or a dictionary, got {agents!r}")
    for agent in named.values():
        check_agent(agent)
    return named


def check_agent(agent: Any) -> None:
    """`agent` must be a function `agent(game, state) → action`, neither a factory of agents nor a search."""
    check_function(AGENT, agent)
    if getattr(agent, "__annotations__", {}).get("return") == Answer:
        raise ValueError(f"Expected a function {AGENT}, got a search, which returns (value, action): "
                         f"pass lambda game, state: {agent.__name__}(game, state)[1]")  # fmt: skip


def distribution(chances: Chances, state: State) -> list[tuple[Action, float]]:
    """The (action, probability) pairs of `state` above probability 0; all must be 0 or more and sum to 1."""
    try:
        pairs = [(action, p) for action, p in chances]
        if all(p >= 0 for _, p in pairs) and abs(fsum(p for _, p in pairs) - 1) <= TOLERANCE:
            return [(action, p) for action, p in pairs if p > 0]
    except (TypeError, ValueError):
        pass
    raise ValueError(f"a distribution is (action, probability) pairs, whose probabilities are 0 or more and sum to 1, "
                     f"not {chances!r}, in state {state!r}")  # fmt: skip
