"""Commands for those who make the course: `python -m course_lib COMMAND …`."""

import argparse
import importlib
import os
import sys
from pathlib import Path


def main(arguments=None):
    """Run one command; its `OSError`, `ValueError` or missing package is told without a traceback, with exit code 1."""
    options = command_line().parse_args(arguments)
    try:
        options.run(options)
    except (OSError, ValueError) as error:
        sys.exit(f"error: {error}")
    except ModuleNotFoundError as error:
        sys.exit(f"error: {missing(error.name)}")


EXTRAS = {"nbgrader": "grade", "pyspiel": "bench", "open_spiel": "bench", "easyAI": "bench", "distributed": "cluster"}


def missing(name):
    """What to do about a module or package that is not there."""
    if name.startswith("course_lib"):
        return f"this copy of the course is the students', without {name}; run this in the instructor's"
    extra = EXTRAS.get(name)
    return f'{name} is not installed; run `pip install -e ".{f"[{extra}]" if extra else ""}"`'


def command_line():
    parser = argparse.ArgumentParser(prog="python -m course_lib", description=__doc__)
    commands = parser.add_subparsers(title="commands", required=True)
    freeze = commands.add_parser("freeze", help="run notebooks from top to bottom and store them with their outputs")
    freeze.add_argument("notebooks", nargs="+", metavar="NOTEBOOK")
    freeze.set_defaults(run=run_freeze)
    exercises = commands.add_parser(
        "exercises", help="make exercises/ from solutions/, in this folder (needs nbgrader)"
    )
    exercises.add_argument("names", nargs="*", metavar="NAME", help="such as 02_minimax (default: all)")
    exercises.set_defaults(run=run_exercises)
    add_grading(commands)
    add_training(commands)
    return parser


def add_training(commands):
    train = commands.add_parser("train", help="train a network as the one in this package was trained")
    train.add_argument("game", choices=("tic_tac_toe", "connect_four"))
    train.add_argument("--seed", type=int, default=0, metavar="N", help="the source of luck (default: 0)")
    train.add_argument("--out", metavar="FILE", help="where the weights go (default: GAME.npz)")
    train.add_argument(
        "--checkpoint", metavar="FILE", help="where to go on after a stop (default: GAME.SEED.training.npz)"
    )
    train.set_defaults(run=run_train)
    bench = commands.add_parser("bench", help="compare speed with other libraries, and write README.md's table of it")
    bench.add_argument("--rounds", type=positive, default=15, metavar="N", help="(default: 15, about five minutes)")
    bench.set_defaults(run=run_bench)


def add_grading(commands):
    """The commands for instructors; GRADING.md tells how they are used."""
    grade = commands.add_parser("grade", help="grade a folder or a zip of submissions")
    grade.add_argument(
        "submissions", help="a folder or zip, as Moodle, Canvas or nbgrader makes it, or STUDENT/NN_name.ipynb"
    )
    grade.add_argument("--out", required=True, metavar="RESULTS", help="the folder for the results")
    grade.add_argument(
        "--secret-seed", type=int, metavar="N", help="draw the secret cases from this (default: random, kept)"
    )
    grade.add_argument(
        "-j", dest="jobs", type=positive, metavar="N", help="so many at a time (default: one for each core)"
    )
    grade.add_argument("--only", action="append", default=[], metavar="NN_name", help="only this notebook (repeatable)")
    grade.add_argument(
        "--time-limit", type=positive, default=10, metavar="S", help="seconds for a question (default: 10)"
    )
    grade.add_argument("--scheduler", metavar="tcp://…", help="do the work on this Dask cluster")
    grade.add_argument(
        "--no-sandbox", action="store_true", help="run students' code unprotected, where bubblewrap is missing"
    )
    grade.add_argument("--roster", metavar="CSV", help="the students by the names that files may have; see GRADING.md")
    grade.add_argument(
        "--replace", action="store_true", help="begin anew: what earlier runs left in RESULTS goes, once this is done"
    )
    grade.set_defaults(run=run_grade)
    ladder = commands.add_parser("ladder", help="let the players of a class meet")
    ladder.add_argument(
        "submissions", help="a folder or zip with STUDENT/my_player.py, or notebooks that define my_player"
    )
    ladder.add_argument("--out", required=True, metavar="RESULTS", help="the folder for the results")
    ladder.add_argument(
        "--game", default="ConnectFour", help="ConnectFour (the default), TicTacToe, Nim, Pig, DiceDuel or Pacman"
    )
    ladder.add_argument("--rounds", type=positive, default=1, metavar="N", help="each two play 2 N games (default: 1)")
    ladder.add_argument("--move-time", type=positive, default=1, metavar="S", help="seconds for a move (default: 1)")
    ladder.add_argument("--seed", type=int, default=0, metavar="N", help="draw the openings from this (default: 0)")
    ladder.add_argument(
        "-j", dest="jobs", type=positive, metavar="N", help="so many games at a time (default: a core each)"
    )
    ladder.add_argument("--no-sandbox", action="store_true", help="run students' code unprotected")
    ladder.add_argument("--roster", metavar="CSV", help="as for grade")
    ladder.set_defaults(run=run_ladder)
    release = commands.add_parser("release", help="make the zip for students: no solutions, nothing of the grader")
    release.add_argument("zip", nargs="?", default="course.zip", help="the file to make (default: course.zip)")
    release.set_defaults(run=run_release)


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"a whole number from 1 up, not {text}")
    return number


def run_grade(options):
    from course_lib.grade.batch import grade

    try:
        marked = grade(
            options.submissions,
            options.out,
            secret_seed=options.secret_seed,
            jobs=options.jobs,
            only=options.only,
            limit=options.time_limit,
            scheduler=options.scheduler,
            sandboxed=not options.no_sandbox,
            roster=options.roster,
            replace=options.replace,
        )
    except KeyboardInterrupt:
        sys.exit("\ninterrupted; what is marked is kept, and the same command goes on from there")
    print(f"{marked} submissions marked now; the results are in {options.out}")


def run_train(options):
    one_thread()
    from course_lib.alphazero.training import train_to_file

    game = options.game
    checkpoint = options.checkpoint or f"{game}.{options.seed}.training.npz"
    train_to_file(game, options.seed, checkpoint, options.out or f"{game}.npz")


def run_bench(options):
    benchmarks = Path("tests", "benchmarks").resolve()
    if not benchmarks.is_dir():
        raise ValueError("there is no tests/benchmarks in this folder: bench runs in a checkout of the course")
    one_thread()
    sys.path.insert(0, str(benchmarks))
    importlib.import_module("side_by_side").compare(options.rounds, Path("README.md"))


def one_thread():
    """To be called before NumPy is loaded: for small matrices, more threads cost time."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")


def run_ladder(options):
    from course_lib.grade.ladder import ladder

    played = ladder(
        options.submissions,
        options.out,
        game=options.game,
        rounds=options.rounds,
        seconds=options.move_time,
        seed=options.seed,
        jobs=options.jobs,
        sandboxed=not options.no_sandbox,
        roster=options.roster,
    )
    print(played)


def run_release(options):
    from course_lib.grade.release import release

    files = release(".", options.zip)
    print(f"{options.zip}: {len(files)} files")


def run_freeze(options):
    from course_lib.grade.freeze import freeze

    for notebook in options.notebooks:
        try:
            freeze(notebook)
        except ValueError as error:
            raise ValueError(f"{notebook} was left as it was: {error}") from error
        print(f"{notebook}: frozen")


def run_exercises(options):
    from course_lib.grade.exercises import build

    for path in build("solutions", "exercises", options.names):
        print(f"{path}: made")


if __name__ == "__main__":
    main()
