"""The tournament of a class: who may play, that nobody can cheat the board or the clock, and the page that replays."""

import json
import os
import time
from contextlib import closing

import pytest
from playwright.sync_api import expect

from course_lib.check.failures import StudentError
from course_lib.games import ConnectFour, Nim, TicTacToe
from instructor.__main__ import main
from instructor.grade.remote import RemoteStudent
from instructor.tournament import GAMES, Player, class_tournament, play_pair

FIRST = "def my_player(game, state):\n    return game.actions(state)[0]"
PLAYERS = {
    "ada": FIRST,
    "bob": FIRST.replace("[0]", "[-1]"),
    "late": "def my_player(game, state):\n    while True: pass",
    "illegal": "def my_player(game, state):\n    return (99, 'x')",
    "gone": "import os\ndef my_player(game, state):\n    os._exit(0)",
    "odd <b>": "def my_player(game, state):\n    return 10 ** 300",
    "cheat": "def my_player(game, state):\n    type(game).result = lambda *a: (0, 511, 0, ())\n    return 4",
}


@pytest.fixture(scope="module")
def played(bubblewrap, tmp_path_factory):
    folder, out = tmp_path_factory.mktemp("players"), tmp_path_factory.mktemp("tournament")
    for name, source in PLAYERS.items():
        (folder / name).mkdir()
        (folder / name / "my_player.py").write_text(source)
    return class_tournament(folder, out, game="TicTacToe", jobs=2), out


def test_every_two_players_meet_on_both_sides(played):
    result, out = played
    pairs = [(game.first, game.second) for game in result.games]
    assert set(result.names) == set(PLAYERS)
    assert len(pairs) == len(set(pairs)) == len(PLAYERS) * (len(PLAYERS) - 1)
    record = json.loads((out / "tournament.json").read_text())
    assert len(record["games"]) == len(pairs) and list(record["ratings"]) == list(result.ratings)


def test_whoever_breaks_the_rules_loses_and_the_game_says_why(played):
    """What is played is legal, whatever a player does to its own copy of the game."""
    result, _ = played
    faults = {}
    for game in result.games:
        state = TicTacToe().after(*game.actions)
        assert game.fault or TicTacToe().is_terminal(state)
        if game.fault:
            faults.setdefault(game.second if game.score else game.first, set()).add(game.fault)
    assert set(faults) == set(PLAYERS) - {"ada", "bob"}
    assert any("within 1 seconds" in fault for fault in faults["late"])
    assert any("cannot play" in fault for fault in faults["illegal"])
    assert next(iter(result.ratings)) in ("ada", "bob")


def test_the_page_replays_any_game(played, browser):
    result, out = played
    page = browser.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto((out / "tournament.html").as_uri())
    last = next(n for n, game in enumerate(result.games) if not game.fault)
    page.get_by_label("game").select_option(str(last))
    for _ in result.games[last].actions:
        page.get_by_role("button", name="ply on").click()
    expect(page.locator("#board")).to_have_text(TicTacToe().render(TicTacToe().after(*result.games[last].actions)))
    expect(page.get_by_role("button", name="ply on")).to_be_disabled()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("status")).to_contain_text(f"ply {len(result.games[last].actions) - 1} of")
    assert errors == []
    assert page.locator("b").count() == 0  # a name in markup stays a name
    page.close()


def test_what_cannot_be_played_is_said(tmp_path):
    with pytest.raises(SystemExit, match="two or more players"):
        main(["tournament", str(tmp_path), "--out", str(tmp_path / "out")])


@pytest.mark.parametrize("name", GAMES)
def test_every_game_can_be_played_across_the_pipe(bubblewrap, name):
    players = [("ada", FIRST), ("bob", FIRST.replace("[0]", "[-1]"))]
    board = {"ConnectFour": ConnectFour, "TicTacToe": TicTacToe, "Nim": Nim}[name]()
    games = play_pair(board, *players, 1, 5, "seed", sandboxed=True)
    assert len(games) == 2
    assert not [game.fault for game in games if game.fault]


@pytest.mark.parametrize("failure", ["the machine has no room", "a worker is ended"])
def test_no_player_loses_by_a_failure_of_the_graders_machine(tmp_path, monkeypatch, failure):
    def begin(remote, *seconds, **options):
        if failure == "a worker is ended":
            os._exit(9)
        raise OSError(failure)

    monkeypatch.setattr("instructor.tournament.RemoteStudent.begin", begin)
    for name in ("ada", "bob"):
        (tmp_path / "class" / name).mkdir(parents=True)
        (tmp_path / "class" / name / "my_player.py").write_text(FIRST)
    with pytest.raises(OSError, match="the tournament was stopped, and nothing was written"):
        class_tournament(tmp_path / "class", tmp_path / "out", "Nim", jobs=1, sandboxed=False)
    assert not (tmp_path / "out").exists()


def test_what_a_game_would_take_for_an_action_is_none():
    """It could not be written down, which would end the whole tournament; here it is an illegal action."""
    odd = """def my_player(game, state):
    return next(({h, c} for h, c in game.actions(state) if list({h, c}) == [h, c]), None)"""
    games = play_pair(Nim(), ("ada", odd), ("bob", FIRST), 1, 5, "seed", sandboxed=False)
    assert all(game.fault.startswith("ValueError: cannot play") for game in games)
    assert all(type(action) is tuple for game in games for action in game.actions)


SLEEPS = "import time\nmoves = []\ndef my_player(game, state):\n    moves.append(state)\n    time.sleep(0.7)\n"


def test_a_player_remembers_and_waits_on_its_own_time_only(bubblewrap):
    """Two moves take longer together than one may take; what the first one remembered, the second one finds."""
    remembers = SLEEPS + "    return game.actions(state)[-1] if len(moves) < 9 else moves\n"
    counts = SLEEPS + "    return game.actions(state)[-1] if len(moves) < 2 else None\n"
    games = play_pair(ConnectFour(), ("a", remembers), ("b", counts), 1, 1, "seed", sandboxed=True)
    assert all("cannot play None" in game.fault for game in games)


PONDERS = """import threading
def think():
    while True: pass
def my_player(game, state):
    if threading.active_count() == 1:
        threading.Thread(target=think, daemon=True).start()
    return game.actions(state)[0]
"""
STALLS = "import time\ndef my_player(game, state):\n    time.sleep(1.8)\n    return game.actions(state)[0]\n"


@pytest.mark.parametrize("source", [PONDERS, STALLS], ids=["ponders", "stalls"])
def test_thinking_between_moves_and_stalling_cost_the_game(bubblewrap, source):
    with closing(RemoteStudent([source], 5)) as remote:
        player, game = Player(remote, 0.2), ConnectFour()
        player(game, game.initial_state())
        time.sleep(3)  # the opponent's move
        with pytest.raises(StudentError, match=r"within 0\.2 seconds"):
            player(game, game.initial_state())


def test_a_file_that_cannot_be_read_stops_no_tournament(bubblewrap, tmp_path, capsys):
    files = {"ada": FIRST.encode(), "bob": b" " * (9 << 20), "eve": b"\x00\xff def", "fay\x01": FIRST.encode(),
             "fay\x02": FIRST.encode()}  # fmt: skip
    for name, content in files.items():
        (tmp_path / "class" / name).mkdir(parents=True)
        (tmp_path / "class" / name / "my_player.py").write_bytes(content)
    result = class_tournament(tmp_path / "class", tmp_path / "out", "TicTacToe", jobs=1)
    assert set(result.names) == {"ada", "eve", "'fay\\x01'", "'fay\\x02'"}
    assert "bob does not play: bob/my_player.py cannot be read (more than" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("def my_player(game, state)\n    pass", "SyntaxError: expected ':'"),
        ("import time\ntime.sleep(99)\ndef my_player(game, state): return 1", "it took too long"),
        ("x = 1", "there is no my_player"),
        ("1 / 0\ndef my_player(game, state): return 1", "ZeroDivisionError: division by zero (line 1: 1 / 0)"),
    ],
)  # fmt: skip
def test_a_cell_that_fails_is_reported_as_such(bubblewrap, monkeypatch, source, told):
    monkeypatch.setattr("instructor.tournament.START_SECONDS", 2)
    monkeypatch.setattr("instructor.grade.remote.WALL", 3)
    games = play_pair(TicTacToe(), ("ada", FIRST), ("bob", source), 1, 1, "seed", sandboxed=True)
    assert all(told in game.fault for game in games)


def test_nothing_moves_the_cursor_of_a_terminal(bubblewrap, tmp_path, capsys):
    for name in ("ada\x1b[2J", "bob\u202e\x9b31m"):
        (tmp_path / "players" / name).mkdir(parents=True)
        (tmp_path / "players" / name / "my_player.py").write_text("raise ValueError('\x1b[31m\x07')\n" + FIRST)
    main(["tournament", str(tmp_path / "players"), "--out", str(tmp_path / "out"), "--game", "TicTacToe"])
    said = "".join(capsys.readouterr())
    assert "ada" in said
    assert [letter for letter in said if not letter.isprintable() and letter != "\n"] == []
