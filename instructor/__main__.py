"""Commands for instructors and maintainers: `python -m instructor COMMAND …`, in the folder of the course."""

from course_lib.__main__ import run_command

COMMANDS = {
    "grade": ("instructor.grade.command", "grade a folder or a zip of submissions"),
    "tournament": ("instructor.tournament", "run a tournament between the players of a class"),
    "exercises": ("instructor.exercises", "make exercises/ from solutions/"),
    "execute": ("instructor.execute", "run notebooks from top to bottom and store them with their outputs"),
    "release": ("instructor.release", "make the zip for students: no solutions, nothing of the instructor's"),
    "publish": ("instructor.publish", "write the course's addresses on the web into its texts, or remove them"),
    "site": ("instructor.site.build", "make the course a folder of plain files for a web host"),
}


def main(arguments: list[str] | None = None) -> None:
    run_command("instructor", __doc__, COMMANDS, arguments)


if __name__ == "__main__":
    main()
