"""The scripts of the widgets, without a browser: how they are joined, and their own tests, which Node runs."""

import json
import os
import re
import shutil
import subprocess
from functools import partial
from pathlib import Path

import pytest

from course_lib.explore import bundle, watch
from course_lib.games import TicTacToe, TreeGame
from course_lib.search import alpha_beta_search, minimax_search
from course_lib.watch.mcts import PHASES
from course_lib.watch.record import EVENTS, KINDS, STATUSES
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


def test_python_searches_as_the_examples_of_the_scripts_say():
    for example in json.loads((Path(__file__).parent / "searches.json").read_text(encoding="utf-8")):
        game = TreeGame(example["tree"]) if "tree" in example else TicTacToe()
        state = game.initial_state() if "tree" in example else game.parse(example["board"])
        search = partial(alpha_beta_search, **dict(zip(("alpha", "beta"), example.get("window", []))))
        found = *search(game, state), watch(search, game, state).count, watch(minimax_search, game, state).count
        assert found == tuple(example[name] for name in ("value", "action", "nodes", "all"))


def test_every_module_belongs_to_a_widget():
    needed = {name for entry in (*WIDGETS, "page.js", "start.js") for name in bundle.modules(entry)}
    translations = {path.name for path in bundle.JS.glob("messages.*.json")}
    assert needed | {"page.css", "start.css"} | translations == {path.name for path in bundle.JS.iterdir()}


def test_modules_come_after_what_they_import(tmp_path, monkeypatch):
    monkeypatch.setattr(bundle, "JS", tmp_path)
    (tmp_path / "a.js").write_text('import {\n  one,\n  two,\n} from "./b.js";\nexport default one + two;\n')
    (tmp_path / "b.js").write_text('import table from "./c.json" with { type: "json" };\nexport const one = table.x;\n'
                                   "export function two() {}\n")  # fmt: skip
    (tmp_path / "c.json").write_text('{ "x": 1 }\n')
    assert bundle.script("a.js") == (
        'const $c_json = { "x": 1 };\n'
        "const $b_js = (() => {\nconst table = $c_json;\nconst one = table.x;\nfunction two() {}\n"
        "return { one, two };\n})();\n"
        "const {\n  one,\n  two,\n} = $b_js;\nexport default one + two;\n"
    )
