"""The explorers: of searches that call themselves, of Monte-Carlo tree searches, and of games."""

from functools import singledispatch

import ipywidgets as widgets

from course_lib.explore.door import check_step, check_tree, only_for
from course_lib.explore.game_tree import explore_game
from course_lib.explore.mcts_tree import SearchTree
from course_lib.explore.picture import picture
from course_lib.explore.reorder import Reorder
from course_lib.explore.tree import PREDICT, Explorer, Tree, board_traits, send_boards, wire
from course_lib.games import Game
from course_lib.games.checks import check_whole
from course_lib.watch import Watched, WatchedMCTS
from course_lib.watch.mcts_record import PHASES


def explore(watched, state=None, *, step=None, predict="", reorder=False, boards=None, open_depth=None, height=460):
    """A live explorer of a recorded search, or, given a game, of its tree below `state`: nodes open as you click them.

    Step with the arrow keys, the slider or the play button. Click a node to open or close it and to see its board,
    arguments, value and path. `predict` makes the explorer ask before it shows: "value" (of each node), "next"
    (node) or "next leaf". `reorder` lets you drag nodes among their siblings, or shuffle all of them, and searches
    again in the new order and counts the leaves. A recorded search begins at `step`; without it the live one begins at
    step 0, and the stored picture shows the end. `boards` draws the positions in the nodes; without it they are drawn
    where they fit. `open_depth` opens that many levels at the start; without it as many are opened as fit. `height`
    is in pixels, at least 100. What cannot be shown raises `ValueError`.
    Keys: ← → step, ↑ ↓ and shift ← → select, alt ← → reorder, Enter opens, Home and End jump, + − zoom, f fits.
    """
    if predict not in PREDICT:
        raise ValueError(f"predict must be 'value', 'next' or 'next leaf', or '' for no questions, not {predict!r}")
    check_whole(0, step=step or 0, open_depth=open_depth or 0)
    check_whole(100, height=height)
    for name, value, kinds in (("reorder", reorder, bool), ("boards", boards, bool | None)):
        if not isinstance(value, kinds):
            raise ValueError(f"{name} must be True or False, not {value!r}")
    look = {"open_depth": -1 if open_depth is None else open_depth, "height": height}
    return _explorer(watched, look, state=state, step=step, predict=predict, reorder=reorder, boards=boards)


@singledispatch
def _explorer(watched, look, **options):
    """The explorer by the kind of what is shown: one of the three below, or else an error."""
    check_tree("explore", watched)


_explorer.register(Game, explore_game)


@_explorer.register(Watched)
def _explore_calls(watched, look, state, step, predict, reorder, boards):
    """What `explore` returns for a `Watched` search."""
    only_for("a game, and this is a recorded search", watched, state=state)
    check_step(step, watched)
    states = watched.states()
    first = watched.steps if watched.error is not None and step is None else step or 0
    tree = Tree(name=f"{watched.name} on {watched.game!r}", tree=wire(watched.columns()), step=first,
                predict=predict, reorder=reorder, **look,
                **board_traits(watched.game, watched.root.state, boards, len(states)))  # fmt: skip
    run = 0

    def show(again):
        nonlocal run
        run += 1
        tree.positions = watched.game, again.states()
        with tree.hold_sync():
            tree.tree, tree.step = wire(again.columns(), run), again.steps

    orders = [Reorder(watched, show)] if reorder else []

    def answer(_, message, __):
        if message.get("run") == run:  # else its numbers are those of a tree that is gone
            send_boards(tree, message)
        if message.get("type") == "move":
            orders[0].move(message["path"], message["by"])

    tree.positions = watched.game, states
    tree.on_msg(answer)
    still = first if first or predict else step
    return Explorer(tree, [*_notice(watched), *orders], lambda: picture(watched, still, boards=boards))


@_explorer.register(WatchedMCTS)
def _explore_mcts(watched, look, state, step, predict, reorder, boards):
    """What `explore` returns for a `WatchedMCTS`."""
    only_for("a game, and this is a recorded search", watched, state=state)
    only_for("a recursive search, and this is a Monte-Carlo tree search", watched,
             predict=predict or None, reorder=reorder or None)  # fmt: skip
    check_step(step, watched)
    states = watched.states()
    first = step or 0
    stride = 1 if first % len(PHASES) else len(PHASES)
    tree = SearchTree(name=f"{watched.name} on {watched.game!r}", tree=wire(watched.columns()), step=first,
                      stride=stride, c=watched.c, **look,
                      **board_traits(watched.game, states[0], boards, len(states)))  # fmt: skip
    tree.positions = watched.game, states
    tree.on_msg(lambda _, message, __: send_boards(tree, message))
    return Explorer(tree, _notice(watched), lambda: picture(watched, step, boards=boards))


def _notice(watched):
    """What is missing from a record, in bold; no widget if nothing is."""
    notice = watched.notice  # it looks at every node
    return [widgets.HTML(f"<b>{notice}</b>")] if notice else []
