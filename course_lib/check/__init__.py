"""What an exercise notebook imports: questions and their checks; and what the others begin with, questions again."""

from course_lib.check.notebook import check, explore_my_code, personal_tree, score, student
from course_lib.check.review import review, warm_up
from course_lib.check.rungs import hint

__all__ = ["check", "explore_my_code", "hint", "personal_tree", "review", "score", "student", "warm_up"]
