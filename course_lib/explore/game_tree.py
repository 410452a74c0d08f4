"""The explorer of the tree of a game, whose nodes are generated when the reader opens them."""

from course_lib.explore.picture import picture
from course_lib.explore.rows import children_of, columns_of_rows, game_rows
from course_lib.explore.tree import Explorer, Tree, encode_columns
from course_lib.explore.validation import root_state
from course_lib.games import Game
from course_lib.games.game import State
from course_lib.watch.paths import moves_of

FIRST_NODES = 9
"""Levels are open at first until more nodes than this are shown."""
COUNT_LIMIT = 20_000
"""The size of a subtree is shown if it has at most this many distinct states."""


def explore_game(game: Game, state: State, boards: bool | None, traits: dict) -> Explorer:
    """The explorer of a game: the first levels are sent at once, the others on request."""
    sizes, levels, state = _Sizes(game), traits["open_depth"], root_state(game, state)
    rows, states = game_rows(
        game, state, lambda rows, depth: depth >= levels if levels >= 0 else rows > FIRST_NODES, sizes.text
    )
    columns = encode_columns(columns_of_rows(rows, game.players))
    tree = Tree(game, states, boards is not False, name=repr(game), tree=columns, **traits)

    def answer(_, message, __):
        if message["type"] == "children":
            children, below = children_of(game, states[message["node"]], sizes.text)
            states.extend(children)
            tree.send({"type": "children", "node": message["node"], "children": below})

    tree.on_msg(answer)
    return Explorer(tree, [], lambda: picture(game, state=state))


class _Sizes(dict):
    """State → the number of nodes of the tree below it, itself included; `OverflowError` above the limit."""

    def __init__(self, game):
        super().__init__()
        self.game = game
        self.left = COUNT_LIMIT

    def __missing__(self, state):
        self.left -= 1
        if self.left < 0:
            raise OverflowError
        self[state] = 1 + sum(self[self.game.result(state, action)] for action, _ in moves_of(self.game, state))
        return self[state]

    def text(self, state):
        self.left = COUNT_LIMIT
        try:
            return "" if self[state] == 1 else f"{self[state]:,} nodes"
        except Exception:  # too many nodes, or an error of the game in a node that may never be opened
            return ""
