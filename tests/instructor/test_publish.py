"""The addresses of the published course: written, replaced and removed."""

import shutil
from pathlib import Path

import pytest

from instructor.__main__ import main
from instructor.publish import publish

ROOT = Path(__file__).parents[2]
FILES = "README.md", "CITATION.cff"


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A copy of the texts in which addresses stand, without any; it is the current folder."""
    for name in FILES:
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "notebooks").symlink_to(ROOT / "notebooks")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    publish(tmp_path, None)
    return tmp_path


def texts():
    return "".join(Path(name).read_text(encoding="utf-8") for name in FILES)


def test_addresses_are_written_once_and_removed_without_a_trace(course, monkeypatch):
    before = texts()
    assert "mybinder.org/v2" not in before and "github.io" not in before and "OWNER" not in before
    assert "not online yet" in before
    for _ in range(2):
        main(["publish", "ada-l/planning"])
        assert texts().count("(https://ada-l.github.io/planning/)") == 1 and "not online yet" not in texts()
        assert "(https://mybinder.org/v2/gh/ada-l/planning/HEAD?urlpath=lab/tree/notebooks/01_" in texts()
        assert texts().endswith("\nurl: https://ada-l.github.io/planning/\n"
                                "repository-code: https://github.com/ada-l/planning\n")  # fmt: skip
    publish(course, "kurt/Kurt.github.io")
    assert "(https://kurt.github.io/)" in texts() and "ada-l" not in texts()
    monkeypatch.setenv("GITHUB_REPOSITORY", "grace/planning")  # as in a workflow of GitHub
    main(["publish"])
    assert "https://grace.github.io/planning/" in texts()
    main(["publish", "--remove"])
    assert texts() == before


@pytest.mark.parametrize("name", ["planning", "a/b/c", "https://github.com/a/b", "-a/b", "a/..", "a b/c", "a/b.git"])
def test_a_malformed_name_is_refused(course, name):
    before = texts()
    with pytest.raises(ValueError, match="Expected OWNER/REPOSITORY as on GitHub, got"):
        publish(course, name)
    with pytest.raises(SystemExit, match="Expected OWNER/REPOSITORY or --remove"):
        main(["publish"])
    assert texts() == before
