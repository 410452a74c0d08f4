"""What an exercise notebook imports: questions and their checks."""

from course_lib.check.failures import CheckFailed, NotAnswered, NotPossible
from course_lib.check.hints import hint
from course_lib.check.notebook import check, explore_my_code, personal_tree, score, student
from course_lib.check.warm_up import warm_up

__all__ = [
    "CheckFailed",
    "NotAnswered",
    "NotPossible",
    "check",
    "explore_my_code",
    "hint",
    "personal_tree",
    "score",
    "student",
    "warm_up",
]
