"""A stand-in for the module `games` of aima-python: its names, and states that are not hashable."""

from collections import namedtuple
from math import inf

GameState = namedtuple("GameState", "to_move, utility, board, moves")
LINES = [[(r, c) for c in (1, 2, 3)] for r in (1, 2, 3)] + [[(r, c) for r in (1, 2, 3)] for c in (1, 2, 3)]
LINES += [[(1, 1), (2, 2), (3, 3)], [(1, 3), (2, 2), (3, 1)]]


class TicTacToe:
    initial = GameState("X", 0, {}, [(r, c) for r in (1, 2, 3) for c in (1, 2, 3)])

    def actions(self, state):
        return state.moves

    def result(self, state, move):
        board = state.board | {move: state.to_move}
        won = any(all(board.get(cell) == state.to_move for cell in line) for line in LINES)
        utility = (1 if state.to_move == "X" else -1) if won else 0
        moves = [other for other in state.moves if other != move]
        return GameState("O" if state.to_move == "X" else "X", utility, board, moves)

    def utility(self, state, player):
        return state.utility if player == "X" else -state.utility

    def terminal_test(self, state):
        return state.utility != 0 or not state.moves

    def to_move(self, state):
        return state.to_move


def alpha_beta_search(state, game):
    player = game.to_move(state)

    def largest(state, alpha, beta):
        if game.terminal_test(state):
            return game.utility(state, player)
        v = -inf
        for move in game.actions(state):
            v = max(v, smallest(game.result(state, move), alpha, beta))
            alpha = max(alpha, v)
            if v >= beta:
                break
        return v

    def smallest(state, alpha, beta):
        if game.terminal_test(state):
            return game.utility(state, player)
        v = inf
        for move in game.actions(state):
            v = min(v, largest(game.result(state, move), alpha, beta))
            beta = min(beta, v)
            if v <= alpha:
                break
        return v

    best, chosen = -inf, None
    for move in game.actions(state):
        value = smallest(game.result(state, move), best, inf)
        if value > best:
            best, chosen = value, move
    return chosen
