"""A small AlphaZero: a network that learns from games against itself, in the order of notebook 7.

Terms of this package:

- *positions* are an int64 array [n, 2], of bitboards for the two games with a fast `VectorGame`: in each row first the
  marks of the player to move, then the other's. `vectorize(game)` returns the rules of a game for such arrays;
- a *player* is a function of positions [n, 2] → actions [n], which moves in n games at once;
- an *evaluator* is a function of positions → (p, v), such as a network: the prior probabilities p [n, actions], 0 for
  illegal actions, and the values v [n], from −1 to 1 for the player to move.
"""

# ruff: noqa: F401  (what is imported here is what this package offers)

from types import ModuleType as _Module

from course_lib.alphazero.agents import load, load_network, network_agent, network_player
from course_lib.alphazero.batched import batched_search, root_noise
from course_lib.alphazero.exact import ExactSolver, enumerate_replies, find_lost_lines
from course_lib.alphazero.network import Adam, Evaluator, Network, UniformEvaluator, losses, save_network
from course_lib.alphazero.puct import PUCTNode, back_up, puct, puct_search, select
from course_lib.alphazero.self_play import Examples, sample_batch, self_play
from course_lib.alphazero.training import CONFIGS, TrainingConfig, train
from course_lib.alphazero.vectorized import vectorize

__all__ = [name for name, value in dict(globals()).items() if not (name.startswith("_") or isinstance(value, _Module))]
