"""The algorithms, each as its pseudo-code."""

from course_lib.search.alpha_beta import (
    alpha_beta_agent,
    alpha_beta_search,
    best_first,
    depth_limited_alpha_beta_search,
    killer_search,
    negamax_search,
)
from course_lib.search.anytime import Deadline, TimeUp, iterative_deepening, time_limited_agent
from course_lib.search.evaluation import (
    CHESS_FEATURES,
    CONNECT_FOUR_FEATURES,
    PIECE_VALUES,
    centre,
    fit_weights,
    linear,
    material,
    material_ratio,
    open_lines,
    open_threes,
    open_twos,
    random_games,
    squashed,
)
from course_lib.search.labelling import StoredNode, label_tree, store_tree
from course_lib.search.minimax import (
    depth_limited_minimax_search,
    max_n_search,
    minimax_agent,
    minimax_search,
    minimax_value,
    principal_variation,
)
from course_lib.search.ordering import leaves_with_best_order, possible_leaves
from course_lib.search.quiescence import quiescence_search
from course_lib.search.solve import read_positions, solve
from course_lib.search.tournament import PlayedGame, Rating, Tournament, elo_ratings, tournament
from course_lib.search.transposition import TranspositionTable, best_line, table_search

__all__ = [
    "CHESS_FEATURES",
    "CONNECT_FOUR_FEATURES",
    "PIECE_VALUES",
    "Deadline",
    "PlayedGame",
    "Rating",
    "StoredNode",
    "TimeUp",
    "Tournament",
    "TranspositionTable",
    "alpha_beta_agent",
    "alpha_beta_search",
    "best_first",
    "best_line",
    "centre",
    "depth_limited_alpha_beta_search",
    "depth_limited_minimax_search",
    "elo_ratings",
    "fit_weights",
    "iterative_deepening",
    "killer_search",
    "label_tree",
    "leaves_with_best_order",
    "linear",
    "material",
    "material_ratio",
    "max_n_search",
    "minimax_agent",
    "minimax_search",
    "minimax_value",
    "negamax_search",
    "open_lines",
    "open_threes",
    "open_twos",
    "possible_leaves",
    "principal_variation",
    "quiescence_search",
    "random_games",
    "read_positions",
    "solve",
    "squashed",
    "store_tree",
    "table_search",
    "time_limited_agent",
    "tournament",
]
