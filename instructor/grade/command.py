"""Grading a class: every submission marked once, on all cores or a cluster, and the work never lost."""

import sys
import time
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, wait
from pathlib import Path

from course_lib.check.question import NOTEBOOKS
from instructor.grade.executors import (
    Cluster,
    Pool,
    add_shared_arguments,
    end_in_order_when_told,
    positive,
    show_progress,
)
from instructor.grade.gradebook import write_results
from instructor.grade.marking import mark, marks_without
from instructor.grade.sandbox import limited_by, require_sandbox, why_no_sandbox
from instructor.grade.state import State
from instructor.grade.submissions import BAD, NOTHING, Note, collect, read_roster, reason

ATTEMPTS = 3
"""How often a submission is marked whose worker dies; after that it is reported."""
FAILED = "The grader failed on this notebook; your instructor will look at it."


def grade(submissions, out, secret_seed=None, jobs=None, only=(), time_limit=10, scheduler=None, sandboxed=True,
          roster=None, replace=False):  # fmt: skip
    """Mark what lies in `submissions`, write the results into the folder `out`; return how many were marked now.

    What an earlier run with the same seed has marked is not marked again. Results of earlier runs stay, and those of
    this run join them, unless `replace` is true. A folder or notebook that is not there raises `ValueError`.
    """
    source, out = Path(submissions), Path(out)
    _check(source, out, only)
    found = collect(source, read_roster(roster) if roster else None)
    chosen = [submission for submission in found if not only or submission.notebook in (*only, None)]
    if all(submission.problem == NOTHING for submission in chosen):
        raise ValueError(f"{source} has no {' or '.join(only) or 'notebooks'} that were handed in; GRADING.md says in "
                         f"which forms submissions are read")  # fmt: skip
    state = State(out, secret_seed, time_limit, sandboxed, replace)
    state.take(found)
    workers = Cluster(scheduler) if scheduler else Pool(jobs)
    try:
        if sandboxed:
            require_sandbox(workers.ask(why_no_sandbox))
        limits = workers.ask(limited_by) if sandboxed else "nothing, as there was no sandbox"
        marked = _Run(source, chosen, state, workers).to_the_end()
    finally:
        workers.end()
    state.settle(found)
    write_results(out, state.students(found, chosen), {**state.about, "limited_by": limits}, state.feedback)
    state.finish()
    return marked


def _check(source, out, only):
    """Raise `ValueError` for a notebook that is no exercise, and for results that lie among submissions.

    The next time they would be taken for submissions.
    """
    unknown = set(only) - set(NOTEBOOKS)
    if unknown:
        raise ValueError(f"{', '.join(sorted(unknown))} is no exercise; they are {', '.join(NOTEBOOKS)}")
    inner, outer = sorted((source.resolve(), out.resolve()), key=lambda path: -len(path.parts))
    if inner.is_relative_to(outer):
        raise ValueError(f"{source} and {out}: results must not lie inside the submissions, nor submissions inside the "
                         f"results; give another folder with --out")  # fmt: skip


class _Run:
    """The marking of many submissions; at most two for each worker are held in memory.

    When a worker dies, those that were running are marked again one at a time, so that none suffers for another.
    """

    def __init__(self, source, submissions, state, workers):
        self.source, self.state, self.workers = source, state, workers
        self.options = [state.about[name] for name in ("secret_seed", "time_limit", "sandboxed")]
        self.unread = [s for s in reversed(submissions) if s.notebook and not s.problem]
        self.running, self.alone, self.attempts = {}, set(), Counter()
        self.total, self.done, self.marked, self.begun = len(self.unread), 0, 0, time.monotonic()

    def to_the_end(self):
        """Mark them all; return how many were marked and not found marked."""
        while self.unread or self.running:
            while self.unread and len(self.running) < (1 if self.alone else 2 * self.workers.workers):
                self.begin(self.unread.pop())
            for task in wait(self.running, return_when=FIRST_COMPLETED).done:
                self.finish(task, *self.running.pop(task))
        return self.marked

    def begin(self, submission):
        """Have it marked, unless it is already. A file that cannot be read any more keeps the marks that it has."""
        try:
            content = submission.read()
            if not content.strip():
                raise ValueError("an empty file")
        except BAD as error:
            if not self.source.exists():
                raise OSError(f"{self.source} is gone. What was marked is kept, and the same command goes on from "
                              f"there") from None  # fmt: skip
            text = f"cannot be read: {reason(error)}"
            if not self.state.keep(submission, text):
                note = Note("files that cannot be read", text, text)
                self.state.store(submission, None, marks_without(submission.notebook, "unreadable", note))
        else:
            if not self.state.has(submission, content):
                task = self.workers.submit(mark, content, submission.notebook, submission.student, *self.options)
                self.running[task] = submission, content
                return
        self.done += 1

    def finish(self, task, submission, content):
        """Store the marks that a task came to; if its worker died, or the system failed, do it again.

        A system that goes on failing raises `OSError`: nothing that it marks would be true.
        """
        try:
            marks = task.result()
        except Exception as error:
            self.workers.check()
            self.attempts[submission] += 1
            if (_worker_died(error) or isinstance(error, OSError)) and self.attempts[submission] < ATTEMPTS:
                self.unread.append(submission)
                self.alone.add(submission)
                return
            if isinstance(error, OSError):
                raise
            text = f"look at this one yourself, the grader failed on it: {error!r}"
            note = Note("submissions that the grader failed on", text, FAILED)
            marks, content = marks_without(submission.notebook, "not graded", note), None  # the next run tries again
        self.alone.discard(submission)
        self.state.store(submission, content, marks)
        self.done, self.marked = self.done + 1, self.marked + 1
        show_progress(self.done, self.total, self.begun, self.marked)


def _worker_died(error):
    return isinstance(error, BrokenExecutor) or type(error).__name__ in ("KilledWorker", "CancelledError")


def add_arguments(parser):
    add_shared_arguments(parser, "a folder or zip, as Moodle, Canvas or nbgrader makes it, or STUDENT/NN_name.ipynb")
    add = parser.add_argument
    add("--secret-seed", type=int, metavar="N", help="draw the secret cases from this (default: random, kept)")
    add("--only", action="append", default=[], metavar="NN_name", help="only this notebook (repeatable)")
    add("--time-limit", type=positive, default=10, metavar="S", help="seconds for a question (default: 10)")
    add("--scheduler", metavar="tcp://…", help="do the work on this Dask cluster")
    add("--replace", action="store_true",
        help="begin anew: what earlier runs left in RESULTS goes, once this is done")  # fmt: skip


def run(options):
    end_in_order_when_told()
    try:
        marked = grade(**vars(options))
    except KeyboardInterrupt:
        sys.exit("\ninterrupted; what is marked is kept, and the same command goes on from there")
    print(f"{marked} submissions marked now; the results are in {options.out}")
