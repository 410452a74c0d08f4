"""The algorithms, each as its pseudo-code."""

from course_lib.search.labelling import StoredNode, label_tree, store_tree
from course_lib.search.minimax import (
    depth_limited_minimax_search,
    max_n_search,
    minimax_agent,
    minimax_search,
    minimax_value,
    principal_variation,
)

__all__ = [
    "StoredNode",
    "depth_limited_minimax_search",
    "label_tree",
    "max_n_search",
    "minimax_agent",
    "minimax_search",
    "minimax_value",
    "principal_variation",
    "store_tree",
]
