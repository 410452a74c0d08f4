"""The course with the browser's Python (`run/` of the site), in Chromium, with every other host refused."""

import csv
import json
import re
import subprocess
import symtable
import sys
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from lab import NOTEBOOK, REPOSITORY, cells, command, fill, output, run_all, run_code, wait_until_open
from live import bound, used

pytestmark = pytest.mark.slow
NAMES = "01_game_formalism", "02_minimax", "03_alpha_beta"
COMPILED = {"numpy", "matplotlib", "contourpy", "kiwisolver", "pillow"}
"""NumPy and Matplotlib, and what Matplotlib needs: they come from Pyodide's host, which these tests refuse."""
WANTING = re.compile(r"No module named '(numpy|matplotlib)\b")
HARMLESS = re.compile(r"while loading \w+:|Failed to fetch|/favicon\.ico$|Plugin .* took")
"""What the console says of other hosts' files, of an icon for the tab, which the browser asks for, and of slowness."""
SECONDS = 600


def opened(visit, path):
    """The notebook at `path` of the site, in JupyterLite, with its kernel ready."""
    page = visit.new_page()
    page.goto(f"/run/notebooks/index.html?path={path}")
    wait_until_open(page, path)
    return page


def run_each(page):
    """Run all cells one by one, also below one that fails; returns {cell: (error, message)} of those that fail."""
    kinds = [cell["cell_type"] for cell in cells(page)]
    for index in (index for index, kind in enumerate(kinds) if kind == "code"):
        page.evaluate(f"i => {{ {NOTEBOOK}.content.deselectAll(); {NOTEBOOK}.content.activeCellIndex = i; }}", index)
        command(page, "notebook:run-cell", seconds=SECONDS)
    return {
        index: (output["ename"], output["evalue"])
        for index, cell in enumerate(cells(page))
        for output in cell.get("outputs", [])
        if output["output_type"] == "error"
    }


def table(source):
    return symtable.symtable(source, "a cell", "exec")


def unexplained(failed, shown):
    """Of the cells that failed, those that lack neither NumPy nor Matplotlib, nor a name of a cell that lacks them."""
    lost, other = set(), {}
    for index, (error, message) in failed.items():
        here = table(shown[index]["source"])
        missing = re.search(r"name '(\w+)' is not defined", message)
        if WANTING.search(message) or (missing and missing[1] in lost & used(here)):
            lost |= bound(here)
        else:
            other[index] = error, message
    return other


def refused(visit):
    """The packages that other hosts were asked for."""
    return {re.search(r"/([A-Za-z]+)[^/]*\.whl$", url)[1].lower() for url in visit.outside}


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_runs_but_for_numpy_and_matplotlib(visit, name):
    page = opened(visit, f"notebooks/{name}.ipynb")
    assert [worker.url.rpartition("/")[2] for worker in page.workers] == ["worker.mjs"]  # started before the kernel was
    failed, shown = run_each(page), cells(page)
    code = [cell for cell in shown if cell["cell_type"] == "code"]
    print(f"\n{name}: {len(code)} cells run; without NumPy or Matplotlib failed {sorted(failed)}")
    assert all(cell["execution_count"] for cell in code)
    assert unexplained(failed, shown) == {}
    assert refused(visit) <= COMPILED
    assert [error for error in visit.errors if not HARMLESS.search(error)] == []


def send(page, *paths):
    """Put files of the repository into the kernel's folder /course."""
    files = {path: (REPOSITORY / path).read_text(encoding="utf-8") for path in paths}
    run_code(
        page,
        f"""from pathlib import Path
import sys
for path, text in {files!r}.items():
    file = Path("/course", path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
sys.path[:0] = ["/course/tests", "/course/tests/site"]""",
    )


def lines(printed):
    return [json.loads(line) for line in printed.splitlines() if line.startswith("[")]


WITH_PATIENCE = f"""from course_lib.check import session
limit = session.time_limit
session.time_limit = lambda *limits: limit({SECONDS})"""
"""A check has one clock there, which a busy machine does not stop."""


@pytest.mark.parametrize("name", NAMES)
def test_each_check_gives_the_verdict_that_cpython_gives(visit, name):
    page = opened(visit, f"exercises/{name}.ipynb")
    run_code(page, WITH_PATIENCE)
    failed, shown = run_each(page), cells(page)
    checks = [index for index, cell in enumerate(shown) if cell["source"].startswith("check(")]
    others = {index: error for index, error in failed.items() if "not answered yet" not in error[1]}
    assert unexplained(others, shown) == {}
    assert not set(checks) & set(others)
    send(page, "tests/benchmarks/bench_answers.py", "tests/answers/recorded.json", "tests/site/verdicts.py",
         f"solutions/{name}.ipynb")  # fmt: skip
    here = lines(run_code(page, f"import verdicts\nverdicts.verdicts({name!r})"))
    command = [sys.executable, Path(__file__).with_name("verdicts.py"), name]
    there = lines(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    print(f"\n{name}: {len(checks)} checks, {len(here)} answers; cells without NumPy or Matplotlib: {sorted(others)}")
    assert here == there and len(here) > len(checks)
    assert {verdict for _, kind, verdict in here if kind == "right"} == {"passed"}


def cell(page, index):
    page.evaluate(f"index => {NOTEBOOK}.content.scrollToItem(index)", index)
    return page.locator(f".jp-Notebook [data-windowed-list-index='{index}'] .cm-content")


def write(page, index, source):
    """Type into a cell in the place of what stands there."""
    cell(page, index).click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(source)


ANSWER = """def my_minimax_value(game, state):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    values = [my_minimax_value(game, game.result(state, action)) for action in game.actions(state)]
    return max(values) if game.to_move(state) == MAX else min(values)"""


def test_what_was_written_survives_a_reload_and_a_download_is_graded(visit, tmp_path):
    path = "exercises/02_minimax.ipynb"
    page = opened(visit, path)
    place = next(index for index, cell in enumerate(cells(page)) if "def my_minimax_value" in cell["source"])
    write(page, 1, cells(page)[1]["source"].replace("your name or number", "ada"))
    write(page, place, ANSWER)
    page.keyboard.press("Control+Enter")  # which saves
    page.wait_for_function(f"() => !{NOTEBOOK}.context.model.dirty")
    page.reload()
    wait_until_open(page, path)
    assert cells(page)[place]["source"] == ANSWER
    expect(cell(page, place)).to_contain_text("min(values)")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    handed_in = tmp_path / "class" / "ada" / "02_minimax.ipynb"
    download.value.save_as(handed_in)
    page.on("dialog", lambda dialog: dialog.accept())
    for change, there in (reset, "YOUR CODE HERE"), (lambda page: upload(page, handed_in), "min(values)"):
        with page.expect_navigation():
            change(page)
        wait_until_open(page, path)
        assert there in cells(page)[place]["source"]
    grade = ["-m", "instructor", "grade", tmp_path / "class", "--out", tmp_path / "out", "--no-sandbox"]
    subprocess.run([sys.executable, *grade], cwd=REPOSITORY, check=True, capture_output=True)
    (row,) = csv.DictReader((tmp_path / "out" / "grades.csv").open(encoding="utf-8"))
    assert row["student"] == "ada"
    assert [name for name, points in row.items() if name.startswith("minimax.") and points != "0"] == ["minimax.value"]
    assert refused(visit) <= COMPILED


def test_an_exercise_in_french_speaks_french(visit):
    path = "fr/exercises/02_minimax.ipynb"
    page = opened(visit, path)
    bar = page.locator("#course-bar")
    expect(bar).to_have_attribute("lang", "fr")
    expect(bar.locator("[role=status]")).to_have_text("")
    expect(bar.get_by_role("link", name="English")).to_have_attribute("href", "?path=exercises/02_minimax.ipynb")
    assert not re.findall(r"\b(?:Course|Read|Exercises|Next|Download|Upload|Reset)\b", bar.inner_text())
    place = next(index for index, cell in enumerate(cells(page)) if "def my_minimax_value" in cell["source"])
    write(page, place, ANSWER.replace("else min(values)", "else max(values)"))
    run_each(page)
    shown = [output for cell in cells(page) if cell["source"].startswith("check(") for output in cell["outputs"]]
    text = json.dumps(shown, ensure_ascii=False)
    assert "tout le monde maximise" in text and "pas encore de réponse" in text
    assert not re.findall(r"\b(?:not answered|Expected|known mistake|your)\b", text)
    assert [error for error in visit.errors if not HARMLESS.search(error)] == []
    page.goto("/fr/read/02_minimax.html")
    page.get_by_role("link", name="Exécuter ce notebook").click()
    expect(page.locator("#course-bar")).to_have_attribute("lang", "fr")


def reset(page):
    page.get_by_role("button", name="Reset").click()


def upload(page, path):
    expect(page.get_by_role("button", name="Reset")).to_be_visible()  # as is the way to upload: nobody can be earlier
    page.get_by_label("Upload").set_input_files(path)


RUN = "../../run/notebooks/index.html?path={}.ipynb"
WIDGET = "from course_lib.explore import explore\nfrom course_lib.games import TreeGame\nexplore(TreeGame([3, 12]))"


def test_a_widget_of_before_leaves_its_text_and_lines_are_whole(visit):
    page = opened(visit, "exercises/03_alpha_beta.ipynb")
    expect(page.locator("#course-bar [role=status]")).to_have_text("")
    found = Axe().run(page, context="#course-bar", options={"resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()
    links = page.locator("#course-bar a:visible").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    assert links == ["../../index.html", "?path=fr/exercises/03_alpha_beta.ipynb", "../../read/03_alpha_beta.html",
                     *(RUN.format(f"notebooks/{name}") for name in (NAMES[2], "04_evaluation_functions"))]  # fmt: skip
    outputs = [output for cell in cells(page) for output in cell.get("outputs", [])]
    assert all("\n," not in output["text"] for output in outputs if "text" in output)
    fill(page, [WIDGET])
    run_all(page)
    expect(output(page, 0).get_by_role("tree")).to_be_visible()
    page.wait_for_function(f"() => !{NOTEBOOK}.context.model.dirty")
    page.reload()
    wait_until_open(page, "exercises/03_alpha_beta.ipynb")
    (shown,) = cells(page)[0]["outputs"]
    assert "application/vnd.jupyter.widget-view+json" not in shown["data"]
    expect(output(page, 0)).to_contain_text("TreeGame")
    assert [error for error in visit.errors if not HARMLESS.search(error)] == []


BOARD = """from course_lib.explore import board
from course_lib.games import TicTacToe
from course_lib.search import minimax_agent
played = board(TicTacToe(), minimax_agent())
played"""


def test_an_agent_in_the_browser_answers_a_move_on_a_board(visit):
    page = opened(visit, "notebooks/02_minimax.ipynb")
    fill(page, [BOARD])
    run_all(page)
    grid = output(page, 0)
    grid.get_by_role("button", name="row 1, column 1, empty, move 0").click()
    expect(grid.locator(".grid svg")).to_have_count(2)
    assert run_code(page, "print(played.actions)") == "[0, 4]\n"  # the only reply that does not lose
    assert refused(visit) <= COMPILED
    assert [error for error in visit.errors if not HARMLESS.search(error)] == []
