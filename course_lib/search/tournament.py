"""Tournaments between agents, and ratings from their games."""

import random
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import combinations
from math import log
from typing import NamedTuple

from course_lib.games import CHANCE, MAX
from course_lib.games.checks import check_two_players, check_whole
from course_lib.games.playing import draw_outcome
from course_lib.search.evaluation import logistic_regression, points
from course_lib.search.later import Later

np = Later("numpy")

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


def tournament(game, agents, rounds, seed=0, random_plies=0, progress=False):
    """Let every two agents play each other, and return the `Tournament`: its games, cross table, ratings and plot.

    `agents` is a dictionary of functions `agent(game, state) → action` by name, or a list of (name, agent) pairs. In
    each round every two of them play twice, with sides swapped, from the same opening of `random_plies` random
    actions, drawn from `seed`. Without random plies, agents that make no random choices play one game again and
    again, and the error bars mean nothing. An agent that raises an exception or chooses an illegal action loses
    that game. `progress=True` shows a bar while the games are played.
    """
    check_two_players(game, "a tournament")
    agents = _checked_agents(agents)
    check_whole(1, rounds=rounds)
    check_whole(0, random_plies=random_plies)
    luck = random.Random(seed)
    fixtures = []
    for one, two in list(combinations(agents, 2)) * rounds:
        opening = _opening(game, random_plies, luck)
        fixtures += [(one, two, opening), (two, one, opening)]
    played = [
        PlayedGame(first, second, *_play_on(game, (agents[first], agents[second]), opening, luck))
        for first, second, opening in (_with_progress(fixtures) if progress else fixtures)
    ]
    return Tournament(repr(game), tuple(agents), tuple(played))


def _checked_agents(agents):
    try:
        pairs = [(name, agent) for name, agent in (agents.items() if isinstance(agents, dict) else agents)]
    except (TypeError, ValueError):
        pairs = []
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
    """A legal action, each with equal probability; where chance moves, an outcome by its probability."""
    if game.to_move(state) == CHANCE:
        return draw_outcome(game, state, luck)
    return luck.choice(tuple(game.actions(state)))


def _play_on(game, agents, opening, luck):
    """Play the game on from its opening: the score of the first agent, all actions, and the fault if there was one."""
    state, actions = game.after(*opening), list(opening)
    while not game.is_terminal(state):
        player = game.to_move(state)
        if player == CHANCE:
            action = draw_outcome(game, state, luck)
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


def elo_ratings(results):
    """The Elo rating of every player, best first: a dictionary of `Rating`s by name.

    `results` are tuples that begin with (first, second, score of the first); a draw is ½. By Bradley and Terry's model
    (1952) a player r Elo points ahead expects 1/(1 + 10^(−r/400)) of the points, whoever begins. The ratings are the
    most likely ones, with mean 0. Each player also gets half a drawn game against an average one, so that all ratings
    are finite. The errors are a little too large if there are many draws, and too small if games repeat.
    """
    games, scores = Counter(), Counter()
    for first, second, score, *_ in results:
        games[first, second] += 1
        scores[first, second] += score
    names = list(dict.fromkeys(name for pair in games for name in pair))
    players = np.eye(len(names))
    rows = np.array([players[names.index(first)] - players[names.index(second)] for first, second in games])
    strengths, covariance = logistic_regression(
        rows, np.array([scores[pair] for pair in games]), np.array([games[pair] for pair in games])
    )
    relative = players - players.mean(axis=0)
    elos = ELO * relative @ strengths
    errors = ELO * np.sqrt(np.diag(relative @ covariance @ relative.T).clip(0))
    return {names[i]: Rating(float(elos[i]), float(errors[i])) for i in np.argsort(-elos, kind="stable")}


@dataclass(frozen=True, repr=False)
class Tournament:
    """The result of a tournament: its `games` as `PlayedGame`s, and the ratings and tables computed from them.

    It prints as a cross table: a row for each agent, best first, with its points against each of the others.
    """

    game: str
    names: tuple
    games: tuple

    @cached_property
    def ratings(self):
        """The Elo `Rating` of each agent by name, best first; see `elo_ratings`."""
        return elo_ratings(self.games)

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
        return "\n".join([self._title(), *aligned(self._rows()), *self._notes()])

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


def aligned(rows):
    """The lines of a table of texts: its first column to the left, the others to the right."""
    first, *widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  ".join([row[0].ljust(first), *map(str.rjust, row[1:], widths)]) for row in rows]


def _rounded(elo):
    return str(round(elo)).replace("-", "−")


def _halves(counts):
    """The points of (wins, draws, losses), as in a chess table: 3, 3½, ½."""
    wins, draws, _ = counts
    whole = wins + draws // 2
    return f"{whole or ''}½" if draws % 2 else str(whole)
