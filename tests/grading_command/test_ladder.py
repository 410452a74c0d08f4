"""The ladder of a class: who may play, that nobody can cheat the board or the clock, and the page that replays."""

import json
import os

import pytest
from playwright.sync_api import expect

from course_lib.games import ConnectFour, Nim, Pig, TicTacToe
from course_lib.search import measure
from course_lib.search.measuring import positions
from course_lib.search.tournament import Tournament
from grading_command.hostile import notebook
from grading_command.processes import SPINS, awake, descendants
from instructor.__main__ import main
from instructor.grade import submissions
from instructor.tournament import GAMES, game_named, ladder, ladder_page, meet

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
    folder, out = tmp_path_factory.mktemp("players"), tmp_path_factory.mktemp("ladder")
    for name, source in PLAYERS.items():
        (folder / name).mkdir()
        if name == "bob":
            (folder / name / "02_minimax.ipynb").write_bytes(notebook(["1 / 0", source]))
        else:
            (folder / name / "my_player.py").write_text(source)
    (folder / "none").mkdir()
    (folder / "none" / "02_minimax.ipynb").write_bytes(notebook(["x = 1"]))
    return ladder(folder, out, game="TicTacToe", jobs=2), out


def test_every_two_players_meet_on_both_sides(played):
    result, _ = played
    pairs = [(game.first, game.second) for game in result.games]
    assert set(result.names) == set(PLAYERS)
    assert len(pairs) == len(set(pairs)) == len(PLAYERS) * (len(PLAYERS) - 1)


def test_whoever_breaks_the_rules_loses_and_the_game_says_why(played):
    result, _ = played
    faults = {}
    for game in result.games:
        if game.fault:
            faults.setdefault(game.second if game.score else game.first, set()).add(game.fault.splitlines()[0])
    assert set(faults) == set(PLAYERS) - {"ada", "bob"}
    assert any("within 1 seconds" in fault for fault in faults["late"])
    assert any("cannot play" in fault for fault in faults["illegal"])
    assert next(iter(result.ratings)) in ("ada", "bob")


def test_the_board_is_the_graders(played):
    """What is played is legal, whatever a player does to its own copy of the game."""
    result, _ = played
    for game in result.games:
        state = TicTacToe().after(*game.actions)
        assert game.fault or TicTacToe().is_terminal(state)


def test_the_page_replays_any_game(played, browser):
    result, out = played
    page = browser.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto((out / "ladder.html").as_uri())
    last = next(n for n, game in enumerate(result.games) if not game.fault)
    page.get_by_label("game").select_option(str(last))
    for _ in result.games[last].actions:
        page.get_by_role("button", name="on").click()
    expect(page.locator("#board")).to_have_text(TicTacToe().render(TicTacToe().after(*result.games[last].actions)))
    expect(page.get_by_role("button", name="on")).to_be_disabled()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("status")).to_contain_text(f"ply {len(result.games[last].actions) - 1} of")
    assert errors == []
    assert page.locator("b").count() == 0  # a name in markup stays a name
    page.close()


def test_the_record(played):
    result, out = played
    record = json.loads((out / "ladder.json").read_text())
    assert len(record["games"]) == len(result.games)
    assert list(record["ratings"]) == list(result.ratings)


def test_few_files_of_a_student_are_read_for_a_player(tmp_path, monkeypatch):
    """A small zip can hold thousands of notebooks, each of which takes a second to read."""
    read = []
    monkeypatch.setattr(submissions, "code_cells", lambda content: read.append(content) or [])
    for n in range(3 * submissions.MOST_PLAYERS):
        (tmp_path / "eve").mkdir(exist_ok=True)
        (tmp_path / "eve" / f"{n}.ipynb").write_text("def my_player(" if n % 3 else "")
    assert submissions.collect_players(tmp_path) == [] and 0 < len(read) <= submissions.MOST_PLAYERS


def test_what_cannot_be_played_is_said(tmp_path):
    with pytest.raises(SystemExit, match="two players or more"):
        main(["ladder", str(tmp_path), "--out", str(tmp_path / "out")])
    for name in ("Poker", "Game.__init__", "TreeGame", "Truel", "Chess"):
        with pytest.raises(ValueError, match="are ConnectFour"):
            game_named(name)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_of_the_ladder_can_be_played_across_the_pipe(bubblewrap, name):
    players = [("ada", [FIRST]), ("bob", [FIRST.replace("[0]", "[-1]")])]
    games = meet(game_named(name), *players, 1, 5, "seed", sandboxed=True)
    assert len(games) == 2
    assert not [game.fault for game in games if game.fault]


def test_a_game_that_does_not_end_is_a_draw_and_told_as_one(monkeypatch):
    monkeypatch.setattr("instructor.tournament.MOST_MOVES", 12)
    holds = "def my_player(game, state):\n    return 'hold'"
    games = meet(Pig(), ("ada", [holds]), ("bob", [holds]), 1, 5, "seed", sandboxed=False)
    assert [(game.score, game.fault, len(game.actions)) for game in games] == [(0.5, "", 12)] * 2
    page = ladder_page(Pig(), Tournament("Pig()", ("ada", "bob"), games))
    assert page.count("a draw: the game has not ended after 12 moves") == 2


@pytest.mark.parametrize("failure", ["the machine has no room", "a worker is ended"])
def test_no_player_loses_by_a_failure_of_the_graders_machine(tmp_path, monkeypatch, failure):
    def begin(remote, seconds):
        if failure == "a worker is ended":
            os._exit(9)
        raise OSError(failure)

    monkeypatch.setattr("instructor.tournament.RemoteStudent.begin", begin)
    for name in ("ada", "bob"):
        (tmp_path / "class" / name).mkdir(parents=True)
        (tmp_path / "class" / name / "my_player.py").write_text(FIRST)
    with pytest.raises(OSError, match="the ladder was stopped, and nothing is written"):
        ladder(tmp_path / "class", tmp_path / "out", "Nim", jobs=1, sandboxed=False)
    assert not (tmp_path / "out").exists()


def test_players_of_connect_four_are_asked_by_the_stick_in_their_sandboxes(bubblewrap, tmp_path, monkeypatch):
    """The sandbox plays as the player itself does; a fault is a mistake, and the page says how many there were."""
    monkeypatch.setattr("course_lib.search.measuring.positions", lambda: positions()[:30])
    monkeypatch.setattr("instructor.tournament.known_players", dict)  # their shares are of all positions
    for name, source in {"ada": FIRST, "odd": PLAYERS["illegal"]}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "my_player.py").write_text(source)
    ladder(tmp_path, tmp_path / "out", jobs=2)
    record = json.loads((tmp_path / "out" / "ladder.json").read_text())["mistakes"]
    alone = measure(lambda game, state: game.actions(state)[0]).shares
    assert record["ada"] == {phase: share._asdict() for phase, share in alone.items()}
    assert [share["share"] for share in record["odd"].values()] == [1, 1, 1]
    page = (tmp_path / "out" / "ladder.html").read_text()
    assert "<td>odd</td><td>100.0 ± 0.0</td>" in page and "<td>0 of 30</td>" in page


def test_no_other_game_has_the_stick(played):
    _, out = played
    assert "Mistakes" not in (out / "ladder.html").read_text()
    assert json.loads((out / "ladder.json").read_text())["mistakes"] == {}


def test_an_answer_that_only_equals_an_action_is_played_as_the_action_and_a_set_is_none():
    odd = "def my_player(game, state):\n    return True if 1 in game.actions(state) else {0, 1}"
    games = meet(ConnectFour(), ("ada", [odd]), ("bob", [odd]), 1, 5, "seed", sandboxed=False)
    for game in games:
        assert set(map(type, game.actions)) == {int}
        assert game.fault.startswith("ValueError: cannot play {0, 1}")


@pytest.mark.parametrize("answer", ["{h, c}", "{h: 0, c: 0}", "[h, c]"])
def test_what_a_game_would_take_for_an_action_is_none(answer):
    """It could not be written down, which would end the whole ladder; here it is an illegal action."""
    odd = f"""def my_player(game, state):
    return next(({answer} for h, c in game.actions(state) if list({answer}) == [h, c]), None)"""
    games = meet(Nim(), ("ada", [odd]), ("bob", [FIRST]), 1, 5, "seed", sandboxed=False)
    assert all(game.fault.startswith("ValueError: cannot play") for game in games)
    assert all(type(action) is tuple for game in games for action in game.actions)


SLEEPS = "import time\ndef my_player(game, state):\n    time.sleep({})\n    return game.actions(state)[-1]"
SLOW = SLEEPS.format(0.7)


def test_the_clock_of_a_player_stops_while_the_other_thinks(bubblewrap, monkeypatch):
    """Two legal moves take longer together than one may take: nobody's program is ended, so none is started again."""
    import instructor.grade.remote as module

    started = []

    class Counted(module.Process):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            started.append(self)

    monkeypatch.setattr(module, "Process", Counted)
    monkeypatch.setattr("instructor.grade.sandbox.patience", lambda: 1)
    monkeypatch.setattr("instructor.grade.remote.patience", lambda: 1)
    games = meet(TicTacToe(), ("quick", [SLEEPS.format(0.5)]), ("slow", [SLOW]), 1, 1, "seed", sandboxed=True)
    assert [game.fault for game in games] == ["", ""]
    assert len(started) == 2


THINKS_ON = """import threading, time
threading.Thread(target=lambda: [time.sleep(0.001) for _ in iter(int, 1)], daemon=True).start()
"""


def test_nobody_ponders_and_no_child_spins_while_the_other_thinks(bubblewrap, monkeypatch):
    """Every process of the one who waits is stopped, with all its threads, when the other is asked."""
    import instructor.tournament as module

    running, made = [], []

    class Watched(module.RemoteStudent):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            made.append(self)

        def call(self, *arguments):
            for other in made:
                if other is not self and other.process is not None:
                    running.extend(filter(awake, descendants(other.process.process.pid)))
            return super().call(*arguments)

    monkeypatch.setattr(module, "RemoteStudent", Watched)
    games = meet(TicTacToe(), ("spins", [SPINS + THINKS_ON + FIRST]), ("bob", [FIRST]), 1, 5, "seed", sandboxed=True)
    assert [game.fault for game in games] == ["", ""]
    assert len(made) == 2 and running == []


def test_a_player_that_cannot_be_stopped_loses(bubblewrap, monkeypatch):
    """Each of its moves would take two seconds more, and a new start."""
    monkeypatch.setattr("instructor.grade.sandbox.STILL", -1)
    games = meet(TicTacToe(), ("ada", [FIRST]), ("bob", [FIRST]), 1, 5, "seed", sandboxed=True)
    assert all("cannot be stopped" in game.fault for game in games)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("def my_player(game, state)\n    pass", "SyntaxError (cell 1, line 1: def my_player"),
        ("import time\ntime.sleep(99)\ndef my_player(game, state): return 1", "it took too long"),
        ("x = 1", "there is no my_player"),
        ("1 / 0\ndef my_player(game, state): return 1", "ZeroDivisionError (cell 1, line 1: 1 / 0)"),
        ("def my_player(game, state):\n    raise ValueError('se' + 'cret')", "ValueError (cell 1, line 2: raise"),
    ],
)  # fmt: skip
def test_a_cell_that_fails_is_told_as_what_it_is(bubblewrap, monkeypatch, source, told):
    monkeypatch.setattr("instructor.tournament.CELL_TIME", 2, raising=False)
    games = meet(TicTacToe(), ("ada", [FIRST]), ("bob", [source]), 1, 1, "seed", sandboxed=True)
    assert all(told in game.fault and "secret" not in game.fault for game in games)


def test_nothing_moves_the_cursor_of_a_terminal(bubblewrap, tmp_path, capsys):
    for name in ("ada\x1b[2J", "ada\r[2J", "bob\u202e\x9b31m"):
        (tmp_path / "players" / name).mkdir(parents=True)
        (tmp_path / "players" / name / "my_player.py").write_text("raise ValueError('\x1b[31m\x07')\n" + FIRST)
    main(["ladder", str(tmp_path / "players"), "--out", str(tmp_path / "out"), "--game", "TicTacToe"])
    said = "".join(capsys.readouterr())
    assert "ada" in said
    assert [letter for letter in said if not letter.isprintable() and letter != "\n"] == []
    record = json.loads((tmp_path / "out" / "ladder.json").read_text())
    assert len(record["ratings"]) == 3
    assert all(game["fault"].isprintable() for game in record["games"])
