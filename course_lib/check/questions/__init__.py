"""The questions of the exercises: one module for each notebook, with its `QUESTIONS` in order."""
