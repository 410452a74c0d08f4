"""What an exercise notebook imports: questions and their checks; and the warm-up questions of the notebooks."""

# ruff: noqa: F401  (what is imported here is what this package offers)

from types import ModuleType as _Module

from course_lib.check.failures import CheckFailed, NotAnswered, NotPossible
from course_lib.check.hints import hint
from course_lib.check.notebook import check, explore_my_code, personal_tree, score, student
from course_lib.check.warm_up import warm_up

__all__ = [name for name, value in dict(globals()).items() if not (name.startswith("_") or isinstance(value, _Module))]
