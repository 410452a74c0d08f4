"""Grades a class: submissions, the sandbox, marks, gradebooks and feedback pages."""
