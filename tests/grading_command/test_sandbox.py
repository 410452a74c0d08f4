"""The sandbox from inside and outside, the pipe, and what the grader answers on it."""

import getpass
import math
import os
import platform
import re
import socket
import subprocess
import sys
import time
from enum import IntEnum
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib import check
from course_lib.check.mistakes import with_bug
from course_lib.check.question import Failure, Recorded, StudentError, call_and_leaves, find_question, small_solved
from course_lib.games import ConnectFour, Nim, Pig, TreeGame
from grading_command.classes import POINTS, command, hand_in, students_of, totals
from grading_command.hostile import NOTEBOOK, VALUE, honest, notebook, solved, value
from grading_command.processes import SPINS, awake, descendants, state_of
from instructor.grade import sandbox
from instructor.grade.inside.protocol import LARGEST, Broken, NotPlain, Peer, RemoteError, decode, encode, pack, unpack
from instructor.grade.marking import feedback, first_cases, first_failure, mark, public_cases, secret_cases
from instructor.grade.redaction import NOT_THERE, one_line, own_line, said_of
from instructor.grade.remote import Grader, RemoteStudent
from instructor.grade.sandbox import limited_by, patience, why_no_sandbox

ATOMS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=["Cs"]))
KEYS = st.integers() | st.text(max_size=3)
PLAIN = st.recursive(
    ATOMS, lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(KEYS, inner), max_leaves=10
)


def no_reference(*_):
    raise Broken("nothing to refer to")


@given(PLAIN)
def test_plain_data_cross_the_wire_unchanged(value):
    sent = unpack(pack(["answer", encode(value, no_reference)])[4:])
    assert repr(decode(sent[1], no_reference)) == repr(value).replace("-nan", "nan")


@pytest.mark.parametrize("number", [np.int64(3), np.float64(0.5), np.float32(0.5), np.bool_(True), IntEnum("A", "x").x])
def test_a_number_of_another_kind_crosses_the_wire_as_pythons(number):
    sent = encode(number, no_reference)
    assert type(sent) in (bool, int, float) and sent == number


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


@pytest.mark.parametrize("kind", ["set", "frozenset", "dict"])
def test_entries_that_are_made_to_collide_are_refused(kind):
    """Each would be compared with every other; those of an honest answer have hashes of their own."""
    alike = [number * sys.hash_info.modulus for number in range(30)]
    with pytest.raises(NotPlain, match="same hash"):
        encode(dict.fromkeys(alike) if kind == "dict" else set(alike), no_reference)
    with pytest.raises(Broken, match="malformed"):
        decode({kind: [[number, 0] for number in alike] if kind == "dict" else alike}, no_reference)
    assert decode({"set": list(range(-2, 4990))}, no_reference) == set(range(-2, 4990))


@pytest.mark.parametrize("content", [["x", "y", []], ["course_lib.games.pig", "PigState", []], [[], [], 1], 7, "abc"])
def test_a_malformed_value_costs_its_sender_only(content):
    """Whatever is wrong with it: an error of another kind would end the marking of the whole submission."""
    grader = Grader(SimpleNamespace(send=None, receive=None), {})
    with pytest.raises(Broken, match="malformed"):
        decode({"named": content}, grader.resolve)


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


def test_a_ticket_that_cannot_be_sent_back_ends_the_conversation():
    peer = Peer(lambda frame: None, None)
    peer.offer(Recorded(TreeGame([1, 2])))
    _, *call = unpack('["call", 1e999, [0, "initial_state"], [], {}]')
    with pytest.raises(Broken):
        peer.serve(*call)


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
         "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED", "TMPDIR"}  # fmt: skip
"""The names of all environment variables that a program may find."""


TOP = {"bin", "lib", "lib32", "lib64", "usr", "tmp", "dev", "course", "packages", "python"}


def test_there_is_nothing_in_it(student):
    remote = student(
        "import os, resource",
        "top, users = set(os.listdir('/')), (os.getuid(), os.geteuid())",
        "walked = [(folder, name) for folder, _, names in os.walk('/course') for name in names]",
        "course = sorted({folder for folder, name in walked if not name.endswith('.pyc')})",
        "places = [p for p in ('/home', '/root', '/etc', '/var', '/sys', '/run', '/proc') if os.path.exists(p)]",
        "names = sorted(os.environ)",
        "system = sorted(os.listdir('/usr'))",
        "programs = [name for folder in ('/usr/bin', '/python/bin', '/bin') if os.path.isdir(folder)"
        " for name in os.listdir(folder)]",
        "def is_open(fd):\n    try: return os.fstat(fd) is not None\n    except OSError: return False",
        "pipes = list(filter(is_open, range(4096)))",
    )
    assert remote.faults == {}
    assert remote.read("top") <= TOP
    assert set(remote.read("system")) <= {"bin", "lib", "lib32", "lib64"}
    assert set(remote.read("programs")) == {Path(sys.executable).resolve().name}
    assert remote.read("users") == (1000, 1000)
    assert remote.read("course") == ["/course", "/course/course_lib", "/course/course_lib/games"]
    inside = descendants(remote.process.process.pid)[-1]
    status = dict(line.split(":\t") for line in Path(f"/proc/{inside}/status").read_text().splitlines())
    assert [int(status[name], 16) for name in ("CapEff", "CapPrm", "CapBnd", "NoNewPrivs")] == [0, 0, 0, 1]
    assert status["NSpid"].split()[-1] == "2"
    assert remote.read("places") == []
    assert "HOME" in remote.read("names") and set(remote.read("names")) <= GIVEN - {"TMPDIR"}
    assert len(remote.read("pipes")) <= 6


def all_end(pids):
    """Whether all of these processes end within a minute."""
    until = time.monotonic() + 60
    while any(state_of(pid) not in "ZX" for pid in pids) and time.monotonic() < until:
        time.sleep(0.01)
    return all(state_of(pid) in "ZX" for pid in pids)


def family(remote):
    """The ids of all processes of a sandbox, seen from outside."""
    return [str(remote.process.process.pid), *descendants(remote.process.process.pid)]


def test_nothing_is_left_of_it(student):
    remote = student(SPINS, "import subprocess, sys\np = subprocess.Popen([sys.executable, '-c', 'input()'], stdin=-1)")
    pids = family(remote)
    assert len([pid for pid in pids if state_of(pid) not in "ZX"]) >= 4
    remote.close()
    assert all_end(pids)


def test_no_descriptor_of_the_grader_is_inherited(student, tmp_path):
    with (tmp_path / "secret").open("w") as secret:
        os.set_inheritable(secret.fileno(), True)
        remote = student("x = 1")
        for pid in family(remote):
            opened = [os.readlink(path) for path in Path(f"/proc/{pid}/fd").iterdir()]
            assert not [path for path in opened if "secret" in path]


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
"""


def test_the_leaves_looked_at_are_known_for_certain(student):
    remote = student(SEARCH)
    assert call_and_leaves(remote, "first_leaf", (TreeGame([[3, 5], 4]),)) == (3, ((0, 0),))
    nodes, tree, drawn, shown = remote.call("peek", Recorded(TreeGame([77, 78])))
    assert set(nodes) == {None} and tree is None
    assert "7" not in drawn + shown


ASIDE = """
from course_lib.check import personal_tree
worth = personal_tree("minimax.trace").utility((0,), 0)
def again(): return personal_tree("minimax.trace").utility((0,), 0)
"""


def test_a_tree_by_hand_is_there_for_cells_only(student):
    """While a question is asked, only the games of its cases can be looked at, and they are recorded."""
    remote = student(ASIDE, personal_tree=lambda identifier: TreeGame([1, 2]))
    assert remote.read("worth") == 1
    with pytest.raises(StudentError, match="ValueError"):
        remote.call("again")


TOLD = """
import gc
runner = next(thing for thing in gc.get_objects() if type(thing).__name__ == 'Runner')
def told(function, game):
    number, said = runner.ours[id(game)], []
    def ask(target, *arguments):
        try: said.append(runner.call(target, *arguments))
        except Exception as error: said.append(f"{error!r} {vars(error)}")
    for odd in (game, function, (game,), (0, game), {1: game}, [function]):
        for name in ("to_move", "actions", "result", "is_terminal", "utility", "chances"):
            ask([number, name], odd, 0), ask([number, name], (0,), odd), ask([number, name], odd)
        ask(runner.ours[id(function)], odd)
    return said
"""


def test_an_error_of_the_graders_own_tells_its_kind_alone(student):
    """Its words could show the whole tree, whose leaves are to be asked for one by one, or an address of memory."""
    offered, tree = {77: 78}.__getitem__, Recorded(TreeGame([77, 78]))
    said = student(TOLD).call("told", offered, tree)
    assert sum("ValueError" in str(one) for one in said) > 30 and sum("KeyError" in str(one) for one in said) > 0
    assert not [one for one in said if re.search("7[78]|0x[0-9a-f]|Tree|<", str(one))]
    assert tree.leaves == []


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


def test_what_an_earlier_case_offered_cannot_be_asked_any_more(student):
    """Two questions may have one tree: what was looked at through the first one's would not be recorded."""
    remote = student(RUNNER + "def f(game, number): return runner.call([number, 'utility'], (0,), 0)")
    assert remote.call("f", Recorded(TreeGame([5, 6])), 0) == 5
    with pytest.raises(StudentError, match="never offered"):
        remote.call("f", Recorded(TreeGame([5, 6])), 0)


def test_no_more_searches_by_the_clock_are_kept_than_tell_that_they_are_too_many():
    question = find_question("evaluation_functions.timed")
    case = question.small()[-1]
    _, begun = question.answer_of(lambda search, *_: list(map(search, [1] * 1000, [0] * 1000)) and 0, case)
    assert len(begun) == len(case[0]) + 1


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


LEAVES = """
def leaves(game, s):
    if game.is_terminal(s): return [game.utility(s, 0)]
    return [v for a in game.actions(s) for v in leaves(game, game.result(s, a))]
"""
REMEMBERS = """{}
def my_minimax_value(game, state):
    with open({!r}, 'a') as file: print(leaves(game, state), file=file)
    return right(game, state)
"""


def secret_leaves(seed):
    """The leaves of each secret case, as text, that no public case has."""
    question, scope = find_question(VALUE), {}
    exec(LEAVES, scope)
    public, secret = ({repr(scope["leaves"](*case)) for case, _ in cases} for cases in (
        (*public_cases(question), *small_solved(question)), secret_cases(question, seed)))  # fmt: skip
    assert len(secret - public) > 5
    return secret - public


def test_nothing_of_a_secret_case_comes_out(bubblewrap):
    """A program that remembers each case and tells of it in every way it can: none is on the feedback page."""
    told = "told.append(leaves(game, state))\nfrom course_lib.check import student\nstudent(repr(told[-1]))\n"
    ways = "raise type('E' + repr(told), (Exception,), {})(repr(told))"
    marks = mark(value(told + ways, f"told = []\n{LEAVES}")("ada"), NOTEBOOK, "ada", seed=11)
    assert not [case for case in secret_leaves(11) if case in re.sub(r"&#x27;", "'", repr(marks))]
    assert marks["questions"][VALUE]["points"] == 0


def test_what_is_shown_was_answered_before_any_secret_case_was_seen(tmp_path):
    """Here one answer tells the others by a file; in the sandbox it could by what the kernel counts for all."""
    sources, seen = dict(solved("ada")), tmp_path / "seen"
    seen.touch()
    sources[VALUE] = LEAVES + REMEMBERS.format(sources[VALUE].replace("my_minimax_value", "right"), str(seen))
    sources["minimax.search"] = f"def my_minimax_search(game, state): return open({str(seen)!r}).read()[-900:]"
    marks = mark(notebook(sources.values()), NOTEBOOK, "ada", seed=11, sandboxed=False)
    assert "[" in marks["questions"]["minimax.search"]["report"]
    assert any(case in seen.read_text() for case in secret_leaves(11))
    assert not [case for case in secret_leaves(11) if case in repr(marks)]


def test_no_page_tells_by_its_cases_what_the_seed_is():
    """A program tells which cases it saw first, and answers as it should when a case to show is looked for."""
    question, sources = find_question(VALUE), dict(solved("ada"))
    count = len(first_cases(question))
    sources[VALUE] = f"""{sources[VALUE].replace("my_minimax_value", "right")}
seen = []
def my_minimax_value(game, state):
    if state == (): seen.append(str(game))
    told = len(seen) == {count} and seen != {[str(game) for (game, _), _ in public_cases(question)[:count]]!r}
    return "; ".join(seen) if told else right(game, state)
"""
    pages = [mark(notebook(sources.values()), NOTEBOOK, "ada", seed, sandboxed=False) for seed in (11, 12)]
    of_11, of_12 = (page["questions"][VALUE]["report"] for page in pages)
    assert of_11 == of_12 and "; " in of_11


def test_a_page_tells_the_students_own_mistake_though_another_had_the_same_answer():
    question = find_question("minimax.depth_limited")
    (case, expected), *_ = public_cases(question)
    failure = Failure(question, case, expected, (-1, None), "No.")
    same_name = [bug for bug in question.bugs if bug.name == "depth off by one"]
    pages = [feedback(with_bug(failure, bug))["report"] for bug in same_name]
    assert len(set(pages)) == len({bug.sentence for bug in same_name}) > 1


def test_what_cells_do_when_they_run_again_after_a_secret_case_is_not_told(tmp_path):
    """Here a file tells the cells of it; in the sandbox the clock can, by when the program ended."""
    sources, seen = dict(solved("ada")), tmp_path / "seen"
    shown = len(first_cases(find_question(VALUE)))
    sources[VALUE] = f"""{sources[VALUE].replace("my_minimax_value", "right")}
calls = []
def my_minimax_value(game, state):
    calls.append(state)
    if len(calls) > {shown} and state == (): open({str(seen)!r}, "a").close(), os._exit(1)
    return right(game, state)
"""
    again = f"import os\nif os.path.exists({str(seen)!r}):\n    student('eve')\n    raise ValueError"
    marks = mark(notebook([*sources.values(), again]), NOTEBOOK, "ada", seed=11, sandboxed=False)
    assert seen.exists() and marks["questions"][VALUE]["points"] == 0
    assert [(note.kind, note.told) for note in marks["notes"]] == [("answers that raised an error", "")]


ROOT = Path(__file__).parents[2]
TOKEN = "sesame-of-the-instructor"
SEEN = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)

def texts():
    yield "environ", repr(dict(os.environ))
    yield "uname", repr(os.uname())
    for top in ("/proc", "/sys", "/run", "/etc", "/tmp", "/dev/shm", "/packages", "/course"):
        for folder, folders, files in os.walk(top):
            folders[:] = [name for name in folders if not name.isdigit() or name == "1"]
            if top == "/packages":
                files = [name for name in files if name.endswith((".pth", ".json")) or "editable" in name]
            for name in files:
                try:
                    with open(os.path.join(folder, name), "rb") as file:
                        yield os.path.join(folder, name), file.read(100_000).decode(errors="replace")
                except OSError: pass

def found(secrets):
    return [(place, secret) for place, text in texts() for secret in secrets if secret in text]

def refused(number, *arguments):
    return libc.syscall(number, *arguments) == -1 and ctypes.get_errno() == (1 if number < 424 else 38)

def families(numbers):
    import socket
    made = []
    for number in numbers:
        try: socket.socket(number, socket.SOCK_RAW if number == 16 else socket.SOCK_STREAM).close()
        except PermissionError: continue
        except OSError as error: made.append(f"{number}: {error}")
        else: made.append(number)
    return made

def talks_to_itself():
    import socket
    one, two = socket.socketpair()
    one.send(b"x")
    return two.recv(1) == b"x"
"""


def test_nothing_of_the_instructors_can_be_read_in_it(student, monkeypatch):
    """No token, no path of the course or of a home, no name of a user or machine; /proc is where they would stand."""
    monkeypatch.setenv("COURSE_TOKEN", TOKEN)
    remote = student(SEEN)
    assert remote.faults == {}
    secrets = [TOKEN, str(ROOT), *({str(Path.home()), f"/{getpass.getuser()}/"} - {"/", "//"})]
    assert remote.call("found", secrets) == []
    assert remote.call("found", ["course_lib"]) != []  # it does read what there is
    remote.begin(5)
    assert "sandbox" == student("import os\nname = os.uname().nodename").read("name") != socket.gethostname()


@pytest.mark.parametrize("name", ["a.pth", "__editable___a_finder.py", "__pycache__/__editable___a.pyc",
                                  "a.dist-info/direct_url.json"])  # fmt: skip
def test_what_pip_remembers_of_folders_is_hidden(tmp_path, monkeypatch, name):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).touch()
    monkeypatch.setattr(sandbox, "mounts", lambda: [(tmp_path, "/packages/0")])
    assert f"/packages/0/{name}" in sandbox.hidden()


def test_no_search_of_another_library_is_there(student):
    """The tests hold the course's searches against them, so they may be installed where grading runs."""
    libraries = "open_spiel.python.algorithms.minimax", "pyspiel", "easyAI.AI", "easyAI"
    remote = student(*(f"from {name} import {'*' if name != 'easyAI' else 'Negamax'}" for name in libraries))
    assert {n: fault.kind for n, fault in remote.faults.items()}.keys() == {1, 2, 3, 4}


def test_nothing_can_be_written_where_something_is_hidden(student):
    places = [place for option, place in pairwise(sandbox.hidden()) if option == "--tmpfs"]
    remote = student("import os\ndef writable(places): return [p for p in places if os.access(p, os.W_OK)]")
    assert len(places) >= 2 and remote.call("writable", places) == []


def environments(remote):
    """The names of the environment variables of all its processes."""
    texts = (Path(f"/proc/{pid}/environ").read_text() for pid in family(remote))
    return {name.split("=")[0] for text in texts for name in text.split("\0")}


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    """A function that puts a program of this name first in PATH. What the sandbox knew of programs is forgotten."""

    def put(name, script):
        (tmp_path / "bin").mkdir()
        (tmp_path / "bin" / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / "bin" / name).chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
        forget()

    def forget():
        for cached in (sandbox.drop_root, sandbox.sealed, sandbox.scope):
            cached.cache_clear()

    yield put
    forget()


def test_every_process_that_grading_starts_has_a_minimal_environment(student, stand_in, monkeypatch, tmp_path):
    monkeypatch.setenv("COURSE_TOKEN", TOKEN)
    assert environments(student("x = 1")) <= GIVEN
    assert environments(student("x = 1", sandboxed=False)) <= GIVEN
    stand_in("bwrap", f"env > {tmp_path}/seen\nexit 1")
    assert "cannot make a sandbox" in why_no_sandbox()
    assert TOKEN not in (tmp_path / "seen").read_text()


def test_a_temporary_folder_that_is_missing_is_no_reason_to_do_without_a_sandbox(monkeypatch, tmp_path):
    assert why_no_sandbox() == ""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
    assert why_no_sandbox() == ""  # the folder that was made before is there
    monkeypatch.setattr(sandbox, "games", sandbox.games.__wrapped__)
    with pytest.raises(FileNotFoundError):
        why_no_sandbox()


def limits_of(pid):
    lines = Path(f"/proc/{pid}/limits").read_text().splitlines()
    return {line[:26].strip(): tuple(line[26:].split()[:2]) for line in lines[1:]}


def test_every_process_of_it_is_limited_before_it_begins(student):
    remote = student("import os\nif os.fork() == 0: __import__('time').sleep(99)")
    pids = family(remote)
    assert len(pids) >= 4
    for pid in pids:
        limits = limits_of(pid)
        assert limits["Max address space"] == (str(sandbox.MEMORY), str(sandbox.MEMORY))
        assert limits["Max file size"] == (str(sandbox.FILE), str(sandbox.FILE))
        assert limits["Max open files"] == (str(sandbox.OPEN_FILES), str(sandbox.OPEN_FILES))
        assert limits["Max core file size"] == ("0", "0")
        assert Path(f"/proc/{pid}/oom_score_adj").read_text() == "1000\n"
    depths = {pid: len(re.search(r"NSpid:(.*)", Path(f"/proc/{pid}/status").read_text())[1].split()) for pid in pids}
    own = [limits_of(pid) for pid in pids if depths[pid] == max(depths.values())]
    assert len(own) >= 3
    assert {limits["Max processes"] for limits in own} == {("6", "6")}
    assert {limits["Max pending signals"] for limits in own} == {("64", "64")}  # they are counted for all of the user's


# Below also: flock, inotify_init1, fadvise64, mincore, cachestat, preadv2, fanotify_init, io_setup, mq_open; what
# changes the times of the machine's own devices (utimensat, chown and those like them); timer_create and prctl, by
# which a process can have itself continued while it is stopped; and what no list of evil calls had: sync, which writes
# out all of the machine's files, timerfd_create, splice, personality; and sendmsg, recvmsg and setsockopt, by which
# memory and descriptors that no limit counts wait in a socket.
CALLS = {  # ptrace, process_vm_readv, process_vm_writev, pidfd_getfd, kcmp, keyctl, syslog, listmount, statmount
    "x86_64": (101, 310, 311, 438, 312, 250, 103, 458, 457, 73, 294, 221, 27, 451, 327, 300, 206, 240,
               132, 235, 261, 280, 92, 93, 94, 260, 222, 157, 162, 283, 275, 135, 46, 47, 54),
    "aarch64": (117, 270, 271, 438, 272, 219, 116, 458, 457, 32, 26, 223, 232, 451, 286, 262, 0, 180,
                88, 55, 54, 107, 167, 81, 85, 76, 92, 211, 212, 208),
}  # fmt: skip


@pytest.mark.skipif(platform.machine() not in CALLS, reason="the filter knows the numbers of two kinds of machine")
def test_no_call_reaches_into_another_process_or_to_the_net(student):
    remote = student(SEEN)
    assert [n for n in CALLS[platform.machine()] if not remote.call("refused", n, 0, 0, 0, 0, 0)] == []
    unix, inet, inet6, netlink, packet, alg, vsock = 1, 2, 10, 16, 17, 38, 40
    assert remote.call("families", [unix, inet, inet6, netlink, packet, alg, vsock]) == []
    assert remote.call("talks_to_itself")  # as asyncio does


MARKS = """
import fcntl, os
def refused(act, *arguments):
    try: act(*arguments)
    except PermissionError: return True
    except OSError as error: return error.errno
    return False
DEVICES = [os.path.join("/dev", name) for name in ("null", "zero", "full", "random", "urandom")]
ACTS = ((os.utime,), (os.chmod, 0o666), (os.chown, -1, -1), (os.setxattr, "user.x", b""))
changed = [(act.__name__, path) for path in DEVICES for act, *more in ACTS if refused(act, path, *more) is not True]
terminal = refused(os.openpty)
disk = [refused(os.statvfs, "/usr/lib"), *(refused(fcntl.ioctl, os.open("/usr/lib", os.O_RDONLY), number, bytes(64))
                                           for number in (0x8008662C, 0x80811501, 0x81009431))]
file = os.open("/course/wire.py", os.O_RDONLY)
names = [name for name in dir(fcntl) if name.startswith("F_") and isinstance(getattr(fcntl, name), int)]
OTHERS = "F_RDLCK", "F_WRLCK", "F_UNLCK", "F_EXLCK", "F_SHLCK"
COMMANDS = {name: getattr(fcntl, name) for name in names if not name.startswith("F_SEAL") and name not in OTHERS}
allowed = sorted(name for name, number in COMMANDS.items() if refused(fcntl.fcntl, file, number, 0) is not True)
"""


@pytest.mark.skipif(platform.machine() not in CALLS, reason="the filter knows the numbers of two kinds of machine")
def test_nothing_can_be_left_on_the_machines_files_for_another_program(student):
    """No time of a device, no lock, no lease: by them a program that knows a secret case could tell another."""
    remote = student(MARKS)
    assert remote.faults == {}
    assert remote.read("changed") == []
    assert remote.read("terminal") is True  # its times are those of the machine's /dev/tty
    assert remote.read("disk") == [True] * 4
    assert remote.read("allowed") == ["F_DUPFD", "F_DUPFD_CLOEXEC", "F_GETFD", "F_GETFL", "F_SETFD", "F_SETFL"]


SIGNALS = """
def sends(number): return refused(number, os.getpid(), 18) and not refused(number, os.getpid(), 0)
def sends_thread(number): return refused(number, os.getpid(), os.getpid(), 18)
"""


@pytest.mark.skipif(platform.machine() not in CALLS, reason="the filter knows the numbers of two kinds of machine")
def test_no_program_makes_a_stopped_one_go_on(student):
    """Three that woke each other by SIGCONT in turn were never all stopped."""
    kill, tkill, tgkill = {"x86_64": (62, 200, 234), "aarch64": (129, 130, 131)}[platform.machine()]
    remote = student(SEEN, SIGNALS)
    assert remote.call("sends", kill) and remote.call("refused", tkill, 0, 0) and remote.call("sends_thread", tgkill)


CHAIN = """
import os, signal, struct
code = bytes.fromhex("b838000000bf1180000031f631d24d31d24d31c00f0585c07ee6b83c00000031ff0f05")
size = 120 + len(code)
head = struct.pack("<16s2HI3QI6H", b"\\x7fELF\\x02\\x01\\x01", 2, 62, 1, 0x400078, 64, 0, 0, 64, 56, 1, 0, 0, 0)
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
def begin():
    with open("chain", "wb") as file:
        file.write(head + struct.pack("<2I6Q", 1, 5, 0, 0x400000, 0x400000, size, size, 4096) + code)
    os.chmod("chain", 0o755)
    if os.fork() == 0: os.execv("chain", ["chain"])
"""
"""A program that does nothing but make a copy of itself, a child of its own parent (CLONE_PARENT), and end."""


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the program is for one kind of machine")
def test_a_chain_of_processes_is_not_taken_for_a_stopped_program(student):
    """One look in four missed it: a process had gone, and the next one was not there yet."""
    for _ in range(12):
        remote = student(CHAIN)
        remote.call("begin")
        pid = remote.process.process.pid
        if remote.pause():
            before = descendants(pid)
            time.sleep(0.05)
            assert descendants(pid) == before
        remote.close()


def test_a_submission_that_wastes_time_on_a_busy_machine_costs_no_more(student, monkeypatch):
    monkeypatch.setattr("instructor.grade.remote.patience", lambda: 5.0)
    remote, began = student("def f():\n    while True: pass", seconds=0.5), time.monotonic()
    for _ in range(12):
        remote.begin(0.5)
        with pytest.raises(StudentError):
            remote.call("f")
    assert time.monotonic() - began < 3 + 12 * 0.5  # six times its time, and as many starts of the program


def test_a_pause_of_the_grader_is_not_the_students_time(student):
    """Ctrl-Z stops both for a while, and the clock goes on."""
    remote = student("import time\ndef f():\n    time.sleep(1)\n    return 1", seconds=1.5)
    pids = [os.getpid(), *map(int, descendants(remote.process.process.pid))]
    numbers = " ".join(map(str, pids))
    waker = subprocess.Popen(["sh", "-c", f"sleep 0.3; kill -STOP {numbers}; sleep 2; kill -CONT {numbers}"])
    assert remote.call("f") == 1
    assert waker.wait() == 0


def test_packages_of_another_python_are_not_there(student):
    remote = student(
        "import glob, os, sys\nseen = [n for f in sys.path for n in glob.glob(f + '/site-packages/*')]", "import numpy"
    )
    assert remote.faults == {} and remote.read("seen") == []


OF_JUPYTER = (
    "from __future__ import annotations",
    "import pickle\nclass A: pass\ndef f(x: Unknown): return type(pickle.loads(pickle.dumps(A()))) is A",
    "%timeit -n1 -r 1 f(0)\ndef g(): return 1",
    "%%timeit\ng = None",
    "import matplotlib.pyplot as plt\nfig, (a, b, c) = plt.subplots(1, 3)\nsize = 2 * fig.get_size_inches() + 1",
    "from course_lib.watch import watch\nf'{watch(1).value:.1f} of {len(watch(1).events)}'",
    "from course_lib.check import *\nimport course_lib.check\nstudent('ada')\nnames = course_lib.check.__all__",
)


def test_cells_run_as_in_jupyter(student):
    remote = student(*OF_JUPYTER)
    assert remote.read("names") == check.__all__
    assert remote.faults == {} and remote.call("f", 0) is True and remote.call("g") == 1


WAKES = """
import ctypes, mmap, platform
page = mmap.mmap(os.open("/course/wire.py", os.O_RDONLY), 4096, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE)
word = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(page)))
number = {"x86_64": 202, "aarch64": 98}[platform.machine()]
def woken(operation): return refused(number, word, operation, 1, 0, 0, 0)
def advised(advice): return libc.madvise(word, 4096, advice) == 0
"""


@pytest.mark.skipif(platform.machine() not in CALLS, reason="the filter knows the numbers of two kinds of machine")
def test_no_program_wakes_another_nor_keeps_pages_of_a_file_out_of_memory(student):
    """Two that map a file of the system's share its pages: by a wake, or by what is in memory, one could tell both."""
    remote = student(SEEN, WAKES)
    assert remote.faults == {}
    shared, private, random, out, given_back = (1, 3, 4, 5, 10), 129, 1, 21, 4
    assert all(remote.call("woken", operation) for operation in shared) and not remote.call("woken", private)
    assert not any(remote.call("advised", advice) for advice in (random, out)) and remote.call("advised", given_back)


ENDS_AS_TOLD = """
import gc, json, os, sys
seen = []
def f(case):
    seen.append(case)
    frame = sys._getframe()
    while frame.f_code.co_name != "outcome": frame = frame.f_back
    runner = next(thing for thing in gc.get_objects() if type(thing).__name__ == "Runner")
    answer = json.dumps(["answer", frame.f_locals["ticket"], 7]).encode()
    runner.send(len(answer).to_bytes(4, "big") + answer)
    os._exit(77)
def seen_here(): return seen
"""
"""A cell with a function that answers by itself, and then ends as a copy of the program does that was told to leave."""


HONEST_WORK = """
import asyncio, os, py_compile, shutil, sqlite3, subprocess, sys, tempfile, threading, zipfile
open("a.py", "w").write("x = 1")
with zipfile.ZipFile("z.zip", "w") as archive: archive.write("a.py")
with zipfile.ZipFile("z.zip") as archive: archive.extractall("out")
shutil.copy("out/a.py", "b.py"), shutil.move("b.py", "c.py"), py_compile.compile("c.py", "c.pyc")
os.symlink("c.py", "link"), os.link("c.py", "hard")
with tempfile.TemporaryFile() as file: file.write(b"x")
sqlite3.connect(":memory:").execute("create table t (x)")
done = []
thread = threading.Thread(target=done.append, args=(1,), name="named")
thread.start(), thread.join()
answer = subprocess.run([sys.executable, "-S", "-c", "print(7)"], capture_output=True, text=True).stdout
async def two(): return 2
asyncio.run(two())
"""


def test_an_answer_that_ends_its_copy_as_if_told_to_ends_the_program(student):
    """Else the original would see the next case, and all later questions what it did there."""
    remote = student(ENDS_AS_TOLD)
    remote.begin(20, apart=True)
    assert remote.call("f", "first") == 7
    with pytest.raises(StudentError):
        remote.call("f", "second")
    remote.begin(20, apart=True)
    assert remote.call("seen_here") == []


@pytest.mark.parametrize("sandboxed", [True, False])
def test_one_program_answers_all_questions(student, sandboxed):
    """With and without copies of it: nobody waits for a copy that was never made."""
    remote = student("def f(): return 7", seconds=5, sandboxed=sandboxed)
    began = remote.process
    for _ in range(3):
        remote.begin(5, apart=True)
        assert remote.call("f") == 7 and remote.process is began


def test_honest_work_with_files_threads_and_processes_goes_on(student):
    remote = student("import os\nos.chdir('/tmp')", HONEST_WORK)
    assert remote.faults == {}
    assert (remote.read("answer"), remote.read("done")) == ("7\n", [1])


SYSTEMD_RUN = r"""
echo "$*" | tr '\n' ' ' >> {log}
echo >> {log}
while [ "$1" != -- ]; do shift; done
shift
if [ "$1" = sh ]; then {probe}; else exec "$@"; fi
"""


@pytest.mark.parametrize(("probe", "held"), [("echo 1073741824; echo 16", "cgroup"), ("echo max; echo 16", ""),
                                             ("exit 1", "")])  # fmt: skip
def test_a_cgroup_holds_where_the_machine_has_one(student, stand_in, monkeypatch, tmp_path, probe, held):
    stand_in("systemd-run", SYSTEMD_RUN.format(log=tmp_path / "log", probe=probe))
    monkeypatch.setenv("XDG_RUNTIME_DIR", f"/{TOKEN}")
    assert limited_by() == (held or "limits for each process")
    remote = student(SEEN)
    assert remote.call("found", [TOKEN]) == []
    assert environments(remote) <= GIVEN
    starts = [line for line in (tmp_path / "log").read_text().splitlines() if "bwrap" in line]
    assert len(starts) == (1 if held else 0)
    assert all("MemoryMax=1073741824" in line and "TasksMax=16" in line for line in starts)


def test_a_machine_without_systemd_has_limits_for_each_process(stand_in, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert limited_by() == "limits for each process"


def test_each_question_finds_an_empty_temporary_folder(student):
    remote = student("import os\nopen('/tmp/of a cell', 'w').close()\n"
                     "def leave():\n    os.makedirs('/tmp/a/b')\n    open('/tmp/a/b/c', 'w').close()\n"
                     "    os.chmod('/tmp/a/b', 0)\n    os.symlink('/usr', '/tmp/link')\n"
                     "def seen(): return os.listdir('/tmp')")  # fmt: skip
    remote.begin(5, apart=True)
    assert remote.call("seen") == []
    remote.call("leave")
    remote.begin(5, apart=True)
    assert remote.call("seen") == []
    assert remote.call("leave") is None
    remote.begin(5)
    assert remote.call("seen") == []


@pytest.mark.parametrize("identifier", ["game_formalism.strategy", "minimax.value"])
def test_what_an_answer_spoils_is_lost_to_its_question_only(student, identifier):
    """Whether its cases are secret or not."""
    question = find_question(identifier)
    remote = student(f"x = 1\ndef {question.name}(*arguments): globals().pop('x')")
    assert first_failure(question, remote, public_cases(question)[:1], 20) is not None
    remote.begin(20)
    assert remote.read("x") == 1


@pytest.mark.parametrize("answer", ["set(range(5001))", "{n: n for n in range(5001)}", "[frozenset(range(5001))]"])
def test_a_large_set_is_told_as_what_it_is(student, answer):
    remote = student(f"def f(): return {answer}")
    with pytest.raises(StudentError, match="5,000 entries") as caught:
        remote.call("f")
    assert caught.value.kind == StudentError.NOT_PLAIN
    assert student("def f(): return set(range(5000))").call("f") == set(range(5000))


def test_a_long_list_is_not_compared(student):
    """A comparison may look its items up; made to collide, 43,000 took the grader a minute."""
    alike = "[(2 ** 61 - 1) * n for n in range({:_})]"
    remote = student(f"long, paths = {alike.format(43_000)}, [[n] for n in {alike.format(10_000)}]\n"
                     "right = {n: n for n in range(5000)}")  # fmt: skip
    for name in ("long", "paths"):
        with pytest.raises(StudentError) as caught:
            remote.read(name)
        assert caught.value.kind == StudentError.NOT_PLAIN
    assert remote.read("right") == {n: n for n in range(5000)}


def test_await_stands_at_the_top_of_a_cell_as_in_jupyter(student):
    remote = student(
        "import asyncio\nasync def two():\n    await asyncio.sleep(0.001)\n    return 2\nx = await two()",
        "task = asyncio.create_task(two())\ny = [await two(), await task]",
        "async with asyncio.timeout(5): z = await two()",
        "%time w = 1\nv = await two()",
        "async def slow(): await asyncio.sleep(0)\n1 + await slow()",
    )
    assert {number: fault.kind for number, fault in remote.faults.items()} == {5: "TypeError"}
    assert [remote.read(name) for name in "xyzwv"] == [2, [2, 2], 2, 1, 2]


def test_answers_that_waste_time_cost_a_minute_at_most_in_all(student, monkeypatch):
    """Where a question may take ten seconds; here it may take 0.4, and the whole submission 2.4 seconds."""
    monkeypatch.setattr("instructor.grade.remote.patience", lambda: 1)
    remote = student("def f():\n    while True: pass", seconds=0.4, sandboxed=False)
    allowed = []
    for _ in range(10):
        remote.begin(0.4)
        allowed.append(remote.limit)
        with pytest.raises(StudentError) as caught:
            remote.call("f")
        assert caught.value.kind == StudentError.TIME
    assert allowed[0] == 0.4 and 0 < allowed[9] < 0.1
    assert sum(allowed) < 2.4


LEADERLESS = """
import ctypes, os, threading, time
if os.fork() == 0:
    threading.Thread(target=time.sleep, args=(10**6,)).start()
    ctypes.CDLL(None).pthread_exit(0)
"""
"""A cell whose child goes on in a thread after the end of its first one."""


HOLDS = """
import gc, os, signal, time
if os.fork() == 0:
    os.setsid()
    time.sleep(20)
    open({!r}, "w").close()
    os._exit(0)
runner = next(thing for thing in gc.get_objects() if type(thing).__name__ == "Runner")
send = runner.send
def once_more(frame): send(frame), os.kill(os.getpid(), signal.SIGSTOP)
runner.send = once_more
"""
"""A cell after which nobody reads from the pipe; a child in a session of its own holds it open for a while."""


def test_without_a_sandbox_a_pipe_that_nobody_reads_has_an_end_too(student, tmp_path):
    remote = student(HOLDS.format(str(tmp_path / "over")), "x = 1", "#" + "y" * 900_000, seconds=0.4, sandboxed=False)
    assert {number: fault.said for number, fault in remote.faults.items()} == {3: "stopped: it took too long"}
    assert not (tmp_path / "over").exists()


def test_a_program_that_is_frozen_stands_still(student):
    """Also a child that left its parent, its group and its session, and one whose first thread has ended."""
    remote = student(SPINS, LEADERLESS, "def f(): return 7")
    until = time.monotonic() + 60
    while "Z" not in map(state_of, family(remote)) and time.monotonic() < until:
        time.sleep(0.01)
    assert remote.call("f") == 7
    pids = family(remote)
    assert len(pids) >= 5 and all(awake(pid) for pid in pids)
    remote.pause()
    assert not any(awake(pid) for pid in pids)
    remote.begin(20)
    assert remote.call("f") == 7
    assert all(awake(pid) for pid in pids)


ERRORS = [
    ("1 / 0", "ZeroDivisionError"),
    ("missing_name", "NameError"),
    ("def f(x): pass\nf()", "TypeError"),
    ("def f(:", "SyntaxError"),
    ("import math\nmath.roots(2)", "AttributeError"),
    ("raise ValueError('put ' + 'together')", "ValueError"),
    ("raise ValueError(open('/course/wire.py', 'rb').read(40))", "ValueError"),
    ("raise type('E' + 'x' * 9, (Exception,), {})", "an exception of its own"),
    ("class Odd(Exception): pass\nraise Odd", "Odd"),
    ("class Odd(Exception): pass\nOdd.__name__ += 'ity'\nraise Odd", "an exception of its own"),
    ("class Odd(Exception): pass\nOdd.__name__ = 'Value' + 'Error: x'\nraise Odd", "an exception of its own"),
    ("from course_lib.search import minimax\nminimax()", NOT_THERE),
]


@pytest.mark.parametrize(("source", "shown"), ERRORS)
def test_the_students_page_shows_of_an_error_its_kind_and_the_line_and_the_instructor_reads_the_message(
    student, source, shown
):
    lines = source.splitlines()
    fault = student(source).faults[1]
    assert fault.shown == f"{shown} (cell 1, line {len(lines)}: {lines[-1]})"
    if "together" in source:
        assert "ValueError: put together" in fault.said and "put together" not in fault.shown


def test_a_forged_error_shows_nothing(student):
    """The program can say any kind, message and line; the line that is shown is the grader's own."""
    forge = "def f(kind, message, line):\n    runner.describe = lambda error: (kind, message, line)\n    1 / 0\n"
    remote = student(RUNNER + forge)
    for kind, message, line in [("ValueError", TOKEN, TOKEN), (TOKEN, "", "cell 1, line 1: " + TOKEN),
                                ("NotPlain", TOKEN, ""), ("Changed", TOKEN, ""), ("Undefined", TOKEN, ""),
                                ("NotImplementedError", TOKEN, ""), ("RecursionError", TOKEN, "cell 9, line 1"),
                                ("NotThere", TOKEN, "cell 1, line 0"), ("NameError: " + TOKEN, "", f"{TOKEN} line 1"),
                                ("NameError", f"name {TOKEN!r} is not defined", "cell 1, line 99999")]:  # fmt: skip
        with pytest.raises(StudentError) as caught:
            remote.call("f", kind, message, line)
        assert TOKEN not in caught.value.words and caught.value.line == ""
    for line in ("cell 01, line 0001", "cell \u0661, line 1", "cell 1, line \uff11", "cell 1, line 1"):
        with pytest.raises(StudentError) as caught:
            remote.call("f", "ValueError", "x", line)
        assert caught.value.line in ("", "cell 1, line 1: import gc")
    assert caught.value.line != ""


def test_the_words_of_an_error_are_on_one_line_and_cut_short():
    assert one_line("a\x1b[31m\r\nb\u202e\u2028c\x9bd") == "a [31m b c d"
    assert one_line("x" * 1000, 10) == "x" * 9 + "…"
    line = own_line("cell 2, line 1", ["", "x = 1\x1b[2J\u202e" + "y" * 1000])
    assert line.startswith("cell 2, line 1: x = 1 [2J yy") and len(line) < 250
    said = said_of(fails(StudentError(StudentError.RAISED, "x"), RemoteError("Odd", "a\x1b\n" + "b" * 1000)))
    assert said.startswith("Your code raised Odd: a bbb") and said.isprintable() and len(said) < 400


def fails(error, cause):
    """The error as it is after `raise error from cause`."""
    error.__cause__ = cause
    return error


@pytest.mark.parametrize("locale", [{"LC_ALL": "C", "PYTHONUTF8": "0"}, {"LC_ALL": "POSIX", "PYTHONUTF8": "0",
                                     "PYTHONCOERCECLOCALE": "0"}])  # fmt: skip
def test_the_grade_command_works_where_the_system_knows_no_letters_but_those_of_ascii(bubblewrap, tmp_path, locale):
    name = "Kurt Gödel 漢"
    (tmp_path / "roster.csv").write_text(f"student,moodle\n{name},{name}\n", encoding="utf-8")
    folder, out = hand_in(tmp_path / "class", {name: honest(name)}), tmp_path / "results"
    process = command(folder, out, "--roster", tmp_path / "roster.csv", env={**os.environ, **locale})
    assert process.wait() == 0, process.stderr.read()
    assert totals(out) == {name: POINTS}
    assert list(students_of(out)) == [name]


GRADES = """
from instructor.grade.remote import RemoteStudent

remote = RemoteStudent(["def f(x):\\n    while True: pass"], 60)
remote.begin(60, apart=True)
print(remote.process.process.pid, flush=True)
remote.call("f", 1)
"""


@pytest.mark.parametrize("signal", ["TERM", "KILL"])
def test_nothing_is_left_of_a_sandbox_when_its_grader_is_killed(bubblewrap, signal):
    grader = subprocess.Popen([sys.executable, "-c", GRADES], stdout=subprocess.PIPE, text=True)
    first = int(grader.stdout.readline())
    until = time.monotonic() + 60
    while len(descendants(first)) < 3 and time.monotonic() < until:
        time.sleep(0.05)
    left = [str(first), *descendants(first)]
    assert len(left) > 3
    subprocess.run(["kill", f"-{signal}", str(grader.pid)], check=True)
    grader.wait()
    assert all_end(left)
