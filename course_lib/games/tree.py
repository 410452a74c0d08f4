"""A game that is nothing but its tree, written down as nested lists."""

from collections.abc import Iterable, Sequence
from math import inf
from numbers import Real
from typing import Any, NamedTuple

from course_lib.games.checks import check_whole, distribution
from course_lib.games.game import CHANCE, MAX, Action, Chances, Game, State


class Chance(NamedTuple):
    """A chance node of a `TreeGame`: a list of (probability, subtree) pairs. It uses up nobody's turn."""

    outcomes: list[tuple[float, Any]]


class Turn(NamedTuple):
    """A node of a `TreeGame` in which `player` moves, whoever's turn it would be; play goes on from them."""

    player: int
    children: Any


class TreeNode(NamedTuple):
    """A node as a `TreeGame` keeps it: who moves, and which actions there are; a leaf has utilities instead."""

    path: State
    player: int
    actions: tuple[Action, ...]
    utilities: tuple[float, ...] | None = None
    probabilities: tuple[float, ...] = ()


class TreeGame(Game):
    """A game from nested lists: `TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]])`.

    A list is a node in which the next player moves, with actions 0, 1, 2 …; a dictionary is one with named
    actions. A number is a leaf worth that much to Max and minus that much to Min. A tuple is a leaf with a
    utility for each player, and the only kind with three players or more. `Chance` and `Turn` are nodes
    with dice and out of turn. A state is the path of actions from the root.
    A malformed tree raises `ValueError` with the path to the fault.
    """

    def __init__(self, tree: Any, players: int = 2, first: int = MAX):
        check_whole(1, players=players)
        self.tree, self.players, self.first = tree, players, first
        self._check_player(first)
        self._nodes = {}
        unread = [((), tree, first, ())]
        while unread:
            path, subtree, player, above = unread.pop()
            try:
                if id(subtree) in above:
                    raise ValueError("it contains itself")
                node, subtrees = self._read(path, subtree, player)
            except (TypeError, ValueError) as error:
                raise ValueError(f"malformed tree at path {path}: {error}, in {subtree!r}") from None
            self._nodes[path] = node
            following = player if node.player == CHANCE else (node.player + 1) % players
            above = (*above, id(subtree)) if subtrees else above
            for action, child in zip(node.actions, subtrees):
                unread.append(((*path, action), child, following, above))

    def _read(self, path, subtree, player):
        """The node that `subtree` describes, and the subtrees below it."""
        if isinstance(subtree, Turn):
            player, subtree = subtree
            if player not in range(self.players) or not isinstance(subtree, list | dict):
                raise ValueError(f"Turn takes a player from 0 to {self.players - 1} and a list or dictionary, "
                                 f"not {player!r} and {subtree!r}")  # fmt: skip
        if isinstance(subtree, Chance):
            pairs = distribution([(child, _plain(p)) for p, child in subtree.outcomes], path)
            subtrees, probabilities = zip(*pairs)
            return TreeNode(path, CHANCE, tuple(range(len(pairs))), None, probabilities), subtrees
        if isinstance(subtree, dict | list) and subtree:
            children = subtree if isinstance(subtree, dict) else dict(enumerate(subtree))
            if None in children:
                raise ValueError("an action cannot be None, which means no action")
            return TreeNode(path, player, tuple(children)), list(children.values())
        utilities = subtree if isinstance(subtree, tuple) else (subtree,)
        if not isinstance(subtree, tuple) and self.players == 2 and _is_number(subtree):
            utilities = _plain(subtree), -_plain(subtree)
        if len(utilities) == self.players and all(map(_is_number, utilities)):
            return TreeNode(path, player, (), tuple(map(_plain, utilities))), ()
        leaf = "a finite number" if self.players <= 2 else f"a tuple of {self.players} finite numbers"
        raise ValueError(f"{subtree!r} is no node; a leaf is {leaf}, any other node a list or a dictionary, which are "
                         "not empty, a Chance or a Turn")  # fmt: skip

    def paths(self) -> Iterable[State]:
        """The paths of all nodes, parents before children: the states of this game."""
        return self._nodes.keys()

    def nodes(self) -> list[TreeNode]:
        """Every `TreeNode`, in the order of `paths`."""
        return list(self._nodes.values())

    @classmethod
    def of_nodes(cls, nodes: Iterable[TreeNode], players: int = 2) -> "TreeGame":
        """A game from the `nodes()` of another one."""
        game = cls.__new__(cls)
        game.players, game._nodes = players, {node.path: node for node in nodes}
        return game

    def _node(self, state):
        try:
            return self._nodes[state]
        except (KeyError, TypeError):
            raise ValueError(f"{state!r} is no path of this tree; the root is ()") from None

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
            return self._nodes[*state, action].path
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
        where = "root" if state == () else "path " + " ".join(map(str, state))
        if node.utilities is not None:
            return f"{where}: leaf {self._leaf(node)}"
        return f"{where}: {player_name(node.player, self.players)} to move, actions {', '.join(map(str, node.actions))}"

    def _leaf(self, node):
        first, *rest = node.utilities
        return str(first) if rest in ([], [-first]) else str(node.utilities)

    def __repr__(self) -> str:
        players = f", players={self.players}" if self.players != 2 else ""
        first = f", first={self.first}" if self.first != MAX else ""
        return f"TreeGame({self.tree!r}{players}{first})"


def player_name(player: int, players: int = 2) -> str:
    """ "Max", "Min" or "chance"; of more than two `players` nobody minimises: "player 0", "player 1", "player 2" …"""
    names = {CHANCE: "chance"} if players > 2 else {CHANCE: "chance", 0: "Max", 1: "Min"}
    return names.get(player, f"player {player}")


def _is_number(value):
    return isinstance(value, Real) and not isinstance(value, bool) and -inf < value < inf


def _plain(number):
    """A NumPy scalar as a Python number, since unsigned ones turn 3 into 253 for Min; any other number as it is."""
    return number.item() if hasattr(number, "item") else number
