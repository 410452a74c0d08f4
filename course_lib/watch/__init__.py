"""Recording a search, the library's or one's own: no widget, no picture."""

from course_lib.watch.calls import last_watched, watch
from course_lib.watch.mcts import mcts_tree, mcts_with, watch_mcts
from course_lib.watch.mcts_record import WatchedMCTS
from course_lib.watch.record import Watched

__all__ = ["Watched", "WatchedMCTS", "last_watched", "mcts_tree", "mcts_with", "watch", "watch_mcts"]
