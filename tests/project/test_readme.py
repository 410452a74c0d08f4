"""What the README says holds: its links, its minutes, its example; its recipes are followed in a copy of the course."""

import copy
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import nbformat
import pytest
from course_lib.check.question import NOTEBOOKS, questions_of
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from project.test_numbers import minutes

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()
LINKS = re.findall(r"\]\(([^)\s]+)\)", README + CONTRIBUTING)


def section(title):
    """What stands under a heading, down to the next one."""
    return re.search(rf"^#+ {title}\n(.*?)(?=^#+ |\Z)", f"{README}\n{CONTRIBUTING}", re.M | re.S)[1]


def block(title, language=""):
    """The first block of code under a heading."""
    return re.search(rf"^```{language}\n(.*?)^```", section(title), re.M | re.S)[1]


@pytest.mark.parametrize("link", [link for link in LINKS if not re.search("://|^#", link)])
def test_a_link_to_a_file_finds_it(link):
    assert (ROOT / link).is_file()


@pytest.mark.parametrize("page", [README, CONTRIBUTING], ids=["README", "CONTRIBUTING"])
def test_a_link_to_a_heading_finds_it(page):
    titles = re.findall(r"^#+ (.+)", page, re.M)
    headings = {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}
    assert set(re.findall(r"\]\(#([^)\s]+)\)", page)) <= headings


def test_binder_opens_each_notebook_and_each_exercise_in_jupyterlab():
    opened = [parse_qs(urlsplit(link).query)["urlpath"][0] for link in LINKS if "mybinder.org/v2/gh/" in link]
    paths = [f"{folder}/{name}.ipynb" for name in NOTEBOOKS for folder in ("notebooks", "exercises")]
    assert opened == [f"lab/tree/{path}" for path in [paths[0], *paths]]  # the first is the button at the top
    assert all((ROOT / path).is_file() for path in paths)


def test_one_command_makes_the_links_yours(tmp_path):
    (tmp_path / "README.md").write_text(README)
    command = re.search(r"`(perl .*README\.md)`", README)[1]
    subprocess.run(command, shell=True, cwd=tmp_path, check=True)
    yours = (tmp_path / "README.md").read_text()
    assert yours.count("mybinder.org/v2/gh/your-name/your-copy/HEAD") == 1 + 2 * len(NOTEBOOKS)
    assert yours.count("https://your-name.github.io/your-copy/") == 2
    assert not re.search(r"mybinder.org/v2/gh/OWNER|https://OWNER", yours)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_the_minutes_of_a_notebook_are_those_of_its_words_cells_and_questions(name):
    told = re.search(rf"\(notebooks/{name}\.ipynb\) \| (\d+) \+ (\d+) \|", README)
    assert int(told[1]) == sum(minutes(name).values())
    assert int(told[2]) == 10 * len(questions_of(name))


def test_the_example_runs(tmp_path):
    code = block("For teachers and engineers: use its parts", "python")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env={**os.environ, "MPLBACKEND": "agg"})
    assert done.returncode == 0
    assert (tmp_path / "sheet.pdf").stat().st_size > 1000


# The recipes.


@pytest.fixture
def course(tmp_path):
    """A copy of the course: a function runs commands in it, and returns what they print."""
    for folder in ("course_lib", "tests", "notebooks", "solutions", "exercises"):
        ignored = shutil.ignore_patterns("__pycache__", ".*", "benchmarks")
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignored)
    for file in ("pyproject.toml", "README.md", "CONTRIBUTING.md", "jupyter_server_config.py"):
        shutil.copy(ROOT / file, tmp_path)
    return tmp_path


def run(course, *arguments):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=course,
        env={**environment, "PYTHONPATH": str(course)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def run_tests(course, *arguments):
    return run(course, "-m", "pytest", "-q", "-n=0", "--dist=no", "-p", "no:cacheprovider", *arguments)


def passed(printed):
    return int(re.search(r"(\d+) passed", printed)[1])


def insert(path, before, text):
    """Put a text in front of the first place of another."""
    assert before in path.read_text()
    path.write_text(path.read_text().replace(before, text + before, 1))


@pytest.mark.slow
def test_a_game_is_added_as_told(course):
    (course / "course_lib" / "games" / "subtract_square.py").write_text(block("Add a game", "python"))
    export = "from course_lib.games.subtract_square import SubtractSquare\n"
    insert(course / "course_lib" / "games" / "__init__.py", "from course_lib.games.three_player", export)
    test = course / "tests" / "games" / "test_play.py"
    insert(test, "from course_lib.games import (\n", "from course_lib.games import SubtractSquare\n")
    insert(test, "    TicTacToe(),\n", "    SubtractSquare(7),\n")
    assert passed(run_tests(course, "tests/games/test_play.py", "-k", "SubtractSquare")) >= 9
    (example,) = re.findall(r"such as `(explore\(.*?\))`;", section("Add a game"))
    imports = "from course_lib.explore import *\nfrom course_lib.games import *\nfrom course_lib.search import *\n"
    run(course, "-c", f"{imports}from course_lib.games import SubtractSquare\n{example}")


ANSWERS = """

def longest(game, state, moves=None):
    if game.is_terminal(state):
        return 0
    chance = game.to_move(state) == CHANCE
    after = [a for a, _ in game.chances(state)] if chance else game.actions(state)
    return 1 + (moves or max)(longest(game, game.result(state, a), moves) for a in after)


def by_levels(game, state):
    level, moves = [state], 0
    while level := [game.result(s, a) for s in level if not game.is_terminal(s) for a in (
            [a for a, _ in game.chances(s)] if game.to_move(s) == CHANCE else game.actions(s))]:
        moves += 1
    return moves


RIGHT["expectimax.longest"] = [longest, by_levels, lambda game, state: float(longest(game, state))]
WRONG["expectimax.longest"] = [
    Wrong(lambda game, state: 0, 1),
    Wrong(lambda game, state: 1 + longest(game, state), 1, "the end counts as a move"),
    Wrong(lambda game, state: longest(game, state, min), 2),
    Wrong(lambda game, state: longest(game, state, sum), 2),
    Wrong(lambda game, state: None, 1),
]
"""


def copied(cell, source, name, **marks):
    """A cell copied in JupyterLab: nbgrader's marks come along."""
    new = new_code_cell(source, metadata=copy.deepcopy(cell.metadata))
    new.metadata.nbgrader.update(grade_id=name, **marks)
    return new


@pytest.mark.slow
def test_a_question_is_added_as_told(course):
    definition = block("Add a question", "python")
    module = course / "course_lib" / "check" / "questions" / "expectimax.py"
    module.write_text(f"{module.read_text()}\n\n{definition}")
    path = course / "solutions" / "05_expectimax.ipynb"
    solution = nbformat.read(path, as_version=4)
    answer, check = [cell for cell in solution.cells if "nbgrader" in cell.metadata][-2:]
    function = definition.split("\n\n\n")[0].replace("longest", "longest_game")
    solution.cells[-1:-1] = [
        copied(answer, f"### BEGIN SOLUTION\n{function}\n### END SOLUTION", "longest"),
        copied(check, 'check("expectimax.longest", longest_game)', "longest-check", points=1),
    ]
    nbformat.write(solution, path)
    for command in re.findall(r"^\.venv/bin/python (.*)$", section("Add a question"), re.M):
        run(course, *command.split())
    answers = course / "tests" / "check" / "wrong_answers" / "expectimax.py"
    answers.write_text(answers.read_text() + ANSWERS)
    assert passed(run_tests(course, "tests/check", "-k", "expectimax and (longest or 05_expectimax)")) >= 20


@pytest.mark.slow
def test_a_notebook_is_added_as_told(course):
    notebook = new_notebook(cells=[new_markdown_cell("# 8. Hex"), new_code_cell("6 * 7")])
    nbformat.write(notebook, course / "notebooks" / "08_hex.ipynb")
    (command,) = re.findall(r"^\.venv/bin/python (.*)$", section("Add a notebook"), re.M)
    run(course, *command.split())
    tests = ("tests/browser/test_notebooks.py", "notebooks/08_hex.ipynb")
    printed = run_tests(course, *tests, "-k", "08_hex and not jupyterlab")
    assert passed(printed) == 2


def test_the_changelog_begins_with_this_version():
    newest = re.search(r"^## (\S+)$", (ROOT / "CHANGELOG.md").read_text(), re.M)[1]
    assert newest == tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
