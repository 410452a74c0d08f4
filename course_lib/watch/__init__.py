"""Recording a search, the library's or one's own: no widget, no picture."""

from course_lib.search.mcts import mcts_with
from course_lib.watch.calls import Watched, last_watched, watch
from course_lib.watch.mcts import WatchedMCTS, mcts_tree, watch_mcts

__all__ = ["Watched", "WatchedMCTS", "last_watched", "mcts_tree", "mcts_with", "watch", "watch_mcts"]
