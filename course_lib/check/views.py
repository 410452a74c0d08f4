"""What a student's function does on the case that failed: its search, watched, and where that first goes wrong."""

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from itertools import accumulate
from math import nan
from typing import Any

from course_lib.check.comparing import ODD_ANSWER, is_number, same, shown, value_part
from course_lib.check.examine import REMEMBERS, Failure, names_of, swapped
from course_lib.check.failures import Verdict
from course_lib.check.graded import copied, plain
from course_lib.check.judges.search_trees import C
from course_lib.explore import last_trace, watch
from course_lib.games import CHANCE, MAX, MIN, Game, player_name
from course_lib.games.texts import listed_numbers, number_text
from course_lib.games.walking import moves_of
from course_lib.language import N_, gettext, numbers_in, translated
from course_lib.watch.mcts import MCTSTrace, NodeStatistics, RecordedIteration, RecordedNode, fraction
from course_lib.watch.record import ENTER, EXIT


def traced_search(failure: Failure, function: Callable | None) -> Any:
    """What this function does on the case, up to its error if it has one; None if that cannot be shown."""
    case = failure.row.case
    remembers = failure.mistake is not None and failure.mistake.name == REMEMBERS  # another call shows something else
    if not callable(function) or failure.verdict is Verdict.NOT_PLAIN or remembers:
        return None
    if failure.table.view == "selection":
        return one_iteration(function, failure)
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
        return watch(function, *map(copied, arguments))
    except Exception:  # whatever the student's code raised: what was seen until then
        trace = last_trace()
        return trace if trace.error is not None else None


def first_wrong_node(failure: Failure, trace: Any) -> str:
    """The first node, in the order in which the search returns from them, whose value is not the true one.

    Values are for Max. They are taken for the player to move, as in negamax, only if two or more inner nodes of Min say
    so, and none says otherwise.
    """
    true = failure.row.values  # in trees, whose states are paths
    if trace is None or not true or failure.error is not None:
        return ""
    if not any(same(trace.root.value, part) for part in (failure.given, value_part(failure.given))):
        return ""  # what is called again and again returns something else than the answer
    game, returns_action = trace.game, failure.table.judged_by == "listed.best_action"
    values = [(node, value, true[node.state]) for event, node, value in trace.events
              if event == EXIT and value is not None and node.state in true
              and is_number(true[node.state]) == is_number(value) and (node.parent or not returns_action)]  # fmt: skip
    windows = {node: arguments for event, node, arguments in trace.events
               if event == ENTER and not game.is_terminal(node.state)}  # fmt: skip
    of_min = [(value, for_max) for node, value, for_max in values if for_max and _is_min(game, node, for_max)]
    opposite = sum(same(value, -for_max) for value, for_max in of_min)
    unchanged = (value in (below := _below(node)) and -value not in below for node, value, for_max in values
                 if _is_min(game, node, for_max))  # fmt: skip
    negamax = opposite > 1 and not any(same(value, for_max) for value, for_max in of_min) and not any(unchanged)
    has_leaves = failure.table.judged_by == "listed.with_leaves"
    due, visited = ([*map(tuple, answer[1])] if has_leaves else [] for answer in (failure.row.right[0], failure.given))
    for node, value, for_max in values:
        opposite_too = negamax and is_number(for_max) and (_is_min(game, node, for_max) or not node.children)
        possible = [for_max, -for_max] if opposite_too else [for_max]
        arguments = windows.get(node, {})
        if not any(_is_true(arguments, value, true) for true in possible):
            if any(leaf[: len(node.state)] == node.state for leaf in due if leaf not in visited):
                return ""  # a cut made it wrong, of which the judge speaks
            case = dict(zip(failure.table.parameters, failure.row.case))
            estimate = case["evaluate"].get(node.state) if "evaluate" in case else None
            *above, _ = accumulate(node.path, game.result, initial=trace.root.state)
            plies = sum(game.to_move(state) != CHANCE for state in above)
            at_horizon = case.get("depth") == plies and not game.is_terminal(node.state)
            text = number_text if number_text(for_max) != number_text(value) else _all_digits
            rule = "" if game.is_terminal(node.state) else _rule(game, node.state, true, case, text)
            if at_horizon:
                rule = gettext("No depth is left there, and evaluate(state) is {value}.", value=number_text(estimate))
            known = failure.mistake or failure.wrong.mistake
            question = "" if known else _question(game, node, value, for_max, case, estimate, at_horizon)
            return " ".join(filter(None, [_node_words(game, node, value, for_max, text), rule, question]))
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


def _all_digits(number):
    return numbers_in(repr(number).replace("-", "−"))


def _node_words(game, node, value, true, text):
    children, path = _below(node), node.state
    mover = "" if game.is_terminal(node.state) else player_name(game.to_move(node.state), game.players)
    kind = "leaf" if not mover else "other" if mover.startswith("player") else "player"
    whose = 1 if game.players == 2 and is_number(true) and true else 0
    whose += 1 if whose and _is_min(game, node, true) else 0
    opposite = text(-true) if whose else ""
    values = gettext(WORTH[whose], true=text(true), opposite=opposite, value=text(value))
    where = gettext(NODES[kind][not path], player=translated(mover), path=path)
    words = gettext("Your search first goes wrong at the {node}: {values}", node=where, values=values)
    if not children:
        return words
    total = len(moves_of(game, node.state))
    some = N_("Of the {total} children there, it looks at {count}: {values}.")
    one, many = N_("It gives the child there {values}."), N_("It gives the children there {values}.")
    below = some if len(children) < total else one if total == 1 else many
    return f"{words} {gettext(below, total=total, count=len(children), values=listed_numbers(children))}"


NODES = {
    "leaf": (N_("leaf with the path {path}"), N_("root, a leaf")),
    "player": (N_("{player} node with the path {path}"), N_("root, a {player} node")),
    "other": (N_("node of {player} with the path {path}"), N_("root, a node of {player}")),
}
"""By kind: a node of the tree, and the root."""
WORTH = (
    N_("worth {true}, but your search returns {value}."),
    N_("worth {true} to Max, but your search returns {value}."),
    N_("worth {true} to Max ({opposite} to Min, who moves), but your search returns {value}."),
)


def _question(game, node, value, true, case, estimate, at_horizon):
    """What to ask of the code at a node whose value is wrong; evaluate(state) is its true value `at_horizon`."""
    children, mover = _below(node), game.to_move(node.state)
    equals = estimate is not None and any(same(value, one) for one in (estimate, -estimate))
    if game.is_terminal(node.state):
        if equals:
            return gettext("The game is over there, and yours is as large as evaluate(state): which test comes first?")
        if is_number(true) and same(value, -true):
            return gettext("Whose utility is that? If not Max's, where does its sign change?")
        return gettext("What does your function make of the utility when the game is over?")
    if at_horizon and children:
        return gettext("Your search looks at children there: which depth does it get, and what does it test first?")
    if at_horizon and equals:
        return gettext("For whom is that, and for whom is yours?")
    if not children and equals:
        return gettext("Yours is as large as evaluate(state): should your search stop there?")
    if not children:
        others = [state for state, one in case.get("evaluate", {}).items() if same(one, value)]
        if len(others) == 1:
            return gettext("Yours is as large as evaluate({state}): does it come from there?", state=others[0])
        if at_horizon or (estimate is not None and same(true, estimate)):
            return gettext("Which line of your code returns {value}?", value=number_text(value))
        return gettext("It searches none of the children there: what does it take in place of their values?")
    seen = [action for action, child in node.children.items() if child.value is not None]
    moves = case["noise"](node.state) if "noise" in case else [action for action, _ in moves_of(game, node.state)]
    if left_out := [action for action in moves if action not in seen]:
        words = N_("It does not search every action there; missing: {moves}. Why?")
        return gettext(words, moves=", ".join(map(shown, left_out)))
    if mover == CHANCE or (mover == MIN and "model" in case):
        if len({*children}) > 1 and any(same(value, child) for child in children):
            return gettext("Yours equals the value of one child: does your code take the sum at this very node, too?")
        return gettext("Which term is missing or different in yours, or what becomes of the terms afterwards?")
    worst = [min(children) if mover == MAX else max(children)] if game.players == 2 else children
    if len({*children}) > 1 and any(same(value, child) for child in worst):
        return gettext("What does your code compare here, and does it ask who is to move at this very node?")
    return gettext("Which line of your code makes {value} of these numbers?", value=number_text(value))


def _rule(game, state, truth, case, text):
    """How the true value of a state comes from those of its children, which may not be known: then an empty text."""
    below, mover = {move: truth.get(game.result(state, move)) for move, _ in moves_of(game, state)}, game.to_move(state)
    if "noise" in case:
        below = {action: below[action] for action in case["noise"](state)} | {"stop": case["evaluate"](state)}
    if None in below.values() or len(below) < 2:
        return ""
    if mover == CHANCE or (mover == MIN and "model" in case):
        pairs = game.chances(state) if mover == CHANCE else case["model"](state)
        factors = {move: text(value) if value >= 0 else f"({text(value)})" for move, value in below.items()}
        terms = " + ".join(f"{text(p)} · {factors[move]}" for move, p in pairs)
        words = N_("The sum of probability · value is {values} = {best}.")
        return gettext(words, values=terms, best=text(truth[state]))
    if game.players > 2:
        own = listed_numbers(vector[mover] for vector in below.values())
        return gettext("Player {mover} compares utilities[{mover}] of the children: {own}.", mover=mover, own=own)
    kinds = N_("Max takes the largest of {values}."), N_("Min takes the smallest of {values}.")
    words = gettext(kinds[mover], values=listed_numbers(below.values()))
    stop = gettext("The last of these is evaluate(state), for a player who stops here.")
    return f"{words} {stop}" if "noise" in case else words


# One iteration of MCTS.


def one_iteration(function: Callable, failure: Failure) -> MCTSTrace | None:
    """The search tree of a case before the student's function and after it, with what it changed; or None."""
    (game, before, last, *_), given, c = failure.row.case, failure.given, C
    with suppress(*ODD_ANSWER):
        if isinstance(before, int):  # the whole search
            before, after = given[2]
            path = max((node for node in after if after[node] != before.get(node)), key=len, default=())
        else:
            after = _tree_after(function, failure.row.case) or before
            path = last
        if not isinstance(path, tuple):  # a selection with C
            c, selected = last, map(tuple, given if isinstance(given, list) else ())
            path = [(), *(node for node in selected if node in game.nodes)][-1]
        return _trace(failure, game, before or {(): (0, 0)}, after, path, c)
    return None


def _tree_after(function, case):
    """{path: (U, N)} of the tree that the function gets from `grow` of the notebook, as it leaves it."""
    names, roots = names_of(function), []
    grow = names.get("grow")

    def noted(*arguments):
        roots.append(grow(*arguments))
        return roots[-1]

    with swapped(names, {"grow": noted} if grow else {}), suppress(Exception):  # the student's error is shown already
        function(*map(copied, case))
    waiting, tree = [((), root) for root in roots[-1:]], {}
    for path, node in waiting:
        if path in case[0].nodes and path not in tree and is_number(node.U) and is_number(node.N):
            tree[path] = node.U, node.N
            waiting += [((*path, child.action), child) for child in node.children]
    return tree


def changes_text(before: dict, after: dict) -> str:
    """What became of a table of (U, N), such as "Your code changes U/N: (): 3/5 → 4/6; (0,): new, 0/0."."""
    new = gettext("new,")
    changed = [gettext("{name}: {text}", name=path, text=f"{fraction(*before[path]) + ' →' if path in before else new} "
                       f"{fraction(*after[path])}")
               for path in after if after[path] != before.get(path)]  # fmt: skip
    if not changed:
        return gettext("U and N stay as they were.")
    return gettext("Your code changes U/N: {changes}.", changes=gettext("; ").join(changed))


def _trace(failure, game, before, after, path, c):
    """The `MCTSTrace` of one iteration that goes along a path and turns the tree `before` into the tree `after`."""
    order = sorted({**before, **after}, key=lambda node: (node not in before, len(node)))
    number = {node: n for n, node in enumerate(order)}
    trace = MCTSTrace(failure.table.name, game, c, "ucb1")
    for node in order:
        player = game.to_move(node[:-1]) if node else 1 - game.to_move(node)
        above, action = (number[node[:-1]], node[-1]) if node else (-1, None)
        trace.nodes.append(RecordedNode(above, action, node, player, nan, 0 if node in before else 2))
        trace.children.append([number[other] for other in order if other and other[:-1] == node])
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
    is_search, none = isinstance(counts, int), gettext("Your function has no part in this phase.")
    start = gettext("The tree before this iteration.") if is_search else gettext("The tree that your function gets.")
    went = gettext("Your selection goes to the node {node}.", node=end)
    if not is_search and not isinstance(rest, tuple):  # C
        return [start, went if isinstance(failure.given, list) else gettext("You return no path."), none, none, ""]
    new = gettext(" and ").join(str(node) for node in after if node not in before)
    added = gettext("Your code adds {nodes}.", nodes=new) if new else gettext("Your code adds no node.")
    playout = gettext("How your playout went is not recorded.") if is_search else none
    went = went if is_search else gettext("The check chose the node {node}.", node=end)
    return [start, went, added, playout, changes_text(before, after)]
