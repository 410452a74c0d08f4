"""Tournaments between agents, and ratings from their games."""

import random
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import combinations
from math import log
from numbers import Real
from typing import NamedTuple

import numpy as np

from course_lib.games import CHANCE, MAX
from course_lib.games.game import distribution
from course_lib.search.evaluation import logistic_regression, points

ELO = 400 / log(10)
"""Elo points in one unit of log odds: 400 points ahead means odds of 10 to 1."""


class PlayedGame(NamedTuple):
    """A game of a tournament: `first` played Max and got `score` (1, ½ or 0), `second` the rest.

    `actions` are those of the whole game, opening included. `fault` is empty, or says why the loser's agent was
    stopped: an illegal action, or an exception that it raised.
    """

    first: str
    second: str
    score: float
    actions: tuple
    fault: str = ""


class Rating(NamedTuple):
    """An Elo rating and its standard error, in Elo points."""

    elo: float
    error: float


def tournament(game, agents, rounds, seed=0, random_plies=0, anchor=None, progress=False):
    """Let every two agents play each other, and return the `Tournament`: its games, cross table, ratings and plot.

    `agents` is a dictionary of functions `agent(game, state) → action` by name, or a list of (name, agent) pairs. In
    each round every two of them play twice, with sides swapped, from the same opening of `random_plies` random
    actions, drawn from `seed`. Without random plies, agents that make no random choices play one game again and
    again, and the error bars mean nothing. An agent that raises an exception or chooses an illegal action loses
    that game. `progress=True` shows a bar while the games are played. `anchor`: see `elo_ratings`.
    """
    agents = _checked_agents(game, agents)
    for name, number, least in (("rounds", rounds, 1), ("random_plies", random_plies, 0)):
        if not isinstance(number, int) or isinstance(number, bool) or number < least:
            raise ValueError(f"{name} is a whole number from {least} up, not {number!r}")
    _check_anchor(anchor, agents)
    luck = random.Random(seed)
    fixtures = []
    for one, two in list(combinations(agents, 2)) * rounds:
        opening = _opening(game, random_plies, luck)
        fixtures += [(one, two, opening), (two, one, opening)]
    played = [
        PlayedGame(first, second, *_play_on(game, (agents[first], agents[second]), opening, luck))
        for first, second, opening in (_with_progress(fixtures) if progress else fixtures)
    ]
    return Tournament(repr(game), tuple(agents), tuple(played), anchor)


def _checked_agents(game, agents):
    try:
        pairs = [(name, agent) for name, agent in (agents.items() if isinstance(agents, dict) else agents)]
    except (TypeError, ValueError):
        pairs = []
    if isinstance(game, type):
        raise ValueError(f"tournament takes a game, not a class of games: give {game.__name__}(), with parentheses")
    players = getattr(game, "players", 2)
    if players != 2:
        raise ValueError(f"a tournament is for games of two players, and {game!r} has {players}")
    if len(pairs) < 2 or len(dict(pairs)) != len(pairs) or not all(callable(agent) for _, agent in pairs):
        raise ValueError(f"a tournament needs two agents or more, functions agent(game, state) → action, "
                         f"each with a name of its own, not {agents!r}")  # fmt: skip
    return dict(pairs)


def _opening(game, plies, luck):
    """`plies` random actions that do not end the game."""
    for _ in range(100):
        state, actions = game.initial_state(), []
        while len(actions) < plies and not game.is_terminal(state):
            actions.append(_random_action(game, state, luck))
            state = game.result(state, actions[-1])
        if not game.is_terminal(state):
            return actions
    raise ValueError(f"{plies} random plies ended {game!r} a hundred times over; ask for fewer random_plies")


def _random_action(game, state, luck):
    """One of the legal actions, all alike; where chance moves, by its probabilities."""
    if game.to_move(state) != CHANCE:
        return luck.choice(tuple(game.actions(state)))
    outcomes, weights = zip(*distribution(game.chances(state), state))
    return luck.choices(outcomes, weights)[0]


def _play_on(game, agents, opening, luck):
    """Play the game on from its opening: the score of the first agent, all actions, and the fault if there was one."""
    state, actions = game.after(*opening), list(opening)
    while not game.is_terminal(state):
        player = game.to_move(state)
        if player == CHANCE:
            action = _random_action(game, state, luck)
            state = game.result(state, action)
        else:
            try:
                action = agents[player](game, state)
                state = game.result(state, action)
            except (Exception, SystemExit) as error:
                return 0.0 if player == MAX else 1.0, tuple(actions), f"{type(error).__name__}: {error}"
        actions.append(action)
    return points([game.utility(state, player) for player in range(2)]), tuple(actions), ""


def _with_progress(fixtures):
    """Yield the fixtures and print a bar that grows to 40 blocks: the same text in each run, as notebook tests need."""
    print("0%" + f"100% of {len(fixtures)} games".rjust(38))
    for over, fixture in enumerate(fixtures):
        yield fixture
        print("█" * (40 * (over + 1) // len(fixtures) - 40 * over // len(fixtures)), end="", flush=True)
    print()


def elo_ratings(results, anchor=None):
    """The Elo rating of every player, best first: a dictionary of `Rating`s by name.

    `results` are (first, second, score of the first) triples, or longer tuples that begin so; a draw is ½. The model
    is Bradley and Terry's (1952): a player r Elo points ahead expects 1/(1 + 10^(−r/400)) of the points, whoever
    begins. Ratings are the most likely ones, and errors come from the Fisher information, which takes a draw for
    half a win and half a loss, so they are a little too large where draws are many, and too small where games repeat.
    Each player is also given half a drawn game against an average one: so the ratings of those who won or lost
    everything stay finite. Only differences are known: the mean is set to 0, or `anchor=(name, rating)` fixes one.
    """
    games, scores = Counter(), Counter()
    for first, second, score, *_ in _checked_results(results):
        games[first, second] += 1
        scores[first, second] += score
    names = list(dict.fromkeys(name for pair in games for name in pair))
    _check_anchor(anchor, names)
    fixed, level = (names.index(anchor[0]), anchor[1]) if anchor else (slice(None), 0)
    players = np.eye(len(names))
    rows = np.array([players[names.index(first)] - players[names.index(second)] for first, second in games])
    strengths, covariance = logistic_regression(
        rows, np.array([scores[pair] for pair in games]), np.array([games[pair] for pair in games])
    )
    relative = players - np.atleast_2d(players[fixed]).mean(axis=0)
    elos = level + ELO * relative @ strengths
    errors = ELO * np.sqrt(np.diag(relative @ covariance @ relative.T).clip(0))
    return {names[i]: Rating(float(elos[i]), float(errors[i])) for i in np.argsort(-elos, kind="stable")}


def _checked_results(results):
    results = list(results)
    for result in results:
        if len(result) < 3 or result[0] == result[1] or not 0 <= result[2] <= 1:
            raise ValueError(f"a result is (first, second, score of the first): two names and a number from 0 to 1, "
                             f"not {result!r}")  # fmt: skip
    if not results:
        raise ValueError("ratings need the result of one game or more, and there is none")
    return results


def _check_anchor(anchor, names):
    if anchor is None:
        return
    pair = isinstance(anchor, tuple | list) and len(anchor) == 2
    if not pair or anchor[0] not in names or not isinstance(anchor[1], Real):
        raise ValueError(f"the anchor is (name, rating), with one of the names {', '.join(map(str, names))}; "
                         f"not {anchor!r}")  # fmt: skip


@dataclass(frozen=True, repr=False)
class Tournament:
    """What a tournament came to: the `games` as `PlayedGame`s, and what follows from them.

    It prints as a cross table: a row for each agent, best first, with its points against each of the others.
    """

    game: str
    names: tuple
    games: tuple
    anchor: tuple | None = None

    @cached_property
    def ratings(self):
        """The Elo `Rating` of each agent by name, best first; see `elo_ratings`."""
        return elo_ratings(self.games, self.anchor)

    @property
    def faults(self):
        """The games that ended with an illegal action or an exception; `game.fault` says which."""
        return tuple(game for game in self.games if game.fault)

    def cross_table(self):
        """(wins, draws, losses) of each agent against each other: `cross_table()[one][other]`."""
        counts = Counter()
        for first, second, score, *_ in self.games:
            counts.update([(first, second, score), (second, first, 1 - score)])
        return {
            one: {
                other: tuple(counts[one, other, score] for score in (1, 0.5, 0)) for other in self.names if other != one
            }
            for one in self.names
        }

    def _title(self):
        different = len({(game.first, game.second, repr(game.actions)) for game in self.games})
        return f"{self.game}: {len(self.games)} games, {different} of them different"

    def _rows(self):
        """The cells of the cross table as text, header first."""
        table = self.cross_table()
        rows = [["", "Elo", "± s.e.", "points", *(str(place) for place in range(1, len(self.names) + 1))]]
        for place, (name, rating) in enumerate(self.ratings.items(), start=1):
            cells = [_halves(table[name][other]) if other != name else "–" for other in self.ratings]
            total = _halves([sum(counts) for counts in zip(*table[name].values())])
            rows.append([f"{place} {name}", _rounded(rating.elo), _rounded(rating.error), total, *cells])
        return rows

    def _notes(self):
        """A line for each agent that lost games by a fault, with the first one."""
        faults = {}
        for game in self.faults:
            faults.setdefault(game.second if game.score else game.first, []).append(game.fault.splitlines()[0])
        return [f"{name} lost {len(lines)} by a fault, first {lines[0]}" for name, lines in faults.items()]

    def __repr__(self):
        rows = self._rows()
        first, *widths = [max(map(len, column)) for column in zip(*rows)]
        lines = ["  ".join([row[0].ljust(first), *map(str.rjust, row[1:], widths)]) for row in rows]
        return "\n".join([self._title(), *lines, *self._notes()])

    def _repr_html_(self):
        header, *rows = self._rows()
        lines = ["<tr><th>" + "</th><th>".join(header) + "</th></tr>"]
        lines += ["<tr><td>" + "</td><td>".join(map(escape, row)) + "</td></tr>" for row in rows]
        notes = "".join(f"<p>{escape(note)}</p>" for note in self._notes())
        return f"<table><caption>{escape(self._title())}</caption>{''.join(lines)}</table>{notes}"

    def plot(self):
        """The ratings with their standard errors, best at the top, as a matplotlib `Figure`."""
        elos, errors = zip(*self.ratings.values())
        places = range(len(elos))
        from matplotlib.figure import Figure  # here, so that a search is imported without it

        figure = Figure(figsize=(7, 1.2 + 0.45 * len(elos)), layout="constrained")
        axes = figure.add_subplot()
        axes.errorbar(elos, places, xerr=errors, fmt="o", color="tab:blue", capsize=4)
        for elo, place in zip(elos, places):
            axes.annotate(_rounded(elo), (elo, place), (0, 6), textcoords="offset points", ha="center")
        axes.set(yticks=places, yticklabels=self.ratings, ylim=(len(elos) - 0.5, -0.7), title=self._title())
        axes.set_xlabel("Elo rating (bars: one standard error)")
        axes.grid(axis="x", alpha=0.3)
        return figure


def _rounded(elo):
    return str(round(elo)).replace("-", "−")


def _halves(counts):
    """The points of (wins, draws, losses), as in a chess table: 3, 3½, ½."""
    wins, draws, _ = counts
    whole = wins + draws // 2
    return f"{whole or ''}½" if draws % 2 else str(whole)
