"""Tournaments between agents, and ratings from their games."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import combinations
from math import log
from typing import NamedTuple

from course_lib.games.game import CHANCE, MAX, Action, Agent, Game
from course_lib.games.playing import MAX_PLIES, endless_error, move, random_agent, utilities_at
from course_lib.games.randomness import Seed, random_source
from course_lib.games.texts import number_text
from course_lib.games.validation import check_agents, check_two_players, check_whole
from course_lib.language import N_, gettext
from course_lib.search.evaluation import logistic_regression, points

ELO = 400 / log(10)
"""Elo points in one unit of log odds: 400 points ahead means odds of 10 to 1."""


class PlayedGame(NamedTuple):
    """A game of a tournament: `first` played Max and got `score` (1, ½ or 0), `second` the rest.

    `actions` are those of the whole game, opening included. `fault` is empty, or the reason why the loser's agent was
    stopped: an illegal action, or an exception that it raised.
    """

    first: str
    second: str
    score: float
    actions: tuple[Action, ...]
    fault: str = ""


class Rating(NamedTuple):
    """An Elo rating and its standard error, in Elo points."""

    elo: float
    error: float


def tournament(
    game: Game, agents: Mapping[str, Agent] | Sequence[Agent], rounds: int, *, seed: Seed = 0, random_plies: int = 0
) -> "Tournament":
    """A round robin: all agents play each other. Returns the `Tournament`: games, cross table and ratings.

    `agents` are functions `agent(game, state) → action` by name; those of a list are "agent 1", "agent 2" … In each
    round every pair plays twice, with sides swapped, from the same opening of `random_plies` random actions, drawn
    from `seed`. Without random plies, deterministic agents repeat the same game, and the error bars mean nothing. An
    agent that raises an exception or chooses an illegal action loses that game.

    >>> from course_lib.games import Nim, random_agent
    >>> from course_lib.search import minimax_agent
    >>> players = {"minimax": minimax_agent(), "random": random_agent(seed=0)}
    >>> played = tournament(Nim((2, 3)), players, rounds=5, random_plies=1)
    >>> len(played.games)
    10
    """
    game = check_two_players(game, "a tournament")
    check_whole(1, rounds=rounds)
    check_whole(0, random_plies=random_plies)
    agents = check_agents(agents)
    rng, played = random_source(seed), []
    fixtures = [(*pair, _opening(game, random_plies, rng)) for pair in list(combinations(agents, 2)) * rounds]
    for agent_a, agent_b, opening in fixtures:
        for first, second in (agent_a, agent_b), (agent_b, agent_a):
            played.append(PlayedGame(first, second, *_play_on(game, (agents[first], agents[second]), opening, rng)))
    return Tournament(repr(game), tuple(agents), tuple(played))


def _opening(game, plies, rng):
    """`plies` random actions that do not end the game."""
    agents = [random_agent(rng)] * 2
    for _ in range(100):
        state, actions = game.initial_state(), []
        while len(actions) < plies and not game.is_terminal(state):
            action, state = move(game, state, agents, rng)
            actions.append(action)
        if not game.is_terminal(state):
            return actions
    raise ValueError(f"{plies} random plies ended {game!r} in each of 100 attempts; give fewer random_plies")


def _play_on(game, agents, opening, rng):
    """Play the game on from its opening: the score of the first agent, all actions, and the fault if there was one."""
    state, actions = game.after(*opening), list(opening)
    while not game.is_terminal(state):
        if len(actions) == MAX_PLIES:
            raise endless_error(game)
        player = game.to_move(state)
        try:
            action, state = move(game, state, agents, rng)
        except (Exception, SystemExit) as error:
            if player == CHANCE:
                raise
            return 0.0 if player == MAX else 1.0, tuple(actions), f"{type(error).__name__}: {error}"
        actions.append(action)
    return points(utilities_at(game, state)), tuple(actions), ""


@dataclass(frozen=True, repr=False)
class Tournament:
    """The result of a tournament: its `games` as `PlayedGame`s, and the ratings and tables computed from them.

    It prints as a cross table: a row for each agent, best first, with its points against each of the others.
    """

    game: str
    names: tuple[str, ...]
    games: tuple[PlayedGame, ...]

    @cached_property
    def ratings(self) -> dict[str, Rating]:
        """The Elo `Rating` of each agent by name, best first.

        By Bradley and Terry's model (1952) an agent r Elo points ahead expects 1/(1 + 10^(−r/400)) of the points,
        whoever begins. The ratings are the most likely ones, with mean 0; half a drawn game of each agent against an
        average one keeps them finite. Errors are a little too large with many draws, too small if games repeat.
        """
        import numpy as np  # late: it takes long

        players = dict(zip(self.names, np.eye(len(self.names))))
        games = Counter((game.first, game.second) for game in self.games)
        scores = dict.fromkeys(games, 0.0)
        for game in self.games:
            scores[game.first, game.second] += game.score
        rows = np.array([players[first] - players[second] for first, second in games])
        strengths, covariance = logistic_regression(rows, *(np.array([*of.values()]) for of in (scores, games)))
        relative = np.eye(len(players)) - 1 / len(players)
        elos = ELO * relative @ strengths
        errors = ELO * np.sqrt(np.diag(relative @ covariance @ relative.T).clip(0))
        ratings = {name: Rating(*pair) for name, *pair in zip(players, elos.tolist(), errors.tolist())}
        return dict(sorted(ratings.items(), key=lambda item: -item[1].elo))

    @property
    def faults(self) -> list[PlayedGame]:
        """The games that ended with an illegal action or an exception; `game.fault` says which."""
        return [game for game in self.games if game.fault]

    def points(self, agent_a: str, agent_b: str) -> float:
        """The points of an agent against another one: a win is 1, a draw ½."""
        if not {agent_a, agent_b} <= {*self.names}:
            raise ValueError(f"Expected two names among {self.names}, got {agent_a!r} and {agent_b!r}")
        games = [game for game in self.games if {game.first, game.second} == {agent_a, agent_b}]
        return sum(game.score if game.first == agent_a else 1 - game.score for game in games)

    def _title(self):
        different = len({(game.first, game.second, repr(game.actions)) for game in self.games})
        words = N_("{game}: {count} games, {different} of them different")
        return gettext(words, game=self.game, count=len(self.games), different=different)

    def _rows(self):
        """The cells of the cross table as text, header first."""
        rows = [["", "Elo", gettext("± s.e."), gettext("points"), *map(str, range(1, len(self.names) + 1))]]
        for place, (name, rating) in enumerate(self.ratings.items(), start=1):
            each = [self.points(name, agent_b) for agent_b in self.ratings]
            cells = ["–" if agent_b == name else _halves(found) for agent_b, found in zip(self.ratings, each)]
            elo, error = map(number_text, map(round, rating))
            rows.append([f"{place} {name}", elo, error, _halves(sum(each)), *cells])
        return rows

    def _notes(self):
        """A line for each agent that lost games by a fault."""
        lost = Counter(game.second if game.score else game.first for game in self.faults)
        words = N_("{name} lost {count} by a fault; faults shows them")
        return [gettext(words, name=name, count=count) for name, count in lost.items()]

    def __repr__(self) -> str:
        return "\n".join([self._title(), *aligned(self._rows()), *self._notes()])

    def _repr_html_(self):
        header, *rows = self._rows()
        lines = ["<tr><th>" + "</th><th>".join(header) + "</th></tr>"]
        lines += ["<tr><td>" + "</td><td>".join(map(escape, row)) + "</td></tr>" for row in rows]
        notes = "".join(f"<p>{escape(note)}</p>" for note in self._notes())
        return f"<table><caption>{escape(self._title())}</caption>{''.join(lines)}</table>{notes}"


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table of texts: its first column to the left, the others to the right."""
    first, *widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  ".join([row[0].ljust(first), *map(str.rjust, row[1:], widths)]) for row in rows]


def _halves(points):
    """Points as in a chess table: 3, 3½, ½."""
    return f"{int(points) or ''}½" if points % 1 else f"{points:.0f}"
