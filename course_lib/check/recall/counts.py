"""Questions on the numbers of a search tree: what UCB1 and PUCT choose, and what back-propagation writes."""

from course_lib.check.recall.asked import Asked, about, exercise, is_clear
from course_lib.explore.practice import KINDS, TENTHS, UCB1_C
from course_lib.games import MAX, MIN, player_name
from course_lib.search import backpropagate
from course_lib.watch.mcts import mcts_tree
from course_lib.watch.paths import leaf_paths

ENDS = {"Max wins": (1, 0), "Min wins": (0, 1), "nobody wins": (0.5, 0.5)}
"""How a playout ends, and the rewards of Max and Min."""
PUCT_C = 1.5


def ucb1(luck):
    """Which child does UCB1 choose?"""
    game, watched, counts = exercise("ucb1", luck)
    step = KINDS["ucb1"].steps(watched)[-1]  # the root is the last inner node
    text = f"Each child has its U/N; the root’s N is the sum of theirs. Which one does UCB1 choose, with C = {UCB1_C}?"
    return Asked(text, step.answer, step.why, game.actions(()), shown=watched, **about(game, counts))


def backed_up(luck):
    """What is U/N of a node after an iteration?"""
    game, _, counts = exercise("ucb1", luck, level=2)
    route = [mcts_tree(game, counts | {(): (0, sum(n for path, (_, n) in counts.items() if len(path) == 1))})]
    path, end, depth = luck.choice(leaf_paths(game)), luck.choice(list(ENDS)), luck.choice((1, 2))
    for action in path:
        route += [child for child in route[-1].children if child.action == action]
    node, name = route[depth], " ".join(path[:depth])
    u, n = node.utility, node.visits
    backpropagate(route, ENDS[end])
    text = (f"{player_name(route[0].to_move)} moves at the root. Selection goes down to {' '.join(path)}. In a playout "
            f"from there {end}. U is for the player who moved into a node. What is U/N of {name} now?")  # fmt: skip
    because = f"{player_name(node.player)} moved into {name}: U grows by {node.utility - u:g}, and N by 1 in any case."
    options = [f"{u + more:g}/{n + 1}" for more in (0, 0.5, 1)]
    return Asked(text, f"{node.utility:g}/{node.visits}", because, (*options, f"{u + 1:g}/{n}"), **about(game, counts))


def puct(luck):
    """Which child does PUCT choose?"""
    from course_lib.alphazero.puct import Node  # a second to import, for notebook 7 alone
    from course_lib.alphazero.puct import puct as score

    scores, parent = {"a": 0, "b": 0}, Node((), MAX)
    while not is_clear(scores.values(), gap=0.05):
        priors = luck.sample(luck.choice(TENTHS[5:]), 3)
        parent.children = [Node((), MIN, action, tenths / 10) for action, tenths in zip("abc", priors)]
        for child in parent.children:
            child.N = luck.randint(1, 9)
            child.W = child.N * luck.randint(-5, 5) / 10
        parent.N = 1 + sum(child.N for child in parent.children)
        scores = {child.action: score(child, parent, PUCT_C) for child in parent.children}
    rows = tuple((child.action, f"N = {child.N}, Q = {child.Q:.1f}, P = {child.P}") for child in parent.children)
    text = f"The parent’s N is {parent.N}. Which child does PUCT choose, with c = {PUCT_C}?"
    because = (
        f"PUCT is {', '.join(f'{worth:.2f} for {action}' for action, worth in scores.items())}: the largest counts."
    )
    return Asked(text, max(scores, key=scores.get), because, tuple(scores), rows)
