"""What a student's function does on the case that failed: its search, watched, and where that first goes wrong."""

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any

from course_lib.check.comparing import ODD_ANSWER, is_number, same, value_part
from course_lib.check.examine import Failure
from course_lib.check.failures import Verdict
from course_lib.check.judges.search_trees import C
from course_lib.explore import last_trace, mcts_tree, watch, watch_mcts
from course_lib.games import MIN, Game, player_name
from course_lib.games.texts import number_text
from course_lib.search import depth_limited_alpha_beta_search
from course_lib.search.mcts import Iteration
from course_lib.watch.record import EXIT


def traced_search(failure: Failure, function: Callable | None) -> Any:
    """What this function does on the case, up to its error if it has one; None if that cannot be shown."""
    case = failure.row.case
    if not callable(function) or failure.verdict is Verdict.NOT_PLAIN:
        return None
    if failure.table.view:
        return VIEWS[failure.table.view](function, failure)
    search = wraps(function)(lambda game, state: function(game)) if len(case) == 1 else function
    return traced_so_far(search, *case) if case and isinstance(case[0], Game) else None


def traced_so_far(function: Callable, *arguments: Any) -> Any:
    """The `SearchTrace` call of a student's function, up to its error if it has one; None if it cannot be watched."""
    try:
        return watch(function, *arguments)
    except Exception:  # whatever the student's code raised: what was seen until then
        trace = last_trace()
        return trace if trace.error is not None else None


def first_wrong_node(failure: Failure, trace: Any) -> str:
    """The first node, in the order in which the search returns from them, whose value is not the true one."""
    true = failure.row.values
    if trace is None or not true or failure.error is not None:
        return ""
    if not any(same(trace.root.value, part) for part in (failure.given, value_part(failure.given))):
        return ""  # what is called again and again returns something else than the answer
    values = [(node, value, true[node.state]) for event, node, value in trace.events
              if event == EXIT and value is not None and node.state in true
              and is_number(true[node.state]) == is_number(value)]  # fmt: skip
    movers = [(node, value, _for_mover(trace.game, node, value_for_max)) for node, value, value_for_max in values]
    view, whose = max((values, ""), (movers, " to the player to move"), key=lambda way: _right_inside(way[0]))
    wrong = ((node, value, right) for node, value, right in view if not same(right, value))
    return next((_node_words(trace.game, *first, whose) for first in wrong), "")


def _for_mover(game, node, value):
    """What a value for Max is to the player to move: the view that negamax takes."""
    return -value if game.players == 2 and is_number(value) and game.to_move(node.state) == MIN else value


def _right_inside(values):
    return sum(bool(node.children) and same(true, value) for node, value, true in values)


def _node_words(game, node, value, true, whose):
    below = [number_text(child.value) for child in node.children.values() if child.value is not None]
    kind = "leaf" if game.is_terminal(node.state) else f"{player_name(game.to_move(node.state), game.players)} node"
    where = f"{kind} with the path {tuple(node.path)}" if node.path else f"root, a {kind}"
    children = f" Your values of its children: {', '.join(below)}." if below else ""
    whose = " to Max" if not whose and is_number(value) and same(value, -true) else whose
    values = f"worth {number_text(true)}{whose}, but your search returns {number_text(value)}."
    return f"Your search first goes wrong at the {where}: {values}{children}"


# Views of questions that do not ask for a search of a game.


def last_choice(function: Callable, failure: Failure) -> Any:
    """The student's search at the turning point of the first lost game."""
    from course_lib.check.judges.matches import GAME, PLIES, bounded  # late: of two questions only

    lost = None if failure.error else failure.given["lost"]
    if lost and failure.table.asked_by == "matches.with_player":
        return traced_so_far(function, GAME, lost[0])
    return lost and traced_so_far(depth_limited_alpha_beta_search, GAME, lost[0], PLIES, bounded(function))


def selection(function: Callable, failure: Failure) -> Any:
    """The `MCTSTrace` of a selection in the tree of a case, along the path of the case or of the answer; or None."""
    game, counts, path, *_ = failure.row.case
    with suppress(*ODD_ANSWER):
        c = C if isinstance(path, tuple | int) else path
        if isinstance(counts, int):  # the whole search
            counts, after = failure.given[2]
            path = max((node for node in after if after[node] != counts.get(node)), key=len)
        nodes = [root := mcts_tree(game, {node: pair for node, pair in counts.items() if pair[1]})]
        for action in path if isinstance(path, tuple) else failure.given[-1]:
            nodes += [child for child in nodes[-1].children if child.action == action]
        selection = Iteration(nodes, None, [], None, [])  # type: ignore[arg-type]  # it has no rewards yet
        found = watch_mcts(lambda game, state, root: iter([selection]), game, c=c, root=root)
        found.name = failure.table.name
        return found
    return None


VIEWS = {"last choice": last_choice, "selection": selection}
"""By the `view` of a question: what shows what the student's function does on the case."""
