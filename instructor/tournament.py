"""The class's players meet: a round-robin in sandboxes, Elo ratings, and a page that replays every game."""

import hashlib
import json
import math
import sys
import time
from concurrent.futures import BrokenExecutor, as_completed
from itertools import accumulate, combinations
from pathlib import Path

import course_lib.games as games
from course_lib.check.compare import shown
from course_lib.check.question import StudentError
from course_lib.search import measure
from course_lib.search.measuring import PHASES, known_players, percent
from course_lib.search.tournament import Tournament, tournament
from instructor.grade.executors import Pool, add_shared_arguments, end_in_order_when_told, positive, show_progress
from instructor.grade.redaction import one_line
from instructor.grade.remote import RemoteStudent
from instructor.grade.sandbox import require_sandbox, why_no_sandbox
from instructor.grade.state import write
from instructor.grade.submissions import collect_players, read_roster
from instructor.grade.webpages import TEMPLATES

GAMES = "ConnectFour", "TicTacToe", "Nim", "Pig", "DiceDuel", "Pacman"
"""Games for two players whose states are plain data."""
OPENING = 2
"""Random plies with which each game begins, the same for both games of a pair."""
NAME = "my_player"
MOST_MOVES = 1_000
"""Moves and throws of dice in a game, after which it is a draw: Pig does not end if both always hold."""
CELL_TIME = 10
"""Seconds in which each cell of a player must have run."""
MEASURE_TIME = 60
"""Seconds after which a player is asked about no further position of `measure`."""


def ladder(submissions, out, game=GAMES[0], rounds=1, move_time=1, seed=0, jobs=None, sandboxed=True, roster=None):
    """Let all players in `submissions` meet, write `ladder.html` and `.json` into `out`, and return the `Tournament`.

    A player is a function `my_player(game, state)` that returns an action within `move_time` seconds; it runs in a
    sandbox, and the grader keeps the board. An illegal action, an error or a move too late loses the game. Players of
    Connect Four are measured against exact play, too.
    """
    board = game_named(game)
    players = _named(collect_players(submissions, read_roster(roster) if roster else None))
    if len(players) < 2:
        raise ValueError(f"a ladder needs two players or more, and {submissions} has {len(players)}: a player is a "
                         f"file my_player.py, or a notebook, that defines my_player(game, state)")  # fmt: skip
    if sandboxed:
        require_sandbox(why_no_sandbox())
    meetings = [(meet, board, *pair, rounds, move_time, f"{seed} {n}", sandboxed)
                for n, pair in enumerate(combinations(players, 2))]  # fmt: skip
    stick = [(measured, *player, move_time, sandboxed) for player in players] if game == GAMES[0] else []
    found = _do_all(meetings + stick, jobs)
    played_games = tuple(game for part in found[: len(meetings)] for game in part)
    played = Tournament(repr(board), tuple(name for name, _ in players), played_games)
    mistakes = found[len(meetings) :]
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    write(out / "tournament.json", json.dumps(_record(played, mistakes, seed, move_time), indent=1, ensure_ascii=False))
    write(out / "tournament.html", ladder_page(board, played, mistakes))
    return played


class Bounded(games.Game):
    """A game that is a draw after `MOST_MOVES` actions. Its states are (state, actions so far) pairs."""

    def __init__(self, game):
        self.game, self.players = game, game.players
        self.to_move, self.actions, self.chances = map(self._of_the_state, (game.to_move, game.actions, game.chances))

    def _of_the_state(self, function):
        return lambda pair: function(pair[0])

    def initial_state(self):
        return self.game.initial_state(), 0

    def result(self, state, action):
        return self.game.result(state[0], action), state[1] + 1

    def is_terminal(self, state):
        return state[1] >= MOST_MOVES or self.game.is_terminal(state[0])

    def utility(self, state, player):
        return self.game.utility(state[0], player) if self.game.is_terminal(state[0]) else 0

    def __repr__(self):
        return repr(self.game)


def _named(players):
    """The players by names that a terminal can show: on one line, no two the same."""
    named = {}
    for name, cells in players:
        shown = one_line(name)
        if shown in named or not shown:
            shown = f"{shown} {hashlib.sha256(name.encode(errors='surrogateescape')).hexdigest()[:8]}".strip()
        named[shown] = cells
    return list(named.items())


def game_named(name):
    """A game of course_lib.games, as it is made without arguments."""
    if name not in GAMES:
        raise ValueError(f"the games of the ladder are {', '.join(GAMES)}, not {name!r}")
    return getattr(games, name)()


class GraderFailed(BaseException):
    """The grader's own machine failed, so no player may lose by it: a tournament takes an `Exception` for a loss."""


def _do_all(tasks, jobs):
    """What these calls (function, *arguments) return, in their order; they are made in worker processes.

    `OSError` says that the machine failed: then nothing that was played counts.
    """
    pool, begun = Pool(jobs), time.monotonic()
    try:
        futures = [pool.submit(*task) for task in tasks]
        for done, _ in enumerate(as_completed(futures), start=1):
            show_progress(done, len(futures), begun, done)
        return [future.result() for future in futures]
    except (GraderFailed, BrokenExecutor) as error:
        raise OSError(f"the ladder was stopped, and nothing is written: {error}. See that there is memory and room on "
                      f"the disk, and give the same command again") from None  # fmt: skip
    finally:
        pool.end()


def measured(name, cells, seconds, sandboxed):
    """The `Measured` mistakes of a player of Connect Four. An illegal action, an error or a late move is a mistake."""
    remote = RemoteStudent(cells, CELL_TIME, sandboxed=sandboxed, in_all=math.inf)
    agent = _agent(remote, seconds)
    try:
        return measure(lambda game, state: agent(Bounded(game), (state, 0)), name, MEASURE_TIME, forgiving=True)
    finally:
        remote.close()


def meet(board, one, two, rounds, seconds, seed, sandboxed):
    """The games of two players, (name, cells) pairs, as `PlayedGame`s."""
    remotes = {
        name: RemoteStudent(cells, CELL_TIME, sandboxed=sandboxed, in_all=math.inf) for name, cells in (one, two)
    }
    try:
        agents = {name: _agent(remote, seconds) for name, remote in remotes.items()}
        played = tournament(Bounded(board), agents, rounds, seed=seed, random_plies=OPENING).games
        return [game._replace(fault=one_line(game.fault.removeprefix(f"{StudentError.__name__}: "))) for game in played]
    finally:
        for remote in remotes.values():
            remote.close()


def _agent(remote, seconds):
    """A student's player as a tournament asks it. Its program stands still while it is not asked."""

    def choose(bounded, pair):
        game, state = bounded.game, pair[0]
        try:
            remote.begin(seconds)
        except OSError as error:
            raise GraderFailed(str(error)) from None
        try:
            answer = remote.call(NAME, game, state)
            for action in game.actions(state):
                if action == answer:
                    return action
            raise ValueError(f"cannot play {shown(answer)}")  # the game might: Nim takes {0, 1} for (0, 1)
        except StudentError as error:
            missing = error.kind == StudentError.UNANSWERED and not remote.faults
            words = f"{error.words} ({error.line})" if error.line else error.words
            raise StudentError(error.kind, f"there is no {NAME}" if missing else words) from None
        finally:
            if not remote.pause():
                raise StudentError(StudentError.TIME, "its program cannot be stopped while the other one thinks")

    return choose


def _record(played, mistakes, seed, move_time):
    ratings = {
        name: {"elo": round(rating.elo, 1), "error": round(rating.error, 1)} for name, rating in played.ratings.items()
    }
    shares = {one.name: {phase: share._asdict() for phase, share in one.shares.items()} for one in mistakes}
    return {"game": played.game, "seed": seed, "move_time": move_time, "ratings": ratings, "mistakes": shares,
            "games": [game._asdict() for game in played.games]}  # fmt: skip


def ladder_page(board, played, mistakes=()):
    """The ratings, the cross table, the `Measured` mistakes, and every game to step through, in one page."""
    table = played._repr_html_().replace("<th></th>", "<td></td>")  # a header without words is none
    replays = [_replay(board, game) for game in played.games]
    rows = [(one.name, one.shares, sum(one.asked.values()), sum(m.action is None for m in one.mistakes))
            for one in mistakes]  # fmt: skip
    return TEMPLATES.get_template("tournament.html").render(
        table=table, replays=replays, phases=PHASES, percent=percent, measured=rows, known=known_players()
    )


def _replay(board, game):
    """What a replay shows: the board as text after each ply."""
    states = list(accumulate(game.actions, board.result, initial=board.initial_state()))
    endless = "" if board.is_terminal(states[-1]) else f"a draw: the game has not ended after {len(states) - 1:,} moves"
    score = {1: "1–0", 0: "0–1"}.get(game.score, "½–½")
    return {"title": f"{game.first} – {game.second}: {score}", "boards": [board.render(state) for state in states],
            "fault": game.fault or endless, "actions": [str(action) for action in game.actions]}  # fmt: skip


def add_arguments(parser):
    add_shared_arguments(parser, "a folder or zip with STUDENT/my_player.py, or notebooks that define my_player")
    add = parser.add_argument
    add("--game", default=GAMES[0], help=f"{', '.join(GAMES)} (default: {GAMES[0]})")
    add("--rounds", type=positive, default=1, metavar="N", help="each two play 2 N games (default: 1)")
    add("--move-time", type=positive, default=1, metavar="S", help="seconds for a move (default: 1)")
    add("--seed", type=int, default=0, metavar="N", help="draw the openings from this (default: 0)")


def run(options):
    end_in_order_when_told()
    try:
        print(ladder(**vars(options)))
    except KeyboardInterrupt:
        sys.exit("\ninterrupted; nothing is written, and the same command begins anew")
