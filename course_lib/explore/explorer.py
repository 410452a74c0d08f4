"""The explorers of traces and of games."""

from typing import Any

from course_lib.explore.game_tree import GameTree
from course_lib.explore.picture import picture
from course_lib.explore.tree import PREDICT_MODES, Explorer, SearchTree, Tree, encode_columns
from course_lib.explore.validation import Trace, trace_or_game
from course_lib.games.game import State
from course_lib.games.validation import check_whole, first_state
from course_lib.games.walking import moves_of
from course_lib.language import gettext
from course_lib.watch import MCTSTrace
from course_lib.watch.mcts_record import PHASES

FIRST_NODES = 9
"""Levels are open at first until more nodes than this are shown."""
COUNT_LIMIT = 20_000
"""The size of a subtree is shown if it has at most this many distinct states."""


def explore(
    trace: Any,
    state: State = None,
    *,
    step: int | None = None,
    predict: str = "",
    boards: bool | None = None,
    open_depth: int | None = None,
    height: int = 460,
) -> Explorer:
    """An interactive explorer of a trace, or of the tree of any game below `state`: click a node to open it.

    Step with the arrow keys, the slider or the play button. Click a node to open or close it and to see its board,
    arguments, value and path. `predict` asks before each step for the "value", the "next" node or the "next leaf".
    A trace is shown at `step`; the default is step 0, and the end in the static image.
    `boards` draws the positions in the nodes (None: if they are small). `open_depth` is the number of levels that are
    open at first (None: as many as fit). `height` is in pixels, at least 100. Other arguments raise `ValueError`.
    Keys: ← → step, ↑ ↓ and shift ← → select, Enter opens, Home and End jump, + − zoom, f fits.

    >>> from course_lib.games import Nim
    >>> explore(Nim((1, 2)))
    Explorer(Nim([1, 2]))
    """
    if predict not in PREDICT_MODES:
        raise ValueError(f"predict must be 'value', 'next' or 'next leaf', or '' for no questions, not {predict!r}")
    check_whole(0, step=step or 0, open_depth=open_depth or 0)
    check_whole(100, height=height)
    traits: dict[str, Any] = {"open_depth": -1 if open_depth is None else open_depth, "height": height}
    trace = trace_or_game(trace, {"state": state}, {"step": step, "predict": predict or None})
    if not isinstance(trace, Trace):
        return _explore_game(trace, state, boards, traits)
    if isinstance(trace, MCTSTrace) and predict:
        raise ValueError("predict is only for recursive searches, and this is a Monte Carlo tree search")
    check_whole(0, trace.steps, step=step or 0)
    first = trace.steps if trace.error is not None and step is None else step or 0
    traits |= {"name": f"{trace.name} on {trace.game!r}", "tree": encode_columns(trace.columns()), "step": first}
    if isinstance(trace, MCTSTrace):
        stride = 1 if first % len(PHASES) or trace.captions else len(PHASES)
        tree = SearchTree(trace.game, trace.states(), boards, stride=stride, c=trace.c, **traits)
    else:
        tree = Tree(trace.game, trace.states(), boards, predict=predict, **traits)
    image_step = first if first or predict else step
    return Explorer(tree, lambda: picture(trace, image_step, boards=boards), trace.notice)


def _explore_game(game, state, boards, traits):
    """The explorer of a game: the first levels are sent at once, the others on request."""
    size, levels, state = _size_texts(game), traits["open_depth"], first_state(game, state)
    sent = GameTree(game, state, lambda nodes, depth: depth >= levels if levels >= 0 else nodes > FIRST_NODES)
    states, columns = sent.states, encode_columns(sent.columns(size))
    tree = Tree(game, states, boards is not False, name=repr(game), tree=columns, **traits)

    def answer(_, message, __):
        if message["type"] == "children":
            below = GameTree(game, states[message["node"]], lambda _, depth: depth == 1)
            states.extend(below.states[1:])
            tree.send({"type": "children", "node": message["node"], "children": below.children(size)})

    tree.on_msg(answer)
    return Explorer(tree, lambda: picture(game, state=state))


def _size_texts(game):
    """A function from states to texts: the number of nodes of the tree below a state, "" for a leaf or a large tree."""
    sizes: dict[State, int] = {}

    def size(state, limit):
        if state not in sizes:
            sizes[state] = 1 + sum(size(game.result(state, action), limit) for action, _ in moves_of(game, state))
            if len(sizes) > limit:
                raise OverflowError
        return sizes[state]

    def size_text(state: State) -> str:
        try:
            nodes = size(state, len(sizes) + COUNT_LIMIT)
        except Exception:  # too many nodes, or an error of the game in a node that may never be opened
            return ""
        return "" if nodes == 1 else gettext("{count:,} nodes", count=nodes)

    return size_text
