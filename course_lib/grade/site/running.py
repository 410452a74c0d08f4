"""The course in JupyterLite: the notebooks run in the reader's browser, and no server is needed."""

import json
import shutil
import sys
import tempfile
from pathlib import Path

from course_lib.grade.site.pyodide import called

EXTENSIONS = ("@jupyter-widgets/jupyterlab-manager", "@jupyterlite/pyodide-kernel-extension", "anywidget",
              "jupyterlab_pygments")  # fmt: skip
TRUST = "@jupyter-notebook/notebook-extension:trusted"
"""A sign that says nothing here, and is wider than a narrow window has room for."""
THEMES = "@jupyterlab/apputils-extension:themes"
KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"
FOLDERS = "notebooks", "exercises"
APPS = "lab", "notebooks", "tree"
"""JupyterLab; a page for one notebook, which is for narrow windows too, and the list of files that its menu opens."""
TEXTS = "README.md", "SOURCES.md", "LICENSE"


def build(course, python, target):
    """Write JupyterLite into the folder `target`, with the notebooks of `course` and Python as `assemble` left it."""
    with tempfile.TemporaryDirectory() as folder:
        lite, contents = Path(folder, "lite"), Path(folder, "contents")
        shutil.copytree(python, lite / "static" / "pyodide")
        for name in FOLDERS:
            shutil.copytree(course / name, contents / name, ignore=shutil.ignore_patterns(".*"))
        for name in TEXTS:
            shutil.copy(course / name, contents)
        (lite / "jupyter-lite.json").write_text(json.dumps(settings()))
        (lite / "jupyter_lite_config.json").write_text(json.dumps({"LiteBuildConfig": {
            "apps": list(APPS), "contents": [str(contents)], "output_dir": str(target.resolve()), "no_sourcemaps": True,
            "no_unused_shared_packages": True, "federated_extensions": list(map(str, extensions())),
            "ignore_sys_prefix": ["federated_extensions"]}}))  # fmt: skip
        called(sys.executable, "-m", "jupyterlite_core.app", "build", cwd=lite,
               wants='JupyterLite is in the extra `site`: `pip install -e ".[site]"`')  # fmt: skip


def settings():
    """What JupyterLite is told: where its Python finds packages (only here), and how its pages are named and look."""
    config = {"appName": "Planning in games", "exposeAppInBrowser": True, "disabledExtensions": [TRUST],
              "settingsOverrides": {THEMES: {"adaptive-theme": True}},  # dark where the reader's system is
              "litePluginSettings": {KERNEL: {"disablePyPIFallback": True}}}  # fmt: skip
    return {"jupyter-lite-schema-version": 0, "jupyter-config-data": config}


def extensions():
    """The folders of the parts of JupyterLab that the notebooks need, from this environment."""
    folder = Path(sys.prefix, "share", "jupyter", "labextensions")
    missing = [name for name in EXTENSIONS if not (folder / name).is_dir()]
    if missing:
        raise ValueError(f"this environment lacks JupyterLab's extensions {', '.join(missing)}: "
                         f'run `pip install -e ".[site]"` in it')  # fmt: skip
    return [folder / name for name in EXTENSIONS]
