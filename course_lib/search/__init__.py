"""The algorithms, each as its pseudo-code.

A search calls itself for each ply, so a game of more than some 900 plies ends in a `RecursionError`: allow Python more
with `sys.setrecursionlimit`, or give the search a depth.

Sources with three digits, such as "source `000`", are the lecture documents listed in notebook 1. `luck` is where
random choices come from: a `random.Random` in `mcts`, a NumPy generator in `bandits`.
"""

from course_lib.search.alpha_beta import (
    alpha_beta_agent,
    alpha_beta_search,
    depth_limited_alpha_beta_search,
    killer_search,
    negamax_search,
)
from course_lib.search.anytime import Deadline, TimeUp, iterative_deepening, time_limited_agent
from course_lib.search.bandits import epsilon_greedy, regret, ucb1_bound, ucb1_strategy, uniform
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
from course_lib.search.expectiminimax import (
    expectimax_agent,
    expectimax_search,
    expectiminimax_agent,
    expectiminimax_search,
    star1_search,
    uniform_model,
)
from course_lib.search.labelling import StoredNode, label_tree, store_tree
from course_lib.search.mcts import (
    Iteration,
    Node,
    backpropagate,
    best_child,
    expand,
    greedy_policy,
    mcts_agent,
    mcts_solver,
    monte_carlo_tree_search,
    random_policy,
    root_node,
    select,
    simulate,
    ucb1,
    ucb1_child,
)
from course_lib.search.minimax import (
    depth_limited_minimax_search,
    max_n_search,
    minimax_agent,
    minimax_search,
    minimax_value,
    principal_variation,
)
from course_lib.search.ordering import best_first, leaves_with_best_order, possible_leaves
from course_lib.search.pig_policies import best_policy, hold_at, pig_values, policy_agent
from course_lib.search.quiescence import quiescence_search
from course_lib.search.solve import read_positions, solve
from course_lib.search.tournament import PlayedGame, Rating, Tournament, elo_ratings, tournament
from course_lib.search.transposition import TranspositionTable, best_line, table_search

__all__ = [
    "CHESS_FEATURES",
    "CONNECT_FOUR_FEATURES",
    "PIECE_VALUES",
    "Deadline",
    "Iteration",
    "Node",
    "PlayedGame",
    "Rating",
    "StoredNode",
    "TimeUp",
    "Tournament",
    "TranspositionTable",
    "alpha_beta_agent",
    "alpha_beta_search",
    "backpropagate",
    "best_child",
    "best_first",
    "best_line",
    "best_policy",
    "centre",
    "depth_limited_alpha_beta_search",
    "depth_limited_minimax_search",
    "elo_ratings",
    "epsilon_greedy",
    "expand",
    "expectimax_agent",
    "expectimax_search",
    "expectiminimax_agent",
    "expectiminimax_search",
    "fit_weights",
    "greedy_policy",
    "hold_at",
    "iterative_deepening",
    "killer_search",
    "label_tree",
    "leaves_with_best_order",
    "linear",
    "material",
    "material_ratio",
    "max_n_search",
    "mcts_agent",
    "mcts_solver",
    "minimax_agent",
    "minimax_search",
    "minimax_value",
    "monte_carlo_tree_search",
    "negamax_search",
    "open_lines",
    "open_threes",
    "open_twos",
    "pig_values",
    "policy_agent",
    "possible_leaves",
    "principal_variation",
    "quiescence_search",
    "random_games",
    "random_policy",
    "read_positions",
    "regret",
    "root_node",
    "select",
    "simulate",
    "solve",
    "squashed",
    "star1_search",
    "store_tree",
    "table_search",
    "time_limited_agent",
    "tournament",
    "ucb1",
    "ucb1_bound",
    "ucb1_child",
    "ucb1_strategy",
    "uniform",
    "uniform_model",
]
