"""Grading a class: every submission marked once, on all cores or a cluster, and the work never lost."""

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, wait
from pathlib import Path

from instructor.grade.executors import add_shared_arguments, executor, interruptible, positive, show_progress
from instructor.grade.gradebook import Graded, write_results
from instructor.grade.marking import Verdict, course, mark, tables_of, unmarked
from instructor.grade.sandbox import check_sandbox
from instructor.grade.state import State
from instructor.grade.submissions import (
    NOTEBOOKS,
    NOTHING,
    Note,
    Submission,
    collect,
    read_bounded,
    read_roster,
    reason,
)


def grade(submissions: str, out: str, secret_seed: int | None = None, jobs: int | None = None,
          only: Sequence[str] | None = None, time_limit: float = 10, scheduler: str | None = None,
          sandboxed: bool = True, roster: str | None = None) -> int:  # fmt: skip
    """Mark what lies in `submissions`, write the results into the folder `out`; return how many were marked now.

    What an earlier run has marked with the same questions, seed and settings is not marked again. The results mirror
    the folder of submissions: a run that would drop marks raises `ValueError`, as does a folder that is not there.
    """
    source, out = Path(submissions), Path(out)
    _check_apart(source, out)
    with tempfile.TemporaryDirectory() as scratch:
        found = collect(source, Path(scratch), read_roster(roster) if roster else None)
        if all(submission.problem == NOTHING for submission in found):
            raise ValueError(f"{source} has no notebooks that were handed in; GRADING.md lists the known forms")
        _refuse_to_drop(source, out, found)
        _check_tables({submission.notebook for submission in found if submission.path})
        state = State(out, secret_seed, time_limit, sandboxed)
        with executor(jobs, scheduler) as (pool, workers):
            if sandboxed:
                pool.submit(check_sandbox).result() if scheduler else check_sandbox()
            run = _Run(state, pool, workers)
            try:
                run.mark_all([submission for submission in found if submission.path], only)
            except (BrokenExecutor, CancelledError) as error:
                raise OSError(f"the workers ended ({type(error).__name__}): is there memory, and does the scheduler "
                              f"run? What was marked is kept, and the same command continues from there"
                              ) from None  # fmt: skip
        graded = [run.result(submission) for submission in found]
        write_results(out, graded, state.about, state.reports)
    return run.marked


def _check_apart(source: Path, out: Path) -> None:
    """Raise `ValueError` for results that lie among submissions, where the next run would read them."""
    inner, outer = sorted((source.resolve(), out.resolve()), key=lambda path: -len(path.parts))
    if inner.is_relative_to(outer):
        raise ValueError(f"{source} and {out}: results must not lie inside the submissions, nor submissions inside the "
                         f"results; give another folder with --out")  # fmt: skip


def _check_tables(names: set[str]) -> None:
    """Raise `ValueError` if the tables of a notebook are not those of its questions."""
    for name in sorted(names):
        points = {question.identifier: question.points for question in course()[name].questions}
        if points != {table.identifier: table.points for table in tables_of(name).values()}:
            raise ValueError(f"the tables of {name} are not up to date: run `python -m instructor exercises {name}`")


def _refuse_to_drop(source: Path, out: Path, found: list[Submission]) -> None:
    """Raise `ValueError` if a student has marks in the results for a notebook that is not in the folder any more."""
    try:
        students = json.loads((out / "grades.json").read_text(encoding="utf-8"))["students"].values()
        before = [(student["student"], s["notebook"]) for student in students for s in student["submissions"]
                  if s["questions"]]  # fmt: skip
    except (OSError, ValueError, KeyError):
        return
    dropped = Counter(before) - Counter((submission.student, submission.notebook) for submission in found)
    if dropped:
        names = ", ".join(f"{student} ({notebook})" for student, notebook in sorted(dropped)[:5])
        more = f" and {len(dropped) - 5} more" if len(dropped) > 5 else ""
        raise ValueError(f"{out} has marks of {names}{more}, whose work is not in {source}: put all work into one "
                         f"folder, or give another folder with --out")  # fmt: skip


class _Run:
    """The marking of many submissions; at most two for each worker are held in memory."""

    def __init__(self, state: State, pool: Executor, workers: int):
        self.state, self.pool, self.workers = state, pool, workers
        self.options = [state.about[name] for name in ("secret_seed", "time_limit", "sandboxed")]
        self.fingerprints, self.unread, self.running, self.marked = {}, {}, {}, 0

    def mark_all(self, submissions: list[Submission], only: Sequence[str] | None) -> None:
        """Mark those that are not marked yet, `only` of these notebooks."""
        for done, submission in enumerate(submissions, start=1):
            content = self._content(submission)
            is_wanted = content is not None and (not only or submission.notebook in only)
            if is_wanted and not self.state.is_marked(self.fingerprints[submission]):
                task = self.pool.submit(mark, content, submission.notebook, submission.student, *self.options)
                self.running[task] = self.fingerprints[submission]
            while len(self.running) >= 2 * self.workers or (self.running and done == len(submissions)):
                self._finish()
            show_progress(done, len(submissions))

    def _content(self, submission: Submission) -> bytes | None:
        try:
            content = read_bounded(submission.path)
        except Exception as error:
            text = f"cannot be read: {reason(error)}"
            note = Note("files that cannot be read", text, text)
            self.unread[submission] = unmarked(submission.notebook, Verdict.UNREADABLE, note)
            return None
        self.fingerprints[submission] = self.state.fingerprint(submission.student, submission.notebook, content)
        return content

    def _finish(self) -> None:
        """Store the marks of the tasks that have ended."""
        for task in wait(self.running, return_when=FIRST_COMPLETED).done:
            self.state.store(self.running.pop(task), task.result())
            self.marked += 1

    def result(self, submission: Submission) -> Graded:
        """The submission with its marks, if it has some."""
        fingerprint = self.fingerprints.get(submission, "")
        marks = self.unread.get(submission) or self.state.marks(fingerprint)
        if marks is None:
            return Graded(submission)
        return Graded(submission, fingerprint, marks["questions"], tuple(marks["notes"]), marks["seconds"])


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_shared_arguments(parser, "a folder or zip, as Moodle, Canvas or nbgrader makes it, or STUDENT/NN_name.ipynb")
    add = parser.add_argument
    add("--secret-seed", type=int, metavar="N", help="draw the secret cases from this (default: random, kept)")
    add("--only", action="append", choices=NOTEBOOKS, metavar="NN_name", help="only this notebook (repeatable)")
    add("--time-limit", type=positive, default=10, metavar="S", help="seconds for a question (default: 10)")
    add("--scheduler", metavar="tcp://…", help="do the work on this Dask cluster")


def run(options: argparse.Namespace) -> None:
    with interruptible("what was marked is kept, and the same command continues from there"):
        marked = grade(**vars(options))
    print(f"{marked} submissions marked now; the results are in {options.out}")
