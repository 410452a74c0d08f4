"""A game that is nothing but its tree, written down as nested lists."""

import math
from numbers import Real
from typing import Any, NamedTuple

from course_lib.games.checks import TOLERANCE, check_whole
from course_lib.games.game import CHANCE, MAX, Game


class Chance(NamedTuple):
    """A chance node of a `TreeGame`: a list of (probability, subtree) pairs. It uses up nobody's turn."""

    outcomes: list


class Turn(NamedTuple):
    """A node of a `TreeGame` in which `player` moves, whoever's turn it would be; play goes on from them."""

    player: int
    children: Any


class TreeNode(NamedTuple):
    """A node as a `TreeGame` keeps it: who moves, and which actions there are; a leaf has utilities instead."""

    path: tuple
    player: int
    actions: tuple
    utilities: tuple | None = None
    probabilities: tuple = ()


class TreeGame(Game):
    """A game from nested lists: `TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]])`.

    A list is a node in which the next player moves, with actions 0, 1, 2 …; a dictionary is one with named
    actions. A number is a leaf worth that much to Max and minus that much to Min. A tuple is a leaf with a
    utility for each player, and the only kind with three players or more. `Chance` and `Turn` are nodes
    with dice and out of turn. A state is the path of actions from the root.
    A malformed tree raises `ValueError` with the path to the fault.
    """

    def __init__(self, tree, players=2, first=MAX):
        check_whole(1, players=players)
        self.tree, self.players, self.first = tree, players, first
        self._check_player(first)
        self._nodes = {}
        unread = [((), tree, first, ())]
        while unread:
            path, subtree, player, above = unread.pop()
            if id(subtree) in above:
                raise ValueError(f"malformed tree at path {path}: it contains itself")
            node, subtrees = self._read(path, subtree, player)
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
                raise ValueError(f"malformed tree at path {path}: Turn takes a player from 0 to {self.players - 1} "
                                 f"and a list or dictionary, not {player!r} and {subtree!r}")  # fmt: skip
        if isinstance(subtree, Chance):
            probabilities, subtrees = self._read_chances(path, subtree.outcomes)
            return TreeNode(path, CHANCE, tuple(range(len(subtrees))), None, probabilities), subtrees
        if isinstance(subtree, list | dict):
            if not subtree:
                raise ValueError(f"malformed tree at path {path}: a node needs at least one child; a leaf is a number")
            if isinstance(subtree, dict):
                if None in subtree:
                    raise ValueError(f"malformed tree at path {path}: an action cannot be None, which means no action")
                return TreeNode(path, player, tuple(subtree)), list(subtree.values())
            return TreeNode(path, player, tuple(range(len(subtree)))), subtree
        if _is_number(subtree) and self.players <= 2:
            worth = _plain(subtree)
            return TreeNode(path, player, (), (worth, -worth)[: self.players]), ()
        if isinstance(subtree, tuple) and len(subtree) == self.players and all(map(_is_number, subtree)):
            return TreeNode(path, player, (), tuple(map(_plain, subtree))), ()
        leaf = "a finite number" if self.players <= 2 else f"a tuple of {self.players} finite numbers"
        raise ValueError(f"malformed tree at path {path}: {subtree!r} is no node; "
                         f"a leaf is {leaf}, any other node a list, a dictionary, a Chance or a Turn")  # fmt: skip

    def _read_chances(self, path, outcomes):
        try:
            probabilities, subtrees = zip(*outcomes, strict=True)
        except (TypeError, ValueError):
            raise ValueError(f"malformed tree at path {path}: Chance takes a list of (probability, subtree) pairs, "
                             f"not {outcomes!r}") from None  # fmt: skip
        if not all(_is_number(p) and p >= 0 for p in probabilities) or abs(math.fsum(probabilities) - 1) > TOLERANCE:
            raise ValueError(f"malformed tree at path {path}: probabilities are 0 or more and sum to 1, "
                             f"not {list(probabilities)}")  # fmt: skip
        return tuple(map(_plain, probabilities)), subtrees

    def paths(self):
        """The paths of all nodes, parents before children: the states of this game."""
        return self._nodes.keys()

    def nodes(self):
        """Every `TreeNode`, in the order of `paths`."""
        return list(self._nodes.values())

    @classmethod
    def of_nodes(cls, nodes, players=2):
        """A game from the `nodes()` of another one."""
        game = cls.__new__(cls)
        game.players, game._nodes = players, {node.path: node for node in nodes}
        return game

    def _node(self, state):
        try:
            return self._nodes[state]
        except (KeyError, TypeError):
            raise ValueError(f"{state!r} is no path of this tree; the root is ()") from None

    def initial_state(self):
        return ()

    def to_move(self, state):
        return self._node(state).player

    def actions(self, state):
        node = self._node(state)
        if node.player == CHANCE:
            raise ValueError(f"chance moves at {state!r}: ask chances(), and search with one made for games of chance")
        return node.actions

    def result(self, state, action):
        node = self._node(state)
        try:
            return self._nodes[*state, action].path
        except (KeyError, TypeError):
            pass
        if node.player == CHANCE and node.actions:
            raise ValueError(f"{action!r} is no outcome of the chance node {state!r}; they are {node.actions}")
        raise self._illegal(state, action)

    def is_terminal(self, state):
        return not self._node(state).actions

    def utility(self, state, player):
        self._check_player(player)
        utilities = self._node(state).utilities
        if utilities is None:
            raise self._not_over(state)
        return utilities[player]

    def chances(self, state):
        node = self._node(state)
        if node.player != CHANCE:
            raise ValueError(f"{state!r} is no chance node, so it has no chances()\n{self.render(state)}")
        return tuple(zip(node.actions, node.probabilities))

    def render(self, state):
        node = self._node(state)
        where = "root" if state == () else "path " + " ".join(map(str, state))
        if node.utilities is not None:
            return f"{where}: leaf {self._leaf(node)}"
        return f"{where}: {player_name(node.player, self.players)} to move, actions {', '.join(map(str, node.actions))}"

    def _leaf(self, node):
        first, *rest = node.utilities
        return str(first) if rest in ([], [-first]) else str(node.utilities)

    def __repr__(self):
        players = f", players={self.players}" if self.players != 2 else ""
        first = f", first={self.first}" if self.first != MAX else ""
        return f"TreeGame({self.tree!r}{players}{first})"


def player_name(player, players=2):
    """ "Max", "Min" or "chance"; of more than two `players` nobody minimises: "player 0", "player 1", "player 2" …"""
    names = {CHANCE: "chance"} if players > 2 else {CHANCE: "chance", 0: "Max", 1: "Min"}
    return names.get(player, f"player {player}")


def _is_number(value):
    return isinstance(value, Real) and not isinstance(value, bool) and -math.inf < value < math.inf


def _plain(number):
    """A NumPy scalar as a Python number, since unsigned ones turn 3 into 253 for Min; any other number as it is."""
    return number.item() if hasattr(number, "item") else number
