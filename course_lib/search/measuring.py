"""A measuring stick: how often an agent makes a mistake in Connect Four, against exact play."""

import csv
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from importlib import import_module
from itertools import zip_longest
from math import sqrt
from pathlib import Path
from runpy import run_path
from time import perf_counter
from traceback import extract_tb
from typing import NamedTuple

from course_lib.games import ConnectFour
from course_lib.search.tournament import aligned

POSITIONS = Path(__file__).parent / "positions"
PHASES = {"early": "8 to 14 plies", "middle": "15 to 23 plies", "late": "24 to 36 plies"}
"""The sets of positions by name, with the number of plies that were played to reach them."""


PUBLISHED = ("AlphaZero.jl, trained for 15 hours on a graphics card, has published about 7.5, 2.5 and 0 % at 600 "
             "simulations, on other positions: Pons' sets beginning-hard, middle-medium and end-easy.")  # fmt: skip


class Position(NamedTuple):
    """A position to be asked about: its phase, the columns played, and for each action the outcome for the mover."""

    phase: str
    columns: tuple
    outcomes: dict


class Mistake(NamedTuple):
    """A mistake: the position, and the action that the agent chose there; None if it was no legal one."""

    position: Position
    action: int | None


class Share(NamedTuple):
    """The share of mistakes in a phase, and its standard error; of so many positions."""

    share: float
    error: float
    positions: int


@dataclass(frozen=True, repr=False)
class Measured:
    """What `measure` found: the `mistakes`, how many positions were `asked` by phase, and the `seconds` that it took.

    It prints as a table, beside the players that were measured before; `plot()` draws it.
    """

    name: str
    mistakes: tuple
    asked: dict
    seconds: float

    @property
    def shares(self):
        """The `Share` of mistakes by phase, for each phase of which a position was asked."""
        made = Counter(mistake.position.phase for mistake in self.mistakes)
        return {phase: share_of(made[phase], count) for phase, count in self.asked.items() if count}

    @property
    def _own(self):
        """The shares by name, as `known_players` gives them."""
        return {self.name: self.shares} if self.asked else {}

    def _note(self):
        asked, there = sum(self.asked.values()), len(positions())
        if self.asked and asked < there:
            return (f"Stopped after {self.seconds:.0f} s: {asked} of {there} positions were asked; "
                    f"all of them would take about {self.seconds * there / asked:.0f} s.")  # fmt: skip
        return f"{there} positions; ± is one standard error. {PUBLISHED}"

    def __repr__(self):
        rows = [["mistakes in %", *(f"{phase} ({plies})" for phase, plies in PHASES.items())]]
        for name, shares in (self._own | known_players()).items():
            rows.append([name, *(percent(shares.get(phase)) for phase in PHASES)])
        return "\n".join([*aligned(rows), self._note()])

    def plot(self):
        """The shares of mistakes by phase, this agent's thick, with its standard errors; a Matplotlib `Figure`."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(8, 4.5), layout="constrained")
        axes = figure.add_subplot()
        for name, shares in (known_players() | self._own).items():
            mine = name == self.name
            look = {"linewidth": 3, "color": "black", "zorder": 3} if mine else {"linewidth": 1, "alpha": 0.8}
            errors = [100 * share.error if mine else 0 for share in shares.values()]
            heights = [100 * share.share for share in shares.values()]
            axes.errorbar(list(shares), heights, errors, marker="o", capsize=4 if mine else 0, label=name, **look)
        axes.set(ylabel="mistakes in %", ylim=(0, None), title="Connect Four: positions in which the move matters")
        axes.grid(axis="y", alpha=0.3)
        figure.legend(loc="outside right upper", fontsize=9)
        return figure


def measure(agent, name=None, seconds=60, *, forgiving=False):
    """How often an agent makes a mistake: the `Measured` share of positions in which its move changes the outcome.

    `agent(game, state)` returns an action; the game is `ConnectFour()`. It is asked about 1,165 positions, of all
    phases in turn. In each at least two actions lead to different outcomes, and the agent makes a mistake if another
    action leads to a better one for the player who moves. After `seconds` no further position is asked, and the
    result says how many were; an answer that never comes is waited for. An illegal action or an exception of the
    agent's raises `ValueError` that shows the position and the line; `forgiving`, it is one more mistake. Outcomes are
    by Pascal Pons' solver (2015).
    """
    if not callable(agent):
        raise ValueError(f"measure takes a function agent(game, state) → action, not {agent!r}")
    if not seconds > 0:
        raise ValueError(f"seconds must be more than 0, not {seconds!r}")
    game, mistakes, asked, start = ConnectFour(), [], dict.fromkeys(PHASES, 0), perf_counter()
    for position in positions():
        if perf_counter() - start > seconds:
            break
        try:
            action = answer(agent, game, position)
        except ValueError:
            if not forgiving:
                raise
            action = None
        asked[position.phase] += 1
        if action is None or position.outcomes[action] < max(position.outcomes.values()):
            mistakes.append(Mistake(position, action))
    name = name or getattr(agent, "__name__", "agent")
    return Measured(name, tuple(mistakes), asked, perf_counter() - start)


def answer(agent, game, position):
    """The action that the agent chooses in a position, once it is known to be legal."""
    state = game.after(*position.columns)
    shown = f"\n{game.render(state)}\nThe state is ConnectFour().after{position.columns}."
    try:
        action = agent(game, state)
    except (Exception, SystemExit) as error:
        where = extract_tb(error.__traceback__)[:2][-1]  # after this line here, the agent's own
        raise ValueError(f"the agent raised {type(error).__name__}: {error}, in line {where.lineno} of "
                         f"{Path(where.filename).name}; the position was{shown}") from error  # fmt: skip
    if not isinstance(action, Hashable) or action not in position.outcomes:
        raise ValueError(f"the agent chose {action!r}, and the actions are {', '.join(map(str, position.outcomes))}, "
                         f"in the position{shown}")  # fmt: skip
    return action


def positions():
    """All positions of the measuring stick, the phases in turn, so that a part of them is of all phases."""
    by_phase = [[read(phase, line) for line in (POSITIONS / f"{phase}.txt").read_text().splitlines()]
                for phase in PHASES]  # fmt: skip
    return [position for row in zip_longest(*by_phase) for position in row if position]


def read(phase, line):
    """A `Position` from a line: the columns played, from 1, and the outcome of each of the seven columns."""
    columns, *outcomes = line.split()
    outcomes = {column: int(outcome) for column, outcome in enumerate(outcomes) if outcome != "."}
    return Position(phase, tuple(int(column) - 1 for column in columns), outcomes)


def known_players():
    """The shares of players that `tests/benchmarks/bench_measure.py` has measured, by name and phase."""
    count = Counter(position.phase for position in positions())
    with open(POSITIONS / "known_players.csv", encoding="utf-8", newline="") as file:
        return {
            row["player"]: {phase: share_of(int(row[phase]), count[phase]) for phase in PHASES}
            for row in csv.DictReader(file)
        }


def share_of(mistakes, count):
    """The `Share` of so many mistakes in `count` positions."""
    share = mistakes / count
    return Share(share, sqrt(share * (1 - share) / count), count)


def percent(share):
    """A share with its standard error in percent, as "7.6 ± 1.4"; "–" if none was measured."""
    return "–" if share is None else f"{100 * share.share:.1f} ± {100 * share.error:.1f}"


def add_arguments(parser):
    parser.add_argument(
        "agent",
        nargs="?",
        metavar="AGENT",
        help="FILE.py, which defines my_player(game, state), or MODULE:CALL, such as "
        "'course_lib.search:mcts_agent(200)'; without it the known players are shown",
    )
    parser.add_argument("--seconds", type=float, default=60, help="ask no further position after so long (default: 60)")
    parser.add_argument("--plot", metavar="FILE.png", help="draw it, too")


def run(options):
    if options.agent is None:
        measured = Measured("", (), {}, 0)
    else:
        measured = measure(agent_named(options.agent), options.agent, options.seconds)
    print(measured)
    if options.plot:
        measured.plot().savefig(options.plot)


def agent_named(text):
    """The agent that a command line names; the code runs as the reader's own, without a sandbox."""
    if text.endswith(".py"):
        found = run_path(text).get("my_player")
        if not callable(found):
            raise ValueError(f"{text} must define my_player(game, state); it does not")
        return found
    module, colon, call = text.partition(":")
    if not colon:
        raise ValueError(f"an agent is FILE.py or MODULE:CALL, such as course_lib.search:mcts_agent(200), not {text!r}")
    try:
        return eval(call, vars(import_module(module)).copy())
    except (ImportError, SyntaxError, NameError, TypeError) as error:
        raise ValueError(f"{text!r} names no agent: {type(error).__name__}: {error}") from error
