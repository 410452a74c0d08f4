"""Binder: what postBuild sets up for a Jupyter server."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_what_is_written_in_the_package_s_folder_counts_on_binder(tmp_path):
    """The repository is in a home folder, and postBuild runs, with a pip that only takes notes."""
    for name in ("postBuild", "course_lib/settings/jupyter_server_config.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    pip = tmp_path / "bin" / "pip"
    pip.parent.mkdir()
    pip.write_text('#!/bin/sh\nprintf "%s" "$*" > "$HOME/pip"\n')
    pip.chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "IPYTHON", "XDG"))}
    path = os.pathsep.join([str(pip.parent), str(Path(sys.executable).parent), os.environ["PATH"]])
    subprocess.run(["./postBuild"], cwd=tmp_path, env=kept | {"HOME": str(tmp_path), "PATH": path}, check=True)
    assert (tmp_path / "pip").read_text() == "install --quiet --no-deps -e ."
    assert len(list(tmp_path.rglob("jupyter_server_config.py"))) == 2  # also where Jupyter reads settings
