"""A search tree with given statistics, from which a Monte Carlo tree search can continue."""

from course_lib.games.game import Game, State
from course_lib.games.validation import check_number, first_state
from course_lib.search.mcts import MCTSNode, root_node


def mcts_tree(game: Game, counts: dict[tuple, tuple[float, int]], state: State = None) -> MCTSNode:
    """The root, an `MCTSNode`, of a search tree with these statistics, from which a search can continue.

    `counts` maps a path of actions to (U, N): `{(): (37, 100), (0,): (60, 79), (1,): (1, 10), (2,): (2, 11)}`. N are
    the visits; U is the sum of their rewards, from 0 to 1 each, for the player who moved into the node. Other nodes are
    not in the tree. List the root too: no node has more visits than its parent. The game is one without chance.
    """
    pairs = counts.items() if isinstance(counts, dict) else [(None, None)]
    if not all(isinstance(path, tuple) and isinstance(pair, tuple | list) and len(pair) == 2 for path, pair in pairs):
        raise ValueError(f"counts must be a dictionary {{path: (U, N)}}, not {counts!r}")
    nodes = {(): root_node(game, first_state(game, state))}
    for path, (utility, visits) in sorted(counts.items(), key=lambda item: len(item[0])):
        if path not in nodes:
            _add_below(game, nodes, path)
        check_number(0, **{f"U of {path!r}": utility, f"N of {path!r}": visits})
        above = nodes[path[:-1]]
        least, most = (1, above.visits) if path else (0, visits)
        if not (0 <= utility <= visits and least <= visits <= most):
            raise ValueError(f"{path!r} has U = {utility!r} and N = {visits!r}: a reward is from 0 to 1, and N is from "
                             f"{least} to that of the parent, {most!r}")  # fmt: skip
        nodes[path].utility, nodes[path].visits = utility, visits
    return nodes[()]


def _add_below(game, nodes, path):
    above, action = nodes.get(path[:-1]), path[-1]
    if above is None:
        raise ValueError(f"counts has {path!r} but not its parent {path[:-1]!r}")
    if action not in above.untried:
        raise ValueError(f"counts has {path!r}, but {action!r} is not a legal action there\n{game.render(above.state)}")
    above.untried.remove(action)
    nodes[path] = MCTSNode(game, game.result(above.state, action), above.to_move, action)
    above.children.append(nodes[path])
