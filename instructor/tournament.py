"""The class tournament: a round robin in sandboxes, Elo ratings, and a page that replays every game."""

import argparse
import json
import tempfile
from concurrent.futures import BrokenExecutor
from contextlib import ExitStack, closing
from itertools import accumulate, combinations
from pathlib import Path
from time import monotonic
from typing import Any

import course_lib.games as games
from course_lib.check.failures import StudentError, no_answer
from course_lib.search.tournament import PlayedGame, Tournament, tournament
from instructor.grade.executors import add_shared_arguments, executor, interruptible, number, positive, progress
from instructor.grade.remote import TICK, WALL, RemoteStudent, cpu_seconds, one_line
from instructor.grade.results import TEMPLATES
from instructor.grade.rosters import read_roster
from instructor.grade.sandbox import check_sandbox
from instructor.grade.state import write
from instructor.grade.submissions import collect_players

GAMES = ("ConnectFour", "TicTacToe", "Nim")
"""Games for two players that end, with states of plain data."""
OPENING = 2
"""Random plies with which each game begins, the same for both games of a pair."""
START_SECONDS = 10
"""Seconds in which the file of a player must have run."""
PATIENCE = 3
"""Wall-clock time for a move, as a multiple of its CPU time: the players and the grader share the cores."""


def class_tournament(submissions: str, out: str, game: str = GAMES[0], rounds: int = 1, move_time: float = 1,
                     jobs: int | None = None, sandboxed: bool = True, roster: str | None = None
                     ) -> Tournament:  # fmt: skip
    """Run a tournament of all players in `submissions`, and write `tournament.html` and `.json` into `out`.

    A player is a function `my_player(game, state)` that returns an action within `move_time` seconds; it runs in a
    sandbox, and the grader keeps the board. An illegal action, an error or a late move loses the game.
    """
    board = getattr(games, game)()
    with tempfile.TemporaryDirectory() as scratch:
        found = collect_players(Path(submissions), Path(scratch), read_roster(roster) if roster else None)
    players = [(name if name.isprintable() else ascii(name), source) for name, source in found]
    if len(players) < 2:
        raise ValueError(f"{submissions}: expected two or more players, got {len(players)}: a player is a file "
                         f"my_player.py that defines my_player(game, state)")  # fmt: skip
    if sandboxed:
        check_sandbox()
    pairs = [(board, *pair, rounds, move_time, str(n), sandboxed) for n, pair in enumerate(combinations(players, 2))]
    played = []
    with executor(jobs) as pool:
        try:
            for done, games_of_pair in enumerate(pool.map(play_pair, *zip(*pairs)), start=1):
                played += games_of_pair
                progress(done, len(pairs))
        except (GraderFailed, BrokenExecutor) as error:
            raise OSError(f"the tournament was stopped, and nothing was written: {error}. Check the memory and disk "
                          f"space, and give the same command again") from None  # fmt: skip
    result = Tournament(repr(board), tuple(name for name, _ in players), tuple(played))
    _write_results(Path(out), board, result, {"game": result.game, "move_time": move_time})
    return result


class GraderFailed(BaseException):
    """The grader's own machine failed, so no player may lose by it: a tournament takes an `Exception` for a loss."""


def play_pair(board: games.Game, player_a: tuple[str, str], player_b: tuple[str, str], rounds: int, seconds: float,
              seed: str, sandboxed: bool) -> list[PlayedGame]:  # fmt: skip
    """The games of two players, each a name and the source of the player."""
    with ExitStack() as stack:
        agents = {}
        for name, source in (player_a, player_b):
            remote = stack.enter_context(closing(RemoteStudent([source], START_SECONDS, sandboxed=sandboxed)))
            agents[name] = Player(remote, seconds)
        played = tournament(board, agents, rounds, seed=seed, random_plies=OPENING).games
    return [game._replace(fault=one_line(game.fault.removeprefix(f"{StudentError.__name__}: "))) for game in played]


class Player:
    """A student's player, with a clock for CPU time and one for wall-clock time.

    Each move may take `seconds` of CPU time, including what the program used since its last move. A player that waits
    uses up wall-clock time, of which it has `WALL` times as much for its first move, and `PATIENCE` times for each
    other one, saved up from move to move.
    """

    def __init__(self, remote: RemoteStudent, seconds: float):
        self.remote, self.seconds = remote, seconds
        self.process, self.used, self.left = None, 0.0, WALL * seconds

    def __call__(self, game: games.Game, state: Any) -> Any:
        try:
            self.remote.begin(self.seconds, apart=False)  # a player may remember
            if self.process is not self.remote.process:
                self.process, self.used = self.remote.process, self._cpu_seconds()
            began = monotonic()
            answer = self.remote.call("my_player", game, state)
        except OSError as error:
            raise GraderFailed(str(error)) from None
        except StudentError as error:
            raise StudentError(error.reason, f"{error.words} ({error.line})" if error.line else error.words) from None
        before, self.used = self.used, self._cpu_seconds()
        self.left -= monotonic() - began
        if self.used - before > self.seconds + TICK or self.left < 0:
            raise no_answer("time", self.seconds)
        self.left += PATIENCE * self.seconds
        for action in game.actions(state):
            if action == answer:
                return action
        raise ValueError(f"cannot play {answer!r}")  # the game might: Nim takes {0, 1} for (0, 1)

    def _cpu_seconds(self) -> float:
        return cpu_seconds(self.process.process.pid) if self.process else 0.0


def _write_results(out: Path, board: games.Game, played: Tournament, about: dict) -> None:
    """Write the record, and a page with the ratings, the cross table, and every game to step through."""
    out.mkdir(parents=True, exist_ok=True)
    ratings = {name: {"elo": round(elo, 1), "error": round(error, 1)} for name, (elo, error) in played.ratings.items()}
    record = about | {"ratings": ratings, "games": [game._asdict() for game in played.games]}
    write(out / "tournament.json", json.dumps(record, indent=1, ensure_ascii=False))
    table = played._repr_html_().replace("<th></th>", "<td></td>")  # a header without words is none
    replays = [_replay(board, game) for game in played.games]
    write(out / "tournament.html", TEMPLATES.get_template("tournament.html").render(table=table, replays=replays))


def _replay(board: games.Game, game: PlayedGame) -> dict:
    """What a replay shows: the board as text after each ply."""
    states = list(accumulate(game.actions, board.result, initial=board.initial_state()))
    score = {1: "1–0", 0: "0–1"}.get(game.score, "½–½")
    return {"title": f"{game.first} – {game.second}: {score}", "boards": [board.render(state) for state in states],
            "fault": game.fault, "actions": [str(action) for action in game.actions]}  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_shared_arguments(parser, "a folder or zip with STUDENT/my_player.py")
    add = parser.add_argument
    add("--game", default=GAMES[0], choices=GAMES, help=f"(default: {GAMES[0]})")
    add("--rounds", type=positive, default=1, metavar="N", help="each pair plays 2 N games (default: 1)")
    add("--move-time", type=number, default=1, metavar="S", help="seconds for a move, such as 0.2 (default: 1)")


def run(options: argparse.Namespace) -> None:
    with interruptible("nothing was written, and the same command starts over"):
        print(class_tournament(**vars(options)))
