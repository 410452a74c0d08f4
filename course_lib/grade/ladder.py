"""The class's players meet: a round-robin in sandboxes, Elo ratings, and a page that replays every game."""

import hashlib
import json
import math
import os
from concurrent.futures import as_completed
from html import escape
from itertools import combinations
from pathlib import Path

import course_lib.games as games
from course_lib.check.question import StudentError
from course_lib.grade.pool import Pool, add_jobs, positive, show_progress
from course_lib.grade.remote import RemoteStudent
from course_lib.grade.sandbox import require_sandbox, why_no_sandbox
from course_lib.grade.state import write
from course_lib.grade.submissions import collect_players, read_roster
from course_lib.grade.told import one_line
from course_lib.grade.webpages import page
from course_lib.search.tournament import Tournament, tournament

GAMES = "ConnectFour", "TicTacToe", "Nim", "Pig", "DiceDuel", "Pacman"
"""Games for two players whose states are plain data."""
OPENING = 2
"""Random plies with which each game begins, the same for both games of a pair."""
NAME = "my_player"
CELL_TIME = 10
"""Seconds in which each cell of a player must have run."""


def ladder(source, out, game="ConnectFour", rounds=1, seconds=1, seed=0, jobs=None, sandboxed=True, roster=None):
    """Let all players in `source` meet, write `ladder.html` and `ladder.json` into `out`, and return the `Tournament`.

    A player is a function `my_player(game, state)` that returns an action within so many `seconds`; it runs in a
    sandbox, and the grader keeps the board. An illegal action, an error or a move too late loses the game.
    """
    board = game_named(game)
    players = _named(collect_players(source, read_roster(roster) if roster else None))
    if len(players) < 2:
        raise ValueError(f"a ladder needs two players or more, and {source} has {len(players)}: a player is a file "
                         f"my_player.py, or a notebook, that defines my_player(game, state)")  # fmt: skip
    if sandboxed:
        require_sandbox(why_no_sandbox())
    played = _play_all(board, players, rounds, seconds, seed, jobs or os.cpu_count() or 1, sandboxed)
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    write(out / "ladder.json", json.dumps(_record(played, seed, seconds), indent=1, ensure_ascii=False))
    write(out / "ladder.html", ladder_page(board, played))
    return played


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


def _play_all(board, players, rounds, seconds, seed, jobs, sandboxed):
    """Every two players meet in a task of its own; the games are kept in the order of the pairs."""
    pairs = list(combinations(players, 2))
    pool = Pool(jobs)
    try:
        tasks = [
            pool.submit(meet, board, *pair, rounds, seconds, f"{seed} {n}", sandboxed) for n, pair in enumerate(pairs)
        ]
        for done, _ in enumerate(as_completed(tasks), start=1):
            show_progress(done, len(tasks), pool.begun, done)
        played = [game for task in tasks for game in task.result()]
    finally:
        pool.end()
    return Tournament(repr(board), tuple(name for name, _ in players), tuple(played))


def meet(board, one, two, rounds, seconds, seed, sandboxed):
    """The games of two players, (name, cells) pairs, as `PlayedGame`s."""
    remotes = {
        name: RemoteStudent(cells, CELL_TIME, sandboxed=sandboxed, in_all=math.inf) for name, cells in (one, two)
    }
    try:
        agents = {name: _agent(remote, seconds) for name, remote in remotes.items()}
        played = tournament(board, agents, rounds, seed=seed, random_plies=OPENING).games
        return [game._replace(fault=one_line(game.fault.removeprefix(f"{StudentError.__name__}: "))) for game in played]
    finally:
        for remote in remotes.values():
            remote.close()


def _agent(remote, seconds):
    """A student's player as a tournament asks it. Its program stands still while it is not asked."""

    def choose(game, state):
        remote.begin(seconds)
        try:
            return remote.call(NAME, game, state)
        except StudentError as error:
            missing = error.kind == StudentError.UNANSWERED and not remote.faults
            words = f"{error.words} ({error.line})" if error.line else error.words
            raise StudentError(error.kind, f"there is no {NAME}" if missing else words) from None
        finally:
            remote.pause()

    return choose


def _record(played, seed, seconds):
    ratings = {
        name: {"elo": round(rating.elo, 1), "error": round(rating.error, 1)} for name, rating in played.ratings.items()
    }
    return {"game": played.game, "seed": seed, "move_time": seconds, "ratings": ratings,
            "games": [game._asdict() for game in played.games]}  # fmt: skip


def ladder_page(board, played):
    """The ratings, the cross table, and every game to step through, in one page that needs nothing else."""
    replays = [_replay(board, game) for game in played.games]
    options = "".join(f"<option value={n}>{escape(replay['title'])}</option>" for n, replay in enumerate(replays))
    data = json.dumps(replays).replace("<", "\\u003c")
    table = played._repr_html_().replace("<th></th>", "<td></td>")  # a header without words is none
    return page("Ladder", f"""{table}
<h2>Replay</h2>
<p><select id=game aria-label="game">{options}</select> <button id=back>back</button> <button id=on>on</button>
<span id=move role=status></span></p><pre id=board></pre>
<script type="application/json" id=replays>{data}</script>
<script>{SCRIPT}</script>""")  # fmt: skip


def _replay(board, game):
    """What a replay shows: the board as text after each ply."""
    state = board.initial_state()
    shown = [board.render(state)]
    for action in game.actions:
        state = board.result(state, action)
        shown.append(board.render(state))
    score = {1: "1–0", 0: "0–1"}.get(game.score, "½–½")
    return {"title": f"{game.first} – {game.second}: {score}", "boards": shown, "fault": game.fault,
            "actions": [str(action) for action in game.actions]}  # fmt: skip


SCRIPT = """
const replays = JSON.parse(document.getElementById("replays").textContent)
const [game, back, on, move, board] = ["game", "back", "on", "move", "board"].map(id => document.getElementById(id))
let ply = 0
function show() {
  const {boards, actions, fault} = replays[game.value]
  ply = Math.max(0, Math.min(ply, boards.length - 1))
  board.textContent = boards[ply]
  const last = ply === boards.length - 1
  const played = ply ? `: ${actions[ply - 1]}` : ""
  move.textContent = `ply ${ply} of ${boards.length - 1}${played}${last && fault ? ` — ${fault}` : ""}`
  back.disabled = ply === 0
  on.disabled = last
}
game.onchange = () => { ply = 0; show() }
back.onclick = () => { ply -= 1; show() }
on.onclick = () => { ply += 1; show() }
document.onkeydown = event => {
  if (event.target === game) return
  if (event.key === "ArrowLeft") back.click()
  if (event.key === "ArrowRight") on.click()
}
show()
"""


def add_arguments(parser):
    parser.add_argument(
        "submissions", help="a folder or zip with STUDENT/my_player.py, or notebooks that define my_player"
    )
    parser.add_argument("--out", required=True, metavar="RESULTS", help="the folder for the results")
    parser.add_argument(
        "--game", default="ConnectFour", help="ConnectFour (the default), TicTacToe, Nim, Pig, DiceDuel or Pacman"
    )
    parser.add_argument("--rounds", type=positive, default=1, metavar="N", help="each two play 2 N games (default: 1)")
    parser.add_argument("--move-time", type=positive, default=1, metavar="S", help="seconds for a move (default: 1)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="draw the openings from this (default: 0)")
    add_jobs(parser)
    parser.add_argument("--no-sandbox", action="store_true", help="run students' code unprotected")
    parser.add_argument("--roster", metavar="CSV", help="as for grade")


def run(options):
    played = ladder(
        options.submissions,
        options.out,
        game=options.game,
        rounds=options.rounds,
        seconds=options.move_time,
        seed=options.seed,
        jobs=options.jobs,
        sandboxed=not options.no_sandbox,
        roster=options.roster,
    )
    print(played)
