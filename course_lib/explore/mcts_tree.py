"""The drawn tree of a recorded Monte-Carlo tree search."""

import traitlets

from course_lib.explore.tree import HERE, SCRIPT, Tree
from course_lib.watch.mcts_record import PHASES


class SearchTree(Tree):
    """The drawn tree (see mcts.js); `step` counts phases, `stride` is how many a step takes, `c` is shown as chosen."""

    _esm = SCRIPT + (HERE / "mcts.js").read_text(encoding="utf-8")
    _css = Tree._css + (HERE / "mcts.css").read_text(encoding="utf-8")
    c = traitlets.Float().tag(sync=True)
    stride = traitlets.Int(len(PHASES)).tag(sync=True)
