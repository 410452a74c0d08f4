"""The explorer of a game's own tree, which is opened as the reader walks it."""

from course_lib.explore.picture import picture
from course_lib.explore.rows import children_of, columns_of_rows, game_rows
from course_lib.explore.tree import Explorer, Tree, encode_columns
from course_lib.explore.validation import root_state
from course_lib.games import Game
from course_lib.games.game import State
from course_lib.watch.paths import moves_of

FIRST_NODES = 9
"""Levels are opened at the start until more nodes than this are shown."""
COUNT_LIMIT = 20_000
"""Subtree sizes are shown where at most this many different states have to be counted."""


def explore_game(game: Game, state: State, boards: bool | None, traits: dict) -> Explorer:
    """What `explore` returns for a game: the first levels are sent at once, the others when they are asked for."""
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
    """Nodes in the tree below a state, itself counted; each state is counted once, and too many are not counted."""

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
        except Exception:  # too many, or an error of the game's: nobody may ever walk to where it happens
            return ""
