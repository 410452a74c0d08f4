"""The tree of a game: its moves, its kinds of nodes, and their paths, which are the states of a `TreeGame`."""

from course_lib.games.game import CHANCE, Action, Game, State
from course_lib.games.tree import player_name


def moves_of(game: Game, state: State) -> list[tuple[Action, float | None]]:
    """The (action, probability) pairs of a state; the probability is None unless chance moves."""
    if game.is_terminal(state):
        return []
    if game.to_move(state) == CHANCE:
        return list(game.chances(state))
    return [(action, None) for action in game.actions(state)]


def kind_of(game: Game, state: State) -> str:
    """The kind of a state's node: "leaf", "max", "min", "player 2" …, or "chance"."""
    return "leaf" if game.is_terminal(state) else player_name(game.to_move(state)).lower()


def inner_paths(game: Game) -> list[tuple]:
    """The paths of all nodes but the leaves, in post-order."""
    return [path for path in depth_first(game, ()) if not game.is_terminal(path)]


def leaf_paths(game: Game) -> list[tuple]:
    """The paths of all leaves, from left to right."""
    return [path for path in depth_first(game, ()) if game.is_terminal(path)]


def depth_first(game: Game, path: tuple) -> list[tuple]:
    """All paths below this one, then this one: post-order."""
    return [*(below for action, _ in moves_of(game, path) for below in depth_first(game, (*path, action))), path]
