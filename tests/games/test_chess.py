"""Chess as a `Game`: move generation by perft, and every rule on the game's end against python-chess's own referee."""

import random

import chess
import pytest

from course_lib.games import MAX, MIN
from course_lib.games.chess import Chess, ChessState

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PROMOTIONS = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"
BUGGY = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"


@pytest.mark.parametrize(
    "moves, winner",
    [("f2f3 e7e5 g2g4 d8h4", MIN), ("e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7", MAX)],
)
def test_checkmate_is_won_by_the_player_who_gives_it(moves, winner):
    game = Chess()
    end = game.after(*moves.split())
    assert game.is_terminal(end) is True
    assert game.actions(end) == ()
    assert game.utility(end, winner) == 1
    assert game.utility(end, 1 - winner) == -1
    assert "checkmate, " + ("White" if winner == MAX else "Black") in game.render(end)
    with pytest.raises(ValueError, match="the game is over"):
        game.result(end, "a2a3")


def test_the_fifth_occurrence_of_a_position_draws_and_no_earlier_one():
    game = Chess()
    state = game.initial_state()
    for ply, action in enumerate(["g1f3", "g8f6", "f3g1", "f6g8"] * 4):
        assert not game.is_terminal(state), ply
        state = game.result(state, action)
    assert game.is_terminal(state)
    assert game.utility(state, MAX) == 0
    assert game.render(state).endswith("draw")


@pytest.mark.parametrize(
    "fen, count",
    [(chess.STARTING_FEN, 12), (KIWIPETE, 12), (PROMOTIONS, 12), ("8/8/4k3/8/8/3RK3/8/8 b - - 90 1", 12)],
)
def test_random_games_end_when_python_chess_says_so(fen, count):
    game = Chess(fen)
    ends = set()
    for seed in range(count):
        referee, state, rng = chess.Board(fen), game.initial_state(), random.Random(seed)
        while not game.is_terminal(state):
            assert referee.outcome() is None
            assert {move.uci() for move in referee.legal_moves} == set(game.actions(state))
            action = rng.choice(game.actions(state))
            referee.push_uci(action)
            state = game.result(state, action)
            assert state.board.fen() == referee.fen()
        outcome = referee.outcome()
        ends.add(outcome.termination.name)
        assert game.utility(state, MAX) == {"1-0": 1, "0-1": -1, "1/2-1/2": 0}[outcome.result()]
    assert ends


def test_equal_states_have_the_same_future():
    game = Chess()
    one, other = game.after("e2e4", "e7e5", "d2d4"), game.after("d2d4", "e7e5", "e2e4")
    assert one == other and hash(one) == hash(other) and len({one, other}) == 1
    assert game.after("g1f3", "g8f6", "f3g1", "f6g8") != game.initial_state()
    assert game.after("g1f3", "g8f6", "b1c3") != game.after("b1c3", "g8f6", "g1f3"), "one has seen another past"
    assert game.after("e2e4") != game.after("e2e3")
    start = game.initial_state()
    assert ChessState(start.board, (1, 1, 2)) != ChessState(start.board, (1, 2, 2)), "as often each"
    assert game.initial_state() != chess.STARTING_FEN
    board = "r3k2r/8/8/8/8/8/8/R3K2R w"
    late, moved = Chess(f"{board} KQkq - 140 90").initial_state(), Chess(f"{board} - - 0 1").initial_state()
    fresh = [Chess(f"{board[:-1]}{turn} KQkq - 0 1").initial_state() for turn in "wb"]
    assert len({state.position for state in (late, moved, *fresh)}) == 3 and len({late, moved, *fresh}) == 4


def test_an_impossible_position_is_shown_with_the_reason():
    with pytest.raises(ValueError, match=r"8/8/8.*NO_WHITE_KING"):
        Chess("4k3/8/8/8/8/8/8/8 w - - 0 1")


def test_captures_are_the_actions_that_change_the_material():
    for fen in (KIWIPETE, BUGGY, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "8/P3k3/8/8/8/8/8/4K3 w - - 0 1"):
        game = Chess(fen)
        state = game.initial_state()
        pieces = sorted("".join(game.grid(state)))
        changing = [a for a in game.actions(state) if sorted("".join(game.grid(game.result(state, a)))) != pieces]
        assert list(game.captures(state)) == changing != []
