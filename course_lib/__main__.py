"""Commands for those who make the course: `python -m course_lib COMMAND …`."""

import argparse
import sys


def main(arguments=None):
    """Run one command; a command's `OSError` or `ValueError` is told without a traceback, and the exit code is 1."""
    options = command_line().parse_args(arguments)
    try:
        options.run(options)
    except (OSError, ValueError) as error:
        sys.exit(f"error: {error}")


def command_line():
    parser = argparse.ArgumentParser(prog="python -m course_lib", description=__doc__)
    commands = parser.add_subparsers(title="commands", required=True)
    freeze = commands.add_parser("freeze", help="run notebooks from top to bottom and store them with their outputs")
    freeze.add_argument("notebooks", nargs="+", metavar="NOTEBOOK")
    freeze.set_defaults(run=run_freeze)
    return parser


def run_freeze(options):
    from course_lib.notebooks import freeze

    for notebook in options.notebooks:
        try:
            freeze(notebook)
        except ValueError as error:
            raise ValueError(f"{notebook} was left as it was: {error}") from error
        print(f"{notebook}: frozen")


if __name__ == "__main__":
    main()
