"""What a newcomer relies on: two commands, imports from any folder, and files that Binder and CI read."""

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import course_lib
from needs import skip_for_want_of

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
SET_UP = re.search(r"^## Set up\n(.*?)^## ", README, re.M | re.S)[1]
COMMANDS = re.findall(r"^```bash\n(.*?)\n```", SET_UP, re.M | re.S)
SLOW = ".venv/bin/pytest -m slow"
TOML = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT = TOML["project"]
EXTRAS = PROJECT["optional-dependencies"]
RUN_AS_PROGRAMS = {
    "jupyterlab",
    "jupyterlite-core",
    "pytest-xdist",
    "nbval",
    "notebook",
    "jupyter-repo2docker",
    "ruff",
    "axe-playwright-python",
}
"""What is needed and never imported."""

IN_THE_SANDBOX = {"plain", "wire"}
"""Modules of course_lib.check which are imported by themselves there."""

LAYERS = ["saving", "games", "search", "alphazero", "watch", "explore", "check", "grade"]
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


def test_ci_runs_the_command_of_the_readme_and_then_the_slow_tests():
    script = (ROOT / ".ci" / "run").read_text()
    (extraction,) = re.findall(r"^command=\$\((.*)\)$", script, re.M)
    extracted = subprocess.run(["bash", "-c", extraction], cwd=ROOT, capture_output=True, text=True, check=True)
    assert extracted.stdout == COMMANDS[1] + "\n"
    assert script.endswith(f'\neval "$command"\n{SLOW}\n')
    assert f"`{SLOW}`" in SET_UP


def test_each_test_is_in_one_of_the_two_suites():
    options = TOML["tool"]["pytest"]["ini_options"]
    leaving_out = [option for option in options["addopts"] if re.match(r"-m|-k|--ignore|--deselect", option)]
    assert leaving_out == ["-m=not slow"]
    assert "--strict-markers" in options["addopts"]
    for path in (ROOT / "tests").rglob("*.py"):
        if "mark.slow" in path.read_text() and path != Path(__file__):
            assert path.name.startswith("test_")
            assert not set(path.relative_to(ROOT).parts) & set(options["norecursedirs"])


def declared(*groups):
    """The names of what each list of requirements asks for, and the lower bound of each."""
    requirements = [requirement for group in groups for requirement in group]
    return {plain(name): least for name, least in (re.split(">=|[,;]", needed)[:2] for needed in requirements)}


def plain(name):
    return re.sub("[-_.]+", "-", name).lower()


def test_the_oldest_set_is_made_of_the_lower_bounds():
    lines = (ROOT / "tests" / "oldest.txt").read_text().splitlines()[1:]
    oldest = dict(line.split("==") for line in lines)
    assert {plain(name): bound for name, bound in oldest.items()} == declared(PROJECT["dependencies"], *EXTRAS.values())
    assert len(oldest) == len(lines)


def test_ci_runs_with_the_oldest_set_and_the_newest():
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text()
    runs = re.findall(r'- python: "(3\.\d+)"\n(?: +constraint: (\S+))?', workflow)
    oldest = PROJECT["requires-python"].removeprefix(">=")
    assert runs == [(oldest, "tests/oldest.txt"), (oldest, ""), ("3.12", ""), ("3.13", "")]
    assert "PIP_CONSTRAINT: ${{ matrix.constraint }}" in workflow
    assert workflow.endswith("- run: bash .ci/run\n")


def imported(sources):
    """The distributions that code imports, but for the standard library's, our own and those of tests/."""
    provided = packages_distributions()
    own = {path.stem for path in (ROOT / "tests").rglob("*")} | {"course_lib", *IN_THE_SANDBOX}
    names = {name for source in sources for name in packages(source)} - set(sys.stdlib_module_names) - own
    return {plain(provided.get(name, [name])[0]) for name in names}


def packages(source):
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module.split(".")[0]


def sources(folder, but=()):
    return [path.read_text() for path in sorted((ROOT / folder).rglob("*.py")) if not set(but) & set(path.parts)]


def cells(folder):
    for path in sorted((ROOT / folder).glob("*.ipynb")):
        yield from (
            "".join(cell["source"]) for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"
        )


def test_what_is_imported_is_declared_and_what_is_declared_is_used():
    base = set(declared(PROJECT["dependencies"]))
    of_course, of_tests = imported(sources("course_lib")), imported(sources("tests", but=["benchmarks"]))
    open_spiel = {name for name in declared(EXTRAS["bench"]) if "spiel" in name}  # for other people's games
    of_extras = set(declared(EXTRAS["grade"], EXTRAS["cluster"], EXTRAS["site"]))
    assert of_course - base == (of_extras | open_spiel) - RUN_AS_PROGRAMS
    of_notebooks = imported(cells("notebooks")) | imported(cells("solutions"))
    assert base - of_course - of_notebooks <= RUN_AS_PROGRAMS
    assert of_notebooks <= base
    of_benchmarks = imported(sources("tests/benchmarks"))
    assert of_benchmarks - base <= set(declared(EXTRAS["bench"], EXTRAS["test"]))
    assert set(declared(EXTRAS["bench"])) - {"nbgrader"} <= of_benchmarks
    test = set(declared(EXTRAS["test"]))
    assert of_tests - base <= test
    assert test <= of_course | of_tests | of_benchmarks | RUN_AS_PROGRAMS


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


def test_a_machine_that_forbids_sandboxes_is_named_as_the_reason_and_skips(tmp_path):
    forbidding = tmp_path / "bwrap"
    forbidding.write_text("#!/bin/sh\necho bwrap: No permissions to create new namespace >&2\nexit 1\n")
    forbidding.chmod(0o755)
    environment = os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "CI": "true"}
    which = ROOT / "tests" / "grading_command" / "test_sandbox.py"
    alone = ["-o", "addopts=--import-mode=importlib", "-p", "no:cacheprovider", "-rs", "-k", "nothing_of_a_secret_case"]
    command = [sys.executable, "-m", "pytest", which, *alone]
    said = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout
    assert "cannot make a sandbox on this machine: bwrap: No permissions to create new namespace" in said
    assert "1 skipped" in said


def test_the_citation_is_of_this_version_under_these_licences():
    citation = (ROOT / "CITATION.cff").read_text()
    title = (ROOT / "README.md").read_text().splitlines()[0].removeprefix("# ")
    assert f"\ntitle: {title}\n" in citation
    assert f"\nversion: {PROJECT['version']}\n" in citation
    assert re.findall(r"^  - (\S+-[\d.]+\S*)$", citation, re.M)[:2] == PROJECT["license"].split(" AND ")


def test_games_and_searches_are_imported_without_the_heavy_packages():
    missing = "for name in 'numpy', 'matplotlib', 'autograd', 'hypothesis', 'chess': sys.modules[name] = None"
    used = "course_lib.search.minimax_search(course_lib.games.TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]]), ())"
    code = f"import sys\n{missing}\nimport course_lib.games, course_lib.search\nprint({used})"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (run.stdout, run.stderr) == ("(3, 0)\n", "")
