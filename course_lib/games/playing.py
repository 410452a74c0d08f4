"""Playing a game to its end, and agents that need no search."""

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

from course_lib.games.checks import check_game, distribution
from course_lib.games.game import CHANCE, Action, Agent, Game, State


class GameRecord(NamedTuple):
    """A game as it was played: a utility for each player, the actions in order, and the states that they link."""

    utilities: tuple[float, ...]
    actions: tuple[Action, ...]
    states: tuple[State, ...]


def play(game: Game, agents: Sequence[Agent], state: State = None, seed: Any = None) -> GameRecord:
    """Play one game to its end and return its `GameRecord`.

    `agents` holds an agent for each player, in order; an agent is a function `agent(game, state) → action`. The game
    begins at `state`, or at its start. Chance is drawn from `seed`. An illegal action of an agent raises `ValueError`,
    and so do probabilities that do not sum to 1.
    """
    check_game(game)
    if len(agents) != game.players or not all(map(callable, agents)):
        raise ValueError(f"expected {game.players} functions agent(game, state) → action, got {agents!r}")
    rng, state = random.Random(seed), game.initial_state() if state is None else state
    actions, states = [], [state]
    while not game.is_terminal(state):
        player = game.to_move(state)
        action = sample_outcome(game, state, rng) if player == CHANCE else agents[player](game, state)
        state = game.result(state, action)
        actions.append(action)
        states.append(state)
    utilities = tuple(game.utility(state, player) for player in range(game.players))
    return GameRecord(utilities, tuple(actions), tuple(states))


def sample_outcome(game: Game, state: State, rng: random.Random) -> Action:
    """An outcome of the chance node `state`, drawn by its probabilities from `rng`."""
    outcomes, weights = zip(*distribution(game.chances(state), state))
    return rng.choices(outcomes, weights)[0]


def random_agent(seed: Any = None) -> Agent:
    """An agent that plays any legal action with equal probability; the same seed gives the same choices."""
    rng = random.Random(seed)

    def agent(game, state):
        return rng.choice(tuple(game.actions(state)))

    return agent
