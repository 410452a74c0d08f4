"""What instructors and maintainers run: `python -m instructor COMMAND`, in a checkout of the course."""
