"""What a student is told of an error: its kind and their own line, and no word that came out of their program.

A program can raise whatever it could read, and its student would read that on the feedback page. So the message stays
with the instructor, only the names of Python's own exceptions are repeated, and a line is quoted from the notebook that
was handed in.
"""

import builtins
import re

from course_lib.check.question import StudentError

PLACE = re.compile(r"cell (\d+), line (\d+)")
OURS = "not run: the cells before", "stopped: it took too long", "it ended the program"
"""How the grader's own words about a cell begin."""
CHANGED = "The function changes an argument that it was given. Work on a copy of it."
NOT_PLAIN = ("The answer cannot be compared: it must be made of numbers, texts, tuples, lists, dictionaries and sets, "
             "and be neither too long nor nested too deep.")  # fmt: skip
DEEPER = "The function calls itself ever deeper"


def is_builtin_error(name):
    """Whether Python itself has an exception of this name."""
    kind = getattr(builtins, name, None)
    return isinstance(kind, type) and issubclass(kind, BaseException)


def failure_for_student(failure, remote):
    """The failure with an error whose words and line the student may read; `remote` ran their cells."""
    error = failure.error
    if error is None:
        return failure
    words = _words(error, failure.question.name, remote)
    told = StudentError(error.kind, words, own_line(error.line, remote.cells))
    return failure._replace(words=words, error=told)


def _words(error, name, remote):
    if error.kind == StudentError.UNANSWERED:
        return _why_unanswered(error.words, name, remote)
    if error.kind == StudentError.CHANGED:
        return CHANGED
    if error.kind == StudentError.NOT_PLAIN:
        return NOT_PLAIN
    if error.kind == StudentError.RAISED and not error.words.startswith(DEEPER):
        raised = re.match(r"Your code raised (\w+)", error.words)
        return f"Your code raised {raised[1] if raised and is_builtin_error(raised[1]) else 'an error'}."
    return error.words


def _why_unanswered(words, name, remote):
    """Where a name is not defined, the first cell that failed may be the reason."""
    if not words.startswith("not answered:") or not remote.faults:
        return "not answered yet"
    number, fault = next(iter(remote.faults.items()))
    return f"not answered: {name} is not defined. {fault_for_student(number, fault, remote.cells)}"


def fault_for_student(number, fault, cells):
    """What became of a cell that failed, in words for its student: the kind of error, and their line."""
    fault = str(fault)
    ours = next((words for words in OURS if fault.startswith(words)), "")
    if ours:
        return f"Code cell {number}: {fault if ours == OURS[0] else ours}."
    raised = re.match(r"\w*", fault)[0]
    line = own_line(fault, cells)
    return f"Code cell {number} raised {raised if is_builtin_error(raised) else 'an error'}{line and f' ({line})'}."


def own_line(text, cells):
    """The last line that `text` names, such as "cell 3, line 5", quoted from these cells; "" if there is none."""
    places = PLACE.findall(text[-1000:])
    if not places:
        return ""
    cell, line = map(int, places[-1])
    lines = cells[cell - 1].splitlines() if 0 < cell <= len(cells) else []
    if not 0 < line <= len(lines):
        return ""
    return f"cell {cell}, line {line}: {lines[line - 1].strip()}"[:300]
