"""A game that is nothing but its tree, written down as nested lists."""

from collections.abc import Sequence
from math import isfinite
from typing import Any, NamedTuple

from course_lib.games.game import CHANCE, MAX, Action, Chances, Game, State
from course_lib.games.validation import check_whole, distribution

EXPECTED = """a leaf is a finite number or a tuple of one for each player; other nodes are lists and dictionaries that
are not empty (no action is None), a Chance whose probabilities sum to 1, and a Turn of a player of this game"""


class Chance(NamedTuple):
    """A chance node of a `TreeGame`: a list of (probability, subtree) pairs. It does not count as a turn."""

    outcomes: list[tuple[float, Any]]


class Turn(NamedTuple):
    """A node of a `TreeGame` in which `player` moves, whoever's turn it would be; the turns go on from this player."""

    player: int
    children: Any


class Same(NamedTuple):
    """In a `TreeGame`, the state with this path once more, reached by other moves: a transposition."""

    path: State


class TreeNode(NamedTuple):
    """A node as a `TreeGame` keeps it: who moves, and which actions there are; a leaf has utilities instead."""

    path: State
    player: int
    actions: tuple[Action, ...]
    utilities: tuple[float, ...] | None = None
    probabilities: tuple[float, ...] = ()


class TreeGame(Game):
    """A game from nested lists: `TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]])`.

    A list is a node in which the next player moves, with actions 0, 1, 2 …; a dictionary is one with named actions. A
    number is a leaf worth that much to Max and minus that much to Min. A tuple is a leaf with a utility for each
    player, and the only kind with three players or more. `Chance` is a chance node; `Turn` is a node at which a given
    player moves; `Same` is a state that an earlier path leads to. A state is the path of actions from the root.
    `ValueError` shows the path to a fault.

    >>> game = TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    >>> game.actions((1,)), game.utility((1, 0), 0)
    ((0, 1, 2), 2)
    """

    trusted = True
    transposes = False
    """Whether moves may lead to one state by several paths: whether the tree contains a `Same`."""

    def __init__(self, tree: Any, players: int = 2, first: int = MAX):
        check_whole(1, players=players)
        self.tree, self.players, self.first = tree, players, first
        self._check_player(first)
        self.nodes = {}
        """Path → `TreeNode`, parents before children: the paths are the states of this game."""
        self._add((), tree, first)

    def _add(self, path, tree, turn):
        """Add the node that `tree` describes, and all below it; `turn` is the player whose turn it is."""
        try:
            node, subtrees = self._read(path, tree, turn)
        except (TypeError, ValueError):
            raise ValueError(f"malformed tree at path {path}: {tree!r} is not a node; {EXPECTED}") from None
        if node.path != path:  # a `Same`: all paths below it lead to states that are known
            self.transposes, length = True, len(node.path)
            below = [known for known in self.nodes.items() if known[0][:length] == node.path]
            self.nodes |= {(*path, *known[length:]): same for known, same in below}
            return
        self.nodes[path] = node
        following = turn if node.player == CHANCE else (node.player + 1) % self.players
        for action, subtree in zip(node.actions, subtrees):
            self._add((*path, action), subtree, following)

    def _read(self, path, tree, player):
        """The node that `tree` describes, and the subtrees below it; `ValueError` or `TypeError` if there is none."""
        if isinstance(tree, Same):
            return self._node(tuple(tree.path)), ()
        if isinstance(tree, Turn):
            player, tree = tree
            self._check_player(player)
        if isinstance(tree, Chance):
            pairs = [(child, _plain(p)) for p, child in tree.outcomes]
            distribution(pairs, path)
            subtrees, probabilities = zip(*pairs)
            return TreeNode(path, CHANCE, tuple(range(len(pairs))), None, probabilities), subtrees
        if isinstance(tree, dict | list) and tree:
            children = tree if isinstance(tree, dict) else dict(enumerate(tree))
            if None in children:
                raise ValueError
            return TreeNode(path, player, tuple(children)), list(children.values())
        utilities = tree if isinstance(tree, tuple) else (_plain(tree), -_plain(tree))[: self.players]
        if len(utilities) != self.players or not all(map(isfinite, utilities)):
            raise ValueError
        return TreeNode(path, player, (), tuple(map(_plain, utilities))), ()

    def _node(self, state):
        try:
            return self.nodes[state]
        except (KeyError, TypeError):
            raise ValueError(f"{state!r} is not a path of this tree; the root is ()") from None

    def initial_state(self) -> State:
        return ()

    def to_move(self, state: State) -> int:
        return self._node(state).player

    def actions(self, state: State) -> Sequence[Action]:
        node = self._node(state)
        if node.player == CHANCE:
            raise self._no_choice(state)
        return node.actions

    def result(self, state: State, action: Action) -> State:
        self._node(state)
        try:
            return self.nodes[*state, action].path
        except (KeyError, TypeError):
            raise self._illegal(state, action) from None

    def is_terminal(self, state: State) -> bool:
        return not self._node(state).actions

    def utility(self, state: State, player: int) -> float:
        self._check_player(player)
        utilities = self._node(state).utilities
        if utilities is None:
            self._check_end(state, player)
        return utilities[player]

    def chances(self, state: State) -> Chances:
        node = self._node(state)
        return tuple(zip(node.actions, node.probabilities)) if node.player == CHANCE else super().chances(state)

    def render(self, state: State) -> str:
        node = self._node(state)
        where = "root" if state == () else f"path {' '.join(map(str, state))}"
        if node.utilities is not None:
            first, *rest = node.utilities
            return f"{where}: leaf {first if rest in ([], [-first]) else node.utilities}"
        return f"{where}: {player_name(node.player, self.players)} to move, actions {', '.join(map(str, node.actions))}"

    def __repr__(self) -> str:
        players = f", players={self.players}" if self.players != 2 else ""
        first = f", first={self.first}" if self.first != MAX else ""
        return f"TreeGame({self.tree!r}{players}{first})"


def player_name(player: int, players: int = 2) -> str:
    """ "Max", "Min" or "chance"; of more than two `players` nobody minimises: "player 0", "player 1", "player 2" …"""
    check_whole(1, players=players)
    names = {CHANCE: "chance"} if players > 2 else {CHANCE: "chance", 0: "Max", 1: "Min"}
    if player not in names:
        check_whole(CHANCE, player=player)
    return names.get(player, f"player {player}")


def _plain(number):
    """A NumPy scalar as a Python number, since unsigned ones turn 3 into 253 for Min; any other number as it is."""
    return number.item() if hasattr(number, "item") else number
