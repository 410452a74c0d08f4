"""The explorer of a recorded Monte-Carlo tree search."""

import ipywidgets as widgets
import traitlets

from course_lib.explore.door import check_step, only_for
from course_lib.explore.picture import picture
from course_lib.explore.tree import (
    HERE,
    SCRIPT,
    Explorer,
    Steps,
    Tree,
    board_traits,
    dropdown,
    notice_of,
    send_boards,
    wire,
)
from course_lib.watch.mcts_record import PHASES


class SearchTree(Tree):
    """The drawn tree (see mcts.js); `step` counts phases, `stride` is how many a step takes, `c` is shown as chosen."""

    _esm = SCRIPT + (HERE / "mcts.js").read_text(encoding="utf-8")
    _css = Tree._css + (HERE / "mcts.css").read_text(encoding="utf-8")
    c = traitlets.Float().tag(sync=True)
    stride = traitlets.Int(len(PHASES)).tag(sync=True)


def explore_mcts(watched, asked):
    """What `explore` returns for a `WatchedMCTS`."""
    only_for("a game, and this is a recorded search", watched, state=asked.state)
    only_for("a recursive search, and this is a Monte-Carlo tree search", watched,
             predict=asked.predict or None, reorder=asked.reorder or None)  # fmt: skip
    check_step(asked.step, watched)
    states = watched.states()
    boards = board_traits(watched.game, states[0], asked.boards, len(states))
    stride = 1 if asked.step % len(PHASES) else len(PHASES)
    tree = SearchTree(name=f"{watched.name} on {watched.game!r}", tree=wire(watched.columns()), step=asked.step,
                      stride=stride, c=watched.c, **asked.look(), **boards)  # fmt: skip
    tree.on_msg(lambda _, message, __: send_boards(tree, watched.game, states, message))
    unit = dropdown("step by", {"iteration": len(PHASES), "phase": 1}, stride)
    steps = Steps(tree, watched.steps, unit, stride)
    for target, name in ((steps.play, "step"), (steps.slider, "step"), (tree, "stride")):
        widgets.dlink((unit, "value"), (target, name))
    still = asked.step or None  # a search that begins at step 0 is shown finished
    return Explorer(tree, [*notice_of(watched), steps], lambda: picture(watched, still, boards=asked.boards))
