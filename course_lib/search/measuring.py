"""A benchmark for players: how often an agent makes a mistake in Connect Four, against exact play."""

import csv
from argparse import ArgumentParser, Namespace
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from itertools import zip_longest
from math import sqrt
from pathlib import Path
from random import Random
from runpy import run_path
from time import perf_counter
from typing import NamedTuple

from course_lib.games import Agent, ConnectFour
from course_lib.games.playing import move
from course_lib.games.validation import check_agent, check_number
from course_lib.language import N_, gettext
from course_lib.search.tournament import aligned
from course_lib.watchdog import TooLong, time_limit

POSITIONS = Path(__file__).parent / "positions"
PHASES = {"early": N_("early (8 to 14 plies)"), "middle": N_("middle (15 to 23 plies)"),
          "late": N_("late (24 to 36 plies)")}  # fmt: skip
"""The sets of positions, with the number of plies that were played to reach them."""
NOTE = N_(
    "{there} positions; ± is one standard error. AlphaZero.jl, trained for 15 hours on a graphics card, has published "
    "about 7.5, 2.5 and 0 % at 600 simulations, on other positions: Pons' sets beginning-hard, middle-medium and "
    "end-easy."
)
STOPPED = N_("Stopped after {seconds:.0f} s: {asked} of {there} positions were asked.")


class Position(NamedTuple):
    """A position to be asked about: its phase, the columns played, and for each action the outcome for the mover."""

    phase: str
    columns: tuple[int, ...]
    outcomes: dict[int, int]


class MistakeRate(NamedTuple):
    """The share of mistakes in a phase, and its standard error; it prints in percent, as "7.6 ± 1.4"."""

    share: float
    error: float

    def __str__(self) -> str:
        return f"{100 * self.share:.1f} ± {100 * self.error:.1f}"


@dataclass(frozen=True, repr=False)
class Measurement:
    """What `measure` found: the `mistakes`, which are (position, action) pairs, how many positions were `asked` by
    phase, and the `seconds` that it took. It prints as a table, beside the players that were measured before.
    """

    name: str
    mistakes: tuple[tuple[Position, int], ...]
    asked: dict[str, int]
    seconds: float

    @property
    def shares(self) -> dict[str, MistakeRate]:
        """The `MistakeRate` of mistakes by phase, for each phase of which a position was asked."""
        return shares_of(Counter(position.phase for position, _ in self.mistakes), self.asked)

    def __repr__(self) -> str:
        rows = [[gettext("mistakes in %"), *map(gettext, PHASES.values())]]
        for name, shares in ({self.name: self.shares} | known_players()).items():
            rows.append([name, *(str(shares.get(phase, "–")) for phase in PHASES)])
        asked, there = sum(self.asked.values()), len(positions())
        note = gettext(STOPPED if asked < there else NOTE, seconds=self.seconds, asked=asked, there=there)
        return "\n".join([*aligned(rows), note])


def measure(agent: Agent, name: str | None = None, *, seconds: float = 60) -> Measurement:
    """How often an agent makes a mistake: the share of positions in which its action changes the outcome.

    `agent(game, state)` returns an action; the game is `ConnectFour()`. It is called for 1,165 positions, of all phases
    in turn. In each at least two actions lead to different outcomes, and the agent makes a mistake if another action
    leads to a better one for the player who moves. `name` is what the table calls it. After `seconds` the agent is
    stopped, even while it searches; the position that it searches then does not count. Outside the main thread, time is
    checked only between positions. An illegal action or an exception of the agent's raises `ValueError` that shows the
    position. Outcomes are by Pascal Pons' solver (2015).
    """
    check_agent(agent)
    check_number(0, seconds=seconds)
    name = str(getattr(agent, "__name__", "agent") if name is None else name)
    game, asked, mistakes, start = ConnectFour(), Counter(dict.fromkeys(PHASES, 0)), [], perf_counter()
    with suppress(TooLong), time_limit(seconds):
        for position in positions():
            if perf_counter() - start > seconds:
                break
            action = answer(agent, game, position)
            asked[position.phase] += 1
            if position.outcomes[action] < max(position.outcomes.values()):
                mistakes.append((position, action))
    return Measurement(name, tuple(mistakes), dict(asked), perf_counter() - start)


def answer(agent: Agent, game: ConnectFour, position: Position) -> int:
    """The action that the agent chooses in a position; `ValueError` if it is not legal, or the agent raised."""
    state = game.after(*position.columns)
    try:
        return move(game, state, (agent, agent), Random())[0]
    except (Exception, SystemExit) as error:
        raise ValueError(f"Expected a legal action in the position\n{game.render(state)}\n"
                         f"which is ConnectFour().after{position.columns}, got {type(error).__name__}: {error}"
                         ) from error  # fmt: skip


def positions() -> list[Position]:
    """All positions, the phases in turn, so that any part of them has all phases."""
    by_phase = [[read(phase, line) for line in (POSITIONS / f"{phase}.txt").read_text().splitlines()]
                for phase in PHASES]  # fmt: skip
    return [position for row in zip_longest(*by_phase) for position in row if position]


def read(phase: str, line: str) -> Position:
    """A `Position` from a line: the columns played, from 1, and the outcome of each of the seven columns."""
    columns, *marks = line.split()
    outcomes = {column: int(mark) for column, mark in enumerate(marks) if mark != "."}
    return Position(phase, tuple(int(column) - 1 for column in columns), outcomes)


def known_players() -> dict[str, dict[str, MistakeRate]]:
    """The shares of players that `tests/benchmarks/bench_measure.py` has measured, by name and phase."""
    count = Counter(position.phase for position in positions())
    with open(POSITIONS / "known_players.csv", encoding="utf-8", newline="") as file:
        return {row.pop("player"): shares_of(row, count) for row in csv.DictReader(file)}


def shares_of(mistakes: dict, count: dict[str, int]) -> dict[str, MistakeRate]:
    """The `MistakeRate` of each phase in which there were positions, from the numbers of mistakes and of positions."""
    shares = {phase: int(mistakes[phase]) / count[phase] for phase in PHASES if count[phase]}
    return {phase: MistakeRate(share, sqrt(share * (1 - share) / count[phase])) for phase, share in shares.items()}


def add_arguments(parser: ArgumentParser) -> None:
    """The options of `python -m course_lib measure`."""
    parser.add_argument("file", metavar="FILE.py", help="a program that defines my_player(game, state)")
    parser.add_argument("--seconds", type=float, default=60, help="stop the agent after SECONDS (default: 60)")


def run(options: Namespace) -> None:
    """Measure the player in a file, which runs as the reader's own, without a sandbox; print the table."""
    player = run_path(options.file).get("my_player")
    if player is None:
        raise ValueError(f"Expected {options.file} to define my_player(game, state), got a file without it")
    print(measure(player, options.file, seconds=options.seconds))
