"""Questions and their checks, exercises made from solutions, and grading."""

from course_lib.grading.check import check, explore_my_code, personal_tree, score, student

__all__ = ["check", "explore_my_code", "personal_tree", "score", "student"]
