"""Grading a class: each submission is marked once, on all cores; a stop loses no finished work."""

import argparse
import tempfile
from collections.abc import Container, Sequence
from concurrent.futures import BrokenExecutor, Executor, as_completed
from contextlib import suppress
from datetime import date, datetime, time
from functools import partial
from pathlib import Path

from course_lib.check.failures import Verdict
from course_lib.language import gettext, translated
from instructor.grade.authorship import claims, notes_on_names, of_trees, own_name, similar, some_of
from instructor.grade.downloads import reason
from instructor.grade.executors import add_shared_arguments, executor, interruptible, number, positive, progress, warn
from instructor.grade.gradebook import override, penalise, read_overrides
from instructor.grade.marking import course, mark, public_cases, tables_of, unmarked
from instructor.grade.results import write_results
from instructor.grade.rosters import read_late, read_roster
from instructor.grade.sandbox import check_sandbox
from instructor.grade.state import State, refuse_edited, refuse_to_drop
from instructor.grade.submissions import NOTEBOOKS, NOTHING, Note, Submission, code_cells, collect, notebook_called
from instructor.questions import ROOT


def grade(submissions: str, out: str, secret_seed: int | None = None, jobs: int | None = None,
          only: Sequence[str] | None = None, time_limit: float = 10, sandboxed: bool = True,
          roster: str | None = None, overrides: str | None = None, deadline: datetime | None = None,
          late_penalty: float = 0) -> int:  # fmt: skip
    """Mark what lies in `submissions`, write the results into the folder `out`; return how many were marked now.

    Submissions already marked with the same questions, seed and settings are not marked again. The results mirror the
    folder of submissions: a run that would drop marks, or points that were typed into `grades.csv`, raises
    `ValueError`, as does a folder that does not exist. `overrides` is a CSV, by default `overrides.csv` beside `out`.
    Who handed in after the `deadline` according to the roster loses `late_penalty` percent of the points.
    """
    source, out = Path(submissions), Path(out)
    _check_apart(source, out)
    if not NOTEBOOKS:
        raise ValueError(f"{ROOT / 'solutions'} has no notebooks: grade in a folder with the whole course")
    with tempfile.TemporaryDirectory() as scratch:
        names = read_roster(roster) if roster else {}
        late = read_late(roster, deadline or datetime.max) if roster and (deadline or late_penalty) else {}
        found = collect(source, Path(scratch), names)
        if all(submission.problem == NOTHING for submission in found):
            raise ValueError(f"{source} has no notebooks that were handed in, such as STUDENT/{NOTEBOOKS[-1]}.ipynb; "
                             f"GRADING.md lists the known forms")  # fmt: skip
        refuse_to_drop(source, out, found)
        refuse_edited(out)
        path = Path(overrides) if overrides else out.resolve().parent / "overrides.csv"
        own_points = read_overrides(path, found) if overrides or path.exists() else []
        _check_tables({submission.notebook for submission in found if submission.path})
        state = State(out, secret_seed, time_limit, sandboxed)
        import course_lib.check.report  # noqa: F401 (late, but before the workers begin, which share it)

        with executor(jobs) as pool:
            if sandboxed:
                check_sandbox()
            try:
                marked = _mark_all(found, state, pool, only, names)
            except BrokenExecutor:
                raise OSError("a worker ended: is there enough memory? Finished marks are kept, and the same command "
                              "continues from there") from None  # fmt: skip
        for each in found:
            each.is_late = late.get(each.student, False)
        if deadline or late_penalty:
            _warn_of_unknown_times(found, late, deadline)
        for warning in override(found, own_points, out):
            warn(warning)
        penalise(found, late_penalty)
        write_results(out, found, state.about)
    return marked


def _warn_of_unknown_times(found: list[Submission], late: Container[str], deadline: datetime | None) -> None:
    """Name the students of whom neither Canvas nor the roster, which made `late`, tells whether they were late."""
    handed_in = [each for each in found if each.file and each.place.form.platform != "Canvas"]
    if unknown := {each.display_name for each in handed_in if not deadline or each.student not in late}:
        remedy = "with --deadline, give a --roster with their times in the column `handed_in`"
        remedy = "give the --deadline, too" if late and not deadline else remedy
        warn(f"nobody knows whether this is late, so nothing is taken off: {some_of(unknown)}; {remedy}")


def _check_apart(source: Path, out: Path) -> None:
    """Raise `ValueError` for results that lie among submissions, where the next run would read them."""
    inner, outer = sorted((source.resolve(), out.resolve()), key=lambda path: -len(path.parts))
    if out.is_file():
        raise ValueError(f"{out} is a file: name a folder for the results with --out")
    if inner.is_relative_to(outer):
        raise ValueError(f"{source} and {out}: results must not lie inside the submissions, nor submissions inside the "
                         f"results; give another folder with --out")  # fmt: skip


def _check_tables(names: set[str]) -> None:
    """Raise `ValueError` if the tables of a notebook are not those of its questions, or `solutions/` has a mistake."""
    for name in sorted(names):
        known = {(q.identifier, q.points): (q.known, q.asks) for q in course()[name].questions}
        if known.keys() != {(table.identifier, table.points) for table in tables_of(name).values()}:
            raise ValueError(f"the tables of {name} are not up to date: run `python -m instructor exercises {name}`")


def _mark_all(found: list[Submission], state: State, pool: Executor, only: Sequence[str] | None,
              names: dict[str, str]) -> int:  # fmt: skip
    """Give the submissions their marks, and return how many were marked now: those without marks, `only` of these.

    A student may write any of their `names` in the roster into the notebook: it determines the personal trees.
    """
    tasks, read, names_of = {}, {}, {}
    settings = [state.about[name] for name in ("secret_seed", "time_limit", "sandboxed")]
    for submission in filter(lambda submission: submission.path, found):
        notebook = submission.notebook
        try:
            cells = read[submission] = code_cells(submission.path)
        except (OSError, ValueError) as error:
            text = gettext("cannot be read: {reason}", reason=translated(reason(error)))
            note = Note("notebooks that cannot be read", text, text)
            submission.add(**unmarked(notebook, Verdict.UNREADABLE, note))
            continue
        student = names_of[submission] = own_name(submission, claims(cells), names)
        submission.notes += notes_on_names(claims(cells), student, submission.anonymous)
        fingerprint = state.fingerprint(student, notebook, cells)
        if marks := state.marks(fingerprint):
            submission.add(**marks)
        elif not only or notebook in only:
            public_cases(notebook)  # before the workers begin, which share it
            tasks[pool.submit(mark, cells, notebook, student, *settings)] = submission, fingerprint
    for done, task in enumerate(as_completed(tasks), start=1):
        submission, fingerprint = tasks[task]
        state.store(fingerprint, task.result())
        submission.add(**task.result())
        progress(done, len(tasks))
    for submission, note in [*similar(read).items(), *of_trees(names_of, names)]:
        submission.notes.append(note)
    return len(tasks)


def time_of(text: str) -> datetime:
    """A time that was typed on the command line; that of a date is its last second."""
    with suppress(ValueError):
        return datetime.combine(date.fromisoformat(text), time(23, 59, 59))
    with suppress(ValueError):
        if not (typed := datetime.fromisoformat(text)).tzinfo:
            return typed
    raise argparse.ArgumentTypeError(f"must be a time such as 2026-11-30T23:59, without a time zone, not {text}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_shared_arguments(parser, "a folder or zip, as Moodle, Canvas or nbgrader makes it, or STUDENT/NN_name.ipynb")
    add = parser.add_argument
    add("--secret-seed", type=int, metavar="N", help="seed of the secret cases (default: random, and kept)")
    add("--only", action="append", type=notebook_called, metavar="N", help="only this notebook (repeatable)")
    add("--time-limit", type=positive, default=10, metavar="S", help="seconds for a question (default: 10)")
    add("--deadline", type=time_of, metavar="TIME",
        help="such as 2026-11-30T23:59, or a day for its end; the column `handed_in` has the times")  # fmt: skip
    add("--late-penalty", type=partial(number, largest=100), default=0, metavar="N",
        help="percent of the points of late work (default: 0)")  # fmt: skip
    add("--overrides", metavar="CSV", help="points that you set (default: overrides.csv beside RESULTS)")


def run(options: argparse.Namespace) -> None:
    if options.deadline:
        print(f"Work is late if it was handed in after {options.deadline}")
    with interruptible("finished marks are kept, and the same command continues from there"):
        marked = grade(**vars(options))
    print(f"{marked} submissions marked now; the results are in {options.out}")
