"""Commands for readers of the course: `python -m course_lib COMMAND …`."""

import argparse
import locale
import os
import sys
from importlib import import_module

COMMANDS = {
    "train": ("course_lib.alphazero.training", "train a network as the one in this package was trained"),
    "measure": ("course_lib.search.measuring", "how often an agent makes a mistake in Connect Four"),
}
"""By name: the module whose `add_arguments(parser)` and `run(options)` are the command, and what it does."""
EXTRAS = {"nbgrader": "grade", "pyseccomp": "grade", "distributed": "cluster", "jupyterlite_pyodide_kernel": "site",
          "latex2mathml": "site"}  # fmt: skip


def run_command(program: str, description: str, commands: dict, arguments: list[str] | None = None) -> None:
    """Run a command, of which only the module is imported; expected errors are shown without a traceback."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy is loaded: for small matrices, more threads cost time
    if arguments is None:
        _restart_in_utf8(program)
        arguments = sys.argv[1:]
    parser = argparse.ArgumentParser(prog=f"python -m {program}", description=description)
    parsers = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command", required=True)
    chosen = {name: parsers.add_parser(name, help=does, description=does) for name, (_, does) in commands.items()}
    try:
        if arguments and arguments[0] in commands:
            module = import_module(commands[arguments[0]][0])
            module.add_arguments(chosen[arguments[0]])
        options = parser.parse_args(arguments)
        del options.command
        module.run(options)
    except (OSError, ValueError) as error:
        sys.exit(f"error: {printable(error)}")
    except ModuleNotFoundError as error:
        extra = EXTRAS.get(error.name or "")
        sys.exit(f'error: {error.name} is not installed; run `pip install -e "{f".[{extra}]" if extra else "."}"`')


def printable(error: Exception) -> str:
    """An error's text without control characters: it may contain the name of a student's file."""
    return "".join(letter if letter.isprintable() or letter == "\n" else " " for letter in str(error))


def _restart_in_utf8(program: str) -> None:
    """Start over in Python's UTF-8 mode if the system has another encoding: files and names are in UTF-8."""
    if os.name == "posix" and not sys.flags.utf8_mode and locale.getencoding().upper() != "UTF-8":
        os.execv(sys.executable, [sys.executable, "-X", "utf8", "-m", program, *sys.argv[1:]])


def main(arguments: list[str] | None = None) -> None:
    run_command("course_lib", __doc__, COMMANDS, arguments)


if __name__ == "__main__":
    main()
