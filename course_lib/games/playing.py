"""Playing a game to its end, and agents that need no search."""

import random
from collections.abc import Iterable
from typing import Any, NamedTuple

from course_lib.games.checks import check_game, distribution
from course_lib.games.game import CHANCE


class GameRecord(NamedTuple):
    """A game as it was played: a utility for each player, the actions in order, and the states that they link."""

    utilities: tuple
    actions: tuple
    states: tuple


def play(game, agents, state=None, seed=None):
    """Play one game to its end and return its `GameRecord`.

    `agents` holds an agent for each player, in order; an agent is a function `agent(game, state) → action`. The game
    begins at `state`, or at its start. Chance is drawn from `seed`. An illegal action of an agent raises `ValueError`,
    and so do probabilities that do not sum to 1.
    """
    check_game(game)
    agents = _agents_for(game, agents)
    luck = _luck(seed)
    state = game.initial_state() if state is None else state
    actions: list[Any] = []
    states = [state]
    while not game.is_terminal(state):
        player = game.to_move(state)
        if player == CHANCE:
            action = draw_outcome(game, state, luck)
        elif player not in range(game.players):
            raise ValueError(f"to_move() must be a player from 0 to {game.players - 1} or CHANCE, not {player!r}, "
                             f"in {state!r}")  # fmt: skip
        elif not callable(agents[player]):
            raise ValueError(f"an agent is a function (game, state) → action; player {player}'s is {agents[player]!r}")
        else:
            action = agents[player](game, state)
        state = game.result(state, action)
        actions.append(action)
        states.append(state)
    utilities = tuple(game.utility(state, player) for player in range(game.players))
    return GameRecord(utilities, tuple(actions), tuple(states))


def _agents_for(game, agents):
    """The agents as a list, one for each player."""
    if not isinstance(agents, Iterable) and not callable(agents):
        raise ValueError(f"agents must be a list of functions agent(game, state) → action, not {agents!r}")
    agents = [agents] if callable(agents) else list(agents)
    if random_agent in agents:
        raise ValueError("random_agent makes an agent: give random_agent(), with parentheses")
    if len(agents) != game.players:
        raise ValueError(f"{game!r} has {game.players} players, and {len(agents)} agents were given; "
                         "give one for each")  # fmt: skip
    return agents


def draw_outcome(game, state, luck):
    """An outcome of the chance node `state`, drawn by its probabilities from `luck`, a `random.Random`."""
    outcomes, weights = zip(*distribution(game.chances(state), state))
    return luck.choices(outcomes, weights)[0]


def random_agent(seed=None):
    """An agent that plays any legal action with equal probability; the same seed gives the same choices."""
    luck = _luck(seed)

    def agent(game, state):
        return luck.choice(_choices(game, state))

    agent.at_random = True  # for what is said about moves against it
    return agent


def human_agent(game, state):
    """An agent that shows the state and asks you for an action at the keyboard until you give a legal one.

    On a `board` you play by clicking instead.
    """
    legal = {str(action): action for action in _choices(game, state)}
    print(game.render(state))
    while True:
        answer = input(f"Your action ({', '.join(legal)}): ").strip()
        if answer in legal:
            return legal[answer]
        print(f"{answer!r} is not legal here.")


def _luck(seed):
    """A source of random numbers made from this seed."""
    try:
        return random.Random(seed)
    except TypeError:
        raise ValueError(f"a seed is a number or text, not {seed!r}; leave it out for new choices each time") from None


def _choices(game, state):
    """The legal actions as a tuple; `ValueError` if there is none to choose."""
    actions = tuple(game.actions(state))
    if not actions:
        raise ValueError(f"there is no action to choose in {state!r}: ask is_terminal() first, or mend actions()")
    return actions
