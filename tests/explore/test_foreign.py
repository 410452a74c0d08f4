"""Searches of other courses, as docs/using-the-parts.md watches them; `foreign/` stands in for their modules."""

import re
from math import inf
from pathlib import Path

import chess
import pytest

from course_lib.explore import board, explore, picture, watch
from course_lib.games import MAX, MIN
from course_lib.games.validation import as_game
from course_lib.search import alpha_beta_search, depth_limited_minimax_search
from course_lib.watch.record import CUT, ENTER, GENERATED, VISITED

PAGE = Path(__file__).parents[2] / "docs" / "using-the-parts.md"


def run(number, monkeypatch):
    """The names of this code block of the chapter, after it has run."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent / "foreign"))
    chapter = PAGE.read_text(encoding="utf-8").partition("## Searches of other courses")[2].partition("\n## ")[0]
    names = {}
    exec(re.findall(r"^```python\n(.*?)^```", chapter, re.MULTILINE | re.DOTALL)[number], names)
    return names


def entered(trace):
    return [node.path for event, node, _ in trace.events if event == ENTER]


def show(trace):
    """See that the explorer, the picture and the board take what is foreign."""
    pytest.importorskip("matplotlib")
    kinds = explore(trace, boards=True).tree.tree["columns"]["kind"]
    assert len(kinds) == len(list(trace.nodes())) and picture(trace).alt.startswith("Game tree")
    assert explore(trace.game, open_depth=1).tree.tree["columns"] and picture(trace.game)
    shown = board(trace.game)
    shown.show_values()
    assert shown.view["moves"] and shown.view["caption"].startswith("Numbers: ")


@pytest.mark.parametrize("moves", [((1, 1), (2, 2), (1, 3)), ((1, 1), (2, 2), (1, 3), (1, 2))], ids=["O", "X"])
def test_a_search_of_aima(moves, monkeypatch):
    names = run(0, monkeypatch)
    aima, game, search = names["aima"], names["game"], names["alpha_beta_search"]
    names["state"] = aima.initial
    for move in moves:
        names["state"] = aima.result(names["state"], move)
    names["player"] = aima.to_move(names["state"])
    trace = watch(lambda _, s: search(s, aima), game)
    ours = watch(alpha_beta_search, as_game(game))
    assert entered(trace) == entered(ours) and trace.root.value == ours.root.value
    assert [node.status for node in trace.nodes()] == [node.status for node in ours.nodes()]
    assert trace.game.to_move(trace.root.state) == MAX, "whoever is to move"
    show(names["trace"])


def test_an_agent_of_berkeley(monkeypatch):
    names = run(1, monkeypatch)
    trace = names["trace"]
    ours = watch(depth_limited_minimax_search, as_game(names["game"]), None, 6, lambda s: s[0].getScore())
    assert [(node.path, node.state) for node in trace.nodes()] == [(node.path, node.state) for node in ours.nodes()]
    assert [node.value for node in trace.nodes()] == [node.value for node in ours.nodes()]
    assert (trace.result, trace.root.move) == ("West", "West") and not trace.notice
    show(trace)


def searched_twice(names):
    """A search that makes all moves first, searches each twice, the last one first, and calls a function at a leaf."""

    def rest(position):
        return -1 if position.is_checkmate() else 0

    def value(position, depth):
        if depth == 0 or position.is_game_over():
            return rest(position)
        best = -inf
        for move in list(position.legal_moves):
            position.push(move)
            position.pop()
        for move in reversed(list(position.legal_moves)):
            position.push(move)
            value(position, depth - 1)
            best = max(best, -value(position, depth - 1))
            position.pop()
        return best

    start = names["start"]
    return watch(lambda _, position: value(position, 2), names["game"], start, successor=chess.Board.push)


@pytest.mark.parametrize("white", [True, False])
def test_a_search_that_takes_moves_back(white, monkeypatch):
    names = run(2, monkeypatch)
    if not white:
        names["start"].apply_mirror()
    negamax, start, game = names["negamax"], names["start"], names["game"]
    game.initial_state = start.copy
    trace = watch(lambda _, position: negamax(position, 2, -inf, inf), game, start, successor=chess.Board.push)
    assert trace.root.value == 1 and trace.count == 47 and start.fen() == trace.root.state.fen()
    assert trace.game.to_move(trace.root.state) == (MAX if white else MIN)
    for node in trace.nodes():
        position = start.copy()
        for move in node.path:
            position.push(move)
        assert node.state.fen() == position.fen()
    twice = searched_twice(names)
    whole = [node.path for node in twice.nodes()]
    assert [node.path for node in trace.nodes()] == whole and {node.status for node in twice.nodes()} == {VISITED}
    assert len(entered(twice)) == 1 + sum(2 if len(path) == 1 else 4 for path in whole[1:])
    assert {node.status for node in trace.nodes()} == {VISITED, CUT}
    show(names["trace"])


def test_what_the_game_does_not_allow_is_no_node(monkeypatch):
    names = run(2, monkeypatch)

    def passing(_, position):
        position.push(chess.Move.null())
        position.pop()
        position.push(chess.Move.from_uci("g1h1"))
        position.pop()

    trace = watch(passing, names["game"], names["start"], successor=chess.Board.push)
    played = [(str(node.action), node.status) for node in trace.root.children.values()]
    assert played == [("g1h1", GENERATED)]


@pytest.mark.slow
def test_a_game_of_openspiel(monkeypatch):
    pytest.importorskip("pyspiel")
    trace = run(3, monkeypatch)["trace"]
    assert trace.root.value == 0 and trace.count == 64
    show(trace)
