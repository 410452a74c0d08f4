"""Watching a search, the tree explorer, pictures, boards to play on."""

from course_lib.explore.explorer import Explorer, explore
from course_lib.explore.picture import Picture, picture
from course_lib.explore.watch import Watched, last_watched, watch

__all__ = ["Explorer", "Picture", "Watched", "explore", "last_watched", "picture", "watch"]
