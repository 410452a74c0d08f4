"""The explorer of a search that calls itself: its steps, questions about them, and other orders of the moves."""

import ipywidgets as widgets

from course_lib.explore.door import check_step, only_for
from course_lib.explore.picture import picture
from course_lib.explore.reorder import Reorder
from course_lib.explore.tree import (
    PREDICT,
    Explorer,
    Steps,
    Tree,
    board_traits,
    dropdown,
    notice_of,
    send_boards,
    wire,
)


def explore_calls(watched, asked):
    """What `explore` returns for a `Watched` search."""
    only_for("a game, and this is a recorded search", watched, state=asked.state)
    check_step(asked.step, watched)
    states = watched.states()
    step = watched.steps if watched.error is not None and not asked.step else asked.step
    boards = board_traits(watched.game, watched.root.state, asked.boards, len(states))
    tree = Tree(name=f"{watched.name} on {watched.game!r}", tree=wire(watched.columns()), step=step,
                predict=asked.predict, reorder=asked.reorder, **asked.look(), **boards)  # fmt: skip
    predict = dropdown("predict", PREDICT, tree.predict)
    widgets.dlink((predict, "value"), (tree, "predict"))
    steps, run = Steps(tree, watched.steps, predict), 0

    def show(again):
        nonlocal states, run
        states, run = again.states(), run + 1
        with steps.spanning(again.steps), tree.hold_sync():
            tree.tree, tree.step = wire(again.columns(), run), again.steps

    reorder = [Reorder(watched, show)] if asked.reorder else []

    def answer(_, message, __):
        if message.get("run") == run:  # else its numbers are those of a tree that is gone
            send_boards(tree, watched.game, states, message)
        if message.get("type") == "move":
            reorder[0].move(message["path"], message["by"])

    tree.on_msg(answer)
    still = step if step or asked.predict else None  # a search that begins at step 0 is shown finished, unless it asks
    return Explorer(tree, [*notice_of(watched), *reorder, steps], lambda: picture(watched, still, boards=asked.boards))
