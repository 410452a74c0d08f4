"""Why no answer came, in sentences to the student: the same in the notebook's check and in the grader's feedback."""


class StudentError(Exception):
    """No answer came. `kind` is one of the constants below, and `words` tell the student what happened.

    `line` says where in their code, and is empty if that is not known.
    """

    UNANSWERED, RAISED, TIME, NOT_PLAIN, CHANGED = "unanswered", "raised", "time", "not plain", "changed"

    def __init__(self, kind, words, line=""):
        super().__init__(words)
        self.kind, self.words, self.line = kind, words, line


def unanswered(words="not answered yet"):
    return StudentError(StudentError.UNANSWERED, words)


def raised(error, line=""):
    """Their code raised an error, given as text such as "ZeroDivisionError: division by zero"."""
    return StudentError(StudentError.RAISED, f"Your code raised {error}".rstrip(": "), line)


def too_deep(line=""):
    words = "The function calls itself ever deeper. Does it stop where the game is over, and go on from result()?"
    return StudentError(StudentError.RAISED, words, line)


def ended(reason):
    return StudentError(StudentError.RAISED, f"Your code ended the program: {reason}.")


def silent():
    return StudentError(StudentError.RAISED, "Your cells left a program that does not answer.")


def out_of_time(seconds):
    words = f"Your code gave no answer within {seconds:.2g} seconds. Does every loop end?"
    return StudentError(StudentError.TIME, words)


def not_plain(reason):
    return StudentError(StudentError.NOT_PLAIN, f"The answer cannot be compared: {reason}.")


def no_function(name, given):
    words = f"A function was expected, not {given}: hand over {name} itself, without parentheses."
    return StudentError(StudentError.NOT_PLAIN, words)


def changed(change=""):
    """`change` is text: "[1, 2] has become []"; empty where it is not to be shown."""
    words = f"The function changes an argument that it was given{change and f': {change}'}. Work on a copy of it."
    return StudentError(StudentError.CHANGED, words)
