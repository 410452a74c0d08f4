"""What an instructor runs: exercises made from solutions, grading, the ladder, the bundle for students."""
