"""Watching a search, the tree explorer, pictures, boards to play on."""

from course_lib.explore.board import Board, board
from course_lib.explore.picture import Picture, picture
from course_lib.explore.practice import Practice, practice
from course_lib.explore.prompts import Prediction, predict, show_source
from course_lib.explore.tree import Explorer, explore
from course_lib.explore.what_if import WhatIf, what_if
from course_lib.search.mcts import mcts_with
from course_lib.watch.calls import Watched, last_watched, watch
from course_lib.watch.mcts import WatchedMCTS, mcts_tree, watch_mcts

__all__ = [
    "Board",
    "Explorer",
    "Picture",
    "Practice",
    "Prediction",
    "Watched",
    "WatchedMCTS",
    "WhatIf",
    "board",
    "explore",
    "last_watched",
    "mcts_tree",
    "mcts_with",
    "picture",
    "practice",
    "predict",
    "show_source",
    "watch",
    "watch_mcts",
    "what_if",
]
