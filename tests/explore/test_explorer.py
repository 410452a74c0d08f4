"""What the explorer sends at first, and how it answers the browser."""

from contextlib import suppress

import pytest

from course_lib.explore import board, explore, watch, watch_mcts
from course_lib.explore.explorer import MAX_BOARDS
from course_lib.games import MIN, ConnectFour, Nim, TicTacToe, TreeGame
from course_lib.search import alpha_beta_search, minimax_search, monte_carlo_tree_search
from course_lib.watch import last_trace

TREE = TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
TRACE = watch(minimax_search, TREE)
LATE = TicTacToe().after(0, 1, 2, 4, 3)


def depths(tree):
    parents, found = memoryview(tree["columns"]["parent"]).cast("i"), [0]
    for parent in parents[1:]:
        found.append(found[parent] + 1)
    return found


def test_a_trace_begins_at_its_first_step_and_a_failed_search_at_its_last(monkeypatch):
    with suppress(ZeroDivisionError):
        watch(lambda game, state: minimax_search(game, game.result(state, 0))[0] / 0, TREE)
    failed, drawn = last_trace(), []
    monkeypatch.setattr("course_lib.explore.explorer.picture", lambda trace, step, boards: drawn.append(step))
    shown = (
        explore(failed),
        explore(failed, step=1),
        explore(TRACE),
        explore(TRACE, step=5),
        explore(TRACE, predict="next"),
    )
    assert [explorer.tree.step for explorer in shown] == [failed.steps, 1, 0, 5, 0]
    for explorer in shown:
        explorer._picture()
    assert drawn == [failed.steps, 1, None, 5, 0], "of a search that is not begun, the picture shows the end"
    mcts = watch_mcts(monte_carlo_tree_search, TREE, iterations=5, bounds=(-14, 14))
    assert [explore(mcts, step=step).tree.stride for step in (0, 3, 8)] == [4, 1, 4]


def test_the_levels_of_a_game_that_are_sent_at_first():
    game = Nim([2, 2])
    assert [max(depths(explore(game, open_depth=levels).tree.tree)) for levels in range(5)] == [0, 1, 2, 3, 4]
    assert max(depths(explore(game).tree.tree)) == 2, "until there are more than nine nodes"
    sent = explore(Nim(3)).tree.tree
    sizes = [sent["texts"][size] for size in memoryview(sent["columns"]["size"]).cast("i")]
    assert sizes == ["8 nodes", "4 nodes", "2 nodes", "", "2 nodes", "", "", ""]


def test_boards_are_drawn_if_they_are_small_and_few():
    late, many = (watch(alpha_beta_search, TicTacToe(), state) for state in (LATE, TicTacToe().after(0, 1, 2, 4)))
    assert late.count <= MAX_BOARDS < many.count
    assert explore(late).tree.boards and not explore(late, boards=False).tree.boards
    assert not explore(many).tree.boards and explore(many, boards=True).tree.boards
    assert [explore(ConnectFour(columns, 4), boards=None).tree.has_boards for columns in (4, 5)] == [True, True]
    wide = [watch(minimax_search, ConnectFour(columns, 1)) for columns in (4, 5)]
    assert [explore(trace.game, open_depth=0).tree.board_style for trace in wide] == ["discs"] * 2
    small, large = (watch(lambda game, state: 0, ConnectFour(columns, 4)) for columns in (4, 5))
    assert explore(small).tree.boards and not explore(large).tree.boards


def test_boards_are_those_of_nodes_that_there_are():
    trace = watch(minimax_search, TicTacToe(), LATE)
    explorer, sent = explore(trace), []
    explorer.tree.send = sent.append
    explorer.tree._handle_custom_msg({"type": "boards", "nodes": [1, -1, trace.count]}, [])
    (answer,) = sent
    state = trace.game.result(LATE, trace.game.actions(LATE)[0])
    assert answer["boards"] == [(1, trace.game.grid(state), trace.game.render(state))]


@pytest.mark.parametrize("human", [0, MIN])
def test_a_click_on_a_board_of_an_earlier_move_is_left_out(human):
    shown = board(TicTacToe(), lambda game, state: game.actions(state)[0], human=human)
    old = shown.view["ply"]
    place = shown._legal()[0]
    shown._receive(shown, {"do": "cell", "at": place, "ply": old}, [])
    played = list(shown.actions)
    shown._receive(shown, {"do": "cell", "at": shown._legal()[0], "ply": old}, [])
    assert shown.actions == played and place in played
