"""The door of the explorers: one function for recorded searches of either kind, and for games."""

from functools import singledispatch
from typing import Any, NamedTuple

from course_lib.explore.calls_tree import explore_calls
from course_lib.explore.door import check_tree
from course_lib.explore.game_tree import explore_game
from course_lib.explore.mcts_tree import explore_mcts
from course_lib.explore.tree import PREDICT
from course_lib.games import Game
from course_lib.games.checks import check_whole
from course_lib.watch import Watched, WatchedMCTS


class Asked(NamedTuple):
    """The options of `explore`, as they were given."""

    state: Any
    step: int
    predict: str
    reorder: bool
    boards: bool | None
    open_depth: int | None
    height: int

    def look(self):
        """The traits that every `Tree` takes from the options."""
        return {"open_depth": -1 if self.open_depth is None else self.open_depth, "height": self.height}


def explore(watched, state=None, *, step=0, predict="", reorder=False, boards=None, open_depth=None, height=460):
    """A live explorer of a recorded search, or of a game's tree from `state`, which is opened as you walk it.

    Step with the arrow keys, the slider or the play button. Click a node to open or close it and to see its board,
    arguments, value and path. `predict` makes the explorer ask before it shows: "value" (of each node), "next"
    (node) or "next leaf". `reorder` lets you drag nodes among their siblings, or shuffle all of them, and searches
    again in the new order and counts the leaves. `boards` draws the positions in the nodes; without it they are drawn
    where they fit. `open_depth` opens that many levels at the start; without it as many are opened as fit. `height`
    is in pixels.
    Keys: ← → step, ↑ ↓ and shift ← → select, alt ← → reorder, Enter opens, Home and End jump, + − zoom, f fits.
    """
    check_tree("explore", watched)
    if predict not in PREDICT.values():
        raise ValueError(f"predict must be 'value', 'next' or 'next leaf', or '' for no questions, not {predict!r}")
    check_whole(0, step=step, open_depth=open_depth or 0)
    check_whole(100, height=height)
    for name, value, kinds in (("reorder", reorder, bool), ("boards", boards, bool | None)):
        if not isinstance(value, kinds):
            raise ValueError(f"{name} must be True or False, not {value!r}")
    return _explorer(watched, Asked(state, int(step), predict, reorder, boards, open_depth, height))


@singledispatch
def _explorer(watched, asked):
    """The explorer by the kind of what is shown; `check_tree` has seen to it that the kind is one of these three."""
    raise NotImplementedError(f"there is no explorer of {watched!r}")


_explorer.register(Game, explore_game)
_explorer.register(Watched, explore_calls)
_explorer.register(WatchedMCTS, explore_mcts)
