"""A process of its own for each submission: in bubblewrap, or, where the instructor says so, without it."""

import compileall
import errno
import os
import platform
import py_compile
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import course_lib
from instructor.grade.inside.protocol import LARGEST, Broken

COURSE_LIB = Path(course_lib.__file__).resolve().parent
INSIDE = Path(__file__).resolve().parent / "inside"
TEMPORARY = 32 << 20
"""Bytes in the sandbox's temporary folder, the only place that can be written to."""
MEMORY, FILE, OPEN_FILES, SECONDS = 768 << 20, 16 << 20, 64, 3600
"""Limits of each process in the sandbox: bytes of memory and of a file, open files, seconds of CPU time."""
WHOLE_MEMORY, WHOLE_TASKS = 1 << 30, 16
"""Limits of a whole sandbox, where the machine has cgroups: bytes of memory, and processes and threads."""
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0",
               "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # fmt: skip
"""All environment variables of every process that grading starts."""
FOLDERS = "/course", "/course/course_lib", "/packages", "/python", "/python/bin"
GAMES = "/course/course_lib/games"
SEARCHES = "open_spiel", "easyAI"
NOBODY = "65534"
PLAIN_PYTHON = ("-S", "-s", "-P", "-B")
MOST_SAID = 16 << 20
"""Bytes that the program may send for one question or cell; the busiest of the right answers come to a tenth."""
PIECE = 4096
"""Bytes that a pipe on Linux takes at once when it is ready (PIPE_BUF)."""
SHORT = 0.5
"""Seconds to wait at once: if they last much longer, the grader did not run, and its clock did."""
STILL = 2.0
"""Seconds within which all processes of a sandbox must stop when they are told to."""
MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""For each machine that the filter of system calls knows: its mark in the kernel, and its column in `ALLOWED`."""
ALLOWED = """
read 0 63, write 1 64, readv 19 65, writev 20 66, pread64 17 67, pwrite64 18 68, preadv 295 69, pwritev 296 70,
lseek 8 62, open 2 -, openat 257 56, openat2 437 437, creat 85 -, close 3 57, close_range 436 436, dup 32 23,
dup2 33 -, dup3 292 24, pipe 22 -, pipe2 293 59, stat 4 -, fstat 5 80, lstat 6 -, newfstatat 262 79, statx 332 291,
access 21 -, faccessat 269 48, faccessat2 439 439, getdents 78 -, getdents64 217 61,
getcwd 79 17, chdir 80 49, fchdir 81 50, rename 82 -, renameat 264 38, renameat2 316 276, mkdir 83 -, mkdirat 258 34,
rmdir 84 -, unlink 87 -, unlinkat 263 35, link 86 -, linkat 265 37, symlink 88 -, symlinkat 266 36, readlink 89 -,
readlinkat 267 78, mknod 133 -, mknodat 259 33, chmod 90 -, fchmod 91 52, fchmodat 268 53, fchmodat2 452 452,
umask 95 166, truncate 76 45, ftruncate 77 46, fallocate 285 47, fsync 74 82, fdatasync 75 83, sendfile 40 71,
copy_file_range 326 285, poll 7 -, ppoll 271 73, select 23 -, pselect6 270 72, epoll_create 213 -,
epoll_create1 291 20, epoll_ctl 233 21, epoll_wait 232 -, epoll_pwait 281 22, epoll_pwait2 441 441, eventfd 284 -,
eventfd2 290 19, sendto 44 206, recvfrom 45 207, shutdown 48 210, getsockname 51 204,
getpeername 52 205, getsockopt 55 209, brk 12 214, mmap 9 222, munmap 11 215, mremap 25 216,
mprotect 10 226, msync 26 227, clone 56 220, clone3 435 435, fork 57 -, vfork 58 -, execve 59 221,
exit 60 93, exit_group 231 94, wait4 61 260, waitid 247 95,
getpid 39 172, getppid 110 173, gettid 186 178, getpgid 121 155, getpgrp 111 -, setpgid 109 154, getsid 124 156,
setsid 112 157, getuid 102 174, geteuid 107 175, getgid 104 176, getegid 108 177, getresuid 118 148,
getresgid 120 150, getgroups 115 158, set_tid_address 218 96, set_robust_list 273 99, get_robust_list 274 100,
rseq 334 293, membarrier 324 283, arch_prctl 158 -, sched_yield 24 124,
sched_getaffinity 204 123, sched_getparam 143 121, sched_getscheduler 145 120, sched_get_priority_max 146 125,
sched_get_priority_min 147 126, getcpu 309 168, getpriority 140 141, getrlimit 97 163, getrusage 98 165,
prlimit64 302 261, rt_sigaction 13 134, rt_sigprocmask 14 135, rt_sigreturn 15 139, rt_sigpending 127 136,
rt_sigsuspend 130 133, rt_sigtimedwait 128 137, sigaltstack 131 132, pause 34 -, restart_syscall 219 128, alarm 37 -,
getitimer 36 102, setitimer 38 103, time 201 -, times 100 153, gettimeofday 96 169, clock_gettime 228 113,
clock_getres 229 114, nanosleep 35 101, clock_nanosleep 230 115, getrandom 318 278, uname 63 160, sysinfo 99 179
"""
"""All system calls of a program in the sandbox, with their numbers on x86_64 and on aarch64.

They are those by which Python, NumPy and the C libraries compute, use files of their own, wait, and start processes.
What is missing reaches further: into another process, the network, memory that no limit counts, the machine's clocks,
keys and log, or what one student's program could tell another by without a file (locks, leases, times of the system's
files, pages in memory, wakes). One such way stays, as threads need it: who waits at a word of a file that all read is
woken by the end of a thread that has named this word. Missing are also signals that make a stopped program go on
(`timer_create`, `prctl`, and `kill` with SIGCONT).
"""
ONLY = {
    "socketpair": ((53, 199), 0, (1,)),  # the family that stays inside the machine
    "kill": ((62, 129), 1, (0, 2, 6, 9, 10, 12, 14, 15)),  # without SIGCONT: what is stopped stays so
    "tgkill": ((234, 131), 2, (2, 6, 10, 12, 14, 15, 32, 33)),  # also by which C libraries reach their threads
    "fcntl": ((72, 25), 1, (0, 1, 2, 3, 4, 1030)),  # descriptors and their flags: no locks, leases, notices or signals
    # whether it is a terminal, how much there is to read, whether to wait: no name or number of the machine's disks
    "ioctl": ((16, 29), 1, (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451, 0x802C542A)),
    "madvise": ((28, 233), 2, (4, 8, 14, 15, 102, 103)),  # memory given back, huge pages, guards: no page of a file
    # within a program, and to wait for the end of a thread; no call that wakes another program at a word of a file
    "futex": ((202, 98), 1, (0, 9, 265, 128, 129, 131, 132, 133, 137, 138, 393)),
}
"""The system calls of which an argument, here with its place, must be one of a few values."""
NEW = 424
"""The first of the system calls for which C libraries have another way on a kernel that does not know them."""


class OutOfTime(Broken):
    """The student's code did not answer within its time; its process has been ended."""


def packages():
    """The folders of installed packages."""
    return [path for path in map(Path, sys.path) if path.name in ("site-packages", "dist-packages")]


@lru_cache
def games():
    """A temporary folder with a copy of the games, whose compiled files name no place outside of the sandbox."""
    folder = tempfile.TemporaryDirectory()
    os.chmod(folder.name, 0o755)
    for file in (COURSE_LIB / "games").glob("*.py"):
        shutil.copy(file, folder.name)
    unchanging = py_compile.PycInvalidationMode.UNCHECKED_HASH
    compileall.compile_dir(folder.name, ddir=GAMES, quiet=2, invalidation_mode=unchanging)
    return folder


def mounts():
    """(outside, inside) pairs of all that the sandbox can read, besides the system's own libraries."""
    pairs = [(file, f"/course/{file.name}") for file in sorted(INSIDE.glob("*.py"))]
    pairs += [(COURSE_LIB / "check" / "plain.py", "/course/plain.py")]
    pairs += [(COURSE_LIB / "__init__.py", "/course/course_lib/__init__.py"), (Path(games().name), GAMES)]
    program = Path(sys.executable).resolve()
    if _of_the_system(os.__file__):
        pairs.append((program, str(program)))
    else:
        pairs += [(program, f"/python/bin/{program.name}"), (Path(sys.base_prefix, "lib").resolve(), "/python/lib")]
    pairs += [(path, f"/packages/{n}") for n, path in enumerate(packages()) if not _of_the_system(path)]
    return pairs


def _of_the_system(path):
    return Path(path).resolve().is_relative_to("/usr/lib")


def _inside(path):
    """Where a path outside is found in the sandbox."""
    for outside, inside in [*mounts(), ("/usr/lib", "/usr/lib")]:
        if Path(path).is_relative_to(outside):
            return str(Path(inside) / Path(path).relative_to(outside))
    raise ValueError(f"Python's own files are where the sandbox does not look: {path}; make a new virtual environment "
                     f"with `python3 -m venv`, and grade with it")  # fmt: skip


def system(shown):
    """The options that show the system's libraries, and these folders of it."""
    options = [option for folder in shown if os.path.isdir(folder) for option in ("--ro-bind", folder, folder)]
    for folder in ("/lib", "/lib64", "/lib32", "/bin"):
        if os.path.islink(folder):
            options += ["--symlink", os.readlink(folder), folder]
        elif os.path.isdir(folder):
            options += ["--ro-bind", folder, folder]
    return options


def empty(place):
    """The options that put an empty folder there, in which nothing can be written."""
    return "--tmpfs", str(place), "--remount-ro", str(place)


def hidden():
    """The options that hide the course's own files, searches and references where a folder of `mounts` holds them.

    They also hide the files by which pip remembers from which folder a package was installed, and the libraries of
    which the tests and benchmarks use the searches.
    """
    root = COURSE_LIB.parent
    secret = root if (root / "pyproject.toml").exists() else COURSE_LIB
    shown = [("/usr/lib", "/usr/lib"), *(pair for pair in mounts() if not pair[1].startswith("/course"))]
    places = [Path(inside) / secret.relative_to(out) for out, inside in shown if secret.is_relative_to(out)]
    options = [option for place in places for option in empty(place)]
    base = Path("python/lib", f"python{sys.version_info.major}.{sys.version_info.minor}", "site-packages")
    if not _of_the_system(os.__file__) and Path(sys.base_prefix, *base.parts[1:]).is_dir():
        options += empty(f"/{base}")  # those that count are at /packages
    for outside, inside in mounts():
        if inside.startswith("/packages"):
            options += [option for name in SEARCHES if (outside / name).is_dir()
                        for option in empty(f"{inside}/{name}")]  # fmt: skip
            forms = "pyspiel*", "*.pth", "__editable__*", "__pycache__/__editable__*", "*.dist-info/direct_url.json"
            told = [file for form in forms
                    for file in outside.glob(form) if file.is_file()]  # fmt: skip
            for file in told:
                options += ["--ro-bind", "/dev/null", str(Path(inside) / file.relative_to(outside))]
    return options


def view(pairs, shown=("/usr/lib", "/usr/lib64", "/usr/lib32")):
    """The options that show these (outside, inside) pairs and folders of the system, where anybody can enter."""
    folders = [option for path in FOLDERS for option in ("--perms", "0755", "--dir", path)]
    return [*folders, *system(shown), *(option for pair in pairs for option in ("--ro-bind", *map(str, pair)))]


def syscall_filter():
    """A program for the kernel (seccomp, in BPF) that lets `ALLOWED` and `ONLY` through; for `MACHINES` only.

    It refuses programs for another kind of processor, whose calls have other numbers. Of a new call it says that there
    is none, so that C libraries do without. A step is (what to do, the steps to skip if so, the steps to skip if not,
    a number); instead of going on it may allow or refuse the call.
    """
    mark, column = MACHINES[platform.machine()]
    equal, at_least, load, end, allow, refuse = 0x15, 0x35, 0x20, 6, "allow", "refuse"
    steps = [(load, 0, 0, 4), (equal, 0, refuse, mark), (load, 0, 0, 0)]
    numbers = (entry.split()[1 + column] for entry in ALLOWED.split(","))
    steps += [(equal, allow, 0, int(number)) for number in numbers if number != "-"]
    for both, place, values in ONLY.values():
        steps += [(equal, 0, len(values) + 2, both[column]), (load, 0, 0, 16 + 8 * place)]
        steps += [*((equal, allow, 0, value) for value in values), (equal, refuse, refuse, 0)]
    steps += [(at_least, 0, refuse, NEW), (end, 0, 0, 0x00050000 | errno.ENOSYS)]
    ends = {allow: len(steps), refuse: len(steps) + 1}
    steps += [(end, 0, 0, 0x7FFF0000), (end, 0, 0, 0x00050000 | errno.EPERM)]
    skipping = ([ends[way] - at if way in ends else way for way in ways] for at, (_, *ways, _) in enumerate(steps, 1))
    return b"".join(struct.pack("=HBBI", do, *ways, k) for (do, _, _, k), ways in zip(steps, skipping))


LIMITED = f"""
{{ echo 1000 > /proc/self/oom_score_adj; }} 2> /dev/null
ulimit -c 0 && ulimit -v {MEMORY >> 10} && ulimit -f {FILE >> 9} && ulimit -n {OPEN_FILES} && ulimit -t {SECONDS} &&
exec "$@"
"""
"""What the shell does before it becomes bubblewrap: every process that comes from it has these limits.

Should the machine's memory run out all the same, these processes are the first that the kernel ends. The number of
processes is limited by the runner, in the sandbox's own user namespace: outside, the instructor's would be counted.
"""


def bubblewrap():
    """The path of bubblewrap; `ValueError` if it is missing."""
    path = shutil.which("bwrap")
    if path is None:
        raise ValueError("bubblewrap is missing: on Debian and Ubuntu, `apt install bubblewrap`")
    return path


def _proc():
    """The options for a /proc in which the outer bubblewrap finds its own processes, where the system allows one.

    Elsewhere it finds those of the system, and starts only if one of them has the right number.
    """
    tried = subprocess.run([bubblewrap(), "--unshare-pid", "--ro-bind", "/", "/", "--proc", "/proc", "true"],
                           env=ENVIRONMENT, capture_output=True, stdin=subprocess.DEVNULL, check=False)  # fmt: skip
    return ["--proc", "/proc"] if tried.returncode == 0 else ["--bind", "/proc", "/proc"]


@lru_cache
def drop_root():
    """The beginning of a command by which root becomes nobody; empty for other users.

    The kernel does not limit the number of root's processes. So an outer bubblewrap drops to user 65534, in a view of
    the same files that this user can reach, and the inner one is the sandbox. A change of user clears the signal that
    a process gets when its parent dies; with process ids of its own, the outer one takes the inner one with it.
    """
    if os.name != "posix" or os.getuid() != 0:
        return []
    keep = [option for name in ("SETUID", "SETGID", "SETPCAP") for option in ("--cap-add", f"CAP_{name}")]
    return [bubblewrap(), "--die-with-parent", "--unshare-pid", "--cap-drop", "ALL", *keep,
            *view(mounts(), ["/usr"]), "--perms", "1777", "--tmpfs", "/tmp",
            *_proc(), "--dev-bind", "/dev", "/dev", "--",
            "setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--bounding-set=-all",
            "--"]  # fmt: skip


@lru_cache
def sealed():
    """The options by which bubblewrap makes the sandbox, and Python in it.

    There is no network, no /proc, and nothing but `mounts()`, all of it read-only. Processes in it can make no user
    namespace, in which they could mount.
    """
    pairs = mounts() if not drop_root() else [(inside, inside) for _, inside in mounts()]
    libraries = [] if _of_the_system(os.__file__) else ["--setenv", "LD_LIBRARY_PATH", "/python/lib"]
    return ["--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session", *libraries,
            "--uid", "1000", "--gid", "1000", "--hostname", "sandbox", *view(pairs), *hidden(),
            "--dev", "/dev", "--ro-bind", "/dev/null", "/dev/tty", "--size", str(TEMPORARY), "--tmpfs", "/tmp",
            "--chdir", "/tmp", "--remount-ro", "/dev", "--remount-ro", "/", "--",
            _inside(Path(sys.executable).resolve()), *PLAIN_PYTHON]  # fmt: skip


@lru_cache
def scope():
    """The beginning of a command that runs in a cgroup with limits; empty where the user cannot make one.

    systemd makes the cgroup, and is asked once whether its limits are really in force. It needs to know where its own
    socket is; `env` takes that away again.
    """
    program = shutil.which("systemd-run")
    if program is None:
        return []
    command = [program, "--user", "--scope", "--quiet", "--collect", "-p", f"MemoryMax={WHOLE_MEMORY}",
               "-p", "MemorySwapMax=0", "-p", f"TasksMax={WHOLE_TASKS}", "--"]  # fmt: skip
    look = 'cd "/sys/fs/cgroup$(sed -n s/^0:://p /proc/self/cgroup)" && cat memory.max pids.max'
    try:
        tried = subprocess.run([*command, "sh", "-c", look], env=ENVIRONMENT | _of_systemd(), stdin=subprocess.DEVNULL,
                               capture_output=True, text=True, encoding="utf-8", timeout=10)  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return []
    held = tried.stdout.split() == [str(WHOLE_MEMORY), str(WHOLE_TASKS)]
    return [*command, "env", "-i", *(f"{name}={value}" for name, value in ENVIRONMENT.items())] if held else []


def _of_systemd():
    """The environment variables by which `systemd-run` finds the user's systemd."""
    return {name: os.environ[name] for name in ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS") if name in os.environ}


def limited_by():
    """What limits a sandbox's memory and its number of processes on this machine, in words for the results."""
    return "cgroup" if scope() else "limits for each process"


def in_bubblewrap(start, arguments, **options):
    """`start(command, …)`, as `subprocess.run` or `Popen`, of Python with these arguments in a sandbox."""
    environment = ENVIRONMENT | (_of_systemd() if scope() else {})
    program = bubblewrap()
    with open(os.memfd_create("filter"), "r+b") as rules:
        filters = ["--seccomp", str(rules.fileno())] if platform.machine() in MACHINES else []
        rules.write(syscall_filter() if filters else b"")
        rules.seek(0)
        command = [*scope(), "/bin/sh", "-c", LIMITED, "sh", *drop_root(), program, *filters, *sealed()]
        return start([*command, *arguments], pass_fds=[rules.fileno()], env=environment, **options)


def start_runner(folder, **options):
    """The runner's process: in a sandbox, or, with a `folder` for its temporary files, without one."""
    if folder is None:
        arguments = "/course/runner.py", "sandboxed", "/course", *map(_inside, packages())
        return in_bubblewrap(subprocess.Popen, arguments, **options)
    program = INSIDE / "runner.py"
    command = [sys.executable, *PLAIN_PYTHON, program, "unlimited", COURSE_LIB.parent, *packages()]
    windows = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
    environment = {**ENVIRONMENT, **windows, "HOME": folder, "TMPDIR": folder}
    return subprocess.Popen(list(map(str, command)), cwd=folder, env=environment, **options)


def why_no_sandbox():
    """Why student code cannot be run in bubblewrap on this machine, or "" if it can.

    A temporary folder that is full or missing raises `OSError`: that is no reason to do without a sandbox.
    """
    games()
    try:
        tried = in_bubblewrap(subprocess.run, ["-c", "print('ready')"], capture_output=True, text=True,
                              encoding="utf-8", timeout=60, stdin=subprocess.DEVNULL)  # fmt: skip
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


def family(pid):
    """The ids of a process and of all that descend from it, in whatever group, session or namespace they are.

    A process whose parent has ended belongs to the first process of the sandbox, and so stays in the family.
    """
    found = [pid]
    for one in found:  # it grows as it is read
        found += [int(child) for text in _of_threads(one, "children") for child in text.split()]
    return found


def _runs(pid):
    """Whether a thread of a process is neither stopped nor at its end: its first one may have ended before others.

    A process that has gone since it was found ran until then.
    """
    states = [text.rsplit(")", 1)[1].split()[0] for text in _of_threads(pid, "stat")]
    return not states or any(state not in "TtZX" for state in states)


def _of_threads(pid, name):
    """What this file of /proc says of each thread of a process; those that have ended since are left out."""
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError):
                yield Path(f"/proc/{pid}/task/{thread}/{name}").read_text(errors="replace")


class Process:
    """The process that runs one student's code, and the pipe to it. `allow` says how long it may run."""

    def __init__(self, sandboxed=True):
        self.folder = None if sandboxed else tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = start_runner(
            self.folder and self.folder.name, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, bufsize=0, start_new_session=True,
        )  # fmt: skip
        self.timed_out, self.timer, self.until, self.left = False, None, 0.0, MOST_SAID
        self.frozen, self.unread = False, bytearray()

    def allow(self, seconds):
        """Give it so many seconds from now, after which it is ended: as soon as something is waited for."""
        self.relax()
        self.left = MOST_SAID
        self.until = time.monotonic() + seconds
        if os.name != "posix":  # where nothing can wait for a pipe so long, and no longer
            self.timer = threading.Timer(seconds, self._out_of_time)
            self.timer.daemon = True
            self.timer.start()

    def relax(self):
        """No deadline, while nothing is asked of it."""
        if self.timer is not None:
            self.timer.cancel()

    def freeze(self):
        """Stop all processes of the program, so that none runs until `thaw`; end it if one cannot be stopped.

        Return whether it could be stopped.
        """
        self.relax()
        self.frozen = True
        if self.folder is not None:
            if os.name == "posix":
                self._signal_group(signal.SIGSTOP)
            return True
        until, seen = time.monotonic() + STILL, None
        while True:
            found = family(self.process.pid)
            running = [pid for pid in found if _runs(pid)]
            if not running and found == seen:  # a chain of processes that end at once is never the same twice
                return True
            seen = found
            for pid in running:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGSTOP)
            if time.monotonic() > until:
                self._kill()
                return False
            time.sleep(0.0002)

    def thaw(self):
        """Let the program go on if it was stopped."""
        if not self.frozen:
            return
        self.frozen = False
        if self.folder is not None:
            return self._signal_group(signal.SIGCONT) if os.name == "posix" else None
        for pid in family(self.process.pid):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)

    def has_ended(self):
        """Whether it was ended or ended itself."""
        return self.timed_out or self.process.poll() is not None

    def _out_of_time(self):
        self.timed_out = True
        self._kill()

    def send(self, frame):
        pipe = self.process.stdin.fileno()
        try:
            while frame and self._is_ready([], [pipe]):
                frame = frame[os.write(pipe, frame[:PIECE]) :]
        except OSError:
            raise self._ended() from None
        if frame:
            raise self._ended()

    def receive(self):
        size = int.from_bytes(self._exactly(4), "big")
        if size > LARGEST:
            raise Broken(f"a frame of more than {LARGEST:,} bytes")
        self.left -= size
        if self.left < 0:
            raise Broken(f"it sent more than {MOST_SAID:,} bytes")
        return self._exactly(size)

    def _exactly(self, size):
        """So many bytes. What comes with them is kept for the next time."""
        while len(self.unread) < size:
            chunk = self._read()
            if not chunk:
                raise self._ended()
            self.unread += chunk
        wanted = bytes(self.unread[:size])
        del self.unread[:size]
        return wanted

    def _read(self):
        """What there is to read; nothing once the time is over."""
        pipe = self.process.stdout.fileno()
        return os.read(pipe, 1 << 16) if self._is_ready([pipe], []) else b""

    def _is_ready(self, reading, writing):
        """Whether a pipe is ready in time; if not, the program is ended, for a lost child may hold the other end."""
        if os.name != "posix":
            return True
        while (left := self.until - time.monotonic()) > 0:
            now, piece = time.monotonic(), min(left, SHORT)
            if any(select.select(reading, writing, [], piece)):
                return True
            lost = time.monotonic() - now - piece
            self.until += lost if lost > SHORT else 0  # somebody had stopped the grader, and perhaps the program
        self._out_of_time()
        return False

    def _ended(self):
        return OutOfTime("no answer in time") if self.timed_out else Broken("the program has ended")

    def _signal_group(self, number):
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)

    def _kill(self):
        """End it, and without a sandbox all of its process group."""
        if os.name == "posix":
            self._signal_group(signal.SIGKILL)
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
