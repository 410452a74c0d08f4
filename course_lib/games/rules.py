"""Whether an object keeps the rules of all games: for authors of games, and for the tests of ours."""

from typing import Any

from course_lib.games.game import CHANCE, Game, State
from course_lib.games.playing import utilities_at
from course_lib.games.randomness import Seed, random_source
from course_lib.games.validation import as_game, distribution


def check_game_rules(game: Any, games: int = 20, *, max_plies: int = 200, seed: Seed = 0) -> None:
    """Play `games` random games of at most `max_plies` plies; `ValueError` says which rule of `Game` is broken.

    In each state every function is called twice, and `result` also with actions that were legal elsewhere.

    >>> from course_lib.games import Nim
    >>> check_game_rules(Nim((1, 2)))
    """
    game, rng, known, tried = as_game(game), random_source(seed), {}, (None,)
    for _ in range(games):
        state = game.initial_state()
        for _ in range(max_plies):
            answers = over, _, moves, _ = _answers(game, state)
            after = {move: _attempt(game.result, state, move) for move in moves}
            for again in _answers(game, state), known.setdefault(state, answers):
                _expect(again == answers, state, f"the answers {answers} each time", again, "let no state change")
            for move in (*moves, *tried):
                call, again = f"result(state, {move!r})", _attempt(game.result, state, move)
                failed = isinstance(again, Exception)
                if move not in moves:
                    _expect(failed, state, f"ValueError from {call}", "a state", "refuse illegal actions")
                    continue
                _expect(not failed, state, f"a state from {call}", repr(again), "fix actions()")
                _expect(after[move] == again, state, f"equal states from {call}", (after[move], again), "define __eq__")
            if over:
                break
            tried = tuple(dict.fromkeys((*moves, *tried)))[:20]
            state = after[rng.choice(moves)]


def _answers(game: Game, state: State) -> tuple:
    """(over, who moves, actions or outcomes of chance, utilities) of a state, each checked."""
    error = _attempt(hash, state)
    _expect(isinstance(error, int), state, "a hashable state", error, "use tuples and frozensets")
    over = game.is_terminal(state)
    _expect(over in (True, False), state, "True or False from is_terminal", over, "return a bool")
    if over:
        left = list(game.actions(state))
        _expect(not left, state, "no actions when the game is over", left, "return () from actions()")
        return over, None, (), utilities_at(game, state)
    player, players = game.to_move(state), (CHANCE, *range(game.players))
    _expect(player in players, state, f"one of {players} from to_move", player, "fix it, or set `players`")
    chance = player == CHANCE
    moves = [move for move, _ in distribution(game.chances(state), state)] if chance else list(game.actions(state))
    _expect(moves, state, "actions, since the game is not over", moves, "fix actions() or is_terminal()")
    error = _attempt(hash, tuple(moves))
    _expect(isinstance(error, int), state, "hashable actions", error, "use numbers, strings and tuples")
    _expect(len({*moves}) == len(moves), state, "each action once", moves, "leave out what comes again")
    return over, player, tuple(moves), None


def _attempt(function, *arguments):
    """What the function returns, or the error that it raises."""
    try:
        return function(*arguments)
    except Exception as error:
        return error


def _expect(kept, state, expected, got, remedy):
    if not kept:
        raise ValueError(f"Expected {expected}, got {got} in the state {state!r}: {remedy}")
