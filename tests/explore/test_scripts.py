"""The scripts of the widgets, without a browser: how they are joined, and their own tests, which Node runs."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from course_lib.explore import bundle
from course_lib.watch.mcts_record import PHASES
from course_lib.watch.record import EVENTS, STATUSES
from course_lib.watch.texts import KINDS
from needs import skip_for_want_of

TESTS = Path(__file__).parents[1] / "js"
WIDGETS = ["board.js", "mcts.js", "predict.js", "tree.js"]


@pytest.fixture(scope="module")
def node():
    return shutil.which("node") or skip_for_want_of("Node", "nodejs")


def run(*command, **environment):
    """Run a command; where it fails, so does the test, with what the command wrote."""
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]  # what failed comes last


def test_the_tests_in_node(node, tmp_path):
    from js.records import main

    main(tmp_path)
    run(node, "--test", "--test-reporter=spec", str(TESTS), RECORDS=str(tmp_path), NODE_NO_WARNINGS="1")


def test_the_scripts_number_things_as_python_does():
    text = (bundle.JS / "constants.js").read_text(encoding="utf-8")
    numbers = {name: int(number) for name, number in re.findall(r"^export const (\w+) = (\d+);", text, re.M)}
    lists = {name: json.loads(found) for name, found in re.findall(r"^export const (\w+) = (\[.*\]);", text, re.M)}
    assert lists["KINDS"] == list(KINDS) and lists["PHASES"] == list(PHASES)
    assert lists["STATUSES"][: len(STATUSES)] == list(STATUSES)
    for name, number in (KINDS | EVENTS | STATUSES).items():
        assert numbers[name.upper()] == number


def test_every_module_belongs_to_a_widget():
    needed = {name for entry in (*WIDGETS, "page.js") for name in bundle.modules(entry)}
    assert needed | {"page.css"} == {path.name for path in bundle.JS.iterdir()}
