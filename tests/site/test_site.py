"""The site: its pages to read, in a browser without network; and the list of what Python in the browser needs."""

import json
import re
import sys
import zipfile
from importlib.metadata import version

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe

from instructor.site import build, bytecode, pyodide, reading, running
from lab import REPOSITORY
from project.test_setup import packages

CODE = """from course_lib.explore import board, explore, watch
from course_lib.games import TicTacToe, TreeGame
from course_lib.search import alpha_beta_search

explore(watch(alpha_beta_search, TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]])))"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The folder of a site made of a course with one short notebook."""
    course, target = tmp_path_factory.mktemp("course"), tmp_path_factory.mktemp("site")
    rows = [row for row in (REPOSITORY / "README.md").read_text(encoding="utf-8").splitlines() if "03_alpha" in row]
    (course / "README.md").write_text("\n".join(rows), encoding="utf-8")
    (course / "SOURCES.md").write_text("# Sources\n\n[3](notebooks/03_alpha_beta.ipynb)\n", encoding="utf-8")
    (course / "LICENSE").write_text("free")
    cells = [nbformat.v4.new_markdown_cell("# 3. Alpha-beta\n\nIn $b^m$ leaves; see [sources](../SOURCES.md)."),
             nbformat.v4.new_code_cell(CODE), nbformat.v4.new_code_cell("board(TicTacToe())")]  # fmt: skip
    (course / "notebooks").mkdir()
    nbformat.write(nbformat.v4.new_notebook(cells=cells), course / "notebooks" / "03_alpha_beta.ipynb")
    build.build_read(course, target, run_too=True)
    return target


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_a_page_to_read_has_a_live_tree_and_no_python(browser, pages, colours):
    context = browser.new_context(viewport={"width": 360, "height": 800}, offline=True, color_scheme=colours)
    page, wrong = context.new_page(), []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: wrong.append(request.url) if request.url.startswith("http") else None)
    page.goto((pages / "read" / "03_alpha_beta.html").as_uri())
    tree = page.locator("[data-drawn] [role=tree]")
    tree.focus()
    page.keyboard.press("End")
    page.get_by_text("Step 28 of 28").first.wait_for()
    assert page.locator("math").count() == 1
    assert page.get_by_text("This needs Python").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    found = Axe().run(page, options={"resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()
    page.goto((pages / "index.html").as_uri())
    page.get_by_role("link", name="Read Alpha-beta").click()
    assert page.url.endswith("03_alpha_beta.html")
    found = Axe().run(page, options={"resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()
    context.close()
    assert not wrong


def test_formulas_become_mathml_and_code_stays():
    text = reading.with_math("`a $b$ c` and $x_1$ and\n\n$$\\frac{1}{2}$$")
    assert "`a $b$ c`" in text
    assert text.count("<math") == 2
    assert "<mfrac>" in text
    assert reading.linked("[a](02_minimax.ipynb#x) [b](../SOURCES.md)") == "[a](02_minimax.html#x) [b](sources.html)"


def test_the_formulas_of_all_notebooks_are_understood():
    for path in (REPOSITORY / "notebooks").glob("*.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "markdown":
                assert "$" not in reading.MATH.sub("", reading.with_math(cell.source))


@pytest.mark.parametrize("text", ["full", "nothing"])
def test_nothing_is_written_over_and_nothing_is_left(tmp_path, text):
    target = tmp_path / "out"
    if text == "full":
        target.mkdir()
        (target / "mine").write_text("mine")
    with pytest.raises(ValueError, match="not empty" if text == "full" else "no folder notebooks"):
        build.site(tmp_path, target, run_too=False)
    assert [path.name for path in tmp_path.rglob("*")] == (["out", "mine"] if text == "full" else [])


def wheel(folder, name, *needs, compiled=False):
    """A wheel that holds one module and needs these packages."""
    tag = "cp314-cp314-pyemscripten_2026_0_wasm32" if compiled else "py3-none-any"
    path = folder / f"{name}-1.0-{tag}.whl"
    said = "".join(f"Requires-Dist: {need}\n" for need in needs)
    with zipfile.ZipFile(path, "w") as files:
        files.writestr(f"{name}/__init__.py", "")
        files.writestr(f"{name}-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n{said}")
    return path


def test_what_a_wheel_needs_in_a_browser(tmp_path):
    path = wheel(tmp_path, "Some_Thing", 'colorama; sys_platform == "win32"', "six>=1", 'pytest; extra == "test"')
    assert pyodide.read(path) == pyodide.Wheel(path, "some-thing", "1.0", ("six",), ("Some_Thing",))


def test_a_package_comes_without_its_compiled_part(tmp_path):
    pyodide.pure_wheel("markupsafe", tmp_path)
    (path,) = tmp_path.iterdir()
    assert pyodide.is_pure(path.name)
    assert pyodide.read(path) == pyodide.Wheel(path, "markupsafe", version("markupsafe"), (), ("markupsafe",))
    assert not any(name.endswith((".so", ".pyd", ".c")) for name in zipfile.ZipFile(path).namelist())


@pytest.mark.parametrize("name", ["course_lib", "six"])
def test_modules_come_as_bytecode_and_the_course_s_own_with_their_sources(tmp_path, name):
    path = wheel(tmp_path, name)
    with zipfile.ZipFile(path, "a") as files:
        files.writestr(f"{name}/tests/test_it.py", "")
        files.writestr(f"{name}/sheet.css", "a {}")
    bytecode.with_bytecode(str(path))
    there = {entry for entry in zipfile.ZipFile(path).namelist() if not entry.endswith("/")}
    cached = f"{name}/__pycache__/__init__.{sys.implementation.cache_tag}.pyc"
    modules = {f"{name}/__init__.py", cached} if name == "course_lib" else {f"{name}/__init__.pyc"}
    assert there == modules | {f"{name}/sheet.css", f"{name}-1.0.dist-info/METADATA"}


def test_the_wheels_that_are_needed_are_found_and_listed(tmp_path, monkeypatch):
    offered = {"numpy": {"name": "numpy", "version": "2.4", "file_name": "numpy-2.4-cp314.whl", "depends": []},
               "six": {"name": "six", "version": "1.0", "file_name": "six-1-none-any.whl", "depends": []}}  # fmt: skip
    source, asked = tmp_path / "source", []
    source.mkdir()
    for name in pyodide.INTERPRETER:
        (source / name).write_text(name)
    (source / pyodide.LOCK).write_text(json.dumps({"info": {"python": "3.14.2"}, "packages": offered}))
    wheels = tmp_path / "wheels"
    wheels.mkdir()

    def download(requirements, folder):
        asked.extend(requirements)
        for requirement in requirements:
            name = requirement.split("==")[0]
            wheel(folder, name, *{"anywidget": ["six", "numpy"]}.get(name, []))

    monkeypatch.setattr(pyodide, "download", download)
    own = wheel(tmp_path, "course_lib", "anywidget", "jupyterlab", "numpy")
    found, compiled = pyodide.gather(own, wheels, json.loads((source / pyodide.LOCK).read_text()))
    assert sorted(found) == ["anywidget", "course-lib", "ipython", "micropip", "six"]
    assert sorted(compiled) == ["numpy"]
    assert "six==1.0" in asked  # the version that Pyodide knows

    pyodide.assemble(source, found, compiled, "https://far.example", tmp_path / "python")
    lock = json.loads((tmp_path / "python" / pyodide.LOCK).read_text())
    packages = lock["packages"]
    assert packages["numpy"]["file_name"] == "https://far.example/numpy-2.4-cp314.whl"
    assert packages.keys() == {"course-lib", "numpy"}
    assert packages["course-lib"]["depends"] == ["numpy"]
    assert (tmp_path / "python" / packages["course-lib"]["file_name"]).exists()
    together = zipfile.ZipFile(tmp_path / "python" / pyodide.ARCHIVE).namelist()
    assert {f"{name}/__init__.py" for name in ("anywidget", "ipython", "micropip", "six")} <= set(together)
    assert "course_lib/__init__.py" not in together


def test_the_page_of_a_notebook_begins_with_python(tmp_path):
    for name in ("static/pyodide", "notebooks", f"extensions/{running.KERNEL_EXTENSION}/static"):
        (tmp_path / name).mkdir(parents=True)
    kernel = tmp_path / "extensions" / running.KERNEL_EXTENSION / "static" / "comlink.worker.0a1b.js"
    kernel.write_text("")
    (tmp_path / "notebooks" / "index.html").write_text("<html><head><title></title></head></html>")
    running.start_early(tmp_path)
    page = (tmp_path / "notebooks" / "index.html").read_text()
    assert page.index('<script src="../early.js">') < page.index("<title>")
    worker = tmp_path / "static" / "pyodide" / "worker.mjs"
    (path,) = re.findall('^import "(.+)";', worker.read_text(), re.MULTILINE)
    assert (worker.parent / path).samefile(kernel)
    assert (tmp_path / "early.js").exists()


def offered(site):
    """The modules that a site's Python has or loads, but for the standard library."""
    lock = json.loads((site / "run" / "static" / "pyodide" / pyodide.LOCK).read_text())
    together = zipfile.ZipFile(site / "run" / "static" / "pyodide" / pyodide.ARCHIVE).namelist()
    unpacked = {module for said in lock["packages"].values() for module in said["imports"]}
    return unpacked | {name.split("/")[0].removesuffix(".pyc") for name in together}


def test_all_that_cells_and_the_course_import_is_loaded_by_the_browser_s_python(site):
    paths = [path for folder in ("notebooks", "exercises") for path in (REPOSITORY / folder).glob("*.ipynb")]
    cells = [cell for path in paths for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    sources = [path.read_text(encoding="utf-8") for path in (REPOSITORY / "course_lib").rglob("*.py")]
    texts = [*sources, *(cell.source for cell in cells)]
    wanted = {module for text in texts for module in packages(text)} - {"pyspiel"}  # OpenSpiel's games: no notebook
    assert "course_lib" in wanted
    assert wanted - offered(site) <= sys.stdlib_module_names
