"""Games of OpenSpiel through pyspiel, the one place that imports it: it is optional, in the extra `bench`."""

from functools import cached_property

from course_lib.games.game import MAX, Game

try:
    import pyspiel
except ImportError as error:
    raise ImportError("OpenSpielGame needs OpenSpiel, which is not installed: run `pip install open_spiel`") from error


class OpenSpielState:
    """A `pyspiel.State` to read from, never to move on; states are equal where the same actions led to them."""

    def __init__(self, state):
        self.state, self.history = state, tuple(state.history())

    @cached_property
    def numbers(self):
        """OpenSpiel's number of each action or outcome of chance, by its name; by the number itself if names repeat."""
        numbers, player = self.state.legal_actions(), self.state.current_player()
        names = [self.state.action_to_string(player, number) for number in numbers]
        return dict(zip(names if len(set(names)) == len(names) else numbers, numbers))

    def __eq__(self, other):
        return isinstance(other, OpenSpielState) and self.history == other.history

    def __hash__(self):
        return hash(self.history)

    def __repr__(self):
        return f"OpenSpielState({self.history})"


class OpenSpielGame(Game):
    """A game of OpenSpiel by its name, such as `OpenSpielGame("breakthrough", rows=4, columns=3)`.

    `parameters` are the game's own. An action is what OpenSpiel calls it, such as "x(1,1)"; player 0 is Max; utilities
    are OpenSpiel's returns, which need not sum to 0. What OpenSpiel cannot make raises `ValueError`, and so does a game
    in which players move at the same time, something is hidden, or the probabilities of chance are not told.
    """

    def __init__(self, name, **parameters):
        try:
            self._game = pyspiel.load_game(name, parameters) if parameters else pyspiel.load_game(name)
        except Exception as error:  # whatever its C++ raises, also an IndexError
            said = " ".join(str(error).split())
            raise ValueError(f"OpenSpiel cannot make {name!r} with {parameters}: {said}") from error
        kind = self._game.get_type()
        for fault, unfit in {
            "its players move at the same time": kind.dynamics != kind.Dynamics.SEQUENTIAL,
            "something is hidden from a player": kind.information != kind.Information.PERFECT_INFORMATION,
            "the probabilities of chance are not told": kind.chance_mode == kind.ChanceMode.SAMPLED_STOCHASTIC,
        }.items():
            if unfit:
                raise ValueError(f"{name!r} is no game to search here: {fault}; take one of turns in which all is seen")
        self.name, self.parameters, self.players = name, parameters, self._game.num_players()

    def initial_state(self):
        return OpenSpielState(self._game.new_initial_state())

    def to_move(self, state):
        return MAX if self.is_terminal(state) else state.state.current_player()

    def actions(self, state):
        if state.state.is_chance_node():
            raise ValueError("chance moves here: ask chances(), and search with a search made for games of chance")
        return tuple(state.numbers)

    def result(self, state, action):
        try:
            return OpenSpielState(state.state.child(state.numbers[action]))
        except (KeyError, TypeError):
            pass
        if state.state.is_chance_node():
            raise ValueError(f"{action!r} is no outcome of chance; they are {', '.join(map(str, state.numbers))}")
        raise self._illegal(state, action)

    def is_terminal(self, state):
        return state.state.is_terminal()

    def utility(self, state, player):
        self._check_player(player)
        if not self.is_terminal(state):
            raise self._not_over(state)
        return state.state.player_return(player)

    def chances(self, state):
        if not state.state.is_chance_node():
            raise ValueError(f"no chance node; chances() is for states where chance moves\n{self.render(state)}")
        probability = dict(state.state.chance_outcomes())
        return tuple((action, probability[number]) for action, number in state.numbers.items())

    def render(self, state):
        return str(state.state)

    def __repr__(self):
        return f"OpenSpielGame({', '.join([repr(self.name), *(f'{n}={v!r}' for n, v in self.parameters.items())])})"
