"""Faults in the library, each with the daily test that must notice it; the lists of faults are `tests/faults/*.txt`.

A fault is four lines, followed by an empty one: the path of a module, with " @2" for the second occurrence of the line;
the line as it is there; the line that replaces it, empty for `pass`; and the id of a test, which must fail (or of a
file of tests, which takes longer). Indentation is kept. The slow tests put in one fault at a time, in a copy of the
project, and run that test only.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
OPTIONS = ["-q", "--tb=short", "--assert=plain", "-o", "addopts=--import-mode=importlib --strict-markers -m 'not slow'"]
# Imports what tests need, in a second or two, and forks for each line of its input, a list of arguments of pytest. It
# answers with the exit code. rfc3987_syntax, which takes a second more, checks formats that no notebook has.
SERVER = """import json, os, signal, sys
sys.modules["rfc3987_syntax"] = None
import autograd.numpy, hypothesis, ipywidgets, nbval.kernel, playwright.sync_api, pytest
for line in sys.stdin:
    if child := os.fork():
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
    else:
        signal.alarm(300)
        os.dup2(os.open("output.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
        code = pytest.main(json.loads(line))
        sys.stdout.flush()
        os._exit(code)
"""


class Fault(NamedTuple):
    module: str
    line: str
    replacement: str
    test: str

    path = property(lambda self: self.module.partition(" @")[0])

    def text(self):
        """The text of the module with the fault. The test fails if the line is not there, or several can be meant."""
        occurrence = int(self.module.partition(" @")[2] or 0)
        lines = (ROOT / self.path).read_text(encoding="utf-8").split("\n")
        places = [place for place, line in enumerate(lines) if line.strip() == self.line]
        if len(places) < max(occurrence, 1) or (len(places) > 1 and not occurrence):
            pytest.fail(f"Expected 1 line `{self.line}` in {self.path}, got {len(places)}: correct the list", False)
        place = places[max(occurrence, 1) - 1]
        empty = "pass" if self.path.endswith(".py") else ""
        lines[place] = lines[place].replace(self.line, self.replacement or empty)
        return "\n".join(lines)


def faults_of(path):
    lines = iter(path.read_text(encoding="utf-8").splitlines())
    return [Fault(line.strip(), *map(str.strip, islice(lines, 3))) for line in lines if line]


FAULTS = [fault for path in sorted(ROOT.glob("tests/faults/*.txt")) for fault in faults_of(path)]


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """The folder of a copy of the project, without environments."""
    ignored = shutil.ignore_patterns(".*", "*.egg-info", "build", "node_modules")
    return shutil.copytree(ROOT, tmp_path_factory.mktemp("faults") / "course", ignore=ignored)


@pytest.fixture(scope="module")
def run(copy):
    """A function that runs tests in the copy: (exit code of pytest, output)."""
    settings = {"PYTHONPATH": ".", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    server = subprocess.Popen([sys.executable, "-c", SERVER], cwd=copy, env={**os.environ, **settings}, text=True,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # fmt: skip

    def run_tests(*tests):
        print(json.dumps([*OPTIONS, *tests]), file=server.stdin, flush=True)
        return int(server.stdout.readline()), (copy / "output.txt").read_text()

    with server:
        yield run_tests


def test_the_lists_name_lines_and_tests_that_exist():
    for fault in FAULTS:
        fault.text()
        path, _, name = fault.test.partition("[")[0].partition("::")
        exists = re.search(rf"^ *def {name.split('::')[-1]}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)
        assert exists or not name, f"Expected a test {fault.test}: correct the list"


@pytest.mark.slow
def test_without_a_fault_the_tests_of_the_lists_pass(run):
    code, output = run(*dict.fromkeys(fault.test for fault in FAULTS))
    assert code == 0, output


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.path}: {fault.line} -> {fault.replacement}")
def test_a_fault_is_noticed(copy, run, fault):
    (copy / fault.path).write_text(fault.text(), encoding="utf-8")
    code, output = run(fault.test)
    shutil.copy2(ROOT / fault.path, copy / fault.path)
    got = "a pass" if code == 0 else f"exit code {code}:\n{output}"
    assert code == 1, f"Expected {fault.test} to fail because of `{fault.replacement}` for `{fault.line}`, got {got}"
