"""The sandbox from inside and outside, the pipe, and what the grader answers on it."""

import math
import os
import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.check.question import Recorded, StudentError, call_and_leaves, questions_of
from course_lib.games import ConnectFour, Nim, Pig, TreeGame
from course_lib.grade.inside.wire import LARGEST, Broken, NotPlain, Peer, decode, encode, pack, unpack
from course_lib.grade.marking import is_secret, mark, public_cases, secret_cases
from course_lib.grade.remote import RemoteStudent
from course_lib.grade.sandbox import patience
from grading_command.hostile import NOTEBOOK, VALUE, value

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.integers() | st.text(max_size=3), inner)
    ),
    max_leaves=10,
)


COURSE = "course", "packages", "python"
"""The folders of our own at the top of the sandbox."""


def no_reference(*_):
    raise Broken("nothing to refer to")


@given(PLAIN)
def test_plain_data_cross_the_wire_unchanged(value):
    sent = unpack(pack(["answer", encode(value, no_reference)])[4:])
    assert repr(decode(sent[1], no_reference)) == repr(value).replace("-nan", "nan")


@pytest.mark.parametrize(
    "frame",
    [b"", b"[", b"{}", b"[]", b"7", b"[NaN]", b"[1e", b"\xff\xfe", b"[" * 100_000, b"[" + b"1" * 10_000 + b"]"],
)
def test_a_frame_that_is_no_message_ends_the_conversation(frame):
    with pytest.raises(Broken):
        unpack(frame)


@pytest.mark.parametrize(
    "sent",
    [{}, {"a": 1, "b": 2}, {"tuple": 5}, {"dict": [[1]]}, {"dict": [[[], 1]]}, {"set": [[]]}, {"float": []}, {"x": 1}],
)
def test_what_no_value_is_encoded_as_ends_the_conversation(sent):
    with pytest.raises(Broken):
        decode(sent, no_reference)


def test_deep_and_large_values_are_not_sent():
    deep = []
    for _ in range(100):
        deep = [deep]
    with pytest.raises(NotPlain, match="nested"):
        encode(deep, no_reference)
    with pytest.raises(Broken, match="nested"):
        decode(deep, no_reference)
    with pytest.raises(NotPlain, match="bytes"):
        pack(["x" * LARGEST])


@pytest.mark.parametrize(
    "message",
    [*(["call", "x", *parts] for parts in ([7, [], {}], [[0, "__class__"], [], {}], [[0, "leaves"], [], {}],
                                           [True, [], {}], [[[], {}], [], {}], ["mark", [], {}], [0])),
     ["call"], ["nonsense", 1], ["answer", 1], ["answer", "0" * 16, 1], ["error", 1, 2, 3], ["error", "x", 1, 2, 3]],
)  # fmt: skip
def test_only_what_is_offered_can_be_called(message):
    peer = Peer(lambda frame: None, lambda: pack(message)[4:])
    peer.offer(Recorded(TreeGame([1, 2])))
    with pytest.raises(Broken):
        peer.tell("x", [], {})


@pytest.fixture
def student(bubblewrap):
    """A function that runs cells in a sandbox and returns the `RemoteStudent`; it is ended after the test."""
    students = []

    def run(*cells, seconds=20):
        students.append(RemoteStudent(list(cells), seconds))
        students[-1].begin(seconds)
        return students[-1]

    yield run
    for remote in students:
        remote.close()


def test_there_is_nothing_in_it(student):
    remote = student(
        "import os, resource",
        "top, users = set(os.listdir('/')), (os.getuid(), os.geteuid())",
        "walked = [(folder, name) for folder, _, names in os.walk('/course') for name in names]",
        "course = sorted({folder for folder, name in walked if not name.endswith('.pyc')})",
        "wanted = 'CapEff', 'CapPrm', 'CapBnd', 'NoNewPrivs'",
        "caps = [line for line in open('/proc/self/status') if line.startswith(wanted)]",
        "processes = [p for p in os.listdir('/proc') if p.isdigit()]",
        "places = [p for p in ('/home', '/root', '/etc', '/var', '/mnt', '/sys', '/run') if os.path.exists(p)]",
        "names, pipes = sorted(os.environ), os.listdir('/proc/self/fd')",
    )
    assert remote.faults == {}
    assert remote.read("top") <= {
        "bin",
        "lib",
        "lib32",
        "lib64",
        "usr",
        "tmp",
        "dev",
        "proc",
        "course",
        "packages",
        "python",
    }
    assert remote.read("users") == (1000, 1000)
    assert remote.read("course") == ["/course", "/course/course_lib", "/course/course_lib/games"]
    assert [int(line.split()[1], 16) for line in remote.read("caps")] == [0, 0, 0, 1]
    assert len(remote.read("processes")) == 2
    assert remote.read("places") == []
    assert "HOME" in remote.read("names") and not [n for n in remote.read("names") if n not in (
        "HOME", "LANG", "LC_CTYPE", "LD_LIBRARY_PATH", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "PATH", "PWD",
        "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED")]  # fmt: skip
    assert len(remote.read("pipes")) <= 7


def descendants(pid):
    below = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [*below, *(further for child in below for further in descendants(child))]


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_nothing_is_left_of_it(student):
    daemon = (
        "import os\nif os.fork() == 0:\n    os.setsid()\n    os.fork() or __import__('time').sleep(99)\n    os._exit(0)"
    )
    remote = student(daemon, "import subprocess\np = subprocess.Popen(['sleep', '1000'])")
    pids = [str(remote.process.process.pid), *descendants(remote.process.process.pid)]
    assert len([pid for pid in pids if is_alive(pid)]) >= 4
    remote.close()
    end = time.monotonic() + 10
    while any(map(is_alive, pids)) and time.monotonic() < end:
        time.sleep(0.01)
    assert not any(map(is_alive, pids))


def test_no_descriptor_of_the_grader_is_inherited(student, tmp_path):
    with (tmp_path / "secret").open("w") as secret:
        os.set_inheritable(secret.fileno(), True)
        remote = student("import os\nseen = [os.readlink(f'/proc/self/fd/{n}') for n in os.listdir('/proc/self/fd') "
                         "if os.path.islink(f'/proc/self/fd/{n}')]")  # fmt: skip
    assert not [path for path in remote.read("seen") if "secret" in path]


SEARCH = """
def search(game, state):
    if game.is_terminal(state): return game.utility(state, 0)
    return max(-search(game, game.result(state, a)) for a in game.actions(state)) if game.to_move(state) >= 0 else 0
def first_leaf(game, state=()):
    while not game.is_terminal(state): state = game.result(state, game.actions(state)[0])
    return game.utility(state, 0)
def peek(game):
    import gc
    return [node.utilities for node in game._nodes.values()], getattr(game, "tree", None), game.render((0,)), repr(game)
def stale(game):
    global kept
    kept = kept or game
    return kept.utility((0,), 0)
kept = None
"""


def test_the_leaves_looked_at_are_known_for_certain(student):
    remote = student(SEARCH)
    assert call_and_leaves(remote, "first_leaf", (TreeGame([[3, 5], 4]),)) == (3, ((0, 0),))
    nodes, tree, drawn, shown = remote.call("peek", Recorded(TreeGame([77, 78])))
    assert set(nodes) == {None} and tree is None
    assert "7" not in drawn + shown


def test_whole_games_run_inside(student):
    remote = student(
        "def count(game, state): return type(game).__module__, len(game.actions(state)), repr(game)\n"
        "def shape(game, state): return type(state).__name__, state.total\n"
        "def asks(evaluate, state): return evaluate(state) + 1\n"
    )
    game = ConnectFour(5, 4)
    assert remote.call("count", game, game.initial_state()) == ("course_lib.games.connect_four", 5, repr(game))
    assert remote.call("count", Nim([3, 4], most=2), (0, (3, 4)))[1:] == (4, "Nim([3, 4], most=2)")
    pig = Pig(20)
    state = pig.result(pig.initial_state(), "roll")
    assert remote.call("shape", pig, state) == (type(state).__name__, state.total)
    assert remote.call("asks", lambda state: state.total + 40, state) == state.total + 41


RUNNER = "import gc\nrunner = next(thing for thing in gc.get_objects() if type(thing).__name__ == 'Runner')\n"


def test_a_game_that_runs_inside_is_not_asked_for_in_the_grader(student):
    """Its functions would do for student code what they are not made for, such as listing a billion moves."""
    remote = student(RUNNER + "def f(game, state): return runner.call([runner.ours[id(game)], 'actions'], state)")
    with pytest.raises(StudentError, match="never offered"):
        remote.call("f", Nim([3]), (0, (3,)))


def test_a_question_has_an_end_to_what_is_sent_to_the_grader(student):
    """What the grader's functions are called with may be kept, as the leaves looked at are."""
    remote = student("def f(tell):\n    while True: tell('x' * 900_000)", seconds=60)
    kept = []
    with pytest.raises(StudentError, match="sent more than"):
        remote.call("f", kept.append)
    assert 10 < len(kept) < 20


def test_each_failure_is_told_apart_and_the_program_goes_on(student):
    remote = student("def f(x): return x\ndef g(x): x.append(1)\ndef h(x): raise NotImplementedError\n"
                     "def i(x):\n    return missing\ndef j(x):\n    import os; os._exit(0)\nk = ...\n"
                     "def l(x): return l(x)\ndef m(x): return object()", seconds=3)  # fmt: skip
    kinds = {}
    for name in "ghijlmnk":
        remote.begin(3, apart=True)
        with pytest.raises(StudentError) as caught:
            remote.read(name) if name == "k" else remote.call(name, [1])
        kinds[name] = caught.value.kind
    assert kinds == {"g": "changed", "h": "unanswered", "i": "raised", "j": "raised", "l": "raised", "m": "not plain",
                     "n": "unanswered", "k": "unanswered"}  # fmt: skip
    remote.begin(3, apart=True)
    assert remote.call("f", {1: (2, math.inf)}) == {1: (2, math.inf)}
    with pytest.raises(StudentError) as caught:
        remote.call("i", 0)
    assert caught.value.line == "cell 1, line 5: return missing"


@pytest.mark.parametrize(("load", "cores", "times"), [(0.1, 4, 1), (4, 4, 1), (8, 4, 2), (900, 4, 5), (1, None, 1)])
def test_a_busy_machine_gives_more_time(monkeypatch, load, cores, times):
    monkeypatch.setattr("os.getloadavg", lambda: (load, 0, 0), raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: cores)
    assert patience() == times


def test_the_time_of_one_question_is_not_the_nexts(student):
    remote = student("def f(): return 1", seconds=2)
    assert remote.call("f") == 1
    remote.rest()
    time.sleep(2.5 * patience())  # the grader does something else
    remote.begin(20)
    assert remote.call("f") == 1
    remote.process._out_of_time()  # just too late to be called off
    remote.begin(20)
    assert remote.call("f") == 1


def test_nothing_of_a_secret_case_comes_out(bubblewrap):
    """A program that remembers each case and tells of it in every way it can: none is on the feedback page."""
    (question,) = (q for q in questions_of(NOTEBOOK) if q.identifier == VALUE)
    told = "told.append(leaves(game, state))\nfrom course_lib.check import student\nstudent(repr(told[-1]))\n"
    leaves = ("told = []\ndef leaves(game, s):\n    if game.is_terminal(s): return [game.utility(s, 0)]\n"
              "    return [v for a in game.actions(s) for v in leaves(game, game.result(s, a))]")  # fmt: skip
    ways = "raise type('E' + repr(told), (Exception,), {})(repr(told))"
    marks = mark(value(told + ways, leaves)("ada"), NOTEBOOK, "ada", seed=11)

    def walk(game, state):
        if game.is_terminal(state):
            return [game.utility(state, 0)]
        return [worth for a in game.actions(state) for worth in walk(game, game.result(state, a))]

    shown = {repr(walk(*case)) for case, _ in public_cases(question)}
    secret = {repr(walk(*case)) for case, _ in secret_cases(question, 11)} - shown
    assert is_secret(question) and len(secret) > 5
    assert not [case for case in secret if case in re.sub(r"&#x27;", "'", repr(marks))]
    assert marks["questions"][VALUE]["points"] == 0
