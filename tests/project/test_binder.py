"""Binder: what repo2docker makes of the repository, and a Jupyter server with what postBuild sets up."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def dockerfile(tmp_path_factory):
    """What repo2docker prints; it asks no Docker for this, and nothing of the network."""
    if os.environ.get("CI") != "true":
        pytest.importorskip("repo2docker", reason="for what Binder makes of it, `pip install jupyter-repo2docker`")
    repository = tmp_path_factory.mktemp("repository")
    for path in ROOT.iterdir():  # it looks at the top of the repository, or into a folder for Binder
        if path.is_file():
            shutil.copy(path, repository)
        assert path.name not in (".binder", "binder")
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", "."]
    printed = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=True)
    return printed.stdout


def test_binder_has_the_python_that_runtime_txt_asks_for(dockerfile):
    major, minor = re.fullmatch(r"python-(\d+)\.(\d+)\n", (ROOT / "runtime.txt").read_text()).groups()
    # The name of a file of repo2docker's own, its dots and dashes written as bytes: environment.py-3.12-linux-64.lock.
    assert re.search(rf"^COPY .*environment-2epy-2d{major}-2e{minor}-2dlinux", dockerfile, re.M)


def test_binder_installs_the_requirements_and_then_runs_postbuild(dockerfile):
    steps = re.findall(r"^RUN (?:\S+/bin/(pip install) .* (\S+)|(\./postBuild))$", dockerfile, re.M)
    packages = [("pip install", '"requirements.txt"', ""), ("pip install", ".", "")]
    assert steps == [*packages, ("", "", "./postBuild")]
    assert dockerfile.index("COPY --chown=0:0 src/ ${REPO_DIR}/") < dockerfile.index("pip install")


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A home folder as on Binder: the repository is in it, and postBuild has run, with a pip that only takes notes."""
    home = tmp_path_factory.mktemp("home")
    for name in ("postBuild", "course_lib/settings/jupyter_server_config.py"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, home / name)
    pip = home / "bin" / "pip"
    pip.parent.mkdir()
    pip.write_text('#!/bin/sh\nprintf "%s" "$*" > "$HOME/pip"\n')
    pip.chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "IPYTHON", "XDG"))}
    path = os.pathsep.join([str(pip.parent), str(Path(sys.executable).parent), os.environ["PATH"]])
    subprocess.run(["./postBuild"], cwd=home, env=kept | {"HOME": str(home), "PATH": path}, check=True)
    return home


def test_what_is_written_in_the_package_s_folder_counts_on_binder(home):
    assert (home / "pip").read_text() == "install --quiet --no-deps -e ."
    assert len(list(home.rglob("jupyter_server_config.py"))) == 2  # also where Jupyter reads settings
