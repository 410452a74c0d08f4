"""The site: its pages to read, in a browser without network; and the list of what Python in the browser needs."""

import json
import re
import shutil
import sys
import zipfile
from base64 import b64decode, b64encode
from io import BytesIO

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, expect

from instructor.site import build, bytecode, pyodide, reading, startup
from lab import REPOSITORY
from project.test_setup import packages

CODE = """from course_lib.explore import board, explore, watch
from course_lib.games import TicTacToe, TreeGame
from course_lib.search import alpha_beta_agent, alpha_beta_search

explore(watch(alpha_beta_search, TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]])))"""
PLAYED = "board(TicTacToe(), alpha_beta_agent(9), state=TicTacToe().parse('.X. O.X .O.'))"


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The folder of a site made of a course with one short notebook."""
    course, target = tmp_path_factory.mktemp("course"), tmp_path_factory.mktemp("site")
    rows = [row for row in (REPOSITORY / "README.md").read_text(encoding="utf-8").splitlines() if "03_alpha" in row]
    (course / "README.md").write_text("\n".join(rows), encoding="utf-8")
    (course / "SOURCES.md").write_text("# Sources\n\n[3](notebooks/03_alpha_beta.ipynb)\n", encoding="utf-8")
    (course / "LICENSE").write_text("free")
    face = (REPOSITORY / "course.toml").read_text(encoding="utf-8")
    face = face.replace("Planning in", "Thinking in").replace('institution = ""', 'institution = "Somewhere"')
    (course / "course.toml").write_text(face, encoding="utf-8")
    cells = [nbformat.v4.new_markdown_cell("# 3. Alpha-beta\n\nIn $b^m$ leaves; see [sources](../SOURCES.md)."),
             nbformat.v4.new_code_cell(CODE), nbformat.v4.new_code_cell("board(TicTacToe())"), *map(
                 nbformat.v4.new_code_cell, ("board(TicTacToe(), lambda game, state: game.actions(state)[0])", PLAYED)
             ),
             nbformat.v4.new_markdown_cell("## The *last* tree"), nbformat.v4.new_markdown_cell("Text.\n\n" * 100),
             nbformat.v4.new_code_cell(CODE),
             nbformat.v4.new_code_cell("print('x' * 7)", metadata={"jupyter": {"outputs_hidden": True}})]  # fmt: skip
    (course / "notebooks").mkdir()
    nbformat.write(nbformat.v4.new_notebook(cells=cells), course / "notebooks" / "03_alpha_beta.ipynb")
    (course / "locale" / "fr").mkdir(parents=True)
    shutil.copytree(course, course / "fr", ignore=shutil.ignore_patterns("fr", "locale"))
    build.build_read(course, target, run_too=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COURSE_LANGUAGE", "fr")
        build.build_read(course, target, run_too=True)
    return target


@pytest.mark.parametrize("colours", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_a_page_to_read_has_a_live_tree_and_no_python(browser, pages, colours):
    context = browser.new_context(viewport={"width": 360, "height": 800}, offline=True, color_scheme=colours)
    page, wrong = context.new_page(), []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: wrong.append(request.url) if request.url.startswith("http") else None)
    page.goto((pages / "read" / "03_alpha_beta.html").as_uri())
    expect(page.locator("[data-drawn]")).to_have_count(3)  # also the one that is not in view
    cells = page.locator(".course-board .grid button")  # only the board whose opponent nobody beats
    page.get_by_role("button", name="Show values").click()
    expect(cells.locator(".value:visible")).to_have_text(["0", "1", "−1", "0", "0"])
    cells.nth(2).press("Enter")
    expect(page.locator(".course-board [data-mark='O']")).to_have_count(3)
    tree = page.locator("[data-drawn] [role=tree]").first
    tree.focus()
    page.keyboard.press("End")
    page.get_by_text("Step 28 of 28").first.wait_for()
    assert page.locator("math").count() == 1
    assert page.get_by_text("This needs Python").count() == 2
    expect(page.get_by_text("xxxxxxx")).to_be_hidden()
    page.get_by_text("Show the output").click()
    expect(page.get_by_text("xxxxxxx")).to_be_visible()
    page.get_by_text("Contents").click()
    page.get_by_role("link", name="The last tree").click()
    expect(page.get_by_role("heading", name="The last tree")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    found = Axe().run(page, options={"resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()
    page.goto((pages / "index.html").as_uri())
    page.get_by_role("searchbox", name="Search the course").fill("last text")
    expect(page.locator(".search a")).to_have_text(["3: The last tree"])
    page.get_by_role("searchbox").fill("text nowhere")
    expect(page.get_by_text("Nothing found.")).to_be_visible()
    page.get_by_role("link", name="Read 3").click()
    assert page.url.endswith("03_alpha_beta.html")
    found = Axe().run(page, options={"resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()
    context.close()
    assert not wrong


def test_each_page_has_a_switch_to_the_same_page_in_the_other_language(pages):
    made = [path for path in pages.rglob("*.html")]
    assert len(made) == 6
    for path in made:
        text = path.read_text(encoding="utf-8")
        language, other = ("fr", "en") if "fr" in path.parts[len(pages.parts) :] else ("en", "fr")
        assert f'<html lang="{language}">' in text
        [link] = re.findall(rf'<a lang="{other}" hreflang="{other}" href="([^"]+)"', text)
        there = (path.parent / link).resolve()
        assert there in made and there != path and there.name == path.name
        for link in re.findall(r'(?:href|src)="([^"#:?]+)"', text):
            assert (path.parent / link).exists() or re.match(r"(\.\./)*(run|notebooks)/", link), link


def test_a_french_page_has_no_english_around_the_notebook(browser, pages):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto((pages / "fr" / "index.html").as_uri())
    expect(page.get_by_role("link", name="Exécuter")).to_be_visible()
    page.get_by_role("searchbox", name="Chercher dans le cours").fill("text nowhere")
    expect(page.get_by_text("Rien n'a été trouvé.")).to_be_visible()
    texts = [page.inner_text("body")]
    page.get_by_role("link", name="Lire 3").click()
    expect(page.locator("[data-drawn]")).to_have_count(3)
    page.get_by_role("button", name="Diapositives").click()
    expect(page.get_by_role("button", name="Suite →")).to_be_visible()
    page.keyboard.press("Escape")
    texts.append(re.sub(r"(?s)from course_lib.*?\]\]\)\)\)|Text\.|The last tree", "", page.inner_text("body")))
    page.close()
    assert not re.findall(r"\b(?:of|to|this|Run|Read|Copy|Step|Show|Notebook to|Search|Next)\b", " ".join(texts))


@pytest.mark.parametrize("width", [1280, 360])
def test_the_start_page_is_played_by_keyboard_and_shows_what_the_program_sees(browser, pages, width):
    context = browser.new_context(viewport={"width": width, "height": 720}, offline=True)
    page, wrong = context.new_page(), []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto((pages / "index.html").as_uri())
    tree, cells = page.locator(".thought"), page.locator(".start-board .grid button")
    expect(tree).to_have_accessible_name(re.compile("at least a draw.* 545 of the 63,905 nodes"))
    assert max(word["x"] + word["width"] for word in map(Locator.bounding_box, tree.locator("text").all())) <= width
    cells.nth(0).focus()
    expect(tree).to_have_accessible_name(re.compile("497 of the 59,705 nodes"))
    expect(page.locator(".start-board .faint .name")).to_have_text(["1", "4", "3", "2", "5"])  # its line of play
    expect(page.locator(".start-board .faint [class^=mark-]").nth(1)).to_have_class("mark-o")
    cells.nth(0).press("Enter")
    expect(page.locator(".start-board .faint")).to_have_count(0)
    expect(cells.nth(4)).to_have_attribute("data-mark", "O")
    cells.nth(1).press("Enter")
    cells.nth(5).press("Enter")
    expect(page.locator(".start-board .won")).to_have_count(3)
    expect(page.get_by_text("O wins.", exact=True)).to_be_visible()
    found = Axe().run(page, options={"resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="New game").click()
    expect(page.locator(".start-board [data-mark='.']")).to_have_count(8)  # and a first picture
    expect(page.locator(".found-3")).to_be_hidden()
    page.get_by_text("Alpha-beta, thirteen plies: which column?").click()
    expect(page.locator(".found-3")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()
    assert not wrong


@pytest.mark.parametrize("name", ["index.html", "read/03_alpha_beta.html", "read/sources.html"])
def test_each_page_shows_the_course_s_own_face(pages, name):
    page = (pages / name).read_text(encoding="utf-8")
    assert page.count("Thinking in games") >= 2 and "<p>Somewhere</p>" in page and "Planning in games" not in page


def test_on_paper_trees_are_whole_and_at_their_last_step(browser, pages):
    page = browser.new_page()
    page.goto((pages / "read" / "03_alpha_beta.html").as_uri())
    expect(page.locator("[data-drawn]")).to_have_count(3)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator(".caption", has_text="Step 28 of 28")).to_have_count(2)
    assert page.locator("svg[role=tree][viewBox]").count() == 2
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator(".caption", has_text="Step 28 of 28")).to_have_count(0)
    assert page.locator("svg[role=tree][viewBox]").count() == 0
    page.close()


def test_formulas_become_mathml_and_code_stays():
    text = reading.markdown("`a $b$ c` and $x_1$ and\n\n$$\\frac{1}{2}$$")
    assert "<code>a $b$ c</code>" in text
    assert text.count("<math") == 2
    assert "<mfrac>" in text


def test_links_between_notebooks_lead_to_pages():
    text = reading.markdown("[a](02_minimax.ipynb#x) [b](../SOURCES.md) [c](../notebooks/03_alpha_beta.ipynb)")
    assert re.findall('href="(.+?)"', text) == ["02_minimax.html#x", "sources.html", "03_alpha_beta.html"]


def test_the_formulas_of_all_notebooks_are_understood():
    for path in (REPOSITORY / "notebooks").glob("*.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "markdown":
                assert "$" not in re.sub("<code>.*?</code>", "", reading.markdown(cell.source))


@pytest.mark.parametrize("run_too", [False, True])
def test_notebooks_that_are_not_those_of_readme_and_of_the_exercises_are_named_first(tmp_path, run_too):
    (tmp_path / "README.md").write_text((REPOSITORY / "README.md").read_text(encoding="utf-8"), encoding="utf-8")
    for folder in ("notebooks", "exercises"):
        (tmp_path / folder).mkdir()
        for path in (REPOSITORY / folder).glob("*.ipynb"):
            (tmp_path / folder / path.name).touch()
    (tmp_path / ("exercises" if run_too else "notebooks") / "02_minimax.ipynb").unlink()
    with pytest.raises(ValueError, match=r"^02_minimax: not both in .*run `python -m instructor exercises`"):
        build.site(tmp_path, tmp_path / "out", run_too=run_too)
    assert not (tmp_path / "out").exists()


def test_a_name_that_no_cell_defines_is_told_before_the_pages_are_made(tmp_path, monkeypatch, capsys):
    (tmp_path / "notebooks").mkdir()
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("print(lost)")])
    nbformat.write(notebook, tmp_path / "notebooks" / "03_alpha_beta.ipynb")
    monkeypatch.setattr(build, "check_notebooks", lambda *_: None)
    monkeypatch.setattr(build, "build_read", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        build.site(tmp_path, tmp_path / "out", run_too=False)
    assert "lost in code cell 1" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["full", "nothing"])
def test_nothing_is_written_over_and_nothing_is_left(tmp_path, text):
    target = tmp_path / "out"
    if text == "full":
        target.mkdir()
        (target / "mine").write_text("mine")
    with pytest.raises(ValueError, match="not an empty folder" if text == "full" else "no folder notebooks"):
        build.site(tmp_path, target, run_too=False)
    assert [path.name for path in tmp_path.rglob("*")] == (["out", "mine"] if text == "full" else [])


def wheel(folder, name, *files):
    """A wheel that holds one module and these files."""
    path = folder / f"{name}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for file in (f"{name}/__init__.py", f"{name}-1.0.dist-info/METADATA", *files):
            archive.writestr(file, "")
    return path


@pytest.mark.parametrize("name", ["course_lib", "six"])
def test_modules_come_as_bytecode_and_the_course_s_own_with_their_sources(tmp_path, name):
    path = wheel(tmp_path, name, f"{name}/tests/test_it.py", f"{name}/sheet.css")
    bytecode.with_bytecode(str(path))
    there = {entry for entry in zipfile.ZipFile(path).namelist() if not entry.endswith("/")}
    cached = f"{name}/__pycache__/__init__.{sys.implementation.cache_tag}.pyc"
    modules = {f"{name}/__init__.py", cached} if name == "course_lib" else {f"{name}/__init__.pyc"}
    assert there == modules | {f"{name}/sheet.css", f"{name}-1.0.dist-info/METADATA"}


def test_what_a_first_cell_does_not_need_is_fetched_when_it_is_imported(tmp_path):
    with zipfile.ZipFile(tmp_path / bytecode.LIBRARY, "w") as library:
        library.writestr("now/__init__.pyc", "")
        library.writestr("once.pyc", "")
    with zipfile.ZipFile(tmp_path / bytecode.PACKAGES, "w") as packages:
        packages.writestr("now/rare.pyc", "")
        packages.writestr("now/table.json", "{}")
        packages.writestr("now-1.0.dist-info/METADATA", "Version: 1.0\n\nA long text.")
    bytecode.divide(tmp_path, {"now", "sys"}, "NAMES = set()")
    first, rest = (zipfile.ZipFile(tmp_path / name) for name in (bytecode.LIBRARY, bytecode.LATER))
    assert set(first.namelist()) == {"now/__init__.pyc", "now/table.json", "now-1.0.dist-info/METADATA", "startup.py"}
    assert first.read("now-1.0.dist-info/METADATA") == b"Version: 1.0"
    assert set(rest.namelist()) == {"now/rare.pyc", "once.pyc"}
    exec(first.read("startup.py"), found := {})
    assert found["NAMES"] == {"now.rare", "once"}


def test_a_module_is_found_in_an_archive_that_is_fetched_once(tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "there.zip", "w") as there:
        there.writestr("rare.py", "NUMBER = 1")
        there.writestr("pack/age.py", "NUMBER = 2")
    fetched, content = [], (tmp_path / "there.zip").read_bytes()
    monkeypatch.setattr(startup, "NAMES", {"rare", "pack.age"})
    monkeypatch.setattr(startup, "fetched", lambda address: fetched.append(address) or content)
    finder = startup.Later("there.zip", str(tmp_path / "here.zip"))
    assert finder.find_spec("unknown") is None and not fetched
    for name in ("rare", "pack.age"):
        assert finder.find_spec(name).loader.get_source(name).startswith("NUMBER")
    assert fetched == ["there.zip"]


class Shell:
    """Notes the tracebacks that it shows."""

    def __init__(self):
        self.shown = []

    def showtraceback(self, what, tb_offset):
        self.shown.append(what[0])


def test_what_was_not_loaded_is_explained_and_stops_no_run(capsys):
    shell, explained = Shell(), startup.Explained()
    unknown, lacking = NameError(name="sheet"), ModuleNotFoundError(name="numpy.linalg")
    for error in (unknown, lacking, unknown, ModuleNotFoundError(name="pandas")):
        explained(shell, type(error), error, None)
    assert shell.shown == [NameError, ModuleNotFoundError], "what the network has nothing to do with"
    said = capsys.readouterr().err
    assert said == startup.MISSING + startup.FOLLOWS.format(name="sheet")


def test_the_output_of_a_cell_is_cut_with_a_sentence(monkeypatch):
    shown = []
    monkeypatch.setattr(startup, "MOST", 10)
    limited = startup.Limited(shown.append)
    for text in ("12345", "67890", "more", "more"):
        limited.write(text)
    limited.begin()
    limited.write("x" * 11)
    cut = startup.CUT.format(most=10)
    assert "".join(shown) == f"1234567890{cut}{'x' * 10}{cut}"


def offered(site):
    """The modules that a site's Python has or loads, but for the standard library."""
    folder = site / "run" / "static" / "pyodide"
    lock = json.loads((folder / pyodide.LOCK).read_text())
    archives = (zipfile.ZipFile(folder / name).namelist() for name in (bytecode.LIBRARY, bytecode.LATER))
    together = [name for names in archives for name in names]
    unpacked = {module for said in lock["packages"].values() for module in said["imports"]}
    return unpacked | {name.split("/")[0].removesuffix(".pyc") for name in together}


@pytest.mark.slow
def test_all_that_cells_and_the_course_import_is_loaded_by_the_browser_s_python(site):
    paths = [path for folder in ("notebooks", "exercises") for path in (REPOSITORY / folder).glob("*.ipynb")]
    cells = [cell for path in paths for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    sources = [path.read_text(encoding="utf-8") for path in (REPOSITORY / "course_lib").rglob("*.py")]
    texts = [*sources, *(cell.source for cell in cells)]
    in_no_notebook = {"pyspiel", "jupyterlab", "nbclient", "nbformat"}
    wanted = {module for text in texts for module in packages(text)} - in_no_notebook
    assert "course_lib" in wanted
    assert wanted - offered(site) <= sys.stdlib_module_names


def test_a_picture_of_the_site_is_small_and_looks_the_same():
    picture, notebook = reading.Image.new("RGBA", (300, 200), "white"), nbformat.v4.new_notebook()
    picture.putdata([(column % 256, row % 256, 99, 255) for row in range(200) for column in range(300)])
    picture.save(before := BytesIO(), "PNG")
    output = nbformat.v4.new_output("display_data", {"image/png": b64encode(before.getvalue()).decode()})
    notebook.cells = [nbformat.v4.new_code_cell(outputs=[output])]
    reading.lighten(notebook)
    after = reading.Image.open(BytesIO(b64decode(output.data["image/png"])))
    assert after.size == picture.size and after.mode == "P"
    assert max(map(abs, map(int.__sub__, after.convert("RGB").getpixel((150, 100)), (150, 100, 99)))) < 20
