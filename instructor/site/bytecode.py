"""Prepares the archives from which Python in the browser loads modules, so that it starts fast.

Modules come as bytecode, and in two archives: what the first cell of a notebook needs, and what is fetched later
(`startup.py` fetches it). Bytecode works only in the version of Python that made it. So Pyodide runs this file, in Node
(`bytecode.mjs`).
"""

import compileall
import shutil
import sys
import tempfile
from pathlib import Path
from py_compile import PycInvalidationMode
from zipfile import ZIP_DEFLATED, ZipFile

INSTALLED, STANDARD = "/lib/python3.14/site-packages", "/lib/python314.zip"
"""Where Pyodide puts wheels, and the zip file of the standard library, which has another name in the site."""
OWN = "course_lib"
"""This package keeps its sources, which notebooks show and checks change; the others have bytecode alone."""
LIBRARY, PACKAGES, LATER = "python_stdlib.zip", "packages.zip", "later.zip"
FOR_SERVERS = ".data/", "/labextension/", "/nbextension/"
"""What packages install for Jupyter's server."""
FIRST = """import piplite.piplite, pyodide_kernel, tarfile
pyodide_kernel.ipython_shell.run_cell('''
import course_lib.search
from course_lib.check import check, explore_my_code, hint, score, student, warm_up
from course_lib.explore import board, explore, predict, score_card, show_source, watch
score_card(2)
''')"""
"""What the first cells of most notebooks do; Pyodide unpacks a wheel with the help of tarfile."""


def prepare(folder, startup):
    """Compile the modules of all archives in a folder, and divide the packages and the standard library.

    `startup` is the text of `startup.py`.
    """
    folder = Path(folder)
    for archive in (*folder.glob("*.zip"), *folder.glob("*.whl")):
        with_bytecode(str(archive))
    divide(folder, needed_first(folder, startup), startup)


def with_bytecode(archive):
    """Compile the modules of a wheel, or of the zip file of the standard library; wheels lose their tests."""
    own = Path(archive).name.startswith(OWN)
    name = Path(archive).name
    place = INSTALLED if name.endswith(".whl") else STANDARD
    with tempfile.TemporaryDirectory() as folder:
        shutil.unpack_archive(archive, folder, "zip")
        for tests in [path for path in Path(folder).rglob("tests") if path.is_dir()]:
            shutil.rmtree(tests, ignore_errors=True)
        compileall.compile_dir(folder, quiet=2, legacy=not own, stripdir=folder, prependdir=place,
                               invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)  # fmt: skip
        for module in [] if own else Path(folder).rglob("*.pyc"):
            module.with_suffix(".py").unlink(missing_ok=True)  # some came as bytecode
        Path(shutil.make_archive(archive, "zip", folder)).replace(archive)


def needed_first(folder, startup):
    """The names of the modules that Python's start and a first cell import."""
    with tempfile.TemporaryDirectory() as own:
        shutil.unpack_archive(next(folder.glob(f"{OWN}-*.whl")), own, "zip")
        sys.path += [str(folder / PACKAGES), own]
        exec(f"{startup}\nwithout_terminal()\n{FIRST}", {})
    return set(sys.modules)


def divide(folder, first, startup):
    """Move the modules that are not in `first` from the standard library and the packages to an archive of their own.

    The others become one archive, with `startup` and the names of what was moved.
    """
    tops, names = {name.partition(".")[0] for name in first}, []
    together = folder / "together.zip"
    with ZipFile(together, "w", ZIP_DEFLATED) as now, ZipFile(folder / LATER, "w", ZIP_DEFLATED) as later:
        for archive in map(ZipFile, (folder / LIBRARY, folder / PACKAGES)):
            for path in archive.namelist():
                if path.endswith("/") or any(part in path for part in FOR_SERVERS):
                    continue
                name = path.removesuffix(".pyc").removesuffix("/__init__").replace("/", ".")
                top = path.partition("/")[0]
                is_module, about = path.endswith(".pyc"), path.endswith(".dist-info/METADATA")
                content = archive.read(path)
                if name in first if is_module else about or top in tops:
                    now.writestr(path, content.partition(b"\n\n")[0] if about else content)
                else:
                    later.writestr(path, content)
                    names += [name] if is_module else []
        now.writestr("startup.py", f"{startup}\nNAMES.update({names})\n")
    together.replace(folder / LIBRARY)
    (folder / PACKAGES).unlink()
