"""Commands for those who make the course: `python -m course_lib COMMAND …`."""

import argparse
import locale
import os
import sys
from importlib import import_module
from pathlib import Path

COMMANDS = {
    "freeze": ("course_lib.grade.freeze", "run notebooks from top to bottom and store them with their outputs"),
    "exercises": ("course_lib.grade.exercises", "make exercises/ from solutions/, in this folder (needs nbgrader)"),
    "grade": ("course_lib.grade.batch", "grade a folder or a zip of submissions"),
    "ladder": ("course_lib.grade.ladder", "let the players of a class meet"),
    "site": ("course_lib.grade.site.build", "make the course a folder of plain files for a web host"),
    "release": ("course_lib.grade.release", "make the zip for students: no solutions, nothing of the grader"),
    "train": ("course_lib.alphazero.training", "train a network as the one in this package was trained"),
    "measure": ("course_lib.search.measuring", "how often an agent makes a mistake in Connect Four"),
    "bench": ("side_by_side", "compare speed with other libraries, and write CONTRIBUTING.md's table of it"),
}
"""By name: the module whose `add_arguments(parser)` and `run(options)` are the command, and what it does."""
EXTRAS = {"nbgrader": "grade", "pyspiel": "bench", "open_spiel": "bench", "easyAI": "bench", "distributed": "cluster",
          "jupyterlite_pyodide_kernel": "site", "latex2mathml": "site"}  # fmt: skip


def main(arguments=None):
    """Run one command; its `OSError`, `ValueError` or missing package is told without a traceback, with exit code 1."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy is loaded: for small matrices, more threads cost time
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        if not arguments or arguments[0] not in COMMANDS:
            overview().parse_args(arguments)
        name, module = arguments[0], module_of(arguments[0])
        parser = argparse.ArgumentParser(prog=f"python -m course_lib {name}", description=COMMANDS[name][1])
        module.add_arguments(parser)
        module.run(parser.parse_args(arguments[1:]))
    except (OSError, ValueError) as error:
        sys.exit(f"error: {harmless(error)}")
    except ModuleNotFoundError as error:
        sys.exit(f"error: {missing(error.name)}")


def overview():
    """What lists the commands; each says more itself, as in `python -m course_lib grade --help`."""
    parser = argparse.ArgumentParser(prog="python -m course_lib", description=__doc__)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, (_, does) in COMMANDS.items():
        commands.add_parser(name, help=does)
    return parser


def module_of(name):
    """The module of a command; that of `bench` lies in a checkout's tests."""
    if name == "bench":
        benchmarks = Path("tests", "benchmarks").resolve()
        if not benchmarks.is_dir():
            raise ValueError("there is no tests/benchmarks in this folder: bench runs in a checkout of the course")
        sys.path.insert(0, str(benchmarks))
    return import_module(COMMANDS[name][0])


def harmless(error):
    """An error's text without what moves the cursor of a terminal: it may name a student's file."""
    return "".join(letter if letter.isprintable() or letter == "\n" else " " for letter in str(error))


def missing(name):
    """What to do about a module or package that is not there."""
    if name.startswith("course_lib"):
        return f"this copy of the course is the students', without {name}; run this in the instructor's"
    extra = EXTRAS.get(name)
    return f'{name} is not installed; run `pip install -e "{f".[{extra}]" if extra else "."}"`'


def in_utf8():
    """Begin again in Python's UTF-8 mode where the system has another encoding: names of students are in UTF-8."""
    if os.name == "posix" and not sys.flags.utf8_mode and locale.getencoding().upper() != "UTF-8":
        os.execv(sys.executable, [sys.executable, "-X", "utf8", "-m", "course_lib", *sys.argv[1:]])


if __name__ == "__main__":
    in_utf8()
    main()
