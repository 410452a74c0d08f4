"""Commands for instructors and maintainers: `python -m instructor COMMAND …`, in the folder of the course."""

from course_lib.__main__ import run_command

COMMANDS = {
    "grade": ("instructor.grade.command", "grade a folder or a zip of submissions"),
    "tournament": ("instructor.tournament", "run a tournament between the players of a class"),
    "exercises": ("instructor.exercises", "make exercises/ from solutions/"),
    "execute": ("instructor.execute", "run notebooks and store them with their outputs"),
    "translate": ("instructor.translate", "write the course in another language, and name what is to be translated"),
    "exam": ("instructor.sheets", "write personal exam sheets and their keys, as PDF"),
    "release": ("instructor.release", "make the students' zip, without solutions and grader"),
    "inventory": ("instructor.inventory", "write a form of the concept inventory, or its key"),
    "moodle": ("instructor.moodle", "write the inventory and personal trees for Moodle's question bank"),
    "misconceptions": ("instructor.misconceptions", "draw the smallest case that shows each known mistake"),
    "site": ("instructor.site.build", "build the website of the course"),
}


def main(arguments: list[str] | None = None) -> None:
    run_command("instructor", __doc__, COMMANDS, arguments)


if __name__ == "__main__":
    main()
