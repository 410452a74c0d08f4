"""What a game is: the six functions of the formalism, and who moves; and the functions that play and search games."""

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import Any

from course_lib.games.randomness import RandomSource

MAX, MIN = 0, 1
"""The first two players; a third player is 2, a fourth 3, and so on."""
CHANCE = -1
"""Who moves where a die or a card decides."""

State = Any
"""Immutable and hashable; only its own game looks inside it."""
Action = Any
Answer = tuple[float, Action]
"""What a search returns: Max's value and the action; None if there is none to play."""
Chances = Iterable[tuple[Action, float]]
"""(action, probability) pairs."""
Order = Callable[[State], Sequence[Action]]
"""The legal actions of a state in the order to try them."""
Model = Callable[[State], Chances]
"""What an opponent plays in a state."""
Agent = Callable[["Game", State], Action]
"""A player: `agent(game, state)` returns the action to play in `state`."""
Search = Callable[["Game", State], Answer]
"""`search(game, state)` returns the value of `state` for Max and the best action."""
Evaluate = Callable[[State], float]
"""`evaluate(state)` returns an estimate of the utility for Max, on the scale of the utilities."""
Policy = Callable[["Game", State, RandomSource], Action]
"""`policy(game, state, rng)` returns the action of a playout; it draws random choices from `rng` only."""

RULES = "initial_state", "to_move", "actions", "result", "is_terminal", "utility"
"""The six functions of the formalism: an object that has them is a game."""


class Game:
    """The formal game, the base of all games: a subclass defines the first six functions, and `chances` if needed.

    States are immutable and hashable, and a search never looks inside them. A wrong call, such as an illegal action,
    raises `ValueError` with what was given and what is legal.
    """

    players = 2
    """How many players take turns (chance is not counted)."""
    trusted = False
    """Whether tests hold this game to the rules of all games; searches check what other games answer, at each node."""
    board_style = "squares"
    """How the board of `grid` is drawn: "squares", "discs" that fall into columns, a "maze", or "heaps"."""
    player_marks: tuple[str, ...] = ()
    """What each player plays with, for people."""
    line_length = 0
    """How many equal marks in a line win, if that is the aim: a board marks them."""

    def initial_state(self) -> State:
        """S0: the state in which the game begins."""
        raise NotImplementedError(f"{type(self).__name__} must define initial_state, as every game does")

    def to_move(self, state: State) -> int:
        """The player whose turn it is: `MAX`, `MIN`, 2, 3 …, or `CHANCE`."""
        raise NotImplementedError(f"{type(self).__name__} must define to_move, as every game does")

    def actions(self, state: State) -> Sequence[Action]:
        """The legal actions in a fixed order: none when the game is over, `ValueError` if `CHANCE` moves."""
        raise NotImplementedError(f"{type(self).__name__} must define actions, as every game does")

    def result(self, state: State, action: Action) -> State:
        """The state after this action; `ValueError` if it is illegal or the game is over."""
        raise NotImplementedError(f"{type(self).__name__} must define result, as every game does")

    def is_terminal(self, state: State) -> bool:
        """True when the game is over."""
        raise NotImplementedError(f"{type(self).__name__} must define is_terminal, as every game does")

    def utility(self, state: State, player: int) -> float:
        """The value of a terminal state for `player`, a finite number; `ValueError` in any other state."""
        raise NotImplementedError(f"{type(self).__name__} must define utility, as every game does")

    def chances(self, state: State) -> Chances:
        """The (action, probability) pairs of a state in which `CHANCE` moves; `ValueError` in any other state."""
        raise ValueError(f"{self!r} has no chance node here; chances() is for states where to_move() is CHANCE")

    def render(self, state: State) -> str:
        """The state as text, for people."""
        return str(state)

    def grid(self, state: State) -> Sequence[str] | None:
        """The board as a list of strings, a character for each cell ("." is empty), or None if it has no board."""
        return None

    def action_at(self, state: State, row: int, column: int) -> Action:
        """The legal action that a click on this cell of the grid stands for, or None."""
        return None

    def after(self, *actions: Action) -> State:
        """The state that these actions lead to from the start."""
        return reduce(self.result, actions, self.initial_state())

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    def _check_end(self, state, player):
        """`ValueError` if `player` is not in this game, or the game is not over."""
        self._check_player(player)
        if not self.is_terminal(state):
            raise ValueError(f"the game is not over, so it has no utility yet\n{self.render(state)}")

    def _check_player(self, player):
        if player not in range(self.players):
            raise ValueError(f"player {player!r} is not in this game; the players are {list(range(self.players))}")

    def _illegal(self, state, action):
        """The error for an action that cannot be played here, or an outcome that chance cannot bring."""
        if self.is_terminal(state):
            return ValueError(f"cannot play {action!r}: the game is over\n{self.render(state)}")
        chance = self.to_move(state) == CHANCE
        legal = dict(self.chances(state)) if chance else self.actions(state)
        kind = "outcomes of chance" if chance else "legal actions"
        return ValueError(f"cannot play {action!r}; the {kind} are {', '.join(map(repr, legal))}\n{self.render(state)}")

    def _no_choice(self, state):
        """The error for calling `actions` at a chance node."""
        return ValueError(f"chance moves here: call chances(), or use a search with chance nodes\n{self.render(state)}")


class GameWrapper(Game):
    """A game that asks another `game` for all that its class does not define; if that counts calls, it counts these.

    What an object with the six functions lacks, such as `players`, is that of `Game`.
    """

    def __init__(self, game: Any):
        self._game = game
        for name, function in vars(Game).items():
            if not name.startswith("_") and getattr(type(self), name) is function and hasattr(game, name):
                setattr(self, name, getattr(game, name))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._game, name)

    def __repr__(self) -> str:
        text = repr(self._game)
        return type(self._game).__name__ if " at 0x" in text else text


class PlayerFirst(Game):
    """A game whose states begin with the player to move, who is Max or Min."""

    def to_move(self, state: State) -> int:
        return state[0]
