"""Games of OpenSpiel through pyspiel, which only this module imports: it is optional, in the extra `bench`."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from course_lib.games.game import MAX, Action, Chances, Game

try:
    import pyspiel
except ImportError as error:
    raise ImportError("OpenSpielGame needs OpenSpiel, which is not installed: run `pip install open_spiel`") from error


class OpenSpielState:
    """A `pyspiel.State` to read from, never to move on; states are equal if the same actions led to them."""

    def __init__(self, state: Any):
        self.state, self.history = state, tuple(state.history())

    @cached_property
    def numbers(self) -> dict[Action, int]:
        """OpenSpiel's number of each action or outcome of chance, by its name."""
        numbers, player = self.state.legal_actions(), self.state.current_player()
        names = [self.state.action_to_string(player, number) for number in numbers]
        return dict(zip(names, numbers))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpenSpielState) and self.history == other.history

    def __hash__(self) -> int:
        return hash(self.history)

    def __repr__(self) -> str:
        return f"OpenSpielState({self.history})"


class OpenSpielGame(Game):
    """A game of OpenSpiel by its name, such as `OpenSpielGame("breakthrough", rows=4, columns=3)`.

    `parameters` are the game's own. An action is what OpenSpiel calls it, such as "x(1,1)"; player 0 is Max; utilities
    are OpenSpiel's returns, which need not sum to 0. What OpenSpiel cannot make raises `ValueError`, and so does a game
    in which players move at the same time, something is hidden, or the probabilities of chance are unknown.
    """

    def __init__(self, name: str, **parameters: Any):
        try:
            self._game = pyspiel.load_game(name, parameters) if parameters else pyspiel.load_game(name)
        except Exception as error:  # whatever its C++ raises, also an IndexError
            raise ValueError(f"OpenSpiel cannot make {name!r} with {parameters}: {error}") from error
        kind = self._game.get_type()
        sequential, open_ = kind.dynamics == kind.Dynamics.SEQUENTIAL, kind.Information.PERFECT_INFORMATION
        if not sequential or kind.information != open_ or kind.chance_mode == kind.ChanceMode.SAMPLED_STOCHASTIC:
            raise ValueError(f"expected a game of turns in which all is seen and chances are known, got {name!r}")
        self.name, self.parameters, self.players = name, parameters, self._game.num_players()

    def initial_state(self) -> OpenSpielState:
        return OpenSpielState(self._game.new_initial_state())

    def to_move(self, state: OpenSpielState) -> int:
        return MAX if self.is_terminal(state) else state.state.current_player()

    def actions(self, state: OpenSpielState) -> Sequence[Action]:
        if state.state.is_chance_node():
            raise self._no_choice(state)
        return tuple(state.numbers)

    def result(self, state: OpenSpielState, action: Action) -> OpenSpielState:
        try:
            return OpenSpielState(state.state.child(state.numbers[action]))
        except (KeyError, TypeError):
            raise self._illegal(state, action) from None

    def is_terminal(self, state: OpenSpielState) -> bool:
        return state.state.is_terminal()

    def utility(self, state: OpenSpielState, player: int) -> float:
        self._check_end(state, player)
        return state.state.player_return(player)

    def chances(self, state: OpenSpielState) -> Chances:
        if not state.state.is_chance_node():
            return super().chances(state)
        probability = dict(state.state.chance_outcomes())
        return tuple((action, probability[number]) for action, number in state.numbers.items())

    def render(self, state: OpenSpielState) -> str:
        return str(state.state)

    def __repr__(self) -> str:
        return f"OpenSpielGame({', '.join([repr(self.name), *(f'{n}={v!r}' for n, v in self.parameters.items())])})"
