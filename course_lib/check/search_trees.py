"""Search trees as tables, {path: (U, N)} of a `TreeGame`: drawn, and explored with what a student did to them."""

from course_lib.explore import mcts_tree, picture, watch_mcts
from course_lib.search.mcts import Iteration, Node


def prefixes(path):
    """The states from the root of a `TreeGame` to this one."""
    return [path[:length] for length in range(len(path) + 1)]


def tree_with(game, counts):
    """A picture of the game's tree with U/N in the nodes of the table, and a dash in those that are not in it yet."""
    new = dict.fromkeys(game.paths(), "–")
    return picture(game, answers=new | {path: f"{U:g}/{N}" for path, (U, N) in counts.items()})


def tree_node(game, state, player, action, U, N):
    made = Node(game, state, player, action)
    made.utility, made.visits = U, N
    return made


def iteration_in(game, counts, states=(), *, c, child=None, updated=None):
    """The `WatchedMCTS` of one iteration in the tree of a table.

    It selects the nodes of these `states`, as far as each is a child of the one before, and expands `child`. `updated`,
    if given, is a table of the numbers that the iteration leaves in the nodes, and the players' rewards.
    """
    after, rewards = updated or (None, None)
    root = mcts_tree(game, counts)
    path = [root]
    for state in states[1:]:
        path += [below for below in path[-1].children if below.state == state]

    def your_iteration():
        for node in path if after else ():
            node.utility, node.visits = after[node.state]
        yield Iteration(path, child, unseen(game, path[-1]), rewards, path if after else [])

    return watch_mcts(your_iteration(), game, c=c, root=root)


def unseen(game, node):
    """What stands for the playout from a node, of which only the end is known."""
    return [] if game.is_terminal(node.state) else ["…"]


def last_step(watched):
    """The step after which the student's code has done all that it did: selection, expansion, or all four phases."""
    last = watched.iterations[-1]
    return watched.steps - (3 if last.expanded is None else 2) * (last.rewards is None)


def iterations_of(search, game, state, iterations, luck, *, c):
    """The `WatchedMCTS` of a student's search: each path that it hands to its own `backpropagate` is an iteration."""
    names, paths = getattr(search, "__globals__", {}), []
    own = names.get("backpropagate")

    def noting(path, reward):
        own(path, reward)
        paths.append(([(node.state, node.player, node.action, node.U, node.N) for node in path], (reward, 1 - reward)))

    if callable(own):
        try:
            names["backpropagate"] = noting
            search(game, state, iterations, luck)
        except Exception:  # whatever the student's code raised: what was seen until then
            pass
        finally:
            names["backpropagate"] = own
    if not paths:
        raise ValueError("there is no tree to explore: a search is seen by the paths that it hands to backpropagate")
    return watch_mcts(your_iterations(game, paths), game, state, iterations=len(paths), c=c)


def your_iterations(game, paths):
    """The same iterations again, with nodes that can be watched, from what stood in the nodes of each path."""
    nodes = {}
    for path, rewards in paths:
        known = [nodes[state] for state, *_ in path if state in nodes]
        above = None
        for state, player, action, U, N in path:
            if state not in nodes:
                nodes[state] = Node(game, state, player, action)
                if above is not None:
                    above.children.append(nodes[state])
            above = nodes[state]
            above.utility, above.visits = U, N
        updated = [nodes[state] for state, *_ in path]
        fresh = updated[-1] if len(updated) == len(known) + 1 > 1 else None
        yield Iteration(known if fresh else updated, fresh, unseen(game, updated[-1]), rewards, updated)
