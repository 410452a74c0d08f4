"""Commands for readers of the course. Without a command, JupyterLab opens at a start page."""

import argparse
import locale
import os
import sys
from importlib import import_module

from course_lib.language import N_, gettext, translated

COMMANDS = {
    "open": ("course_lib.launcher", "open the notebooks in JupyterLab"),
    "check": ("course_lib.terminal", "run the checks of an exercise notebook in the terminal"),
    "train": ("course_lib.alphazero.training", "train one of the networks of notebook 7 again"),
    "measure": ("course_lib.search.measuring", "measure how often an agent makes a mistake in Connect Four"),
}
"""By name: the module whose `add_arguments(parser)` and `run(options)` are the command, and what it does."""
OWN_OPTIONS = "-h", "--help", "--version"
"""Options of the program itself, which stand before a command."""
EXTRAS = {"nbgrader": "grade", "pyseccomp": "grade", "jupyterlite_pyodide_kernel": "site",
          "latex2mathml": "site"}  # fmt: skip


def run_command(
    program: str, description: str, commands: dict, arguments: list[str] | None = None, default: str | None = None
) -> None:
    """Run a command, importing only its module; expected errors are shown without a traceback.

    The `default` command is run if the arguments name none.
    """
    if arguments is None:
        _restart_in_utf8(program)
        arguments = sys.argv[1:]
    if default and (not arguments or (arguments[0].startswith("-") and arguments[0] not in OWN_OPTIONS)):
        arguments = [default, *arguments]
    if arguments[:1] != [default]:  # before NumPy is loaded: for small matrices, more threads cost time
        os.environ.setdefault("OMP_NUM_THREADS", "1")
    parser = argparse.ArgumentParser(prog=f"python -m {program}", description=description)
    parser.add_argument("--version", action="store_true", help="print the version of the course and exit")
    parsers = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command", required=True)
    chosen = {name: parsers.add_parser(name, help=does, description=does) for name, (_, does) in commands.items()}
    try:
        if arguments == ["--version"]:
            from importlib.metadata import version

            print(program, version("course-lib"))
            return
        if arguments and arguments[0] in commands:
            module = import_module(commands[arguments[0]][0])
            module.add_arguments(chosen[arguments[0]])
        options = parser.parse_args(arguments)
        del options.command, options.version
        module.run(options)
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.filename:
            words = N_("{file}: {reason}; check this path")
            error = OSError(gettext(words, file=error.filename, reason=error.strerror))
        sys.exit(gettext("error: {message}", message=translated(printable(error))))
    except ModuleNotFoundError as error:
        package = str(error.name).partition(".")[0]
        command = f'pip install -e ".[{EXTRAS[package]}]"' if package in EXTRAS else "pip install -e ."
        sys.exit(gettext("error: {package} is not installed; run `{command}`", package=package, command=command))


def printable(error: Exception) -> str:
    """An error's text without control characters: it may contain the name of a student's file."""
    return "".join(letter if letter.isprintable() or letter == "\n" else " " for letter in str(error))


def _restart_in_utf8(program: str) -> None:
    """Start over in Python's UTF-8 mode if the system has another encoding: files and names are in UTF-8."""
    if os.name == "posix" and not sys.flags.utf8_mode and locale.getencoding().upper() != "UTF-8":
        os.execv(sys.executable, [sys.executable, "-X", "utf8", "-m", program, *sys.argv[1:]])


def main(arguments: list[str] | None = None) -> None:
    run_command("course_lib", __doc__, COMMANDS, arguments, default="open")


if __name__ == "__main__":
    main()
