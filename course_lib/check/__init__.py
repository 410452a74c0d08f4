"""What an exercise notebook imports: questions and their checks."""

from course_lib.check.notebook import check, explore_my_code, personal_tree, score, student

__all__ = ["check", "explore_my_code", "personal_tree", "score", "student"]
