"""Watching a search, the tree explorer, pictures, boards to play on."""

from course_lib.explore.watch import Watched, last_watched, watch

__all__ = ["Watched", "last_watched", "watch"]
