"""Notebook 1: judges of a game's functions along a path, of kinds of games, and of strategies that must always win."""

from typing import Any

from course_lib.check.comparing import NO_RETURN, Wrong, expected_but_got, is_number, same, shown
from course_lib.check.examine import Student
from course_lib.check.tables import Mistake, Row
from course_lib.language import N_, gettext


def along_a_path(row: Row, given: Any, *, side_effect: tuple[str, str]) -> str | Wrong | None:
    """A game's results along a path. `side_effect` is the mistake if only the second walk is wrong."""
    walks = (_answers(row.case[1], record) for record in (row.right[0], given))
    for (again, what, right), (_, told, answer) in zip(*walks, strict=True):
        if told != what:
            return NO_GAME
        if not same(right, answer):
            words = N_("{what} should be {right}, and yours is {given}.")
            words = gettext(words, what=what, right=right, given=shown(answer))
            if again:
                tried = N_("When every action and every reply has been tried before one is taken, {words}")
                words = gettext(tried, words=words)
            if "None" in repr(answer):
                words = f"{words} {gettext('A function that ends without `return` returns None.')}"
            name, sentence = side_effect
            return Wrong(words, mistake=Mistake(name, sentence)) if again else words
    return None


def _answers(path, walks):
    """(whether this is the second walk, what is asked, answer). Players may be truth values; actions in any order."""
    for again, (seen, utilities) in enumerate(walks):
        for n, (player, actions, over) in enumerate(seen):
            after = gettext("after {actions}", actions=", ".join(map(str, path[:n])))
            where = after if n else gettext("at the start")
            yield again, f"is_terminal {where}", bool(over)
            yield again, f"to_move {where}", int(player) if isinstance(player, bool) else player
            yield again, gettext("the list of actions {where}", where=where), sorted(actions, key=repr)
        yield again, gettext("the pair of the utilities of MAX and MIN at the end"), utilities


NO_GAME = N_(
    "What the functions of a game answer in each state is missing. Write them in the class, and leave the function "
    "that records them as it was."
)
LOST = N_("With how many objects left does the player who must take lose, and can you leave that number?")
TAKE_ALL = N_("You could have taken it yourself: who takes the last object wins.")


def beaten_by(student: Student, name: str, case: tuple) -> str:
    """The opponent who beats the student's strategy in the fewest moves, in a sentence; empty if there is none."""
    most, waiting = case[1], [(case[0], "")]
    for left, so_far in waiting:
        mine = student.call(name, left, most)
        if mine is None:
            return NO_RETURN
        if not is_number(mine) or mine not in range(1, min(left, most) + 1):
            words = N_("With {left} left, you take {mine}, but only 1 to {most} may be taken.")
            return so_far + words.format(left=left, mine=shown(mine), most=min(left, most))
        for reply in range(1, min(left - int(mine), most) + 1):
            words = N_("You take {mine}, the opponent {reply}.")
            after, moves = left - int(mine) - reply, f"{so_far}{words.format(mine=mine, reply=reply)} "
            if after == 0:
                why = TAKE_ALL if left <= most else LOST
                return f"{N_('This opponent beats you.')} {moves}{N_('That was the last object.')} {why}"
            if all(after != other for other, _ in waiting):
                waiting.append((after, moves))
    return ""


def letters_for_each(row: Row, given: Any, *, hints: dict[str, str]) -> str | None:
    """Some letters for each game, in any order; `hints` has a question for each letter."""
    for game, right in row.right[0].items():
        letters = given.get(game)
        if not isinstance(letters, str) or set(letters.upper()) - {*hints, " "}:
            words = N_("letters among {letters} for {game}, as a string")
            return expected_but_got(gettext(words, letters=", ".join(hints), game=gettext(game)), letters)
        for letter, question in hints.items():
            if (letter in right) != (letter in letters.upper()):
                words = N_("Look at {letter} for {game} again: {question}")
                return gettext(words, letter=letter, game=gettext(game), question=gettext(question))
    return None
