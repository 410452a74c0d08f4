"""The drawn tree of a recorded Monte-Carlo tree search."""

import traitlets

from course_lib.explore.scripts import script
from course_lib.explore.tree import Tree
from course_lib.watch.mcts_record import PHASES


class SearchTree(Tree):
    """The drawn tree (see mcts.js); `step` counts phases, `stride` is how many a step takes, `c` is shown as chosen."""

    page_name = "mcts"
    _esm = script("mcts.js")
    c = traitlets.Float().tag(sync=True)
    stride = traitlets.Int(len(PHASES)).tag(sync=True)
