"""What a student's function does on the case that failed: its search, watched, and where that first goes wrong."""

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from math import inf, nan
from typing import Any

from course_lib.check.comparing import ODD_ANSWER, is_number, same, value_part
from course_lib.check.examine import REMEMBERS, Failure
from course_lib.check.failures import Verdict
from course_lib.check.graded import copies, plain
from course_lib.check.judges.search_trees import C
from course_lib.check.students import names_of, swapped
from course_lib.explore import last_trace, watch
from course_lib.games import CHANCE, MIN, Game, player_name
from course_lib.games.texts import number_text
from course_lib.search import depth_limited_alpha_beta_search, ucb1
from course_lib.watch.mcts_record import MCTSTrace, NodeStatistics, RecordedIteration, RecordedNode, fraction
from course_lib.watch.record import ENTER, EXIT


def traced_search(failure: Failure, function: Callable | None) -> Any:
    """What this function does on the case, up to its error if it has one; None if that cannot be shown."""
    case = failure.row.case
    remembers = failure.mistake is not None and failure.mistake.name == REMEMBERS  # another call shows something else
    if not callable(function) or failure.verdict is Verdict.NOT_PLAIN or remembers:
        return None
    if failure.table.view:
        return VIEWS[failure.table.view](function, failure)
    if not (case and isinstance(case[0], Game)):
        return None
    search = wraps(function)(lambda game, state: function(game)) if len(case) == 1 else function
    trace = traced_so_far(search, *case)
    given = failure.given[0] if failure.table.asked_by == "listed.call_and_leaves" and failure.given else failure.given
    with suppress(*ODD_ANSWER):
        if trace is None or trace.error or same(value_part(plain(trace.result)), value_part(given)):
            return trace
    return None  # with random numbers the second call is another one


def traced_so_far(function: Callable, *arguments: Any) -> Any:
    """The `SearchTrace` call of a student's function, up to its error if it has one; None if it cannot be watched."""
    try:
        return watch(function, *copies(arguments))
    except Exception:  # whatever the student's code raised: what was seen until then
        trace = last_trace()
        return trace if trace.error is not None else None


def first_wrong_node(failure: Failure, trace: Any) -> str:
    """The first node, in the order in which the search returns from them, whose value is not the true one.

    Values are for Max. They are taken for the player to move, as in negamax, only if two or more inner nodes of Min say
    so, and none says otherwise.
    """
    true = failure.row.values
    if trace is None or not true or failure.error is not None:
        return ""
    if not any(same(trace.root.value, part) for part in (failure.given, value_part(failure.given))):
        return ""  # what is called again and again returns something else than the answer
    game = trace.game
    values = [(node, value, true[node.state]) for event, node, value in trace.events
              if event == EXIT and value is not None and node.state in true
              and is_number(true[node.state]) == is_number(value)]  # fmt: skip
    windows = {node: arguments for event, node, arguments in trace.events
               if event == ENTER and not game.is_terminal(node.state)}  # fmt: skip
    of_min = [(value, for_max) for node, value, for_max in values if for_max and _is_min(game, node, for_max)]
    opposite = sum(same(value, -for_max) for value, for_max in of_min)
    unchanged = (value in (below := _below(node)) and -value not in below for node, value, for_max in values
                 if _is_min(game, node, for_max))  # fmt: skip
    negamax = opposite > 1 and not any(same(value, for_max) for value, for_max in of_min) and not any(unchanged)
    for node, value, for_max in values:
        opposite_too = negamax and is_number(for_max) and (_is_min(game, node, for_max) or not node.children)
        possible = [for_max, -for_max] if opposite_too else [for_max]
        arguments = windows.get(node, {})
        if not any(_is_true(arguments, value, true) for true in possible):
            ask = not failure.mistake and not failure.wrong.mistake
            return _node_words(game, node, value, for_max, arguments.get("depth"), failure.table.parameters, ask)
    return ""


def _below(node):
    return [child.value for child in node.children.values() if child.value is not None]


def _is_true(arguments, value, true):
    """Whether this is the true value of a node, or a bound of it outside the window [α, β] of its last call."""
    alpha, beta = (arguments.get(name) for name in ("alpha", "beta"))
    has_window = all(map(is_number, (alpha, beta, true))) and alpha < beta
    return same(value, true) or (has_window and (true <= value <= alpha or true >= value >= beta))


def _is_min(game, node, value):
    """Whether a value for Max is the opposite of that for the player who moves at this node."""
    is_inner = game.players == 2 and not game.is_terminal(node.state)
    return is_inner and is_number(value) and game.to_move(node.state) == MIN


def _node_words(game, node, value, true, depth, parameters, ask):
    children = _below(node)
    kind = "leaf" if game.is_terminal(node.state) else f"{player_name(game.to_move(node.state), game.players)} node"
    where = f"{kind} with the path {tuple(node.path)}" if node.path else f"root, a {kind}"
    below = f" Your values of its children: {', '.join(map(number_text, children))}." if children else ""
    whose = " to Max" if game.players == 2 and is_number(true) and true else ""
    whose += f" ({number_text(-true)} to Min, who moves)" if whose and _is_min(game, node, true) else ""
    values = f"worth {number_text(true)}{whose}, but your search returns {number_text(value)}."
    question = f" {_question(game, node, value, depth, parameters)}" if ask else ""
    return f"Your search first goes wrong at the {where}: {values}{below}{question}"


def _question(game, node, value, depth, parameters):
    """What to ask of the code at a node whose value is wrong, for a function with these parameters."""
    children = _below(node)
    if game.is_terminal(node.state):
        return "Whose utility does your function return when the game is over?"
    if game.to_move(node.state) == CHANCE:
        return counted_once(game, node) or "Does your function weight each outcome by its own probability there?"
    if "model" in parameters and children and _is_min(game, node, value):
        for kind, child in ("smallest", min(children)), ("largest", max(children)):
            if same(value, child):
                return f"That is the {kind} of them: does your function ask the model at this node, too?"
    if children and (left_out := len(game.actions(node.state)) - len(children)):
        return f"It has not looked at {left_out} of the children here: what ends the loop?"
    if any(same(value, child) for child in children):
        return "Does your function ask who is to move at this very node?"
    if depth == 0:
        return "The depth is 0 here: what does your function make of evaluate(state), and for whom is that a value?"
    if not children:
        return "Your search goes no further from there: should it?"
    return "None of these is what your function returns: which line changes the value?"


def counted_once(game: Game, node: Any) -> str:
    """The question for a chance node whose value is the sum of the products that differ; "" for others."""
    children: dict[Any, Any] = {outcome: node.children[outcome].value for outcome, _ in game.chances(node.state)
                if outcome in node.children}  # fmt: skip
    products: list[tuple[Any, Any]] = [(p, children.get(outcome)) for outcome, p in game.chances(node.state)]
    if not all(is_number(child) for _, child in products) or not is_number(node.value):
        return ""
    p, child = max(products, key=lambda pair: (products.count(pair), pair[1] != 0))
    once = sum({p * child for p, child in products})
    if products.count((p, child)) == 1 or child == 0 or not same(node.value, once):
        return ""
    times = {2: "twice"}.get(products.count((p, child)), f"{products.count((p, child))} times")
    product = f"Each outcome adds probability × value: here {number_text(p)} · {number_text(child)}, {times}."
    return f"{product} Your value is their sum with equal products counted once: are they all counted?"


def sum_words(trace: Any) -> str:
    """The same question for the root of a search, if chance moves there."""
    with suppress(*ODD_ANSWER):
        game, root = trace.game, trace.root
        if not game.is_terminal(root.state) and game.to_move(root.state) == CHANCE:
            return counted_once(game, root)
    return ""


# Views of questions that do not ask for a search of a game.


def last_choice(function: Callable, failure: Failure) -> Any:
    """The student's search at the turning point of the first lost game."""
    from course_lib.check.judges.matches import GAME, PLIES, bounded  # late: of two questions only

    lost = None if failure.error or not failure.given else failure.given["lost"]
    if lost and failure.table.asked_by == "matches.with_player":
        return traced_so_far(function, GAME, lost[0])
    return lost and traced_so_far(depth_limited_alpha_beta_search, GAME, lost[0], PLIES, bounded(function))


def one_iteration(function: Callable, failure: Failure) -> MCTSTrace | None:
    """The search tree of a case before the student's function and after it, with what it changed; or None."""
    game, before, *rest = failure.row.case
    with suppress(*ODD_ANSWER):
        if isinstance(before, int):  # the whole search
            before, after = failure.given[2]
            path = max((node for node in after if after[node] != before.get(node)), key=len, default=())
        else:
            path = rest[0] if isinstance(rest[0], tuple) else _paths(game, failure.given)[-1]
            after = _tree_after(function, failure.row.case) or before
        c = rest[0] if isinstance(rest[0], int | float) and isinstance(failure.row.case[1], dict) else C
        return _trace(failure, game, before or {(): (0, 0)}, after, path, c)
    return None


def _paths(game, given):
    """The paths of this tree that a selection returned, or its root alone."""
    return [node for node in map(tuple, given) if node in game.nodes] if isinstance(given, list) and given else [()]


def _tree_after(function, case):
    """{path: (U, N)} of the tree that the function gets from `grow` of the notebook, as it leaves it."""
    names, roots = names_of(function), []
    grow = names.get("grow")

    def noted(*arguments):
        roots.append(grow(*arguments))
        return roots[-1]

    with swapped(names, {"grow": noted} if grow else {}), suppress(Exception):  # the student's error is shown already
        function(*copies(case))
    waiting, tree = [((), root) for root in roots[-1:]], {}
    for path, node in waiting:
        if path in case[0].nodes and path not in tree and is_number(node.U) and is_number(node.N):
            tree[path] = node.U, node.N
            waiting += [((*path, child.action), child) for child in node.children]
    return tree


def changes_text(before: dict, after: dict) -> str:
    """What became of a table of (U, N), such as "Your code changes U/N: (): 3/5 → 4/6; (0,): new, 0/0."."""
    changed = [f"{path}: {fraction(*before[path]) + ' →' if path in before else 'new,'} {fraction(*after[path])}"
               for path in after if after[path] != before.get(path)]  # fmt: skip
    return f"Your code changes U/N: {'; '.join(changed)}." if changed else "Your code changes no U and no N."


def _trace(failure, game, before, after, path, c):
    """The `MCTSTrace` of one iteration that goes along a path and turns the tree `before` into the tree `after`."""
    place = {path: number for number, path in enumerate(game.nodes)}
    order = sorted({**before, **after}, key=lambda node: (node not in before, len(node), place[node]))
    number = {node: n for n, node in enumerate(order)}
    trace = MCTSTrace(failure.table.name, game, c, "ucb1")
    for node in order:
        player = game.to_move(node[:-1]) if node else 1 - game.to_move(node)
        above, action = (number[node[:-1]], node[-1]) if node else (-1, None)
        trace.nodes.append(RecordedNode(above, action, node, player, nan, 0 if node in before else 2))
        trace.children.append(sorted((number[other] for other in order if other[:-1] == node and other),
                                     key=lambda n: place[order[n]]))  # fmt: skip
    trace.start = {number[node]: _statistics(*before[node]) for node in before}
    changed = {number[node]: _statistics(*after[node]) for node in after if after[node] != before.get(node)}
    way = [number[path[:length]] for length in range(len(path) + 1) if path[:length] in before]
    new = next((number[node] for node in order if node not in before and node[:-1] == order[way[-1]]), None)
    trace.iterations = [RecordedIteration(way, new, [], None, changed)]
    trace.captions = _captions(failure, before, after, order[way[-1]])
    trace.last_step = 4 if trace.captions[-1] else 1
    return trace


def _statistics(utility, visits):
    return NodeStatistics(visits, utility, utility / visits if visits else nan)


def _captions(failure, before, after, end):
    """A sentence for the tree that the student's code gets, and for each phase; it says nothing that is not known."""
    _, counts, rest, *_ = failure.row.case
    is_search, none = isinstance(counts, int), "Your function has no part in this phase."
    if not is_search and not isinstance(rest, tuple):  # C
        went = f"Your selection goes to the node {end}." if isinstance(failure.given, list) else "You return no path."
        return ["The tree that your function gets.", went, none, none, ""]
    new = " and ".join(str(node) for node in after if node not in before)
    added = f"Your code adds {new}." if new else "Your code adds no node."
    start = "The tree before this iteration." if is_search else "The tree that your function gets."
    went = f"Your selection goes to the node {end}." if is_search else f"The check chose the node {end}."
    playout = "How your playout went is not recorded." if is_search else none
    return [start, went, added, playout, changes_text(before, after)]


def path_text(game: Game, counts: dict, c: float, path: list) -> str:
    """The nodes of a selection with their UCB1, such as "() → (0,), UCB1 1.25"."""
    scores = ((node, _ucb1(counts, node, c)) for node in path[1:])
    return " → ".join([str(path[0]), *(f"{node}, UCB1 {score:.2f}" for node, score in scores)])


def selection_words(failure: Failure) -> str:
    """Where the selected path leaves the right ones, and the UCB1 values there; "" if that is not the question."""
    _, counts, c, *_ = (*failure.row.case, None, None, None)
    given = failure.given
    if not (isinstance(counts, dict) and isinstance(c, int | float) and isinstance(given, list) and given):
        return ""

    def same_so_far(right):
        return next((n for n, (node, other) in enumerate(zip(right, given)) if node != other), inf)

    right = max(failure.row.right, key=same_so_far)
    at = same_so_far(right)
    if at == 0:
        return f"A path begins at the root, (); yours begins at {given[0]}."
    if at == inf and len(given) < len(right):
        return f"All actions of the node {given[-1]} have been tried, so selection goes on from there."
    if at == inf:
        return f"Selection ends at the node {right[-1]}: it has untried actions, or the game is over there."
    mine, best = (f"{path[at]}, whose UCB1 is {_ucb1(counts, path[at], c):.2f}" for path in (given, right))
    return f"At the node {right[at - 1]} your path goes to {mine}; the largest is that of {best}."


def _ucb1(counts, node, c):
    return ucb1(*counts[node], counts[node[:-1]][1], c) if node in counts else inf


VIEWS = {"last choice": last_choice, "selection": one_iteration}
"""By the `view` of a question: what shows what the student's function does on the case."""
