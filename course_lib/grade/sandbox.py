"""A process of its own for each submission: in bubblewrap, or, where the instructor says so, without it."""

import errno
import os
import platform
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path

from course_lib.grade.inside.wire import LARGEST, Broken

COURSE_LIB = Path(__file__).resolve().parents[1]
TEMPORARY = 32 << 20
"""Bytes in the sandbox's temporary folder, the only place that can be written to."""
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0",
               "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # fmt: skip
FOLDERS = "/course", "/course/course_lib", "/packages"
NOBODY = "65534"
PLAIN_PYTHON = ("-S", "-s", "-P", "-B")


MOST_SAID = 16 << 20
"""Bytes that the program may send for one question or cell; the busiest of the right answers come to a tenth."""
REFUSED = {"x86_64": (0xC000003E, (29, 64, 68, 319, 425, 447)), "aarch64": (0xC00000B7, (194, 190, 186, 279, 425, 447))}
"""By machine its mark, and its numbers of shmget, semget, msgget, memfd_create, io_uring_setup and memfd_secret."""


class OutOfTime(Broken):
    """The student's code did not answer within its time; its process has been ended."""


def packages():
    """The folders of installed packages."""
    return [Path(path) for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]


def mounts():
    """(outside, inside) pairs of all that the sandbox can read, besides the system's own libraries."""
    pairs = [(file, f"/course/{file.name}") for file in sorted((COURSE_LIB / "grade" / "inside").glob("*.py"))]
    pairs += [(COURSE_LIB / "check" / "plain.py", "/course/plain.py")]
    pairs += [(COURSE_LIB / name, f"/course/course_lib/{name}") for name in ("__init__.py", "games")]
    if not _of_the_system(sys.base_prefix):
        pairs.append((Path(sys.base_prefix).resolve(), "/python"))
    pairs += [(path, f"/packages/{n}") for n, path in enumerate(packages()) if not _of_the_system(path)]
    return pairs


def _of_the_system(path):
    return Path(path).resolve().is_relative_to("/usr")


def _inside(path):
    """Where a path outside is found in the sandbox."""
    for outside, inside in [*mounts(), ("/usr", "/usr")]:
        if Path(path).is_relative_to(outside):
            return str(Path(inside) / Path(path).relative_to(outside))
    raise ValueError(f"Python's own files are where the sandbox does not look: {path}; make a new virtual environment "
                     f"with `python3 -m venv`, and grade with it")  # fmt: skip


def system():
    """The options that show the system's libraries, and hide the course where it is installed among them."""
    options = ["--ro-bind", "/usr", "/usr"]
    for folder in ("/lib", "/lib64", "/lib32", "/bin"):
        if os.path.islink(folder):
            options += ["--symlink", os.readlink(folder), folder]
        elif os.path.isdir(folder):
            options += ["--ro-bind", folder, folder]
    return options


def hidden():
    """The options that hide the course's own files, searches and references where a folder of `mounts` holds them."""
    root = COURSE_LIB.parent
    secret = root if (root / "pyproject.toml").exists() else COURSE_LIB
    shown = [("/usr", "/usr"), *(pair for pair in mounts() if not pair[1].startswith("/course"))]
    places = [Path(inside) / secret.relative_to(out) for out, inside in shown if secret.is_relative_to(out)]
    return [option for place in places for option in ("--tmpfs", str(place))]


def view(pairs):
    """The options that show these (outside, inside) pairs, in folders that anybody can enter."""
    folders = [option for path in FOLDERS for option in ("--perms", "0755", "--dir", path)]
    return [*folders, *system(), *(option for pair in pairs for option in ("--ro-bind", *map(str, pair))), *hidden()]


def syscall_filter():
    """A program for the kernel (seccomp, in BPF) that refuses memory which no limit counts; empty on other machines."""
    mark, numbers = REFUSED.get(platform.machine(), (0, ()))
    refuse = len(numbers) + 5

    def load(offset):
        return struct.pack("=HBBI", 0x20, 0, 0, offset)

    def jump(at, test, value, otherwise=False):
        there, here = refuse - at - 1, 0
        return struct.pack("=HBBI", test, *((here, there) if otherwise else (there, here)), value)

    equal, at_least = 0x15, 0x35
    steps = [load(4), jump(1, equal, mark, otherwise=True), load(0), jump(3, at_least, 0x40000000)]
    steps += [jump(at, equal, number) for at, number in enumerate(numbers, start=4)]
    ends = [struct.pack("=HBBI", 6, 0, 0, what) for what in (0x7FFF0000, 0x00050000 | errno.EPERM)]
    return b"".join([*steps, *ends]) if numbers else b""


@contextmanager
def filtering():
    """The options that have bubblewrap filter system calls, and the descriptors that it needs for that."""
    program = syscall_filter()
    if not program:
        yield [], ()
        return
    reading, writing = os.pipe()
    os.write(writing, program)
    os.close(writing)
    try:
        yield ["--seccomp", str(reading)], (reading,)
    finally:
        os.close(reading)


@lru_cache
def bubblewrapped():
    """Bubblewrap as a command in two halves, to be joined by the options of `filtering`; the second ends with Python.

    There is no network, and nothing but `mounts`, all of it read-only. The superuser first becomes nobody, in a view of
    the same files that nobody can reach too; for the kernel does not count the superuser's processes. The processes in
    a sandbox can make no user namespace, in which they could mount.
    """
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        raise ValueError("bubblewrap is missing: on Debian and Ubuntu, `apt install bubblewrap`")
    pairs = mounts()
    become_nobody = []
    if os.name == "posix" and os.getuid() == 0:
        keep = [option for name in ("SETUID", "SETGID", "SETPCAP") for option in ("--cap-add", f"CAP_{name}")]
        become_nobody = [bwrap, "--die-with-parent", "--cap-drop", "ALL", *keep, *view(pairs), "--perms", "1777",
                         "--tmpfs", "/tmp", "--bind", "/proc", "/proc", "--dev-bind", "/dev", "/dev", "--",
                         "setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups",
                         "--bounding-set=-all", "--pdeathsig", "KILL", "--"]  # fmt: skip
        pairs = [(inside, inside) for _, inside in pairs]
    libraries = {} if _of_the_system(sys.base_prefix) else {"LD_LIBRARY_PATH": "/python/lib"}  # of a shared libpython
    environment = [option for item in (ENVIRONMENT | libraries).items() for option in ("--setenv", *item)]
    sealed = ["--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session",
              "--clearenv", *environment, "--uid", "1000", "--gid", "1000", "--hostname", "sandbox", *view(pairs),
              "--proc", "/proc", "--dev", "/dev", "--size", str(TEMPORARY), "--tmpfs", "/tmp", "--chdir", "/tmp",
              "--remount-ro", "/dev", "--remount-ro", "/", "--"]  # fmt: skip
    python = _inside(Path(sys.executable).resolve())
    return [*become_nobody, bwrap], [*sealed, python, *PLAIN_PYTHON]


def in_bubblewrap(start, arguments, **options):
    """`start(command, …)`, as `subprocess.run` or `Popen`, of Python with these arguments in a sandbox."""
    first, second = bubblewrapped()
    with filtering() as (filters, descriptors):
        return start([*first, *filters, *second, *arguments], pass_fds=descriptors, **options)


def start_runner(sandboxed, **options):
    """The runner's process."""
    if sandboxed:
        arguments = "/course/runner.py", "sandboxed", "/course", *map(_inside, packages())
        return in_bubblewrap(subprocess.Popen, arguments, **options)
    program = COURSE_LIB / "grade" / "inside" / "runner.py"
    command = [sys.executable, *PLAIN_PYTHON, program, "unlimited", COURSE_LIB.parent, *packages()]
    return subprocess.Popen(list(map(str, command)), **options)


def why_no_sandbox():
    """Why student code cannot be run in bubblewrap on this machine, or "" if it can."""
    try:
        tried = in_bubblewrap(subprocess.run, ["-c", "print('ready')"], capture_output=True, text=True, timeout=60,
                              stdin=subprocess.DEVNULL)  # fmt: skip
    except (ValueError, OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if tried.stdout == "ready\n":
        return ""
    return f"bubblewrap cannot make a sandbox on this machine: {tried.stderr.strip()[:300] or 'it said nothing'}"


def require_sandbox(why_not):
    """Raise `ValueError` if there is a reason, as of `why_no_sandbox`, that says what to do."""
    if why_not:
        raise ValueError(f"{why_not}. Without a sandbox, students' code can read and change what you can; if you trust "
                         f"it, add --no-sandbox")  # fmt: skip


def patience():
    """How many times slower than alone a program runs now, from 1 to 5: tasks that want to run for each core."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 1
    return min(5.0, max(1.0, load / (os.cpu_count() or 1)))


class Process:
    """The process that runs one student's code, and the pipe to it. `deadline` says when it is ended."""

    def __init__(self, sandboxed=True):
        self.folder = None if sandboxed else tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = start_runner(
            sandboxed,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0,
            cwd=None if sandboxed else self.folder.name, start_new_session=True,
            env=None if sandboxed else _environment(self.folder.name),
        )  # fmt: skip
        self.timed_out, self.timer, self.until, self.left = False, None, 0.0, MOST_SAID

    def allow(self, seconds, times=None):
        """Give it so many seconds from now, `times` over (None: as `patience` says), after which it is ended."""
        self.relax()
        self.left = MOST_SAID
        seconds *= times or patience()
        self.until = time.monotonic() + seconds
        self.timer = threading.Timer(seconds, self._out_of_time)
        self.timer.daemon = True
        self.timer.start()

    def relax(self):
        """No deadline, while nothing is asked of it."""
        if self.timer is not None:
            self.timer.cancel()

    def has_ended(self):
        """Whether it was ended or ended itself."""
        return self.timed_out or self.process.poll() is not None

    def _out_of_time(self):
        self.timed_out = True
        self._kill()

    def send(self, frame):
        try:
            while frame:
                frame = frame[os.write(self.process.stdin.fileno(), frame) :]
        except OSError:
            raise self._ended() from None

    def receive(self):
        size = int.from_bytes(self._exactly(4), "big")
        if size > LARGEST:
            raise Broken(f"a frame of {size:,} bytes")
        self.left -= size
        if self.left < 0:
            raise Broken(f"it sent more than {MOST_SAID:,} bytes")
        return self._exactly(size)

    def _exactly(self, size):
        chunks = []
        while size:
            chunk = self._read(size)
            if not chunk:
                raise self._ended()
            chunks.append(chunk)
            size -= len(chunk)
        return b"".join(chunks)

    def _read(self, size):
        """What there is to read; nothing once the time is over, even if a lost child still holds the pipe."""
        pipe = self.process.stdout.fileno()
        if os.name == "posix" and not select.select([pipe], [], [], max(0, self.until - time.monotonic()) + 1)[0]:
            return b""
        return os.read(pipe, min(size, 1 << 16))

    def _ended(self):
        return OutOfTime("no answer in time") if self.timed_out else Broken("the program has ended")

    def _kill(self):
        """End it, and without a sandbox all of its process group."""
        if os.name == "posix":
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, 9)
        else:
            self.process.kill()

    def close(self):
        """End the process and all that it started, and reap it."""
        self.relax()
        self._kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
        if self.folder is not None:
            self.folder.cleanup()


def _environment(folder):
    kept = {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP", "TMP") if name in os.environ}
    return {**ENVIRONMENT, **kept, "HOME": folder}
