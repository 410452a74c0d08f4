"""The sandbox from inside and outside, the pipe, and what the grader answers on it."""

import getpass
import math
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.check.examine import Direct
from course_lib.check.failures import StudentError, Verdict
from course_lib.check.tables import Row
from course_lib.games import ConnectFour, Pig, Same, TreeGame
from grading_command.processes import SPINS, descendants, has_ended
from instructor.grade import remote as remote_student
from instructor.grade import sandbox
from instructor.grade.inside.protocol import AS_JSON, MAX_HASHED, Broken, decode, encode
from instructor.grade.remote import Grader, RemoteStudent, one_line, pickled
from instructor.grade.sandbox import check_sandbox
from sections import sections

PROGRAMS = sections(Path(__file__).with_name("programs.txt"))
LETTERS = 'a\n"\\\0é∞😀'  # any others would take Hypothesis seconds to list
ATOMS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(LETTERS)
KEYS = st.integers() | st.text(LETTERS, max_size=3)
PLAIN = st.recursive(
    ATOMS, lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(KEYS, inner), max_leaves=10
)


@given(PLAIN)
def test_plain_data_cross_the_pipe_unchanged(value):
    (sent,) = decode(AS_JSON([encode(value)]).encode())
    assert repr(sent) == repr(value).replace("-nan", "nan")


VALUES = ({}, {"a": 1, "b": 2}, {"tuple": 5}, {"dict": [[1]]}, {"set": [[]]}, {"float": []}, {"x": 1},
          {"set": list(range(MAX_HASHED + 1))})  # fmt: skip


@pytest.mark.parametrize("line", [b"", b"[", b"{}", b"\xff\xfe", b"[" * 100_000, b"[" + b"1" * 10_000 + b"]",
                                  *(AS_JSON(["ticket", value]).encode() for value in VALUES)])  # fmt: skip
def test_a_malformed_line_ends_the_conversation(line):
    """An error of another kind would end the marking of the whole submission."""
    with pytest.raises(Broken):
        decode(line)


@pytest.mark.parametrize("message", [[], [1], ["0" * 16, 7], ["0" * 16, "x", "y", "z"], ["x"] * 3, ["x", 1, 2, 3]])
def test_what_is_not_the_answer_to_a_call_ends_the_conversation(message):
    grader = Grader.__new__(Grader)
    grader.send, grader.receive = (lambda _: None), (lambda: AS_JSON(message).encode())
    with pytest.raises(Broken):
        grader.call("read", "x")


@pytest.fixture
def student(bubblewrap):
    """A function that runs cells in a sandbox and returns the `RemoteStudent`; it is ended after the test."""
    students = []

    def run(*cells, seconds=20, **options):
        students.append(RemoteStudent(list(cells), seconds, **options))
        students[-1].begin(seconds)
        return students[-1]

    yield run
    for remote in students:
        remote.close()


GIVEN = {"", "HOME", "LANG", "LC_CTYPE", "LD_LIBRARY_PATH", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "PATH", "PWD",
         "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED"}  # fmt: skip
"""The names of all environment variables that a program may find."""
TOP = {"bin", "lib", "lib32", "lib64", "usr", "tmp", "dev", "course", "packages", "python"}


def test_there_is_nothing_in_it(student):
    remote = student(
        "import os, glob, sys",
        "top, users = set(os.listdir('/')), (os.getuid(), os.geteuid())",
        "course = sorted({folder for folder, _, names in os.walk('/course')})",
        "names = sorted(os.environ)",
        "system = sorted(os.listdir('/usr'))",
        "programs = [name for folder in ('/usr/bin', '/python/bin', '/bin') if os.path.isdir(folder)"
        " for name in os.listdir(folder)]",
        "others = [n for f in sys.path for n in glob.glob(f + '/site-packages/*')]",
        "host = os.uname().nodename",
        "writable = [p for p in ('/', '/course', '/packages', '/dev', '/usr/lib') if os.access(p, os.W_OK)]",
    )
    assert remote.faults == {}
    assert remote.read("top") <= TOP
    assert set(remote.read("system")) <= {"bin", "lib", "lib32", "lib64"}
    assert set(remote.read("programs")) == {Path(sys.executable).resolve().name}
    assert remote.read("users") == (1000, 1000)
    assert [path for path in remote.read("course") if "__pycache__" not in path] == [
        "/course", "/course/course_lib", "/course/course_lib/games"]  # fmt: skip
    inside = descendants(remote.process.process.pid)[-1]
    status = dict(line.split(":\t") for line in Path(f"/proc/{inside}/status").read_text().splitlines())
    assert [int(status[name], 16) for name in ("CapEff", "CapPrm", "CapBnd", "NoNewPrivs")] == [0, 0, 0, 1]
    assert "HOME" in remote.read("names") and set(remote.read("names")) <= GIVEN
    assert remote.read("others") == remote.read("writable") == []
    assert remote.read("host") == "sandbox" != socket.gethostname()


def test_an_installed_copy_of_the_course_is_hidden(tmp_path, monkeypatch):
    (tmp_path / "course_lib").mkdir()
    monkeypatch.setattr(sandbox, "mounts", lambda: [(tmp_path, "/packages/0")])
    assert "/packages/0/course_lib" in sandbox._hidden()


def family(remote):
    """The ids of all processes of a sandbox, seen from outside."""
    return [str(remote.process.process.pid), *descendants(remote.process.process.pid)]


def all_end(pids):
    """Whether all of these processes end within a minute."""
    until = time.monotonic() + 60
    while not all(map(has_ended, pids)) and time.monotonic() < until:
        time.sleep(0.01)
    return all(map(has_ended, pids))


def test_nothing_is_left_of_it_and_every_process_is_limited_before_it_begins(student):
    remote = student(SPINS, "import subprocess, sys\np = subprocess.Popen([sys.executable, '-c', 'input()'], stdin=-1)")
    pids = [pid for pid in family(remote) if not has_ended(pid)]
    assert len(pids) >= 4
    for pid in pids:
        lines = Path(f"/proc/{pid}/limits").read_text().splitlines()
        limits = {line[:26].strip(): line[26:].split()[1] for line in lines[1:]}
        assert limits["Max address space"] == str(768 << 20)
        assert limits["Max file size"] == str(16 << 20)
        assert (limits["Max open files"], limits["Max core file size"]) == ("64", "0")
        assert Path(f"/proc/{pid}/oom_score_adj").read_text() == "1000\n"
    assert (limits["Max processes"], limits["Max pending signals"]) == (
        "6",
        "64",
    )  # of the last, which is the innermost
    remote.close()
    assert all_end(pids)


def test_no_descriptor_of_the_grader_is_inherited(student, tmp_path):
    with (tmp_path / "secret").open("w") as secret:
        os.set_inheritable(secret.fileno(), True)
        remote = student("x = 1")
        for pid in family(remote):
            opened = [os.readlink(path) for path in Path(f"/proc/{pid}/fd").iterdir()]
            assert not [path for path in opened if "secret" in path]


ROOT = Path(__file__).parents[2]
TOKEN = "sesame-of-the-instructor"


def test_nothing_of_the_instructors_can_be_read_in_it(student, monkeypatch):
    """No token, no path of the course or of a home, no name of a user; modules' bytecode holds its own path."""
    monkeypatch.setenv("COURSE_TOKEN", TOKEN)
    remote = student(PROGRAMS["seen"])
    assert remote.faults == {}
    secrets = [TOKEN, str(ROOT), *({str(Path.home()), f"/{getpass.getuser()}/"} - {"/", "//"})]
    assert remote.call("found", secrets) == []
    assert remote.call("found", ["course_lib"]) != []  # it does read what there is


CALLS = ("ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp", "keyctl", "syslog", "memfd_create",
         "shmget", "mq_open", "io_uring_setup", "userfaultfd", "perf_event_open", "bpf", "unshare", "setns", "mount",
         "open_by_handle_at", "sendmsg", "recvmsg", "connect", "bind", "seccomp", "clock_settime")  # fmt: skip


def test_no_call_reaches_into_another_process_or_to_the_net(student):
    import pyseccomp

    numbers = {name: pyseccomp.resolve_syscall(pyseccomp.system_arch(), name) for name in CALLS}
    remote = student(PROGRAMS["seen"])
    assert [name for name, number in numbers.items() if not remote.call("refused", number, 0, 0, 0, 0, 0)] == []
    unix, inet, inet6, netlink, packet, alg, vsock = 1, 2, 10, 16, 17, 38, 40
    assert remote.call("families", [unix, inet, inet6, netlink, packet, alg, vsock]) == 0
    assert remote.call("talks_to_itself")  # as asyncio does
    with pytest.raises(StudentError, match="Function not implemented"):
        remote.call("sends_to_an_address")


@pytest.mark.parametrize("name", ["record_lock", "file_lock", "no_zombies"])
def test_no_other_sandbox_sees_a_lock_and_no_childs_time_is_lost(student, name):
    remote = student(PROGRAMS["evades"])
    assert remote.faults == {}
    with pytest.raises(StudentError, match="Function not implemented"):
        remote.call(name)


def test_the_time_of_many_short_cells_counts(student):
    cell = "t = time.process_time()\nwhile time.process_time() < t + 0.03: pass"
    remote = student("import time", *[cell] * 60, seconds=0.2)
    assert "not run" in remote.faults[61]


def test_honest_work_with_files_threads_and_processes_goes_on(student):
    remote = student("import os\nos.chdir('/tmp')", PROGRAMS["honest work"])
    assert remote.faults == {}
    assert (remote.read("answer"), remote.read("done")) == ("7\n", [1])


OF_JUPYTER = (
    "import pickle\nclass A: pass\ndef f(x): return type(pickle.loads(pickle.dumps(A()))) is A",
    "%matplotlib inline\n!ls\ndef g(): return 1  # one?\nf?",
    "%%time\nh = 1",
    "%%bash --out said\nh = None",
    "%pip install x\nfiles = !ls\n7",
    "import micropip\nawait micropip.install('x')\nlast = _, In[1][:13]",
    "import matplotlib.pyplot as plt\nfigure, (a, b, c) = plt.subplots(1, 3)\nplt.show()\nleft = plt.get_fignums()",
    "runs = []\n%timeit runs.append(1)\nt = %timeit -o -n 3 runs.append(2)",
    "import asyncio\ndef in_a_loop(): return asyncio.get_running_loop() is not None",
    "from course_lib.watch import watch\nf'{watch(1).value:.1f} of {len(watch(1).events)}'",
    "from course_lib.check import *\nimport course_lib.check\nstudent('ada')\nnames = course_lib.check.__all__",
)


def test_cells_run_as_in_jupyter(student):
    remote = student(*OF_JUPYTER)
    assert remote.faults == {}
    assert set(remote.read("names")) >= {"check", "hint", "personal_tree", "score", "student", "warm_up"}
    assert remote.call("f", 0) is True and remote.call("g") == remote.read("h") == 1
    assert [remote.read(name) for name in ("said", "files", "last", "left")] == ["", [], (7, "import pickle"), []]
    assert remote.read("runs") == [1, 2, 2, 2] and remote.call("in_a_loop") is True
    assert list(remote.ignored) == [
        "cell 2, line 2: !ls", "cell 4, line 1: %%bash --out said", "cell 5, line 1: %pip install x",
        "cell 5, line 2: files = !ls", "cell 6, line 1: import micropip"]  # fmt: skip


def test_the_library_and_pip_do_nothing_in_a_cell_and_are_missing_in_an_answer(student):
    remote = student(
        "from course_lib.search import minimax_value\nprint(minimax_value(None, ()))\nfound = minimax_value(None, ())",
        "import subprocess, sys\nsubprocess.check_call([sys.executable, '-m', 'pip', 'install', 'x'])\ny = 7",
        "def f(): return minimax_value(None, ())",
    )
    assert remote.faults == {} and remote.read("y") == 7
    assert list(remote.ignored) == [
        "cell 2, line 2: subprocess.check_call([sys.executable, '-m', 'pip', 'install', 'x'])"]  # fmt: skip
    for ask in (lambda: remote.call("f"), lambda: remote.read("found")):
        with pytest.raises(StudentError, match="may use only the games"):
            ask()


def test_a_forged_list_of_lines_is_not_shown(student):
    for forged in ("7", "['cell 1, line 9', 'x', 7, None]", "{}", "...", "object()"):
        remote = student(f"{RUNNER}runner.run = lambda *given: {forged}", "x = 1")
        assert list(remote.ignored) == []


def test_the_visited_leaves_are_noted(student):
    remote, tree = student(PROGRAMS["search"]), TreeGame([[3, 5], 4])
    assert remote.ask("with_leaves", "first_leaf", tree) == [3, [(0, 0)]]
    assert remote.ask("with_leaves", "first_leaf", TreeGame([[3, 4], [Same((0, 1))]])) == [3, []]
    names = {}
    exec(PROGRAMS["search"], names)  # no call knows what an earlier one kept, in the notebook and here
    for calls in (1, 2):
        assert Direct(names["games_seen"]).ask("with_leaves", "games_seen", tree, ()) == [calls, []]
        assert remote.ask("with_leaves", "games_seen", tree, ()) == [calls, []]


RUNNER = "import gc\nrunner = next(thing for thing in gc.get_objects() if type(thing).__name__ == 'Runner')\n"


def test_whole_games_run_inside(student):
    remote = student(
        "def count(game, state): return type(game).__module__, len(game.actions(state)), repr(game)\n"
        "def shape(game, state): return type(state).__name__, state.total\n",
        "def joined(game, state): return game.result((1,), 0), game.result(game.result((1,), 0), 1)",
        "from course_lib.check import personal_tree\nvalue = personal_tree('minimax.trace').utility((0,), 0)",
        personal={"minimax.trace": TreeGame([1, 2])},
    )
    assert remote.call("joined", TreeGame([[1, [2, 5]], [Same((0, 1))]]), ()) == ((0, 1), (0, 1, 1))
    assert remote.read("value") == 1
    game = ConnectFour(5, 4)
    assert remote.call("count", game, game.initial_state()) == ("course_lib.games.connect_four", 5, repr(game))
    pig = Pig(20)
    state = pig.result(pig.initial_state(), "roll")
    assert remote.call("shape", pig, state) == (type(state).__name__, state.total)


def test_many_answers_that_sleep_are_not_waited_for_at_once(student):
    remote = student("import time\ndef f(x): time.sleep(2.5)")
    remote.keep(pickled({"cases": [Row((7,), [], [], {})] * 3}))
    assert remote.ask_each("called", "f", "cases", 0, 3) == [None, None]


def test_a_question_has_an_end_to_what_is_sent_to_the_grader(student):
    """Answers are kept while a name for the mistake is looked for."""
    remote = student("def f(): return 'x' * 900_000")
    with pytest.raises(StudentError, match="sent more than"):
        [remote.call("f") for _ in range(20)]


def test_each_failure_is_told_apart_and_the_program_goes_on(student):
    remote = student("def f(x): return x\ndef g(x): x.append(1)\ndef h(x): raise NotImplementedError\n"
                     "def i(x):\n    return missing\ndef j(x):\n    import os; os._exit(0)\nk = ...\n"
                     "def l(x): return l(x)\ndef m(x): return object()\ndef o(x): return ['y' * 900_000] * 2",
                     seconds=3)  # fmt: skip
    kinds = {}
    for name in "ghijlmnok":
        remote.begin(3)
        with pytest.raises(StudentError) as caught:
            remote.read(name) if name == "k" else remote.call(name, [1])
        kinds[name] = caught.value.reason
    assert kinds == {"g": "changed", "h": "unanswered", "i": "NameError", "j": "ended", "l": "too deep",
                     "m": "not plain", "n": "unanswered", "o": "not plain", "k": "unanswered"}  # fmt: skip
    remote.begin(3)
    assert remote.call("f", {1: (2, math.inf)}) == {1: (2, math.inf)}
    with pytest.raises(StudentError, match="NameError: name 'missing' is not defined") as caught:
        remote.call("i", 0)
    assert caught.value.line == "cell 1, line 5: return missing"


def test_a_cell_that_failed_is_reported_with_its_line_and_explains_a_missing_name(student):
    remote = student("x = 1\x1b[2J", "y = 1\n1 / 0\ndef f(): pass")
    assert remote.faults[2] == "ZeroDivisionError: division by zero (line 2: 1 / 0)"
    assert "SyntaxError" in remote.faults[1] and remote.faults[1].isprintable()
    with pytest.raises(StudentError, match=r"f is not defined\. Code cell 2 failed: ZeroDivisionError"):
        remote.call("f")


def test_a_forged_line_is_not_shown(student):
    """The program can send any line; the one that is shown is the grader's own."""
    remote = student(RUNNER + "def f(line):\n    runner.describe = lambda error: ('E', 'm', line)\n    1 / 0\n")
    for line, shown in [(TOKEN, ""), (f"cell 1, line 1: {TOKEN}", ""), ("cell 9, line 1", ""), ("cell 1, line 0", ""),
                        ("cell \u0661, line 1", ""), ("cell 1, line 1", "cell 1, line 1: import gc")]:  # fmt: skip
        with pytest.raises(StudentError) as caught:
            remote.call("f", line)
        assert caught.value.line == shown


def test_words_are_on_one_line_and_cut_short():
    assert one_line("a\x1b[31m\r\nb\u202e\u2028c\x9bd") == "a [31m b c d"
    assert one_line("x" * 1000, 10) == "x" * 9 + "…"


def test_what_waits_for_a_busy_machine_loses_nothing(student):
    """Stopped from outside for longer than the limit, as if others had the cores: it has used no CPU time."""
    remote = student("def f(): return sum(range(3_000_000))", seconds=1)
    inside = int(descendants(remote.process.process.pid)[-1])
    os.kill(inside, signal.SIGSTOP)
    threading.Timer(2, os.kill, (inside, signal.SIGCONT)).start()
    assert remote.call("f") == sum(range(3_000_000))


def test_a_pause_of_the_grader_is_not_the_students_time(student, monkeypatch):
    monkeypatch.setattr(remote_student, "WALL", 1)
    remote = student("def f(): return 7", seconds=1)
    assert remote.call("f") == 7
    time.sleep(1.5)
    assert remote.call("f") == 7


ENDLESS = {
    "a child": "subprocess.run([sys.executable, '-S', '-c', 'while True: pass'])",
    "an orphan": f"exec({SPINS!r})\n    time.sleep(60)",
    "threads": "t = threading.Thread(target=spin)\n    t.start()\n    t.join()",
    "sleep": "time.sleep(60)",
}
"""Answers without end: all CPU time counts, and the wall clock only for what sleeps."""


@pytest.mark.parametrize("kind", ENDLESS)
def test_no_answer_takes_more_cpu_time_than_it_has_or_sleeps_for_long(student, monkeypatch, kind):
    monkeypatch.setattr(remote_student, "WALL", 3 if kind == "sleep" else 1000)
    spin = "import subprocess, sys, threading, time\ndef spin():\n    while True: pass\n"
    remote = student(f"{spin}def f():\n    {ENDLESS[kind]}", seconds=1)
    with pytest.raises(StudentError) as caught:
        remote.call("f")
    assert caught.value.verdict is Verdict.TIME


def test_all_cells_together_have_an_end(student):
    spins = "import time\nbegan = time.process_time()\nwhile time.process_time() < began + 0.9: pass"
    remote = student(*[spins] * 6, seconds=1)
    assert remote.faults[6] == "not run: earlier cells took too long or ended the program too often"


def test_the_time_of_one_question_is_not_the_nexts(student):
    remote = student("def f(): return 1", seconds=2)
    assert remote.call("f") == 1
    time.sleep(2.5)  # the grader does something else
    remote.begin(20)
    assert remote.call("f") == 1


def test_an_answer_that_ends_its_copy_as_if_asked_to_ends_the_program(student):
    """Otherwise the original would see the next case, and all later questions what it did there."""
    remote = student(PROGRAMS["ends as told"])
    assert remote.call("f", "first") == 7
    with pytest.raises(StudentError):
        remote.call("f", "second")
    remote.begin(20)
    assert remote.call("seen_here") == []


@pytest.mark.parametrize("sandboxed", [True, False])
def test_what_an_answer_spoils_is_lost_to_its_question_only(student, sandboxed):
    remote = student("x = 1\ndef f(): return globals().pop('x')", seconds=5, sandboxed=sandboxed)
    began = remote.process
    for _ in range(3):
        assert remote.call("f") == 1
        remote.begin(5)
        assert remote.read("x") == 1 and remote.process is began


def test_without_a_sandbox_a_pipe_that_nobody_reads_has_an_end_too(student, monkeypatch):
    monkeypatch.setattr(remote_student, "WALL", 2)
    remote = student(PROGRAMS["holds"], "#" + "y" * 900_000, seconds=0.4, sandboxed=False)
    assert remote.faults == {2: "stopped: it took too long"}


def test_a_missing_program_is_named(tmp_path, monkeypatch):
    (tmp_path / "bwrap").write_text(f"#!/bin/sh\nenv > {tmp_path}/seen\necho no namespaces >&2\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("COURSE_TOKEN", TOKEN)
    monkeypatch.setattr(sandbox, "ENVIRONMENT", sandbox.ENVIRONMENT | {"PATH": f"{tmp_path}:{os.environ['PATH']}"})
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    for cached in (sandbox._drop_root, sandbox._sealed):
        cached.cache_clear()
    try:
        with pytest.raises(ValueError, match=r"no sandbox can be made on this machine: no namespaces\..*--no-sandbox"):
            check_sandbox()
        assert TOKEN not in (tmp_path / "seen").read_text()
        monkeypatch.setenv("PATH", str(tmp_path / "empty"))
        sandbox._drop_root.cache_clear()
        with pytest.raises(ValueError, match="apt install bubblewrap"):
            check_sandbox()
    finally:
        for cached in (sandbox._drop_root, sandbox._sealed):
            cached.cache_clear()


def test_a_limit_of_the_shell_that_is_too_low_is_named(bubblewrap):
    check = f"ulimit -n 30; {sys.executable} -c 'from instructor.grade.sandbox import check_sandbox; check_sandbox()'"
    told = subprocess.run(["bash", "-c", check], cwd=ROOT, capture_output=True, text=True).stderr
    assert "NOFILE resource limit" in told and "`ulimit -a`" in told


@pytest.mark.parametrize("name", ["TERM", "KILL"])
def test_nothing_is_left_of_a_sandbox_when_its_grader_is_killed(bubblewrap, name):
    grader = subprocess.Popen([sys.executable, "-c", PROGRAMS["grades"]], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    first = int(grader.stdout.readline())
    until = time.monotonic() + 60
    while len(descendants(first)) < 3 and time.monotonic() < until:
        time.sleep(0.05)
    left = [str(first), *descendants(first)]
    assert len(left) > 3
    subprocess.run(["kill", f"-{name}", str(grader.pid)], check=True)
    grader.wait()
    assert all_end(left)
