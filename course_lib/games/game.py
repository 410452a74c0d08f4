"""What a game is: the six functions of the formalism, who moves, and playing one to its end."""

import random
from collections.abc import Iterable
from math import fsum
from typing import Any, NamedTuple

MAX, MIN = 0, 1
"""The first two players; a third player is 2, a fourth 3, and so on."""
CHANCE = -1
"""Who moves where a die or a card decides."""
TOLERANCE = 1e-9
"""How far the probabilities of a chance node may be from 1 in sum."""


class Game:
    """The formal game: a subclass gives the first six functions, and `chances` where luck plays a part.

    States are immutable and hashable, and a search treats them as opaque. A wrong call (an illegal action,
    a move after the end) raises `ValueError` with what was given and what is legal.
    """

    players = 2
    """How many players take turns (chance is not counted)."""

    def initial_state(self):
        """S0: the state in which the game begins."""
        raise self._not_defined("initial_state()")

    def to_move(self, state):
        """The player whose turn it is: `MAX`, `MIN`, 2, 3 …, or `CHANCE`."""
        raise self._not_defined("to_move(state)")

    def actions(self, state):
        """The legal actions in this state, in a fixed order: none in a terminal one, `ValueError` if `CHANCE` moves."""
        raise self._not_defined("actions(state)")

    def result(self, state, action):
        """The state after this action; `ValueError` if it is illegal or the game is over."""
        raise self._not_defined("result(state, action)")

    def is_terminal(self, state):
        """True when the game is over."""
        raise self._not_defined("is_terminal(state)")

    def utility(self, state, player):
        """What a terminal state is worth to `player`, a finite number; `ValueError` in any other state."""
        raise self._not_defined("utility(state, player)")

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

    def _not_defined(self, function):
        return NotImplementedError(f"{type(self).__name__} does not define {function}")

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
    An agent's illegal action raises `ValueError`, as `game.result` does, and so do probabilities that do not sum to 1.
    """
    if isinstance(game, type):
        raise ValueError(f"play takes a game, not a class of games: give {game.__name__}(), with parentheses")
    if not hasattr(game, "result"):
        raise ValueError(f"play takes a game, such as TicTacToe(), not {game!r}")
    players = getattr(game, "players", 2)
    if not isinstance(agents, Iterable) and not callable(agents):
        raise ValueError(f"agents holds an agent for each player, functions (game, state) → action, not {agents!r}")
    agents = [agents] if callable(agents) else list(agents)
    if random_agent in agents:
        raise ValueError("random_agent makes an agent: give random_agent(), with parentheses")
    if len(agents) != players:
        raise ValueError(f"{game!r} has {players} players, and {len(agents)} agents were given; give one for each")
    luck = _luck(seed)
    state = game.initial_state() if state is None else state
    actions: list[Any] = []
    states = [state]
    while not game.is_terminal(state):
        player = game.to_move(state)
        if player == CHANCE:
            outcomes, weights = zip(*distribution(game.chances(state), state))
            action = luck.choices(outcomes, weights)[0]
        elif player not in range(players):
            raise ValueError(f"to_move() is a player from 0 to {players - 1} or CHANCE, not {player!r}, in {state!r}")
        elif not callable(agents[player]):
            raise ValueError(f"an agent is a function (game, state) → action; player {player}'s is {agents[player]!r}")
        else:
            action = agents[player](game, state)
        if show is not None:
            show(game.render(state))
        state = game.result(state, action)
        actions.append(action)
        states.append(state)
    if show is not None:
        show(game.render(state))
    utilities = tuple(game.utility(state, player) for player in range(players))
    return GameRecord(utilities, tuple(actions), tuple(states))


def distribution(chances, state):
    """The (action, probability) pairs of `state`; `ValueError` unless the probabilities are 0 or more and sum to 1."""
    try:
        pairs = [(action, p) for action, p in chances]
        sound = all(p >= 0 for _, p in pairs) and abs(fsum(p for _, p in pairs) - 1) <= TOLERANCE
    except (TypeError, ValueError):
        raise ValueError(
            f"a distribution is (action, probability) pairs, not {chances!r}, in state {state!r}"
        ) from None
    if not sound:
        raise ValueError(f"probabilities are 0 or more and sum to 1, not {pairs!r}, in state {state!r}")
    return pairs


def random_agent(seed=None):
    """An agent that plays any legal action with equal probability; the same seed gives the same choices."""
    luck = _luck(seed)

    def agent(game, state):
        return luck.choice(_choices(game, state))

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
    """Random numbers from a seed; `ValueError` for what is none."""
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
