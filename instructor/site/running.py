"""The course in JupyterLite: the notebooks run in the reader's browser, and no server is needed.

By itself JupyterLite starts Python when the notebook is on the page. Here both are loaded at the same time: the
page of a notebook begins with a script (`early.js`) that starts a worker, in which Python starts (`python.mjs`), and
passes it to the kernel when JupyterLite asks for one. A second kernel, or a restarted one, starts without this help.

JupyterLite's settings are in the folder `lite`. `jupyter_lite_config.json` names its pages: JupyterLab; a page for one
notebook, for narrow windows too, and the list of files that its menu opens. In `jupyter-lite.json` two extensions are
disabled: the sign "Trusted", too wide for a narrow window, and the age of a checkpoint, which is not that of the saved
work. Work is saved every ten seconds, and by `bar.js` after each run. The theme is dark if the reader's system is.
Python looks for packages here only. The packages named are those that the kernel would install when it starts: Python
has them in its archive, or does without.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat

from instructor.site.reading import lighten

KERNEL_EXTENSION = Path("extensions", "@jupyterlite", "pyodide-kernel-extension", "static")
HEAD = '<script src="../early.js"></script><link rel="icon" href="data:,">'


def build(courses: list[Path], lite: Path, target: Path, bar: str) -> None:
    """Write JupyterLite into the folder `target`, with the settings in `lite` and the notebooks of the course.

    The first of the `courses` is in English, and the others have a folder. `bar` is the HTML of their bars above each
    notebook.
    """
    contents = lite / "contents"
    for course in courses:
        folder = contents / ("" if course == courses[0] else course.name)
        for name in ("notebooks", "exercises"):
            shutil.copytree(course / name, folder / name, ignore=shutil.ignore_patterns(".*"))
        for path in (course / "README.md", course / "SOURCES.md", course / "course.toml", *course.glob("LICENSE*")):
            shutil.copy(path, folder)
    for path in contents.rglob("*.ipynb"):
        notebook = nbformat.read(path, as_version=4)
        lighten(notebook)
        nbformat.write(notebook, path, split_lines=False)  # JupyterLite joins the lines of an output by commas
    subprocess.run([sys.executable, "-m", "jupyterlite_core.app", "build", "--contents", contents.resolve(),
                    "--output-dir", target.resolve()], cwd=lite, check=True, stdout=subprocess.DEVNULL)  # fmt: skip
    start_early(target, bar)


def start_early(target: Path, bar: str) -> None:
    """Make the page of a notebook in the folder `target` start with Python, and with the bar."""
    pages = Path(__file__).parent / "pages"
    for name in ("early.js", "bar.js"):
        shutil.copy(pages / name, target)
    (kernel,) = (target / KERNEL_EXTENSION).glob("comlink.worker.*.js")
    worker = (pages / "worker.mjs").read_text().replace("KERNEL", f"../../{kernel.relative_to(target).as_posix()}")
    (target / "static" / "pyodide" / "worker.mjs").write_text(worker)
    page = target / "notebooks" / "index.html"
    text = re.sub("<head>", f"\\g<0>{HEAD}", page.read_text(encoding="utf-8"), count=1)
    bar += '<script type="module" src="../bar.js"></script>'
    page.write_text(re.sub("<body[^>]*>", lambda body: body[0] + bar, text, count=1), encoding="utf-8")
