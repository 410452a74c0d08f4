"""Grading a class: every submission marked once, on all cores or a cluster, and the work never lost."""

import os
import sys
import time
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, wait
from contextlib import contextmanager
from pathlib import Path

from course_lib.check.question import NOTEBOOKS, questions_of
from course_lib.grade.cluster import Cluster
from course_lib.grade.gradebook import write_results
from course_lib.grade.marking import mark
from course_lib.grade.pool import Pool, add_jobs, positive, show_progress
from course_lib.grade.sandbox import limited_by, require_sandbox, why_no_sandbox
from course_lib.grade.state import State
from course_lib.grade.submissions import BAD, NOTHING, Note, collect, read_roster, reason

ATTEMPTS = 3
"""How often a submission is marked again whose worker died; after that it is reported."""


def grade(source, out, secret_seed=None, jobs=None, only=(), limit=10, scheduler=None, sandboxed=True, roster=None,
          replace=False):  # fmt: skip
    """Mark all submissions in `source` and write the results into the folder `out`; return how many were marked now.

    What an earlier run with the same seed has marked is not marked again. Results of earlier runs stay, and those of
    this run join them, unless `replace` is true. A source or notebook that is not there raises `ValueError`.
    """
    source, out = Path(source), Path(out)
    unknown = set(only) - set(NOTEBOOKS)
    if unknown:
        raise ValueError(f"{', '.join(sorted(unknown))} is no exercise; they are {', '.join(NOTEBOOKS)}")
    _keep_apart(source, out)
    found = collect(source, read_roster(roster) if roster else None)
    chosen = [submission for submission in found if not only or submission.notebook in (*only, None)]
    if all(submission.problem == NOTHING for submission in chosen):
        raise ValueError(f"{source} has no {' or '.join(only) or 'notebooks'} that were handed in; GRADING.md says in "
                         f"which forms submissions are read")  # fmt: skip
    state = State(out, secret_seed, limit, sandboxed, replace)
    state.take(found)
    with _executor(jobs, scheduler) as executor:
        if sandboxed:
            require_sandbox(_where_it_runs(why_no_sandbox, executor))
        limits = _where_it_runs(limited_by, executor) if sandboxed else "nothing, as there was no sandbox"
        marked = _Run(chosen, state, executor).to_the_end()
    state.settle(found)
    write_results(out, state.students(found, chosen), {**state.about, "limited_by": limits}, state.feedback)
    state.finish()
    return marked


def _keep_apart(source, out):
    """Results among submissions would be taken for submissions the next time."""
    inner, outer = sorted((source.resolve(), out.resolve()), key=lambda path: -len(path.parts))
    if inner.is_relative_to(outer):
        raise ValueError(f"{source} and {out}: results must not lie inside the submissions, nor submissions inside the "
                         f"results; give another folder with --out")  # fmt: skip


@contextmanager
def _executor(jobs, scheduler):
    """Where the work is done: processes here, or the workers of a Dask cluster."""
    executor = Cluster(scheduler) if scheduler else Pool(jobs or os.cpu_count() or 1)
    try:
        yield executor
    finally:
        executor.end()


def _where_it_runs(ask, executor):
    """What `ask()` returns on a machine that does the work: this one, or one of the cluster."""
    return executor.submit(ask).result() if isinstance(executor, Cluster) else ask()


class _Run:
    """The marking of many submissions; at most two for each worker are held in memory.

    When a worker dies, those that were running are marked again one at a time, so that none suffers for another.
    """

    def __init__(self, submissions, state, executor):
        self.state, self.executor = state, executor
        self.options = [state.about[name] for name in ("secret_seed", "time_limit", "sandboxed")]
        self.unread = [s for s in reversed(submissions) if s.notebook and not s.problem]
        self.running, self.alone, self.attempts = {}, set(), {}
        self.total, self.done, self.marked, self.begun = len(self.unread), 0, 0, time.monotonic()

    def to_the_end(self):
        """Mark them all; return how many were marked and not found marked."""
        while self.unread or self.running:
            while self.unread and len(self.running) < (1 if self.alone else 2 * self.executor.workers):
                self.begin(self.unread.pop())
            for task in wait(self.running, return_when=FIRST_COMPLETED).done:
                if task in self.running:
                    self.finish(task, *self.running.pop(task))
        return self.marked

    def begin(self, submission):
        """Have it marked, unless it is already."""
        try:
            content = submission.read()
        except BAD as error:
            text = f"cannot be read: {reason(error)}"
            note = Note("files that cannot be read", text, text)
            self.state.store(submission, None, _unmarked(submission, "unreadable", note))
        else:
            if not self.state.has(submission, content):
                task = self.executor.submit(mark, content, submission.notebook, submission.student, *self.options)
                self.running[task] = submission, content
                return
        self.done += 1

    def finish(self, task, submission, content):
        """Store the marks that a task came to; if its worker died, do it again."""
        try:
            marks = task.result()
        except OSError:
            raise
        except Exception as error:
            self.attempts[submission] = self.attempts.get(submission, 0) + 1
            if isinstance(self.executor, Cluster):
                self.executor.check()
            if _worker_died(error) and self.attempts[submission] < ATTEMPTS:
                return self.again(submission)
            text = f"look at this one yourself, the grader failed on it: {error!r}"
            marks = _unmarked(submission, "not graded", Note("submissions that the grader failed on", text, FAILED))
        self.alone.discard(submission)
        self.state.store(submission, content, marks)
        self.done, self.marked = self.done + 1, self.marked + 1
        show_progress(self.done, self.total, self.begun, self.marked)

    def again(self, *lost):
        """Put a submission back; where one death ends a whole pool, put back all that were running in it."""
        if isinstance(self.executor, Pool):
            lost += tuple(submission for submission, _ in self.running.values())
            self.running.clear()
            self.executor.renew()
        self.unread += lost
        self.alone |= set(lost)


def _worker_died(error):
    return isinstance(error, BrokenExecutor) or type(error).__name__ in ("KilledWorker", "CancelledError")


FAILED = "The grader failed on this notebook; your instructor will look at it."


def _unmarked(submission, kind, note):
    mark = {"points": 0, "kind": kind, "said": "", "told": "", "report": ""}
    marks = {question.identifier: {**mark, "of": question.points} for question in questions_of(submission.notebook)}
    return {"questions": marks, "notes": [note], "seconds": 0}


def add_arguments(parser):
    parser.add_argument(
        "submissions", help="a folder or zip, as Moodle, Canvas or nbgrader makes it, or STUDENT/NN_name.ipynb"
    )
    parser.add_argument("--out", required=True, metavar="RESULTS", help="the folder for the results")
    parser.add_argument(
        "--secret-seed", type=int, metavar="N", help="draw the secret cases from this (default: random, kept)"
    )
    add_jobs(parser)
    parser.add_argument(
        "--only", action="append", default=[], metavar="NN_name", help="only this notebook (repeatable)"
    )
    parser.add_argument(
        "--time-limit", type=positive, default=10, metavar="S", help="seconds for a question (default: 10)"
    )
    parser.add_argument("--scheduler", metavar="tcp://…", help="do the work on this Dask cluster")
    parser.add_argument(
        "--no-sandbox", action="store_true", help="run students' code unprotected, where bubblewrap is missing"
    )
    parser.add_argument("--roster", metavar="CSV", help="the students by the names that files may have; see GRADING.md")
    parser.add_argument(
        "--replace", action="store_true", help="begin anew: what earlier runs left in RESULTS goes, once this is done"
    )


def run(options):
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
