"""The Python side of the board and the prompts: everything but the drawing."""

import base64
import itertools
import random
import re
from functools import cache
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
from course_lib.alphazero import Network, board_of, load, load_network, network_agent
from course_lib.explore.advice import Advice
from course_lib.explore.board import board, in_a_row
from course_lib.explore.listing import show_source
from course_lib.games import (
    CHANCE,
    MAX,
    MIN,
    Chance,
    ConnectFour,
    Nim,
    Pig,
    TicTacToe,
    TreeGame,
    random_agent,
)  # fmt: skip
from course_lib.games.playing import human_agent
from course_lib.search import (
    depth_limited_minimax_search,
    expectimax_search,
    expectiminimax_search,
    max_n_search,
    minimax_agent,
    minimax_search,
    minimax_value,
    pig_values,
    uniform_model,
)
from strategies import FIRST, trees

TTT = TicTacToe()
BOOK_TREE = TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
THREE_PLAYERS = TreeGame([[(1, 2, 6), (4, 3, 3)], [(6, 1, 2), (7, 4, 1)]], players=3)


@pytest.fixture(autouse=True)
def as_on_a_quiet_machine(monkeypatch):
    """How far the advice looks depends on the time it takes; here it must not."""
    monkeypatch.setattr("course_lib.explore.advice.SECONDS", 60)


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


@pytest.mark.parametrize("game", [TTT, Nim((2, 3)), Nim(9, most=3), ConnectFour(3, 3)], ids=repr)
def test_values_are_minimax_values_and_the_line_ends_with_them(game):
    movers = set()
    for state in positions(game, seed=3, games=2):
        movers.add(game.to_move(state))
        advice = Advice(game, state)
        assert advice.exact
        assert advice.values == {a: minimax_value(game, game.result(state, a)) for a in game.actions(state)}
        best = (max if game.to_move(state) == MAX else min)(advice.values.values())
        assert advice.best == [a for a in game.actions(state) if advice.values[a] == best]
        for action, value in advice.values.items():
            end = state
            for played in advice.line(action):
                end = game.result(end, played)
            assert game.utility(end, MAX) == value
    assert movers == {MAX, MIN}


@given(st.lists(trees(chance=True), min_size=1, max_size=3), FIRST)
def test_values_of_trees_with_chance(tree, first):
    advice = Advice(TreeGame(tree, first=first), ())
    assert advice.exact
    assert list(advice.values.values()) == [oracle.value(child, 1 - first) for child in tree]


@pytest.mark.parametrize("first", [MAX, MIN])
def test_chance_is_no_ply(monkeypatch, first):
    monkeypatch.setattr("course_lib.explore.advice.LIMIT", 40)
    luck = random.Random(2)

    def tree(depth):
        below = [luck.randint(-9, 9) if depth == 0 else tree(depth - 1) for _ in range(2)]
        return Chance(list(zip((0.25, 0.75), below))) if depth % 2 else below

    game = TreeGame(tree(8), first=first)
    advice = Advice(game, ())
    assert not advice.exact
    limited = {a: expectiminimax_search(game, game.result((), a), advice.plies - 1)[0] for a in advice.values}
    assert advice.values == limited
    players = [game.to_move(state) for state in itertools.accumulate(advice.line(0), game.result, initial=())]
    assert sum(player != CHANCE for player in players[:-1]) == advice.plies


def test_large_games_are_looked_at_some_plies_ahead():
    game = ConnectFour()
    for state in positions(game, seed=5, games=2):
        advice = Advice(game, state)
        if not advice.exact and advice.plies <= 6:
            searched = {
                a: depth_limited_minimax_search(game, game.result(state, a), advice.plies - 1)[0] for a in advice.values
            }
            assert advice.values == searched
            break
    assert not advice.exact and advice.plies >= 4
    assert f"looking {advice.plies} plies ahead" in advice.caption()


@cache
def forced_end(game, state):
    """(Max's value, plies to the end), when a win is sought as soon and a loss as late as it can be."""
    if game.is_terminal(state):
        return game.utility(state, MAX), 0
    sign = 1 if game.to_move(state) == MAX else -1
    ends = [forced_end(game, game.result(state, action)) for action in game.actions(state)]
    value, plies = max(ends, key=lambda end: (sign * end[0], -end[1] if sign * end[0] > 0 else end[1]))
    return value, plies + 1


@pytest.mark.parametrize("game", [TTT, ConnectFour(4, 3), Nim((2, 3))], ids=repr)
def test_a_win_is_played_out_as_soon_and_a_loss_as_late_as_it_can_be(game):
    decided = 0
    for state in [*positions(game, seed=8, games=4)][::-1][:20]:
        advice = Advice(game, state)
        for action, value in advice.values.items():
            expected, plies = forced_end(game, game.result(state, action))
            assert value == expected
            assert value == 0 or len(advice.line(action)) == plies + 1
            decided += value != 0
    assert decided >= 10


@pytest.mark.parametrize(
    "game, state, action, sentence",
    [
        (TTT, TTT.parse("XX.OO...."), 6, "2 would win; 6 loses: Min answers 5."),
        (TTT, TTT.parse("XX.OO...."), 2, "2 wins, and no move does better."),
        (TTT, TTT.parse("XX.OO...."), 5, "2 would win; 5 draws: Min answers 2, then Max 6, Min 7, Max 8."),
        (TTT, TTT.parse("X...O...X"), 2, "1 would keep the draw; 2 loses: Max answers 6, then Min 1, Max 3."),
        (BOOK_TREE, (), 1, "0 is worth 3 to Max; 1 is worth 2 to Max, and Max wants more: Min answers 0."),
        (BOOK_TREE, (1,), 2, "0 is worth 2 to Max; 2 is worth 6 to Max, and Min wants less."),
        (BOOK_TREE, (), 0, "0 is worth 3 to Max, and no move does better: Min answers 0."),
        (ConnectFour(), ConnectFour().after(3, 2, 3, 2, 3), 0,
         "3 would lose nothing within 6 plies; 0 loses: Max answers 3."),
    ],
)  # fmt: skip
def test_why_not_in_words(game, state, action, sentence):
    assert Advice(game, state).why_not(action) == sentence


def test_advice_of_a_given_search():
    advice = Advice(TTT, TTT.parse("X........"), minimax_search)
    assert advice.best == [4] and advice.values[1] == 1
    assert advice.why_not(1).startswith("4 is worth 0 to Max; 1 is worth 1 to Max, and Min wants less: Max answers ")
    assert advice.caption().startswith("Numbers: what a move is worth to Max, found by minimax_search.")
    several = Advice(THREE_PLAYERS, (), max_n_search)
    assert several.values == {0: (4, 3, 3), 1: (7, 4, 1)} and several.best == [1]
    assert several.why_not(0) == "1 is worth (7, 4, 1); 0 is worth (4, 3, 3): Player 1 answers 1."


# Playing.


def test_a_line_ends_where_the_search_only_expects_something_of_the_player_to_move():
    game = TreeGame([[3, 1], [2, 2]])
    advice = Advice(game, (), lambda game, state: expectimax_search(game, state, uniform_model(game)))
    assert advice.line(0) == [0]


def test_a_click_plays_and_the_opponent_answers():
    shown = board(TTT, minimax_agent())
    assert shown.view["status"] == "Max (X) to move: your turn."
    press(shown, "cell", 0)
    assert shown.actions == [0, 4] and len(shown.states) == 3
    assert [cell["mark"] for cell in shown.view["cells"]] == list("X...O....")
    assert cells(shown, "last") == [4]
    assert shown.view["cells"][4]["label"] == "row 2, column 2, O, last move"
    assert shown.view["cells"][1]["label"] == "row 1, column 2, empty, move 1"


def test_a_lost_game():
    shown = board(TTT, lambda game, state: game.actions(state)[0], human=MIN)
    for action in (8, 7):
        shown.choose(action)
    assert shown.view["status"] == "Max (X) wins: you have lost." and cells(shown, "won") == [0, 1, 2]


def test_a_won_game():
    shown = board(TTT, lambda game, state: game.actions(state)[-1])
    for action in (0, 1, 2):
        shown.choose(action)
    assert shown.view["status"] == "You win, as Max (X)."
    assert cells(shown, "won") == [0, 1, 2]
    assert "winning line" in shown.view["cells"][2]["label"]
    shown.choose(3)
    assert shown.view["story"] == "The game is over." and len(shown.actions) == 5


def test_a_complaint_is_gone_when_the_board_is_drawn_again():
    shown = board(TTT)
    shown.choose(4)
    shown.choose(4)
    assert shown.view["story"] == "There is no legal move there."
    shown.show_values()
    assert shown.view["story"] == ""
    shown.new_game()
    shown.undo()
    assert shown.view["story"] == "There is no move of yours to take back."
    shown.show_values()
    assert shown.view["story"] == ""


def test_undo_takes_back_your_move_and_the_reply():
    shown = board(TTT, random_agent(1))
    shown.choose(0)
    second = shown.state
    shown.choose(next(iter(TTT.actions(second))))
    shown.undo()
    assert shown.state == second and len(shown.actions) == 2
    shown.undo()
    shown.undo()
    assert shown.actions == [] and shown.view["story"] == "There is no move of yours to take back."


def test_undo_for_two_people_and_as_second_player():
    shown = board(TTT)
    shown.choose(0)
    shown.choose(1)
    shown.undo()
    assert shown.actions == [0]
    second = board(TTT, minimax_agent(), MIN)
    assert len(second.actions) == 1
    second.undo()
    assert len(second.actions) == 1
    second.choose(next(iter(TTT.actions(second.state))))
    second.undo()
    assert len(second.actions) == 1


def test_swap_sides_and_new_game():
    shown = board(TTT, minimax_agent())
    shown.choose(0)
    press(shown, "swap_sides")
    assert shown.human == MIN and len(shown.actions) == 3
    press(shown, "new_game")
    assert len(shown.actions) == 1 and TTT.to_move(shown.state) == MIN
    assert shown.view["status"] == "Min (O) to move: your turn."


def test_human_agent_means_two_people_at_one_board():
    shown = board(TTT, human_agent)
    shown.choose(0)
    shown.choose(4)
    assert shown.actions == [0, 4]
    assert "swap_sides" not in [name for name, *_ in shown.view["buttons"]]
    assert shown.view["status"] == "Max (X) to move."


def raising(error):
    def agent(game, state):
        raise error

    return agent


@pytest.mark.parametrize(
    "opponent, told",
    [
        (lambda game, state: 9, "The opponent chose 9, which is not legal."),
        (lambda game, state: None, "The opponent chose None, which is not legal."),
        (raising(ZeroDivisionError("division by zero")), "The opponent failed with ZeroDivisionError: division "),
        (raising(KeyboardInterrupt()), "The opponent failed with KeyboardInterrupt"),
        (raising(SystemExit(2)), "The opponent failed with SystemExit: 2. Move in its place"),
    ],
)  # fmt: skip
def test_the_opponents_errors_are_told_as_its_own(opponent, told):
    shown = board(TTT, opponent)
    shown.choose(0)
    assert shown.view["story"].startswith(told)
    assert shown.view["status"] == "Min (O) to move."
    shown.choose(4)
    assert shown.actions == [0, 4] and shown.view["story"] == ""
    shown.choose(1)
    shown.undo()
    assert shown.actions == [0, 4]


def test_a_click_on_a_position_that_is_gone_is_ignored():
    shown = board(TTT, minimax_agent())
    late = {"do": "cell", "at": 8, "ply": shown.view["ply"]}
    press(shown, "cell", 0)
    shown._receive(shown, late, [])
    assert shown.actions == [0, 4]


def test_the_move_is_drawn_before_the_opponent_thinks():
    seen = []
    shown = board(TTT, lambda game, state: seen.append(shown.view) or game.actions(state)[0])
    shown.choose(4)
    assert seen[0]["status"] == "Min (O) is thinking …"
    assert [cell["mark"] for cell in seen[0]["cells"]] == list("....X....")
    assert all(cell["action"] is None for cell in seen[0]["cells"])


def test_connect_four_drops_and_nim_takes_to_the_right():
    four = board(ConnectFour())
    four.click(0, 3)
    assert cells(four, "mark") and four.view["cells"][5 * 7 + 3]["mark"] == "X"
    assert four.view["cells"][3]["changes"] == [4 * 7 + 3]
    assert four.view["status"] == "Min (O, the rings) to move."
    assert four.view["cells"][5 * 7 + 3]["label"] == "row 6, column 4, filled disc, last move"
    assert four.view["cells"][4 * 7 + 3]["name"] == "3" and "name" not in four.view["cells"][3]
    nim = board(Nim((3, 5)))
    assert nim.view["cells"][5 + 2]["changes"] == [7, 8, 9]
    assert nim.view["cells"][5 + 2]["name"] == "take 3"
    assert nim.view["cells"][5 + 2]["label"] == "row 2, column 3, object, take 3 from heap 1"
    nim.click(1, 2)
    assert nim.state == (MIN, (3, 2))
    nim.click(1, 2)
    assert nim.view["story"] == "There is no legal move there."


def test_games_without_a_grid_offer_buttons_and_chance_is_rolled():
    game = TreeGame({"dice": Chance([(0.5, [1, 2]), (0.5, [4, 3])]), "safe": 2})
    shown = board(game, minimax_agent(), values=True, seed=1)
    assert [(move["name"], move["value"]) for move in shown.view["moves"]] == [("dice", "2"), ("safe", "2")]
    assert [move["label"] for move in shown.view["moves"]] == [f"action {a}, worth 2 to Max" for a in ("dice", "safe")]
    assert shown.view["text"] == game.render(()) and not shown.view["cells"]
    press(shown, "move", 0)
    rolled = shown.actions[1]
    assert shown.view["story"] == f"Chance: {rolled}."
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


def test_a_game_that_begins_with_chance():
    shown = board(TreeGame(Chance([(0.5, [1, 2]), (0.5, [3, 4])])), seed=2)
    assert len(shown.actions) == 1 and shown.view["story"].startswith("Chance: ")
    shown.undo()
    assert len(shown.actions) == 1
    certain = board(TreeGame(Chance([(0.0, [1, 2]), (1.0, [3, 4])])), seed=2)
    for _ in range(20):
        certain.new_game()
        assert certain.actions == [1]


def test_pig_shows_exact_values_and_what_the_die_did():
    shown = board(Pig(20), lambda game, state: "hold", values=True, seed=1)
    wins = pig_values(20)
    exact = {"roll": 2 * wins[0, 0, 0] - 1, "hold": 1 - 2 * wins[0, 0, 0]}
    assert shown._advise(shown.state)[0].values == pytest.approx(exact)
    stories = set()
    for _ in range(40):
        shown.choose("roll" if "roll" in shown._legal() else "hold")
        stories.add(shown.view["story"])
    assert "Max rolls ⚅ 6." in stories
    assert any(re.fullmatch(r"Max rolls ⚀ 1 and loses the \d+ points of this turn\.", story) for story in stories)


def test_three_players():
    shown = board(THREE_PLAYERS, lambda game, state: 1, values=True, search=max_n_search)
    assert [move["value"] for move in shown.view["moves"]] == ["(4, 3, 3)", "(7, 4, 1)"]
    assert shown.view["moves"][1]["label"] == "action 1, worth (7, 4, 1), best"
    shown.choose(0)
    assert shown.view["status"] == "The end: 4 for player 0, 3 for player 1, 3 for player 2."


# Values, and why not.


def test_values_are_shown_and_hidden():
    shown = board(TTT, minimax_agent(), state=TTT.parse("X...O...X"), human=MIN)
    assert not cells(shown, "value") and shown.view["caption"] == ""
    press(shown, "show_values")
    assert {place: shown.view["cells"][place]["value"] for place in cells(shown, "value")} == {
        1: "0", 2: "1", 3: "0", 5: "0", 6: "1", 7: "0",
    }  # fmt: skip
    assert cells(shown, "best") == [1, 3, 5, 7]
    assert "with best play to the end. Underlined: best for Min." in shown.view["caption"]
    assert shown.view["cells"][2]["label"] == "row 1, column 3, empty, move 2, worth 1 to Max"
    assert shown.view["cells"][1]["label"] == "row 1, column 2, empty, move 1, worth 0 to Max, best"
    press(shown, "show_values")
    assert not cells(shown, "value")


def test_values_are_told_in_full():
    shown = board(TreeGame([[1234, 12345], -100_000]), values=True)
    assert [move["value"] for move in shown.view["moves"]] == ["1234", "−100000"]
    assert shown.view["moves"][0]["label"] == "action 0, worth 1234 to Max, best"
    shown.why_not(1)
    assert shown.view["story"].startswith("0 is worth 1234 to Max; 1 is worth −100000 to Max")
    assert shown.view["status"] == "What if, 1 of 1: Max plays 1. The end: −100000 for Max, 100000 for Min."


def test_a_search_that_fails_is_told():
    shown = board(TTT, minimax_agent(), values=True, search=raising(RuntimeError("lost")))
    assert shown.view["caption"] == "No values: the search failed with RuntimeError: lost"
    shown.choose(0)
    assert len(shown.actions) == 2
    shown.ask()
    shown.choose(8)
    assert shown.view["story"] == "No values: the search failed with RuntimeError: lost"
    three = board(THREE_PLAYERS, values=True)
    assert "minimax is for two players" in three.view["caption"]


def test_what_the_network_thinks_is_shown_in_the_place_of_values():
    network = load_network("tic_tac_toe")
    shown = board(TTT, network_agent(network, 40), state=TTT.parse("X...O...."), human=MIN, values=True)
    assert shown.view["bar"] is None
    press(shown, "show_thoughts")
    (prior, v), known = network.evaluate(shown.state), network_agent(network, 40).thoughts(TTT, shown.state)
    assert not shown.values and cells(shown, "best") == [network_agent(network, 40)(TTT, shown.state)]
    assert sum(known.visits.values()) == 40
    for action, p in prior.items():
        assert shown.view["cells"][action]["value"] == f"p {p:.2f}\nN {known.visits[action]}"
        assert f"move {action}, p is {p:.2f}, N is {known.visits[action]}" in shown.view["cells"][action]["label"]
    v = -v if TTT.to_move(shown.state) == MIN else v
    assert shown.view["bar"]["share"] == 50 * (1 + v)
    assert shown.view["bar"]["label"] == f"v is {v:.2f} for Max".replace("-", "−")
    assert shown.view["caption"].endswith(f"It expects {', '.join(map(str, known.line))}.")
    shown.choose(known.line[0])
    assert "N is" in shown.view["cells"][shown._legal()[0]]["label"], "they are there at the next turn too"
    press(shown, "show_values")
    assert shown.view["bar"] is None and "p is" not in shown.view["cells"][shown._legal()[0]]["label"]


def test_a_network_without_a_search_shows_p_alone_in_a_game_of_any_kind():
    game = Nim(5, most=3)
    shown = board(game, network_agent(Network(board_of(game), width=4), 0))
    shown.show_thoughts()
    offered = [cell for cell in shown.view["cells"] if "value" in cell]
    assert all(re.fullmatch(r"p 0\.\d\d", cell["value"]) for cell in offered) and len(offered) == 3
    assert "There is no search." in shown.view["caption"]


def test_only_a_network_has_thoughts_and_those_that_fail_are_told():
    assert "show_thoughts" not in [do for do, *_ in board(TTT, minimax_agent()).view["buttons"]]
    wrong = board(Nim(5), load("tic_tac_toe", 0), human=MAX)
    press(wrong, "show_thoughts")
    assert wrong.view["caption"].startswith("No thoughts: the network failed with ValueError: this network was made")
    assert wrong.view["bar"] is None


def test_why_not_plays_out_the_refutation_and_leaves_the_game_alone():
    shown = board(TTT, minimax_agent(), human=MIN, state=TTT.parse("X........"))
    press(shown, "ask")
    assert shown.view["asking"] and shown.view["status"].startswith("At the start, Min (O) to move")
    press(shown, "cell", 8)
    line = Advice(TTT, shown.state).line(8)
    assert shown.view["story"].startswith("4 would keep the draw; 8 loses: Max answers ")
    assert shown.view["status"] == f"What if, 1 of {len(line)}: Min (O) plays 8."
    for number in range(2, len(line) + 1):
        press(shown, "step")
        assert shown.view["status"].startswith(f"What if, {number} of {len(line)}: ")
        assert shown.view["story"].startswith("4 would keep the draw")
    assert shown.view["status"].endswith("Max (X) wins.") and cells(shown, "won")
    press(shown, "step")
    assert shown.view["status"].startswith(f"What if, {len(line)} of {len(line)}: ")
    press(shown, "cell", 4)
    assert shown.actions == []
    for _ in line:
        press(shown, "back")
    assert shown.view["status"].startswith("At the start")
    press(shown, "cell", 4)
    assert shown.view["story"].startswith("4 draws, and no move does better: Max answers ")
    press(shown, "ask")
    assert not shown.view["asking"] and shown.actions == [] and shown.view["ply"] == 1


def test_why_not_after_the_game_and_at_earlier_turns():
    shown = board(TTT, minimax_agent())
    while not TTT.is_terminal(shown.state):
        shown.choose(TTT.actions(shown.state)[0])
    played = list(shown.actions)
    shown.ask()
    last = shown._asked
    assert TTT.to_move(shown.states[last]) == MAX and last in (len(played) - 1, len(played) - 2)
    shown.back()
    assert shown.view["status"].startswith(f"After {last - 2} moves, Max (X) to move")
    shown.step()
    shown.step()
    assert shown._asked == last
    for _ in range(9):
        shown.back()
    assert shown._asked == 0
    shown.choose(4)
    assert shown.view["story"].startswith("4 draws, and no move does better")
    shown.ask()
    assert shown.actions == played


def test_why_not_without_a_turn():
    shown = board(BOOK_TREE, minimax_agent(), human=MIN, state=(0, 1))
    shown.ask()
    assert shown.view["story"] == "You have not had a turn yet." and not shown.view["asking"]
    shown.why_not(0)
    assert not shown.view["asking"]


@pytest.mark.parametrize("game, length", [(TTT, 3), (ConnectFour(), 4)], ids=repr)
def test_lines_are_found_exactly_in_won_games(game, length):
    choose = random_agent(11)
    for _ in range(40):
        state = game.initial_state()
        while not game.is_terminal(state):
            assert not in_a_row(game.grid(state), length)
            state = game.result(state, choose(game, state))
        line = in_a_row(game.grid(state), length)
        assert bool(line) == (game.utility(state, MAX) != 0) and len(line) != length - 1
        marks = "".join(game.grid(state))
        assert {marks[place] for place in line} <= {"X" if game.utility(state, MAX) > 0 else "O"}


# What the notebook keeps.


def test_repr_and_static_picture():
    shown = board(TTT, random_agent(), human=MIN)
    assert repr(shown) == "board(TicTacToe()): Min (O) to move: your turn."
    data, metadata = shown._repr_mimebundle_()
    assert data["text/plain"] == repr(shown) and "application/vnd.jupyter.widget-view+json" in data
    assert base64.b64decode(data["image/png"]).startswith(b"\x89PNG")
    assert metadata["image/png"]["alt"] == repr(shown)
    for game in (ConnectFour(), Nim(), BOOK_TREE):
        assert "image/png" in board(game)._repr_mimebundle_()[0]
    shown.close()
    assert shown.comm is None and shown.layout.comm is None


@pytest.mark.parametrize(
    "make, told",
    [
        (lambda: board("chess"), "such as TicTacToe(), not 'chess'"),
        (lambda: board(TTT, 3), "opponent must be a function"),
        (lambda: board(TTT, search="minimax"), "search must be a function"),
        (lambda: board(TTT, human=2), "one of [0, 1], not 2"),
        (lambda: board(TTT, human=CHANCE), "one of [0, 1], not -1"),
        (lambda: board(BOOK_TREE, state=(7,)), "is not a state of"),
        (lambda: board(TTT, state="X........"), "is not a state of"),
    ],
)  # fmt: skip
def test_wrong_calls_say_what_is_expected(make, told):
    with pytest.raises(ValueError) as error:
        make()
    assert told in str(error.value)


# Sources.


def test_show_source_shows_the_real_source(monkeypatch):
    shown = []
    monkeypatch.setattr("course_lib.explore.listing.display", lambda data, raw: shown.append(data))
    show_source(minimax_value, TicTacToe.grid)
    assert [data["text/plain"].partition("(")[0] for data in shown] == ["def minimax_value", "def grid"]
    for data in shown:
        html = data["text/html"]
        assert unescape(re.sub("<[^>]*>", "", html)) == data["text/plain"] + "\n"
        assert '<span class="k">def</span>' in html and "<style" not in html
    first, said, *_ = shown[0]["text/html"].split("\n</span>")  # a line of code, and one of a docstring
    assert "padding-left: 2.4em; text-indent: -2.4em" in first and '"sd"' not in first
    assert "padding-left: 2.4em; text-indent: -2.4em" in said and '"sd"' in said
    with pytest.raises(ValueError, match="written in Python"):
        show_source(len)
