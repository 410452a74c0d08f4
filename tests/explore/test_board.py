"""The Python side of the board and the prompts: everything but the drawing."""

import re
import sys
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
from course_lib.alphazero import load_network, network_agent
from course_lib.explore.board import Advice, board
from course_lib.explore.notebook import show_source
from course_lib.games import (
    MAX,
    MIN,
    Chance,
    ConnectFour,
    Nim,
    TicTacToe,
    TreeGame,
    random_agent,
)  # fmt: skip
from course_lib.search import minimax_agent, minimax_value
from strategies import FIRST, trees

TTT = TicTacToe()
BOOK_TREE = TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]])


@pytest.fixture(autouse=True)
def as_on_a_quiet_machine(monkeypatch):
    """How far the advice looks depends on the time it takes; here it must not."""
    monkeypatch.setattr(sys.modules[Advice.__module__], "MAX_SECONDS", 60)


def positions(game, seed, games=4):
    """States on the way through some random games, ends left out."""
    choose = random_agent(seed)
    for _ in range(games):
        state = game.initial_state()
        while not game.is_terminal(state):
            yield state
            state = game.result(state, choose(game, state))


def cells(shown, key):
    """The places of a board's cells in which `key` is set."""
    return [place for place, cell in enumerate(shown.view["cells"]) if cell.get(key)]


def press(shown, do, at=None):
    """What the browser sends for a click."""
    shown._receive(shown, {"do": do, "at": at, "ply": shown.view["ply"]}, [])


# What moves are worth.


@pytest.mark.parametrize("game", [TTT, Nim((2, 3)), Nim(9, max_take=3), ConnectFour(3, 3)], ids=repr)
def test_values_are_minimax_values(game):
    movers = set()
    for state in positions(game, seed=3, games=2):
        movers.add(game.to_move(state))
        advice = Advice(game, state)
        assert advice.exact
        assert advice.values == {a: minimax_value(game, game.result(state, a)) for a in game.actions(state)}
        best = (max if game.to_move(state) == MAX else min)(advice.values.values())
        assert advice.best == [a for a in game.actions(state) if advice.values[a] == best]
    assert movers == {MAX, MIN}


@given(st.lists(trees(chance=True), min_size=1, max_size=3), FIRST)
def test_values_of_trees_with_chance(tree, first):
    advice = Advice(TreeGame(tree, first=first), ())
    assert advice.exact
    assert list(advice.values.values()) == [oracle.value(child, 1 - first) for child in tree]


@pytest.mark.parametrize("game, state, best", [
    (TTT, TTT.parse("XX.OO...."), [2]), (BOOK_TREE, (1,), [0]),
])  # fmt: skip
def test_the_best_moves_are_those_of_the_player_to_move(game, state, best):
    assert Advice(game, state).best == best


# Playing.


@pytest.mark.parametrize("position, human, action, told", [
    ("XX.OO....", MAX, 2, "You win, as Max (X)."), ("XX.OO....", MIN, None, "Max (X) wins: you have lost."),
    ("XX.OO.X..", MIN, 5, "You win, as Min (O)."), ("XX.OO.X..", MAX, None, "Min (O) wins: you have lost."),
])  # fmt: skip
def test_who_has_won_is_said(position, human, action, told):
    shown = board(TTT, minimax_agent(), human, state=TTT.parse(position))
    if action is not None:
        shown.choose(action)
    assert shown.view["status"] == told


def test_undo_takes_back_your_move_and_the_reply():
    shown = board(TTT, random_agent(1))
    shown.choose(0)
    second = shown.state
    shown.choose(next(iter(TTT.actions(second))))
    shown.undo()
    assert shown.state == second and len(shown.actions) == 2
    shown.undo()
    shown.undo()
    assert shown.actions == [] and shown.view["message"] == "You have no move to take back."


def raising(error):
    def agent(game, state):
        raise error

    return agent


@pytest.mark.parametrize(
    "opponent, told",
    [
        (lambda game, state: 9, "The opponent chose 9, which is not legal."),
        (raising(ZeroDivisionError("division by zero")), "The opponent failed with ZeroDivisionError: division "),
        (raising(KeyboardInterrupt()), "The opponent failed with KeyboardInterrupt"),
        (raising(SystemExit(2)), "The opponent failed with SystemExit: 2. Move in its place"),
    ],
)  # fmt: skip
def test_the_opponents_errors_are_reported_as_its_own(opponent, told):
    shown = board(TTT, opponent)
    shown.choose(0)
    assert shown.view["message"].startswith(told)
    assert shown.view["status"] == "Min (O) to move."
    shown.choose(4)
    assert shown.actions == [0, 4] and shown.view["message"] == ""
    shown.choose(1)
    shown.undo()
    assert shown.actions == [0, 4]


def test_the_move_is_drawn_before_the_opponent_thinks():
    seen = []
    shown = board(TTT, lambda game, state: seen.append(shown.view) or game.actions(state)[0])
    shown.choose(4)
    assert seen[0]["status"] == "Min (O) is thinking …"
    assert [cell["mark"] for cell in seen[0]["cells"]] == list("....X....")
    assert all(cell["action"] is None for cell in seen[0]["cells"])


def test_nim_takes_to_the_right():
    nim = board(Nim((3, 5)))
    assert nim.view["cells"][5 + 2]["changes"] == [7, 8, 9]
    assert nim.view["cells"][5 + 2]["name"] == "take 3"
    assert nim.view["cells"][5 + 2]["label"] == "row 2, column 3, object, take 3 from heap 1"
    nim.click(1, 2)
    assert nim.state == (MIN, (3, 2))


def test_games_without_a_grid_offer_buttons_and_chance_is_rolled():
    game = TreeGame({"dice": Chance([(0.5, [1, 2]), (0.5, [4, 3])]), "safe": 2})
    shown = board(game, minimax_agent(), seed=1)
    shown.show_values()
    assert [(move["name"], move["value"]) for move in shown.view["moves"]] == [("dice", "2"), ("safe", "2")]
    assert [move["label"] for move in shown.view["moves"]] == [f"action {a}, worth 2 to Max" for a in ("dice", "safe")]
    assert shown.view["text"] == game.render(()) and not shown.view["cells"]
    press(shown, "move", 0)
    rolled = shown.actions[1]
    assert shown.view["message"] == f"Chance: {rolled}."
    assert shown.view["status"] == ("The end: 1 for Max, −1 for Min.", "The end: 3 for Max, −3 for Min.")[rolled]
    again = board(game, minimax_agent(), seed=1)
    again.choose("dice")
    assert again.actions == shown.actions
    outcomes = set()
    for _ in range(20):
        again.new_game()
        again.choose("dice")
        outcomes.add(again.actions[1])
    assert outcomes == {0, 1}


# Values.


def test_what_the_network_thinks_is_shown_in_the_place_of_values():
    network = load_network("tic_tac_toe")
    shown = board(TTT, network_agent(network, 40), state=TTT.parse("X...O...."), human=MIN)
    assert not shown.view["analysis"]
    press(shown, "show_values")
    (prior, v), known = network.evaluate(shown.state), network_agent(network, 40).analysis(TTT, shown.state)
    assert cells(shown, "best") == [network_agent(network, 40)(TTT, shown.state)]
    assert sum(known.visits.values()) == 40
    for action, p in prior.items():
        assert shown.view["cells"][action]["value"] == f"p {p:.2f}\nN {known.visits[action]}"
        assert f"move {action}, p is {p:.2f}, N is {known.visits[action]}" in shown.view["cells"][action]["label"]
    v = -v if TTT.to_move(shown.state) == MIN else v
    assert shown.view["analysis"] and f"v for Max is {round(v, 2):g}. ".replace("-", "−") in shown.view["caption"]
    assert shown.view["caption"].endswith(f"Expected next: {', '.join(map(str, known.line))}.")
    shown.choose(known.line[0])
    assert "N is" in shown.view["cells"][shown._legal()[0]]["label"], "they are there at the next turn too"
    press(shown, "show_values")
    assert not shown.view["analysis"] and "p is" not in shown.view["cells"][shown._legal()[0]]["label"]


# What the notebook keeps.


def test_repr_and_static_picture():
    shown = board(TTT, random_agent(), human=MIN)
    assert repr(shown) == "board(TicTacToe()): Min (O) to move: your turn."
    data, metadata = shown._repr_mimebundle_()
    assert data["text/plain"] == repr(shown) and "application/vnd.jupyter.widget-view+json" in data
    assert data["image/png"].startswith(b"\x89PNG")
    assert metadata["image/png"]["alt"].startswith("Min (O) to move: your turn: ")
    for game in (ConnectFour(), Nim(), BOOK_TREE):
        assert "image/png" in board(game)._repr_mimebundle_()[0]


# Sources.


def test_show_source_shows_the_real_source(monkeypatch):
    shown = []
    monkeypatch.setattr("course_lib.explore.notebook.display", lambda data, raw: shown.append(data))
    show_source(minimax_value, TicTacToe.grid)
    for data in shown:
        assert unescape(re.sub("<[^>]*>", "", data["text/html"])) == data["text/plain"] + "\n"
        assert '<span class="k">def</span>' in data["text/html"] and "<style" not in data["text/html"]


def test_the_computer_begins_after_a_swap_of_sides_and_the_winning_line_is_marked():
    shown = board(TTT, minimax_agent())
    shown.swap_sides()
    assert shown.human == MIN and len(shown.actions) == 1 and shown.view["status"].endswith("your turn.")
    alone = board(ConnectFour())
    for column in (0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3):
        alone.choose(column)
    won = [at for at, cell in enumerate(alone.view["cells"]) if cell["won"]]
    assert won == [17, 23, 29, 35] and "in the winning line" in alone.view["cells"][17]["label"]
    assert ["swap_sides", "Swap sides", None] not in map(list, alone.view["buttons"])
