"""An exercise notebook alone in a folder: the tables of cases come with the installed package."""

import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location

import nbformat
import pytest

from instructor.execute import run_cells
from instructor.questions import ROOT

SOLVED = sorted((ROOT / "solutions").glob("*.ipynb"))


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder with the package as `pip install` of the course's zip would leave it."""
    folder = tmp_path_factory.mktemp("installed")
    (folder / "course_lib").mkdir()
    for path in (ROOT / "course_lib").iterdir():
        (folder / "course_lib" / path.name).symlink_to(path)
    spec = spec_from_file_location("setup_of_the_course", ROOT / "setup.py")
    setup = module_from_spec(spec)
    spec.loader.exec_module(setup)
    setup.add_cases(ROOT / "exercises", folder / "course_lib" / "cases")
    return folder


def asked(installed, folder, program):
    return subprocess.run([sys.executable, "-c", program], cwd=folder, env={"PYTHONPATH": str(installed)}, text=True,
                          capture_output=True, timeout=60)  # fmt: skip


def test_tables_come_with_the_package_and_those_beside_the_notebook_win(installed, tmp_path):
    program = "from course_lib.check.tables import tables_of; [print(*tables_of(n)) for n in range(1, 8)]"
    found = asked(installed, tmp_path, program)
    assert found.stdout.count("\n") == 7, found.stderr
    (tmp_path / "02_minimax.cases.gz").write_bytes(b"mine")
    assert "BadGzipFile" in asked(installed, tmp_path, program).stderr


@pytest.mark.slow
@pytest.mark.parametrize("path", SOLVED, ids=lambda path: path.stem)
def test_all_checks_of_a_notebook_pass_in_a_folder_of_its_own(installed, tmp_path, monkeypatch, path):
    monkeypatch.setenv("PYTHONPATH", str(installed))
    notebook = nbformat.read(path, as_version=4)
    where = nbformat.v4.new_code_cell("import course_lib; print(course_lib.__file__)")
    notebook.cells.insert(0, where)
    run_cells(notebook, tmp_path / path.name, 600)
    assert where.outputs[0].text.startswith(str(installed))
    assert list(tmp_path.iterdir()) == []
