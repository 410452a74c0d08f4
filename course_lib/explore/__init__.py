"""Watching a search, the tree explorer, pictures, boards and practice: what notebooks import."""

# ruff: noqa: F401  (what is imported here is what this package offers)

from types import ModuleType as _Module
from typing import Any as _Any

from course_lib.explore.board import board
from course_lib.explore.explorer import explore
from course_lib.explore.notebook import show_source
from course_lib.explore.picture import chart, picture, side_by_side
from course_lib.explore.practice import practice
from course_lib.explore.predict import predict
from course_lib.explore.score_card import score_card
from course_lib.search.mcts_tree import mcts_tree
from course_lib.watch import last_trace, watch, watch_mcts

__all__ = [name for name, value in dict(globals()).items() if not (name.startswith("_") or isinstance(value, _Module))]


def __getattr__(name: str) -> _Any:
    if name != "Picture":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from course_lib.explore.drawing import Picture  # Matplotlib takes half a second

    return Picture
