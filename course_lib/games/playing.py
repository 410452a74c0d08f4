"""Playing a game to its end, and agents that need no search."""

from collections.abc import Mapping, Sequence
from math import inf
from types import FunctionType
from typing import NamedTuple

from course_lib.games.game import CHANCE, Action, Agent, Game, State
from course_lib.games.randomness import RandomSource, Seed, random_source, weighted_choice
from course_lib.games.validation import as_game, check_agents, check_number, distribution, first_state

MAX_PLIES = 100_000
"""A game or a playout with more plies than this raises `ValueError`: it probably never ends."""
HINTS = {
    tuple: "\nThe agent returned a tuple. If it is a search, which returns (value, action), return its second part.",
    FunctionType: "\nThe agent returned a function. If it is a factory, pass what it returns: factory(), not factory.",
}
"""What is probably wrong with an agent whose action is not legal, by the action's type."""


class GameRecord(NamedTuple):
    """A game as it was played: a utility for each player, the actions in order, and the states that they link."""

    utilities: tuple[float, ...]
    actions: tuple[Action, ...]
    states: tuple[State, ...]


def play(
    game: Game, agents: Sequence[Agent] | Mapping[str, Agent], state: State = None, *, seed: Seed = None
) -> GameRecord:
    """Play one game to its end and return its `GameRecord`.

    `agents` has an agent for each player, in order, in a list or a dictionary; an agent is a function
    `agent(game, state) → action`. The game begins at `state`, or at its start. Chance is drawn from `seed`. An illegal
    action of an agent raises `ValueError`, and so do probabilities that do not sum to 1 and a game that does not end.

    >>> from course_lib.games import Nim
    >>> record = play(Nim((1, 2)), [random_agent(seed=1), random_agent(seed=2)])
    >>> record.actions, record.utilities
    (((0, 1), (1, 1), (1, 1)), (1, -1))
    """
    game = as_game(game)
    players, rng = list(check_agents(agents, game.players).values()), random_source(seed)
    state = first_state(game, state)
    actions, states = [], [state]
    while not game.is_terminal(state):
        if len(actions) == MAX_PLIES:
            raise endless_error(game)
        action, state = move(game, state, players, rng)
        actions.append(action)
        states.append(state)
    return GameRecord(utilities_at(game, state), tuple(actions), tuple(states))


def utilities_at(game: Game, state: State) -> tuple[float, ...]:
    """The utilities of a terminal state, one for each player; `ValueError` if one is not a finite number."""
    utilities = tuple(game.utility(state, player) for player in range(game.players))
    check_number(-inf, **{f"utility({state!r}, {player})": utility for player, utility in enumerate(utilities)})
    return utilities


def endless_error(game: Game) -> ValueError:
    """The error for a game that goes on and on."""
    return ValueError(f"Expected {game!r} to end, got no end after {MAX_PLIES:,} plies: fix is_terminal() or result()")


def move(game: Game, state: State, agents: Sequence[Agent], rng: RandomSource) -> tuple[Action, State]:
    """The action of the agent to move, or of chance, and the state after it; `ValueError` if it is not legal."""
    player = game.to_move(state)
    action = sample_outcome(game, state, rng) if player == CHANCE else agents[player](game, state)
    try:
        return action, game.result(state, action)
    except ValueError as error:
        raise ValueError(f"{error}{HINTS.get(type(action), '')}") from error


def sample_outcome(game: Game, state: State, rng: RandomSource) -> Action:
    """An outcome of the chance node `state`, drawn by its probabilities from `rng`."""
    outcomes, weights = zip(*distribution(game.chances(state), state))
    return weighted_choice(outcomes, weights, rng)


def random_agent(seed: Seed = None) -> Agent:
    """An agent that plays any legal action with equal probability, or None at the end; a seed repeats the choices."""
    rng = random_source(seed)

    def agent(game, state):
        actions = tuple(as_game(game).actions(state))
        return rng.choice(actions) if actions else None

    return agent
