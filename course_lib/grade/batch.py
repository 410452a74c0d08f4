"""Grading a class: every submission marked once, on all cores or a cluster, and the work never lost."""

import hashlib
import json
import os
import platform
import secrets
import sys
import time
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, wait
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from course_lib.check.question import NOTEBOOKS, questions_of
from course_lib.grade.gradebook import write, write_results
from course_lib.grade.marking import mark, prepare
from course_lib.grade.pool import Pool, add_jobs, positive, show_progress
from course_lib.grade.sandbox import COURSE_LIB, require_sandbox, why_no_sandbox
from course_lib.grade.submissions import BAD, collect, read_roster

ATTEMPTS = 3
"""How often a submission is marked again whose worker died; after that it is reported."""
STATE = ".grading"
"""The folder in the results that holds the marks of each submission, as they are finished."""


def grade(source, out, secret_seed=None, jobs=None, only=(), limit=10, scheduler=None, sandboxed=True, roster=None):
    """Mark all submissions in `source` and write the results into the folder `out`; return how many were marked now.

    What an interrupted run with the same seed had marked is not marked again, nor is what a finished run had.
    """
    unknown = set(only) - set(NOTEBOOKS)
    if unknown:
        raise ValueError(f"{', '.join(sorted(unknown))} is no exercise; they are {', '.join(NOTEBOOKS)}")
    submissions = collect(source, only, read_roster(roster) if roster else None)
    if not submissions:
        raise ValueError(f"{source} has no {' or '.join(only) or 'notebooks'} that were handed in; GRADING.md says in "
                         f"which forms submissions are read")  # fmt: skip
    state = State(Path(out), secret_seed, limit, sandboxed)
    with _executor(jobs, scheduler, submissions, state.seed) as executor:
        if sandboxed:
            require_sandbox(executor.submit(why_no_sandbox).result() if scheduler else why_no_sandbox())
        marked = _Run(submissions, state, executor, limit, sandboxed).to_the_end()
    write_results(Path(out), submissions, state.read, state.about())
    return marked


class State:
    """The marks so far: a file for each submission, written whole or not at all."""

    def __init__(self, out, seed, limit, sandboxed):
        self.folder = out / STATE
        self.folder.mkdir(parents=True, exist_ok=True)
        self.seed = self._seed() if seed is None else seed
        write(self.folder / "seed.json", json.dumps(self.seed))
        self.limit, self.sandboxed = limit, sandboxed
        self.code = _hash(*(path.read_bytes() for path in sorted(COURSE_LIB.rglob("*.py"))))

    def _seed(self):
        """The seed of the run that this one goes on with, or a new one that nobody knows."""
        path = self.folder / "seed.json"
        return json.loads(path.read_text()) if path.exists() else secrets.randbelow(2**63)

    def about(self):
        """What the results depend on beside the submissions."""
        return {"course_lib": version("course-lib"), "code": self.code, "python": platform.python_version(),
                "secret_seed": self.seed, "time_limit": self.limit, "sandboxed": self.sandboxed}  # fmt: skip

    def path(self, submission):
        return self.folder / f"{_hash(repr(submission[:3]).encode())}.json"

    def fingerprint(self, content):
        return _hash(repr(sorted(self.about().items())).encode(), content)

    def read(self, submission):
        """The stored marks, or None; a file that the machine's end left in pieces is none."""
        try:
            return json.loads(self.path(submission).read_text())
        except (FileNotFoundError, ValueError):
            return None

    def has(self, submission, fingerprint):
        stored = self.read(submission)
        return stored is not None and stored["fingerprint"] == fingerprint

    def store(self, submission, fingerprint, marks):
        write(self.path(submission), json.dumps({**marks, "fingerprint": fingerprint}))


def _hash(*parts):
    digest = hashlib.sha256()
    for part in parts:
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()[:32]


@contextmanager
def _executor(jobs, scheduler, submissions, seed):
    """Where the work is done: processes here, or the workers of a Dask cluster."""
    if scheduler:
        with _cluster(scheduler) as executor:
            yield executor
        return
    notebooks = {s.notebook for s in submissions if s.notebook and not s.problem}
    pool = Pool(jobs or os.cpu_count() or 1, lambda: prepare(notebooks, seed))
    try:
        yield pool
    finally:
        pool.end()


@contextmanager
def _cluster(scheduler):
    try:
        from distributed import Client
    except ImportError:
        raise ValueError('--scheduler needs Dask: run `pip install -e ".[cluster]"`') from None
    try:
        client = Client(scheduler, timeout=10, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ValueError(f"no Dask scheduler answers at {scheduler}: {error}") from None
    with client:
        executor = client.get_executor(pure=False)
        executor.workers = max(1, sum(client.nthreads().values()))
        yield executor


class _Run:
    """The marking of many submissions; at most two for each worker are held in memory.

    When a worker dies, those that were running are marked again one at a time, so that none suffers for another.
    """

    def __init__(self, submissions, state, executor, limit, sandboxed):
        self.state, self.executor, self.options = state, executor, (state.seed, limit, sandboxed)
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
        content = _read(submission)
        if isinstance(content, str):
            self.state.store(submission, "", _unmarked(submission, "unreadable", content))
        elif not self.state.has(submission, self.state.fingerprint(content)):
            task = self.executor.submit(mark, content, submission.notebook, submission.student, *self.options)
            self.running[task] = submission, self.state.fingerprint(content)
            return
        self.done += 1

    def finish(self, task, submission, fingerprint):
        """Store the marks that a task came to; if its worker died, do it again."""
        try:
            marks = task.result()
        except OSError:
            raise
        except Exception as error:
            self.attempts[submission] = self.attempts.get(submission, 0) + 1
            if _worker_died(error) and self.attempts[submission] < ATTEMPTS:
                return self.again(submission)
            note = f"look at this one yourself, the grader failed on it: {error!r}"
            marks = _unmarked(submission, "not graded", note)
        self.alone.discard(submission)
        self.state.store(submission, fingerprint, marks)
        self.done, self.marked = self.done + 1, self.marked + 1
        show_progress(self.done, self.total, self.begun, self.marked)

    def again(self, *lost):
        """Put a submission back; where one death ends a whole pool, put back all that were running in it."""
        if hasattr(self.executor, "renew"):
            lost += tuple(submission for submission, _ in self.running.values())
            self.running.clear()
            self.executor.renew()
        self.unread += lost
        self.alone |= set(lost)


def _worker_died(error):
    return isinstance(error, BrokenExecutor) or type(error).__name__ in ("KilledWorker", "CancelledError")


def _read(submission):
    """The bytes of a submission, or as text why it cannot be read."""
    try:
        return submission.read()
    except BAD as error:
        return f"cannot be read: {error}"


def _unmarked(submission, kind, note):
    questions = questions_of(submission.notebook)
    marks = {q.identifier: {"points": 0, "of": q.points, "kind": kind, "feedback": ""} for q in questions}
    return {"questions": marks, "notes": [note[:300]], "seconds": 0}


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
        )
    except KeyboardInterrupt:
        sys.exit("\ninterrupted; what is marked is kept, and the same command goes on from there")
    print(f"{marked} submissions marked now; the results are in {options.out}")
