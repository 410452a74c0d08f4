"""The algorithms, each written like its pseudo-code.

A search calls itself for each ply, so a game of more than some 900 plies ends in a `RecursionError`: allow Python more
with `sys.setrecursionlimit`, or give the search a depth.

Sources with three digits, such as "source `000`", are the lecture documents listed in notebook 1. What `seed` and `rng`
may be is the same everywhere: see `course_lib.games.randomness`.
"""

# ruff: noqa: F401  (what is imported here is what this package offers)

from types import ModuleType as _Module

from course_lib.search.alpha_beta import (
    alpha_beta_agent,
    alpha_beta_search,
    depth_limited_alpha_beta_search,
    quiescence_search,
)
from course_lib.search.anytime import Deadline, TimeUp, iterative_deepening
from course_lib.search.evaluation import (
    CONNECT_FOUR_FEATURES,
    centre,
    fit_weights,
    linear,
    open_threes,
    open_twos,
    tanh_scaled,
)
from course_lib.search.expectiminimax import expectimax_agent, expectimax_search, expectiminimax_search, uniform_model
from course_lib.search.mcts import (
    backpropagate,
    best_child,
    expand,
    mcts_agent,
    monte_carlo_tree_search,
    random_policy,
    root_node,
    select,
    simulate,
    ucb1,
)
from course_lib.search.measuring import measure
from course_lib.search.minimax import (
    depth_limited_minimax_search,
    max_n_search,
    minimax_agent,
    minimax_search,
    minimax_value,
)
from course_lib.search.ordering import best_first
from course_lib.search.pig_policies import best_policy, hold_at, pig_values
from course_lib.search.tournament import tournament
from course_lib.search.transposition import TranspositionTable, solve, transposition_table_search

__all__ = [name for name, value in dict(globals()).items() if not (name.startswith("_") or isinstance(value, _Module))]
