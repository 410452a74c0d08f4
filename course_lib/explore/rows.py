"""A game's own tree as rows, level by level, and as the columns that explorers and pictures take."""

from array import array
from collections.abc import Callable

from course_lib.games import Game
from course_lib.games.game import State
from course_lib.watch.paths import moves_of
from course_lib.watch.texts import TextTable, action_text, kind_number, leaf_text, state_renderer


def game_rows(
    game: Game, state: State, stop: Callable = lambda rows, depth: False, size: Callable = lambda state: ""
) -> tuple[list[dict], list]:
    """The nodes of a game's tree level by level until there are `stop`: a row for each, and its state.

    It ends above a level at which the game raises an error.
    """
    states, rows = [state], [{"parent": -1} | _row(game, None, None, state, size)]
    level, depth = [0], 0
    while level and not stop(len(rows), depth):
        first = len(rows)
        try:
            found = [(above, *children_of(game, states[above], size)) for above in level]
        except Exception:  # a mistake in the rules: what is above it is still to be seen
            if depth == 0:
                raise
            break
        for above, children, below in found:
            states += children
            rows += [{"parent": above} | row for row in below]
        level, depth = range(first, len(rows)), depth + 1
    return rows, states


def columns_of_rows(rows: list[dict], players: int = 2) -> dict:
    """The columns of nodes that come as dictionaries, parents first; `more` counts the children that a node has."""
    texts = TextTable()
    columns = {name: array("i", [row[name] for row in rows]) for name in ("parent", "more")}
    names = "action", "edge", "leaf", "size", "state"
    columns |= {name: array("i", [texts[row[name]] for row in rows]) for name in names}
    columns |= {"kind": bytes(row["kind"] for row in rows), "status": bytes(len(rows))}
    return {"texts": texts, "columns": columns, "players": players}


def children_of(game: Game, state: State, size: Callable) -> tuple[list, list[dict]]:
    """The states below this one, and what the explorer needs to know of each."""
    moves = moves_of(game, state)
    children = [game.result(state, action) for action, _ in moves]
    return children, [_row(game, *move, child, size) for move, child in zip(moves, children)]


def _row(game, action, probability, state, size):
    return {"kind": kind_number(game, state), "action": action_text(action), "edge": action_text(action, probability),
            "leaf": leaf_text(game, state), "more": len(moves_of(game, state)), "size": size(state),
            "state": state_renderer(game, state)(state)}  # fmt: skip
