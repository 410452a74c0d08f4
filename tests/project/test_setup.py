"""What a newcomer relies on: two commands, imports from any folder, and files that Binder and CI read."""

import ast
import json
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
COMMANDS = re.findall(r"^```bash\n(.*?)\n```", README, re.M | re.S)
TOML = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT = TOML["project"]
EXTRAS = PROJECT["optional-dependencies"]
RUN_AS_PROGRAMS = {"jupyterlab", "jupyterlite-core", "pytest-xdist", "nbval", "ruff", "axe-playwright-python", "uv"}
"""What is needed and never imported."""
PROVIDED = packages_distributions()
"""The distributions that are installed, by the names of their packages."""
LAYERS = ["instructor"], ["check"], ["explore"], ["watch", "alphazero"], ["search"], ["games"]
"""The folders of the code, as CONTRIBUTING draws them."""
IN_THE_SANDBOX = {"graded", "protocol", "shell"}
"""Modules that are imported by themselves there."""
IN_THE_BROWSER = {"pyodide_kernel"}
"""What the Python of the site brings."""


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


def distributions(sources):
    """The distributions that code imports, but for the standard library's, our own and those of tests/."""
    own = {path.stem for path in (ROOT / "tests").rglob("*")} | {"course_lib", "instructor", "solutions"}
    names = {name for source in sources for name in packages(source)}
    elsewhere = set(sys.stdlib_module_names) | own | IN_THE_SANDBOX | IN_THE_BROWSER
    return {plain(PROVIDED.get(name, [name])[0]) for name in names - elsewhere}


def is_installed(name):
    return name in map(plain, chain.from_iterable(PROVIDED.values()))


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
        notebook = json.loads(path.read_text())
        yield from ("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code")


@pytest.mark.slow
def test_what_is_imported_is_declared_and_what_is_declared_is_used():
    base = set(declared(PROJECT["dependencies"]))
    of_course, of_tests = distributions(sources("course_lib")), distributions(sources("tests", but=["benchmarks"]))
    of_instructor, of_benchmarks = distributions(sources("instructor")), distributions(sources("tests/benchmarks"))
    optional = {name for name in declared(EXTRAS["bench"]) if "spiel" in name}  # for other people's games
    assert of_course - base <= optional
    of_extras = set(declared(EXTRAS["grade"], EXTRAS["site"]))
    assert of_instructor - base == of_extras - RUN_AS_PROGRAMS
    of_notebooks = distributions(cells("notebooks")) | distributions(cells("solutions"))
    assert base - of_course - of_notebooks - of_instructor <= RUN_AS_PROGRAMS
    assert of_notebooks <= base
    assert of_benchmarks - base <= set(declared(EXTRAS["bench"], EXTRAS["test"], EXTRAS["slow"]))
    assert set(declared(EXTRAS["bench"])) - {"nbgrader"} <= of_benchmarks
    test = set(declared(EXTRAS["test"], EXTRAS["slow"]))
    assert {name for name in of_tests if is_installed(name)} - base <= test  # others are made by tests
    assert test <= of_course | of_instructor | of_tests | of_benchmarks | RUN_AS_PROGRAMS


def test_imports_run_downward():
    layer = {folder: number for number, folders in enumerate(LAYERS) for folder in folders}
    for folder in layer:
        code = "\n".join(sources(folder if folder == "instructor" else f"course_lib/{folder}"))
        used = set(re.findall(r"^ *(?:from|import) (?:course_lib\.)?(\w+)", code, re.M))
        assert all(layer[other] > layer[folder] for other in used & layer.keys() - {folder})
    students = {name for source in sources("course_lib") for name in packages(source)}
    assert not students & {"instructor", "solutions"}


def test_the_citation_and_the_changelog_are_of_this_version():
    citation, changelog = ((ROOT / name).read_text() for name in ("CITATION.cff", "CHANGELOG.md"))
    title = (ROOT / "README.md").read_text().splitlines()[0].removeprefix("# ")
    assert f'\ntitle: "{title}"\n' in citation and f"\nversion: {PROJECT['version']}\n" in citation
    assert re.findall(r"^  - (\S+-[\d.]+\S*)$", citation, re.M)[:2] == PROJECT["license"].split(" AND ")
    assert re.search(r"^## (\S+)$", changelog, re.M)[1] == PROJECT["version"]
