"""The tree of a game as rows, level by level, and as columns for explorers and pictures."""

from array import array
from collections.abc import Callable, Sequence
from typing import Any

from course_lib.games import Game
from course_lib.games.game import State
from course_lib.games.texts import action_text
from course_lib.games.walking import moves_of
from course_lib.watch.texts import TextTable, kind_number, leaf_text, state_renderer

Stop = Callable[[int, int], bool]
Size = Callable[[State], str]


def game_rows(
    game: Game, state: State, stop: Stop | None = None, size: Size | None = None
) -> tuple[list[dict], list[State]]:
    """The nodes of the tree of a game, level by level until `stop(rows, depth)`: a row for each, and its state.

    It also stops above a level at which the game raises an error.
    """
    states, rows = [state], [{"parent": -1} | _row(game, None, None, state, size)]
    level: Sequence[int] = [0]
    depth = 0
    while level and not (stop and stop(len(rows), depth)):
        first = len(rows)
        try:
            found = [(above, *children_of(game, states[above], size)) for above in level]
        except Exception:  # an error in the rules: the levels above can still be shown
            if depth == 0:
                raise
            break
        for above, children, below in found:
            states += children
            rows += [{"parent": above} | row for row in below]
        level, depth = range(first, len(rows)), depth + 1
    return rows, states


def worksheet_rows(game: Game, given: dict[tuple, str]) -> tuple[list[dict], list[State]]:
    """The rows of a `TreeGame` to fill in by hand, with the texts in `given` beside the actions, and their paths."""
    rows, paths = game_rows(game, ())
    for row, path in zip(rows, paths):
        row["edge"] += f" {given[path]}" if path in given else ""
    return rows, paths


def columns_of_rows(rows: list[dict], players: int = 2) -> dict:
    """The columns of rows, parents first; `more` is the number of children of a node."""
    texts = TextTable()
    columns: dict[str, Any] = {name: array("i", [row[name] for row in rows]) for name in ("parent", "more")}
    names = "action", "edge", "leaf", "size", "state"
    columns |= {name: array("i", [texts[row[name]] for row in rows]) for name in names}
    columns |= {"kind": bytes(row["kind"] for row in rows), "status": bytes(len(rows))}
    return {"texts": texts, "columns": columns, "players": players}


def children_of(game: Game, state: State, size: Size | None) -> tuple[list[State], list[dict]]:
    """The successors of a state, and the row of each."""
    moves = moves_of(game, state)
    children = [game.result(state, action) for action, _ in moves]
    return children, [_row(game, *move, child, size) for move, child in zip(moves, children)]


def _row(game, action, probability, state, size):
    return {"kind": kind_number(game, state), "action": action_text(action), "edge": action_text(action, probability),
            "leaf": leaf_text(game, state), "more": len(moves_of(game, state)), "size": size(state) if size else "",
            "state": state_renderer(game, state)(state)}  # fmt: skip
