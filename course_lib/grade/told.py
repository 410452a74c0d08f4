"""What a student's page may say of an error: nothing that could carry what lies outside their notebook.

All that a program sends of an error can be forged. So a page shows the kind of the error, a line that the grader itself
takes from the notebook, and the message only if Python or the grader words it so, with names from the notebook in it,
or if it stands in the notebook as a text in quotes. The instructor is told everything.
"""

import builtins
import re
from functools import cache, lru_cache
from typing import NamedTuple

OF_ITS_OWN = "an exception of its own"
LONGEST = 200
"""Characters of a message that is shown."""
TYPES = {"NoneType", "function", "method", "generator", "coroutine", "ellipsis", "locals", "lambda", "ndarray", "numpy"}
SIGNS = ("+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "~", "<<", ">>", "<", ">",
         "<=", ">=", "==", "!=", "(", ")", "[", "]", "{", "}", ":", ",")  # fmt: skip
OPERATORS = {*SIGNS, *(f"'{sign}'" for sign in SIGNS), *(f"{sign}=" for sign in SIGNS), "** or pow()", "**= or pow()"}
SLOT = re.compile(r"""(['"]?)-?(\w|\.|<locals>|<lambda>)+\1(\(\))?""")
"""A name with dots, a number or a type, as messages have it: in quotes or not, with parentheses or not."""
PYTHONS = """
{} object is not callable
{} object is not iterable
{} object is not subscriptable
{} object is not an iterator
{} object cannot be interpreted as an integer
{} object does not support item assignment
{} object does not support item deletion
{} object has no attribute {}
{} object has no attribute {}. Did you mean: {}?
type object {} has no attribute {}
module {} has no attribute {}
name {} is not defined
name {} is not defined. Did you mean: {}?
cannot access local variable {} where it is not associated with a value
cannot access free variable {} where it is not associated with a value in enclosing scope
No module named {}
cannot import name {} from {}
cannot unpack non-iterable {} object
not enough values to unpack (expected {}, got {})
not enough values to unpack (expected at least {}, got {})
too many values to unpack (expected {})
unsupported operand type(s) for {}: {} and {}
bad operand type for unary {}: {}
{} not supported between instances of {} and {}
can only concatenate str (not {}) to str
can only concatenate list (not {}) to list
can only concatenate tuple (not {}) to tuple
can't multiply sequence by non-int of type {}
unhashable type: {}
argument of type {} is not iterable
object of type {} has no len()
list indices must be integers or slices, not {}
tuple indices must be integers or slices, not {}
string indices must be integers, not {}
list index out of range
tuple index out of range
string index out of range
pop from empty list
pop from an empty deque
pop from an empty set
list assignment index out of range
{} is not in list
tuple.index(x): x not in tuple
list.remove(x): x not in list
{} arg is an empty sequence
{} iterable argument is empty
division by zero
integer division or modulo by zero
integer modulo by zero
float division by zero
float modulo
float floor division by zero
math domain error
math range error
must be real number, not {}
{} must be a string, a bytes-like object or a real number, not {}
invalid literal for int() with base 10: {}
could not convert string to float: {}
maximum recursion depth exceeded
maximum recursion depth exceeded in comparison
maximum recursion depth exceeded while calling a Python object
{} missing {} required positional argument: {}
{} missing {} required positional arguments: {} and {}
{} missing {} required positional arguments: {}, {}, and {}
{} missing {} required keyword-only argument: {}
{} takes {} positional argument but {} were given
{} takes {} positional argument but {} was given
{} takes {} positional arguments but {} were given
{} takes {} positional arguments but {} was given
{} takes exactly one argument ({} given)
{} takes no arguments
{} got an unexpected keyword argument {}
{} got multiple values for argument {}
dictionary changed size during iteration
set changed size during iteration
dictionary keys changed during iteration
generator raised StopIteration
exceptions must derive from BaseException
invalid syntax
invalid syntax. Perhaps you forgot a comma?
invalid syntax. Maybe you meant '==' or ':=' instead of '='?
expected {}
expected an indented block after {} on line {}
expected an indented block after {} definition on line {}
expected an indented block after {} statement on line {}
unexpected indent
unindent does not match any outer indentation level
unexpected EOF while parsing
unterminated string literal (detected at line {})
unterminated triple-quoted string literal (detected at line {})
{} was never closed
unmatched {}
closing parenthesis {} does not match opening parenthesis {}
cannot assign to {} here. Maybe you meant '==' instead of '='?
'return' outside function
'yield' outside function
'break' outside loop
'continue' not properly in loop
invalid decimal literal
leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers
inconsistent use of tabs and spaces in indentation
source code string cannot contain null bytes
"""
"""Messages of Python 3.11 to 3.14, one on each line; {} stands for a name, a type, an operator or a small number."""
OURS = """
the answer holds '...', which stands for what is still to be typed
a set or dictionary of more than {},{} entries
an answer has at most {},{} items, nested at most {} deep; yours has more
an answer is made of numbers, texts, tuples, lists, dictionaries and sets, and yours has something of type {}
the whole numbers of an answer have at most {},{} binary digits; yours has more
a text has at most {},{},{} characters; yours has {},{},{}
something of type {}
a value nested more than {} deep
{} is not there when an exercise is graded: of course_lib only the games are
"""
"""Messages of the grader's own programs."""


class Fault(NamedTuple):
    """Why a cell failed: the `kind` of exception, if it was one, all that was `said`, and what the page shows of it."""

    kind: str
    said: str
    shown: str

    def __str__(self):
        return self.said


def shown_error(error, notebook):
    """The kind and message of a `RemoteError` as a student's page may show them; `notebook` is its code as one text."""
    kind, message = shown_kind(error.kind, notebook), shown_message(error.message, notebook)
    return f"{kind}: {message}" if message else kind


def shown_kind(kind, notebook):
    """The name of an exception, if it is one of Python's or stands in the notebook; else words in its place."""
    found = getattr(builtins, kind, None)
    known = isinstance(found, type) and issubclass(found, BaseException)
    return kind if known or (kind.isidentifier() and _stands(kind, _words(notebook))) else OF_ITS_OWN


def shown_message(message, notebook):
    """A message, if it is worded by Python or the grader or stands in the notebook in quotes; else nothing."""
    message = re.sub(r" \((cell|<unknown>|<magic>)[^()]*, line \d+\)$", "", message)  # of a syntax error
    if len(message) > LONGEST or not message.isprintable():
        return ""
    if message and any(quote + message + quote in notebook for quote in "'\""):
        return message
    slots = _slots(message)
    return message if slots is not None and all(_is_known(slot, notebook) for slot in slots) else ""


def _slots(message):
    """What stands in the slots of a known message; None if it is not known."""
    if re.fullmatch(r"-?\d{1,3}", message):  # of a KeyError
        return ()
    return next((found.groups() for form in _forms() if (found := form.fullmatch(message))), None)


@cache
def _forms():
    lines = f"{PYTHONS}{OURS}".strip().splitlines()
    return tuple(re.compile(re.escape(line).replace(r"\{\}", "(.{1,60}?)")) for line in lines if line)


def _is_known(slot, notebook):
    """Whether a slot holds an operator or a bracket, or names that all stand in the notebook or are Python's."""
    if slot in OPERATORS:
        return True
    names = re.findall(r"\w+", slot)
    return SLOT.fullmatch(slot) is not None and len(names) <= 4 and all(_stands(n, _words(notebook)) for n in names)


def _stands(name, words):
    return name in words or name in TYPES or hasattr(builtins, name) or re.fullmatch(r"\d{1,3}", name) is not None


@lru_cache(maxsize=8)
def _words(notebook):
    return frozenset(re.findall(r"\w+", notebook))


def quoted(place, cells):
    """A place such as "cell 1, line 5" with that line of the notebook; empty where there is no such line."""
    found = re.fullmatch(r"cell (\d{1,4}), line (\d{1,6})", place)
    number, line = map(int, found.groups()) if found else (0, 0)
    lines = cells[number - 1].splitlines() if 0 < number <= len(cells) else []
    return f"{place}: {lines[line - 1].strip()}"[:300] if 0 < line <= len(lines) else ""


def one_line(text):
    """A text on one line, without what moves the cursor of a terminal or turns writing round."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
