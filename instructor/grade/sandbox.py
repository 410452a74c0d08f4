"""The sandbox for students' code: bubblewrap's namespaces, a filter of system calls, and resource limits."""

import errno
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import course_lib

COURSE_LIB = Path(course_lib.__file__).resolve().parent
INSIDE = Path(__file__).resolve().parent / "inside"
TEMPORARY = 32 << 20
"""Bytes in the sandbox's temporary folder, the only place that can be written to."""
LIMITS = ("--core=0", f"--as={768 << 20}", f"--fsize={16 << 20}", "--nofile=64")
"""Limits of each process: no core dump, bytes of memory and of a file, open files."""
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0",
               "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # fmt: skip
"""All environment variables of every process that grading starts."""
FOLDERS = ("/course", "/course/course_lib", "/packages", "/python", "/python/bin")
NOBODY = "65534"
PLAIN_PYTHON = ("-S", "-s", "-P", "-B")
ALLOWED = """
read write readv writev pread64 pwrite64 preadv pwritev lseek open openat openat2 creat close close_range dup dup2 dup3
pipe pipe2 stat fstat lstat newfstatat statx access faccessat faccessat2 getdents getdents64 getcwd chdir fchdir rename
renameat renameat2 mkdir mkdirat rmdir unlink unlinkat link linkat symlink symlinkat readlink readlinkat mknod mknodat
chmod fchmod fchmodat umask truncate ftruncate fallocate fsync fdatasync sendfile copy_file_range ioctl poll
ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd eventfd2 recvfrom
shutdown getsockname getpeername getsockopt brk mmap munmap mremap mprotect madvise msync clone clone3 fork vfork execve
exit exit_group wait4 waitid kill tgkill getpid getppid gettid getpgid getpgrp setpgid getsid setsid getuid geteuid
getgid getegid getresuid getresgid getgroups set_tid_address set_robust_list get_robust_list rseq membarrier arch_prctl
futex sched_yield sched_getaffinity sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min
getcpu getpriority getrlimit getrusage prlimit64 rt_sigprocmask rt_sigreturn rt_sigpending rt_sigsuspend
rt_sigtimedwait sigaltstack pause restart_syscall alarm getitimer setitimer time times gettimeofday clock_gettime
clock_getres nanosleep clock_nanosleep getrandom uname sysinfo
"""
"""The system calls by which Python, NumPy and the C libraries compute, use files of their own, wait and start programs.

What is missing reaches further: into the network, other processes, memory that no limit counts, clocks, keys, the
kernel's log, or locks of files that all sandboxes can read. To a program, a missing call does not exist, so C libraries
use another one.
"""


@lru_cache
def syscall_filter() -> bytes:
    """The seccomp program that lets only `ALLOWED` through, and harmless forms of some other calls."""
    try:
        import fcntl  # late, like `resource` below: Windows has none

        import pyseccomp as seccomp
    except RuntimeError:
        raise ValueError("libseccomp is missing: on Debian and Ubuntu, `apt install libseccomp2`") from None
    refuse = seccomp.ERRNO(errno.ENOSYS)
    rules = seccomp.SyscallFilter(refuse)
    rules.set_attr(seccomp.Attr.ACT_BADARCH, refuse)
    for name in ALLOWED.split():
        rules.add_rule(seccomp.ALLOW, name)
    rules.add_rule(seccomp.ALLOW, "socketpair", seccomp.Arg(0, seccomp.EQ, socket.AF_UNIX))
    rules.add_rule(seccomp.ALLOW, "sendto", seccomp.Arg(4, seccomp.EQ, 0))  # without an address
    for command in (*range(fcntl.F_GETLK), fcntl.F_DUPFD_CLOEXEC):  # no locks: other sandboxes would see them
        rules.add_rule(seccomp.ALLOW, "fcntl", seccomp.Arg(1, seccomp.EQ, command))
    # Nobody can ignore SIGCHLD, as the CPU time of children that nobody waits for would not count.
    for number in {*range(1, signal.NSIG)} - {signal.SIGCHLD}:
        rules.add_rule(seccomp.ALLOW, "rt_sigaction", seccomp.Arg(0, seccomp.EQ, number))
    ask = seccomp.Arg(0, seccomp.EQ, signal.SIGCHLD), seccomp.Arg(1, seccomp.EQ, 0)
    rules.add_rule(seccomp.ALLOW, "rt_sigaction", *ask)
    with os.fdopen(os.memfd_create("filter"), "r+b") as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()


def packages() -> list[Path]:
    """The folders of installed packages."""
    return [path for path in map(Path, sys.path) if path.name in ("site-packages", "dist-packages")]


def _of_the_system(path) -> bool:
    return Path(path).resolve().is_relative_to("/usr/lib")


@lru_cache
def mounts() -> list[tuple[Path, str]]:
    """(outside, inside) pairs of all that the sandbox can read, besides the system's own libraries."""
    pairs = [(file, f"/course/{file.name}") for file in sorted(INSIDE.glob("*.py"))]
    pairs += [(COURSE_LIB / "check" / "graded.py", "/course/graded.py")]
    pairs += [(COURSE_LIB / name, f"/course/course_lib/{name}") for name in ("__init__.py", "games")]
    program = Path(sys.executable).resolve()
    if _of_the_system(os.__file__):
        pairs.append((program, str(program)))
    else:
        pairs += [(program, f"/python/bin/{program.name}"), (Path(sys.base_prefix, "lib").resolve(), "/python/lib")]
    return pairs + [(path, f"/packages/{n}") for n, path in enumerate(packages()) if not _of_the_system(path)]


def _inside(path) -> str:
    """The path in the sandbox of a path outside."""
    for outside, inside in [*mounts(), ("/usr/lib", "/usr/lib")]:
        if Path(path).is_relative_to(outside):
            return str(Path(inside) / Path(path).relative_to(outside))
    raise ValueError(f"the sandbox cannot show Python's own files in {path}: make a new virtual environment with "
                     f"`python3 -m venv`, and grade with it")  # fmt: skip


def _hidden() -> list[str]:
    """The options that hide a copy of the course that is installed as a package, and the base Python's packages."""
    installed = [(out, inside) for out, inside in mounts() if inside.startswith("/packages")]
    places = [f"{inside}/{name}" for out, inside in installed for name in ("course_lib",) if (out / name).is_dir()]
    base = Path("lib", f"python{sys.version_info.major}.{sys.version_info.minor}", "site-packages")
    if not _of_the_system(os.__file__) and Path(sys.base_prefix, base).is_dir():
        places.append(f"/python/{base}")
    return [option for place in places for option in ("--tmpfs", place, "--remount-ro", place)]


def _view(pairs, system=("/usr/lib", "/usr/lib64", "/usr/lib32")) -> list[str]:
    """The options that show these (outside, inside) pairs, and folders of the system, read-only."""
    options = [option for path in FOLDERS for option in ("--perms", "0755", "--dir", path)]
    for folder in (*filter(os.path.isdir, system), "/lib", "/lib64", "/lib32", "/bin"):
        if os.path.islink(folder):
            options += ["--symlink", os.readlink(folder), folder]
        elif os.path.isdir(folder):
            options += ["--ro-bind", folder, folder]
    return options + [option for pair in pairs for option in ("--ro-bind", *map(str, pair))]


def bubblewrap() -> str:
    """The path of bubblewrap."""
    path = shutil.which("bwrap")
    if path is None:
        raise ValueError("bubblewrap is missing: on Debian and Ubuntu, `apt install bubblewrap`")
    return path


@lru_cache
def _drop_root() -> list[str]:
    """The beginning of a command by which root becomes nobody; empty for other users.

    The kernel does not limit the number of root's processes. So an outer bubblewrap drops to user 65534, in a view of
    the same files that this user can reach, and the inner one is the sandbox.
    """
    if os.getuid() != 0:
        return []
    keep = [option for name in ("SETUID", "SETGID", "SETPCAP") for option in ("--cap-add", f"CAP_{name}")]
    return [bubblewrap(), "--die-with-parent", "--unshare-pid", "--cap-drop", "ALL", *keep,
            *_view(mounts(), ["/usr"]), "--perms", "1777", "--tmpfs", "/tmp",
            "--bind", "/proc", "/proc", "--dev-bind", "/dev", "/dev", "--",
            "setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--bounding-set=-all",
            "--"]  # fmt: skip


@lru_cache
def _sealed() -> list[str]:
    """The options by which bubblewrap makes the sandbox, and Python in it.

    There is no network, no /proc, and nothing but `mounts()`, all of it read-only. Processes in it can make no user
    namespace, in which they could mount.
    """
    pairs = mounts() if not _drop_root() else [(inside, inside) for _, inside in mounts()]
    libraries = [] if _of_the_system(os.__file__) else ["--setenv", "LD_LIBRARY_PATH", "/python/lib"]
    return ["--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session", *libraries,
            "--uid", "1000", "--gid", "1000", "--hostname", "sandbox", *_view(pairs), *_hidden(),
            "--dev", "/dev", "--ro-bind", "/dev/null", "/dev/tty", "--size", str(TEMPORARY), "--tmpfs", "/tmp",
            "--chdir", "/tmp", "--remount-ro", "/dev", "--remount-ro", "/", "--",
            _inside(Path(sys.executable).resolve()), *PLAIN_PYTHON]  # fmt: skip


def in_bubblewrap(start: Callable, arguments: list[str], **options):
    """`start(command, …)`, as `subprocess.run` or `Popen`, of Python with these arguments in a sandbox.

    If the machine's memory runs out, processes in a sandbox are the first that the kernel ends.
    """
    with os.fdopen(os.memfd_create("filter"), "r+b") as rules:
        rules.write(syscall_filter())
        rules.seek(0)
        command = ["choom", "-n", "1000", "--", "prlimit", *LIMITS, "--", *_drop_root(), bubblewrap(),
                   "--seccomp", str(rules.fileno()), *_sealed(), *arguments]  # fmt: skip
        return start(command, pass_fds=[rules.fileno()], env=ENVIRONMENT, **options)


def start_runner(folder: str | None, **options) -> subprocess.Popen:
    """The process that runs a student's code: in a sandbox, or, with a `folder` for its files, without one."""
    if folder is None:
        arguments = ["/course/runner.py", "sandboxed", "/course", *map(_inside, packages())]
        return in_bubblewrap(subprocess.Popen, arguments, **options)
    command = [sys.executable, *PLAIN_PYTHON, INSIDE / "runner.py", "unlimited", COURSE_LIB.parent, *packages()]
    environment = {**ENVIRONMENT, "HOME": folder, "TMPDIR": folder}
    return subprocess.Popen(list(map(str, command)), cwd=folder, env=environment, **options)


def check_sandbox() -> None:
    """Raise `ValueError` if student code cannot be run in bubblewrap on this machine."""
    try:
        tried = in_bubblewrap(subprocess.run, ["-c", "print('ready')"], capture_output=True, text=True,
                              encoding="utf-8", timeout=60, stdin=subprocess.DEVNULL)  # fmt: skip
        why_not = "" if tried.stdout == "ready\n" else tried.stderr.strip()[:300] or "it printed nothing"
        why_not = why_not and f"{why_not}. Your own limits, which `ulimit -a` shows, may be too low"
    except (ValueError, OSError, subprocess.TimeoutExpired) as error:
        why_not = str(error)
    if why_not:
        raise ValueError(f"no sandbox can be made on this machine: {why_not}. Without a sandbox, students' code can "
                         f"read and change what you can; if you trust it, add --no-sandbox")  # fmt: skip
