"""Asks and judges of answers of which all right ones are listed.

An *ask* is a function of (student, name, case), and returns what the judge of the question gets. A *judge* is a
function of (row, given), and returns None if the answer is right, or else what is wrong: a sentence, or a `Wrong`. The
options of a question are keyword parameters of its ask and its judge.
"""

from math import inf
from typing import Any

from course_lib.check.comparing import (
    TOLERANCE,
    Wrong,
    expected_but_got,
    is_number,
    legal_actions,
    misfit,
    same,
    shown,
)
from course_lib.check.examine import Student
from course_lib.check.failures import capital
from course_lib.check.judges import worked as formulas
from course_lib.check.tables import Mistake, Row
from course_lib.games import CHANCE, MAX, MIN, TreeGame, player_name
from course_lib.games.texts import listed_numbers, number_text
from course_lib.language import N_, gettext, ngettext, numbers_in, translated
from course_lib.search import depth_limited_minimax_search

FAR = 10**10
"""The utility of some leaves, for searches that begin with a number in the place of infinity."""
BEGUN_TOO_NEAR = Mistake(
    N_("a number for infinity"),
    N_("A leaf may be worth less, or more, than any finite start value: start with −inf and inf."),
)
UNVISITED = Mistake(
    N_("a node without visits"), N_("It comes before all others, whatever their numbers: its value is +∞, math.inf.")
)
EXCHANGED = Mistake(
    N_("value and action exchanged"),
    N_("The pair is (value, action), in this order; yours is the other way round."),
)

NEAR = N_("Yours is near it, but the value is exact: do you round anywhere, or draw at random?")
NUMBERS = N_("Print these numbers in your function, too: which is the first that differs?")
ASKED = {
    "totals": N_("Which numbers does your function compare, and where?"),
    "sizes": N_("Which node or state does yours count too often, or not at all?"),
    "selection": N_("Does your function find these numbers? If so, which does it take, and where does it stop?"),
    "targets": N_("Does your function compare the mover of each position with the winner, and nothing else?"),
    "timed": N_("Which searches does yours begin, and which of them found your column in time?"),
}
"""What to ask after the steps of `judges.worked`, beside `NUMBERS`: by the function."""


def call(student: Student, name: str, case: tuple) -> Any:
    """What the student's function returns for the arguments in the case."""
    return student.call(name, *case)


def read(student: Student, name: str, case: tuple) -> Any:
    """The value of the student's variable."""
    return student.read(name)


def call_and_leaves(student: Student, name: str, case: tuple) -> list:
    """[what the function returns, the states of a tree whose utility or estimate it asked for, in order]."""
    return student.ask("with_leaves", name, *case)


def is_right(row: Row, given: Any, tolerance: float = TOLERANCE) -> bool:
    return any(same(right, given, tolerance) for right in row.right)


def one_of(row: Row, given: Any, *, tolerance: float = TOLERANCE, worked: str = "") -> str | Wrong | None:
    """One of the right answers that are listed; a function of `judges.worked` shows how the first comes about."""
    if is_right(row, given, tolerance):
        return None
    right = row.right[0]
    steps = numbers_in(getattr(formulas, worked)(right, *row.case)) if worked else ""
    steps = gettext("The calculation: {steps}", steps=steps) if steps else ""
    if right == inf and is_number(given):
        return Wrong(steps, "answer", UNVISITED, N_("What does your function return if N is 0?"))
    if is_too_near(right, given):
        return Wrong("", "value", BEGUN_TOO_NEAR)
    words, is_list = misfit(right, given), isinstance(given, tuple | list)
    if words:
        return Wrong(f"{words} {steps}".rstrip(), ask=ASKED.get(worked, "")) if is_list else words
    if steps and is_list and len(row.right) == 1:
        items = [f"[{n}]" for n, pair in enumerate(zip(right, given)) if not same(*pair, tolerance)]
        told = gettext("Wrong items: {items}.", items=", ".join(items)) if len(items) < len(given) else ""
        steps = f"{told} {steps}".lstrip()
    return Wrong(steps, "answer", ask=ASKED.get(worked, NUMBERS) if steps else "")


def as_asked(row: Row, given: Any) -> str | None:
    """The *ask* itself returns a sentence that says what is wrong, or an empty text."""
    return translated(given) if given else None


def is_too_near(right: Any, given: Any) -> bool:
    """Whether the answer lies beyond the other leaves' values, but not as far out as the deciding leaf."""
    return is_number(right) and is_number(given) and abs(right) == FAR and 20 / FAR < given / right < 1


def value_and_action(row: Row, given: Any) -> str | Wrong | None:
    """A (value, action) pair: the right value, and any action that leads to it."""
    if is_right(row, given):
        return None
    value = row.right[0][0]
    if isinstance(given, tuple | list) and len(given) == 2 and not same(value, given[0]):
        is_action = any(same(given[0], action) for action in legal_actions(*row.case[:2]))
        if is_action and same(value, given[1]):
            return Wrong("", "answer", EXCHANGED)
    if words := misfit(row.right[0], given):
        ask = N_("Every `return` should give a pair (value, action): what do your recursive calls take from it?")
        return Wrong(words, ask="" if given is None else ask)
    if words := misfit(value, given[0]):
        return Wrong(words)
    if not same(value, given[0]):
        is_near = given[0] % 1 and abs(value - given[0]) < 0.02
        return Wrong("", "value", BEGUN_TOO_NEAR if is_too_near(value, given[0]) else None, NEAR if is_near else "")
    return _correct_but(wrong_action(row, [action for _, action in row.right], given[1]))


def _correct_but(wrong):
    return wrong._replace(words=gettext("The value is correct. {words}", words=wrong.words))


def best_action(row: Row, given: Any) -> str | Wrong | None:
    """One of the best actions, which are the right answers."""
    return None if is_right(row, given) else wrong_action(row, row.right, given)


def wrong_action(row: Row, best: list, given: Any) -> Wrong:
    """What is wrong with an action that is none of the best."""
    legal = legal_actions(*row.case[:2])
    if best == [None]:
        words = N_("Expected the action None, got {given}: {reason}.")
        return Wrong(gettext(words, given=shown(given), reason=gettext(_why_no_action(*row.case))))
    if any(same(given, action) for action in legal):
        game, state = row.case[:2]
        mover = capital(player_name(game.to_move(state), game.players))
        words = gettext("{mover} is to move, and action {given} is not best.", mover=mover, given=shown(given))
        if not isinstance(game, TreeGame) or game.transposes:
            return Wrong(words)
        worth = N_("It leads to the value {value} for Max, and action {best} to {other}.")
        paths = (given,), (best[0],)
        unknown = {path: _minimax(row.case, path) for path in paths if path not in row.values}  # of alpha-beta
        value, other = (number_text((row.values | unknown)[path]) for path in paths)
        bound = N_("After a cut a value is only a bound: does an equal one replace the best?")
        found = N_(
            "Does yours find these two values? If so, look at how it chooses here; if not, at who moves next, and at "
            "whether each value comes from a game that is over."
        )
        values = gettext(worth, value=value, best=shown(best[0]), other=other)
        return Wrong(f"{words} {values}", ask=bound if unknown else found)
    if given is None:
        ask = N_("Where does your code keep the action of this node, and which one does it return with the value?")
        return Wrong(gettext("Your action is None, as if the game were over."), ask=ask)
    words = ngettext(
        "{given} is not a legal action here. The only legal action is {actions}.",
        "{given} is not a legal action here. The legal actions are {actions}.",
        len(legal), given=shown(given), actions=", ".join(map(shown, legal)),
    )  # fmt: skip
    value = N_("You return the value of the position: return the action that leads to this value.")
    ask = value if same(given, row.values.get((), "")) else N_("Is it the action of another node, a state or a pair?")
    return Wrong(words, ask=ask)


def _why_no_action(game, state, *limit):
    if game.is_terminal(state):
        return N_("the game is over here")
    if game.to_move(state) == CHANCE:
        return N_("chance decides here")
    return N_("no depth is left here") if limit[0] == 0 else N_("Min is to move here, and the model says how Min plays")


def with_leaves(row: Row, given: Any) -> str | Wrong | None:
    """[the returned answer, the leaves visited]: a correct answer, and the leaves of the row once each, in their order.

    What is returned is a value or a pair (value, action). With a depth limit, which is the third part of the case,
    the words are about states instead of leaves.
    """
    returned = row._replace(right=[answer for answer, _ in row.right])
    wrong = (one_of if is_number(returned.right[0]) else value_and_action)(returned, given[0])
    wrong = Wrong(wrong) if isinstance(wrong, str) else wrong
    if wrong and wrong.mistake == EXCHANGED:
        return wrong
    leaves = wrong_leaves(row, *given)
    if wrong is None:
        return leaves and _correct_but(leaves)
    about, words = wrong.about and "value", gettext(wrong.words)
    if leaves:
        return wrong._replace(about=about, words=f"{words} {leaves.words}".lstrip(), ask=leaves.ask)
    return wrong._replace(about=about, ask=about_the_root(row.case) if about and not words else wrong.ask)


def about_the_root(case: tuple) -> str:
    """What to ask of a negamax search that visits the right leaves and finds another value; else an empty text."""
    game, state, *limit = case
    if not limit or limit[0] == 0 or not isinstance(game, TreeGame) or game.transposes or game.is_terminal(state):
        return ""
    sign = 1 if game.to_move(state) == MAX else -1
    below = [sign * _minimax(case, game.result(state, action)) for action in game.actions(state)]
    words = N_(
        "The actions here are worth {values} to the player who moves. Does your function find that? If so, look at "
        "how it chooses; if not, at what it makes of a leaf, and at how it finds out who is to move there."
    )
    return gettext(words, values=listed_numbers(below))


def wrong_leaves(row: Row, returned: Any, leaves: Any) -> Wrong | None:
    """What is wrong with the visited leaves, or None."""
    right, given = ([*map(tuple, paths)] for paths in (row.right[0][1], leaves))
    if right == given:
        return None
    what = gettext("the leaf")
    if len(row.case) == 4:  # game, state, depth, evaluate
        game, _, depth, _ = row.case
        what = gettext("the state")
        for path in given:
            if len(path) > depth or (len(path) < depth and not game.is_terminal(path)):
                words = N_("Yours asks for the value of {path}, at ply {plies}; the depth limit is {depth}.")
                ask = N_("Which state and which depth does your function pass on, and when does it stop?")
                return Wrong(gettext(words, path=path, plies=len(path), depth=depth), ask=ask)
    if missing := [leaf for leaf in right if leaf not in given]:
        words = N_("Your search does not ask for the value of {what} {path}, which matters.")
        ends_early = len(row.case) == 4 and row.case[0].is_terminal(missing[0])
        ask = N_("If it comes there, when does it test whether the game is over?") if ends_early else ""
        return Wrong(f"{gettext(words, what=what, path=missing[0])}{_at_the_cut(row.case, missing[0], given)}", ask=ask)
    for number, leaf in enumerate(given):
        if leaf not in right:
            words = N_("Your search asks for the value of {what} {path}, which α and β make unnecessary.")
            ask = N_(
                "Which α, β and v does your code have there just before this leaf, and does its test for stopping hold?"
            )
            return Wrong(f"{gettext(words, what=what, path=leaf)}{_at_the_cut(row.case, leaf)}", ask=ask)
        if leaf in given[:number]:
            words = N_("Your search asks for the value of {what} {path} twice: store it in a variable.")
            return Wrong(gettext(words, what=what, path=leaf))
        if leaf != right[number]:
            words = N_("Your search asks for the value of {what} {path} before {later}: use the order of game.actions.")
            return Wrong(gettext(words, what=what, path=leaf, later=right[number]))
    return None


def _at_the_cut(case, leaf, seen=None):
    """Why a search must, or without `seen` need not, come to a leaf: what either player has for certain by then.

    It is said of the node at which a search that has seen only these leaves stops, or at which it may stop.
    """
    game, certain, better = case[0], [-inf, inf], (max, min)
    for ply, action in enumerate(leaf):
        node, below = leaf[:ply], leaf[: ply + 1]
        mover, actions = game.to_move(node), list(game.actions(node))
        for earlier in actions[: actions.index(action)]:
            certain[mover] = better[mover](certain[mover], _minimax(case, (*node, earlier)))
        if certain[MAX] >= certain[MIN] if seen is None else all(other[: ply + 1] != below for other in seen):
            words = N_("At the {player} node {node}, α (what Max has for certain by then) is {alpha}, β (Min) {beta}")
            stops = N_("; α ≥ β, so it should stop there (Max if v ≥ β, Min if v ≤ α).")
            so = stops if seen is None else N_("; α < β, so it must go on there.")
            alpha, beta = map(number_text, certain)
            words = gettext(words, player=player_name(mover), node=node, alpha=alpha, beta=beta)
            return f" {words}{gettext(so)}"
    return ""


def _minimax(case, path):
    """Max's value of a node of the case's tree, up to its depth limit if it has one."""
    depth, evaluate = case[2:] if len(case) == 4 else (inf, None)
    return depth_limited_minimax_search(case[0], path, depth - len(path), evaluate)[0]


def letter(row: Row, given: Any, *, sentences: dict[str, str]) -> str | Wrong | None:
    """The right letter. Each known mistake is another letter, with the reason why it is wrong."""
    chosen = given.strip().lower() if isinstance(given, str) else ""
    if chosen in row.right:
        return None
    letters = ", ".join(sorted([*sentences, *row.right]))
    expected = gettext("one of the letters {letters}, as a string", letters=letters)
    return sentences.get(chosen) or expected_but_got(expected, given)
