"""Chess through python-chess, which only this module imports: it is licensed GPL-3.0-or-later, and optional."""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from course_lib.games.game import MAX, MIN, Action, Game

try:
    import chess
except ImportError as error:
    raise ImportError("Chess needs python-chess, which is not installed: run `pip install chess`") from error


class ChessState:
    """A position with the history that the rules on repetition need. Equal states have the same future.

    `board` is a `chess.Board` to read from, never to move on: a state does not change.
    """

    def __init__(self, board: chess.Board, past: tuple = ()):
        self.board = board
        self.past = past
        """The positions since the last capture or pawn move, none of which can come back after the next one."""
        pieces = board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings, *board.occupied_co
        en_passant = board.ep_square if board.has_legal_en_passant() else None
        self.position = pieces, board.turn, board.castling_rights, en_passant

    @cached_property
    def draw(self) -> bool:
        """True if the game is drawn here unless it is checkmate; stalemate shows in the moves."""
        repeated, still = self.past.count(self.position) >= 4, self.board.halfmove_clock >= 150
        return repeated or still or self.board.is_insufficient_material()

    @cached_property
    def moves(self) -> dict[str, chess.Move]:
        """The legal moves by their names in UCI; none when the game is over."""
        return {} if self.draw else {move.uci(): move for move in self.board.legal_moves}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ChessState) or self.position != other.position:
            return False
        return self.board.halfmove_clock == other.board.halfmove_clock and Counter(self.past) == Counter(other.past)

    def __hash__(self) -> int:
        return hash(self.position)

    def __repr__(self) -> str:
        return f"ChessState({self.board.fen()!r})"


class Chess(Game):
    """Chess from the position `fen`. White is Max; checkmate is worth +1 to the winner and −1 to the loser, a draw 0.

    An action is a move in UCI: "e2e4", "e1g1" (castling), "e7e8q" (promotion). The game is drawn by the rules that
    need no player's claim (FIDE Laws of Chess, 5.2 and 9.6): stalemate, insufficient material, the fifth occurrence
    of a position, 75 moves by each player without a capture or a pawn move. `ValueError`: no game leads to `fen`.
    """

    trusted = True

    def __init__(self, fen: str = chess.STARTING_FEN):
        self.fen = fen
        board = chess.Board(fen)
        if not board.is_valid():
            raise ValueError(f"no game of chess leads to {fen!r}: {board.status()!r}")
        self._start = ChessState(board)

    def initial_state(self) -> ChessState:
        return self._start

    def to_move(self, state: ChessState) -> int:
        return MAX if state.board.turn else MIN

    def actions(self, state: ChessState) -> Sequence[str]:
        return tuple(state.moves)

    def result(self, state: ChessState, action: Action) -> ChessState:
        try:
            move = state.moves[action]
        except (KeyError, TypeError):
            raise self._illegal(state, action) from None
        board = state.board.copy(stack=False)
        board.push(move)
        return ChessState(board, (*state.past, state.position) if board.halfmove_clock else ())

    def is_terminal(self, state: ChessState) -> bool:
        return not state.moves

    def utility(self, state: ChessState, player: int) -> float:
        self._check_end(state, player)
        if not state.board.is_checkmate():
            return 0
        return -1 if player == self.to_move(state) else 1

    def captures(self, state: ChessState) -> Sequence[str]:
        """The legal actions that capture or promote: those that a quiescence search goes on with."""
        return tuple(name for name, move in state.moves.items() if move.promotion or state.board.is_capture(move))

    def grid(self, state: ChessState) -> Sequence[str]:
        return str(state.board).replace(" ", "").split("\n")

    def render(self, state: ChessState) -> str:
        rows = [f"{8 - row} {' '.join(pieces)}" for row, pieces in enumerate(self.grid(state))]
        turn, mate = "Black to move", "checkmate, White wins"
        if state.board.turn:
            turn, mate = "White to move", "checkmate, Black wins"
        ending = mate if state.board.is_checkmate() else "draw" if state.draw else "draw: stalemate"
        return "\n".join([*rows, "  a b c d e f g h", turn if state.moves else ending])

    def __repr__(self) -> str:
        return "Chess()" if self.fen == chess.STARTING_FEN else f"Chess({self.fen!r})"
