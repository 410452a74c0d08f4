"""AlphaZero: how fast the batched search is."""

import numpy as np
from interleave import a_second, interleave, rows_of

from course_lib.alphazero import batched_search, load_network, root_noise, vectorize
from course_lib.alphazero.self_play import sample_actions
from course_lib.games import ConnectFour

GAMES_AT_ONCE, SIMULATIONS = 256, 64


def rows(rounds):
    """64 simulations for 256 Connect Four positions of 8 plies, beside as many of OpenSpiel's C++ MCTS."""
    import pyspiel

    rng, board = np.random.default_rng(0), vectorize(ConnectFour())
    positions, network, noise = random_openings(board, 8, rng), load_network("connect_four"), root_noise(rng)
    their_game = pyspiel.load_game("connect_four")
    their_state = their_game.new_initial_state()
    for action in 3, 3, 3, 3, 2, 4, 5, 1:
        their_state.apply_action(action)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)

    def theirs():
        bot = pyspiel.MCTSBot(their_game, evaluator, 2**0.5, GAMES_AT_ONCE * SIMULATIONS, 1000, False, 1, False)
        bot.mcts_search(their_state)

    contenders = {
        "ours": lambda: batched_search(board, positions, network, SIMULATIONS, noise=noise),
        "OpenSpiel MCTSBot in C++ with random playouts": theirs,
    }
    show = a_second(GAMES_AT_ONCE * SIMULATIONS, "simulations")
    what = "AlphaZero, Connect Four, 256 positions at once, with the network"
    return rows_of(what, interleave(contenders, rounds), show)


def random_openings(board, plies, rng):
    """Positions after random actions that end no game."""
    positions = board.initial(GAMES_AT_ONCE)
    for _ in range(plies):
        after, _, over = board.play_all(positions)
        positions = after[np.arange(GAMES_AT_ONCE), sample_actions(board.legal(positions) & ~over, rng)]
    return positions
