"""What a newcomer relies on: two commands, imports from any folder, and files that Binder and CI read."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import course_lib
from needs import skip_for_want_of

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
SET_UP = re.search(r"^## Set up\n(.*?)^## ", README, re.M | re.S)[1]
COMMANDS = re.findall(r"^```bash\n(.*?)\n```", SET_UP, re.M | re.S)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LAYERS = ["games", "search", "alphazero", "explore", "notebooks", "grading"]
"""Each may import from those before it, and from no other."""


def test_the_readme_has_two_commands_of_one_line_each():
    opens, tests = COMMANDS
    assert "\n" not in opens + tests
    assert "-r requirements.txt" in opens and "jupyter lab" in opens
    assert '-e ".[test]"' in tests and tests.endswith("pytest")


@pytest.mark.parametrize("first", sorted((ROOT / "notebooks").glob("*.ipynb"))[:1])
def test_the_first_command_opens_the_first_notebook(first):
    (opened,) = re.findall(r"/lab/tree/(\S+)", COMMANDS[0])
    assert ROOT / opened == first


def test_ci_runs_the_command_of_the_readme_and_no_other():
    script = (ROOT / ".ci" / "run").read_text()
    (extraction,) = re.findall(r"^command=\$\((.*)\)$", script, re.M)
    extracted = subprocess.run(["bash", "-c", extraction], cwd=ROOT, capture_output=True, text=True, check=True)
    assert extracted.stdout == COMMANDS[1] + "\n"
    assert script.endswith('\neval "$command"\n')


def test_binder_is_asked_for_a_python_that_the_course_supports():
    minor = re.fullmatch(r"python-3\.(\d+)\n", (ROOT / "runtime.txt").read_text())[1]
    oldest = re.fullmatch(r">=3\.(\d+)", PROJECT["requires-python"])[1]
    assert int(minor) >= int(oldest)


def test_course_lib_is_imported_from_any_folder(tmp_path):
    where = [sys.executable, "-I", "-c", "import course_lib.games, course_lib.explore; print(course_lib.__file__)"]
    found = subprocess.run(where, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.strip()
    assert Path(found) == Path(course_lib.__file__)


def imports(module):
    """The layers of course_lib that a module imports from."""
    for node in ast.walk(ast.parse(module.read_text())):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        yield from (name.split(".")[1] for name in names if name.startswith("course_lib."))


@pytest.mark.parametrize("layer", LAYERS)
def test_imports_run_one_way(layer):
    allowed = LAYERS[: LAYERS.index(layer) + 1]
    package = ROOT / "course_lib"
    for module in [*package.glob(f"{layer}.py"), *package.glob(f"{layer}/**/*.py")]:
        assert set(imports(module)) <= set(allowed), module


def test_chess_is_imported_in_one_module_only():
    importing = [
        path.name
        for path in (ROOT / "course_lib").rglob("*.py")
        if re.search(r"^\s*(import|from) chess\b", path.read_text(), re.M)
    ]
    assert importing == ["chess.py"]


def test_a_missing_program_is_named_and_skips_but_fails_in_ci(monkeypatch):
    monkeypatch.setenv("CI", "")
    with pytest.raises(pytest.skip.Exception, match="apt install chromium"):
        skip_for_want_of("Chromium", "chromium")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="apt install chromium"):
        skip_for_want_of("Chromium", "chromium")
