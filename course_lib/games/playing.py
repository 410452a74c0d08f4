"""Playing a game to its end, and agents that need no search."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from course_lib.games.game import CHANCE, Action, Agent, Game, State
from course_lib.games.randomness import RandomSource, Seed, random_source, weighted_choice
from course_lib.games.validation import action_hint, check_agents, check_game, distribution, first_state


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
    action of an agent raises `ValueError`, and so do probabilities that do not sum to 1.

    >>> from course_lib.games import Nim
    >>> record = play(Nim((1, 2)), [random_agent(seed=1), random_agent(seed=2)])
    >>> record.actions, record.utilities
    (((0, 1), (1, 1), (1, 1)), (1, -1))
    """
    check_game(game)
    players, rng = list(check_agents(agents, game.players).values()), random_source(seed)
    state = first_state(game, state)
    actions, states = [], [state]
    while not game.is_terminal(state):
        player = game.to_move(state)
        if player == CHANCE:
            action = sample_outcome(game, state, rng)
            state = game.result(state, action)
        else:
            action, state = move(game, state, players[player])
        actions.append(action)
        states.append(state)
    utilities = tuple(game.utility(state, player) for player in range(game.players))
    return GameRecord(utilities, tuple(actions), tuple(states))


def move(game: Game, state: State, agent: Agent) -> tuple[Action, State]:
    """The action that `agent` chooses, and the state after it; `ValueError` if it is not legal."""
    action = agent(game, state)
    try:
        return action, game.result(state, action)
    except ValueError as error:
        if hint := action_hint(action):
            raise ValueError(f"{error}{hint}") from error
        raise


def sample_outcome(game: Game, state: State, rng: RandomSource) -> Action:
    """An outcome of the chance node `state`, drawn by its probabilities from `rng`."""
    outcomes, weights = zip(*distribution(game.chances(state), state))
    return weighted_choice(outcomes, weights, rng)


def random_agent(seed: Seed = None) -> Agent:
    """An agent that plays any legal action with equal probability, or None at the end; a seed repeats the choices."""
    rng = random_source(seed)

    def agent(game, state):
        check_game(game)
        actions = tuple(game.actions(state))
        return rng.choice(actions) if actions else None

    return agent
