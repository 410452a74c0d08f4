"""The course in JupyterLite: the notebooks run in the reader's browser, and no server is needed.

By itself JupyterLite starts Python when the notebook stands on the page. Here both are loaded at the same time: the
page of a notebook begins with a script (`early.js`) that starts a worker, in which Python starts (`python.mjs`), and
hands it to the kernel when JupyterLite asks for one. A second kernel, or one that is started anew, has no such lead.
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path

from instructor.site.pyodide import called

KERNEL_EXTENSION = "@jupyterlite/pyodide-kernel-extension"
EXTENSIONS = "@jupyter-widgets/jupyterlab-manager", KERNEL_EXTENSION, "anywidget", "jupyterlab_pygments"
TRUST = "@jupyter-notebook/notebook-extension:trusted"
"""A sign that says nothing here, and is wider than a narrow window has room for."""
THEMES = "@jupyterlab/apputils-extension:themes"
KERNEL = f"{KERNEL_EXTENSION}:kernel"
THERE = ["micropip", "piplite", "ipykernel", "comm", "pyodide-kernel", "jedi", "ipython"]
"""Packages that the kernel would install when it starts: Python has them in its archive, or does without."""
FOLDERS = "notebooks", "exercises"
APPS = "lab", "notebooks", "tree"
"""JupyterLab; a page for one notebook, which is for narrow windows too, and the list of files that its menu opens."""
TEXTS = "README.md", "SOURCES.md", "LICENSE"


def build(course: Path, python: Path, target: Path) -> None:
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
            "no_unused_shared_packages": True, "federated_extensions": list(map(str, extensions().values())),
            "ignore_sys_prefix": ["federated_extensions"]}}))  # fmt: skip
        called(sys.executable, "-m", "jupyterlite_core.app", "build", cwd=lite,
               wants='JupyterLite is in the extra `site`: `pip install -e ".[site]"`')  # fmt: skip
    start_early(target)


def start_early(target: Path) -> None:
    """Let the page of a notebook in the folder `target` begin with Python."""
    pages = Path(__file__).parent / "pages"
    shutil.copy(pages / "early.js", target)
    (kernel,) = target.glob(f"extensions/{KERNEL_EXTENSION}/static/comlink.worker.*.js")
    worker = (pages / "worker.mjs").read_text().replace("KERNEL", f"../../{kernel.relative_to(target).as_posix()}")
    (target / "static" / "pyodide" / "worker.mjs").write_text(worker)
    page = target / "notebooks" / "index.html"
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace("<head>", '<head>\n    <script src="../early.js"></script>', 1), encoding="utf-8")


def settings() -> dict:
    """What JupyterLite is told: where its Python finds packages (only here), and how its pages are named and look."""
    config = {"appName": "Planning in games", "exposeAppInBrowser": True, "disabledExtensions": [TRUST],
              "settingsOverrides": {THEMES: {"adaptive-theme": True}},  # dark where the reader's system is
              "litePluginSettings": {KERNEL: {"disablePyPIFallback": True,
                                              "loadPyodideOptions": {"packages": THERE}}}}  # fmt: skip
    return {"jupyter-lite-schema-version": 0, "jupyter-config-data": config}


def extensions() -> dict[str, Path]:
    """The folders of the parts of JupyterLab that the notebooks need, from this environment, by name."""
    folder = Path(sys.prefix, "share", "jupyter", "labextensions")
    missing = [name for name in EXTENSIONS if not (folder / name).is_dir()]
    if missing:
        raise ValueError(f"this environment lacks JupyterLab's extensions {', '.join(missing)}: "
                         f'run `pip install -e ".[site]"` in it')  # fmt: skip
    return {name: folder / name for name in EXTENSIONS}
