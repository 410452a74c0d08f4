"""What a game is: the six functions of the formalism, who moves, and playing one to its end."""

import random
from typing import Any, NamedTuple

MAX, MIN = 0, 1
"""The first two players; a third player is 2, a fourth 3, and so on."""
CHANCE = -1
"""Who moves where a die or a card decides."""


class Game:
    """The formal game: a subclass gives the first six functions, and `chances` where luck plays a part.

    States are immutable and hashable, and a search treats them as opaque. A wrong call (an illegal action,
    a move after the end) raises `ValueError` with what was given and what is legal.
    """

    players = 2
    """How many players take turns (chance is not counted)."""

    def initial_state(self):
        """S0: the state in which the game begins."""
        raise NotImplementedError

    def to_move(self, state):
        """The player whose turn it is: `MAX`, `MIN`, 2, 3 …, or `CHANCE`."""
        raise NotImplementedError

    def actions(self, state):
        """The legal actions in this state, in a fixed order: none in a terminal one, `ValueError` if `CHANCE` moves."""
        raise NotImplementedError

    def result(self, state, action):
        """The state after this action; `ValueError` if it is illegal or the game is over."""
        raise NotImplementedError

    def is_terminal(self, state):
        """True when the game is over."""
        raise NotImplementedError

    def utility(self, state, player):
        """What a terminal state is worth to `player`, a finite number; `ValueError` in any other state."""
        raise NotImplementedError

    def chances(self, state):
        """The (action, probability) pairs of a state in which `CHANCE` moves; `ValueError` in any other state."""
        raise ValueError(f"{self!r} has no chance nodes; chances() is only for states where to_move() is CHANCE")

    def render(self, state):
        """The state as text, for people."""
        return str(state)

    def grid(self, state):
        """The board as a list of strings, a character for each cell ("." is empty), or None if it has no board."""
        return None

    def action_at(self, state, row, column):
        """The legal action that a click on this cell of the grid means, or None."""
        return None

    def after(self, *actions):
        """The state that these actions lead to from the start."""
        state = self.initial_state()
        for action in actions:
            state = self.result(state, action)
        return state

    def __repr__(self):
        return f"{type(self).__name__}()"

    def _check_player(self, player):
        if player not in range(self.players):
            raise ValueError(f"player {player!r} is not in this game; the players are {list(range(self.players))}")

    def _illegal(self, state, action):
        """The error for an action that cannot be played here."""
        if self.is_terminal(state):
            return ValueError(f"cannot play {action!r}: the game is over\n{self.render(state)}")
        legal = ", ".join(map(repr, self.actions(state)))
        return ValueError(f"cannot play {action!r}; the legal actions are {legal}\n{self.render(state)}")

    def _not_over(self, state):
        """The error for a utility asked too early."""
        return ValueError(f"the game is not over, so it has no utility yet\n{self.render(state)}")


class GameRecord(NamedTuple):
    """A game as it was played: a utility for each player, the actions in order, and the states that they link."""

    utilities: tuple
    actions: tuple
    states: tuple


def play(game, agents, state=None, seed=None, show=None):
    """Play one game to its end and return its `GameRecord`.

    `agents` holds an agent for each player, in order; an agent is a callable `agent(game, state) → action`.
    Chance is drawn from `seed`. `show`, if given, is called with each state as text (try `show=print`).
    An agent's illegal action raises `ValueError`, as `game.result` does.
    """
    if len(agents) != game.players:
        raise ValueError(f"{game!r} has {game.players} players, and {len(agents)} agents were given; give one for each")
    luck = random.Random(seed)
    state = game.initial_state() if state is None else state
    actions: list[Any] = []
    states = [state]
    while not game.is_terminal(state):
        player = game.to_move(state)
        if player == CHANCE:
            outcomes, weights = zip(*game.chances(state))
            action = luck.choices(outcomes, weights)[0]
        else:
            action = agents[player](game, state)
        if show is not None:
            show(game.render(state))
        state = game.result(state, action)
        actions.append(action)
        states.append(state)
    if show is not None:
        show(game.render(state))
    utilities = tuple(game.utility(state, player) for player in range(game.players))
    return GameRecord(utilities, tuple(actions), tuple(states))


def random_agent(seed=None):
    """An agent that plays any legal action with equal probability; the same seed gives the same choices."""
    luck = random.Random(seed)

    def agent(game, state):
        return luck.choice(tuple(game.actions(state)))

    return agent


def human_agent(game, state):
    """An agent that shows the state and asks you for an action at the keyboard until you give a legal one.

    On a `board` you play by clicking instead.
    """
    legal = {str(action): action for action in game.actions(state)}
    print(game.render(state))
    while True:
        answer = input(f"Your action ({', '.join(legal)}): ").strip()
        if answer in legal:
            return legal[answer]
        print(f"{answer!r} is not legal here.")
