"""Puts bytecode into the archives from which Python in the browser loads modules: it starts three times as fast.

Bytecode works only in the version of Python that made it. So Pyodide runs this file, in Node (`bytecode.mjs`).
"""

import compileall
import shutil
import tempfile
from pathlib import Path
from py_compile import PycInvalidationMode

INSTALLED, STANDARD = "/lib/python3.14/site-packages", "/lib/python314.zip"
"""Where Pyodide puts wheels, and the zip file of the standard library, which has another name in the site."""
OWN = "course_lib"
"""This package keeps its sources, which notebooks show and checks change; the others have bytecode alone."""


def with_bytecode(archive):
    """Compile the modules of a wheel, or of the zip file of the standard library; wheels lose their tests."""
    own = Path(archive).name.startswith(OWN)
    name = Path(archive).name
    place = INSTALLED if name.endswith(".whl") else STANDARD if name == "python_stdlib.zip" else f"/lib/{name}"
    with tempfile.TemporaryDirectory() as folder:
        shutil.unpack_archive(archive, folder, "zip")
        for tests in [path for path in Path(folder).rglob("tests") if path.is_dir()]:
            shutil.rmtree(tests, ignore_errors=True)
        compileall.compile_dir(folder, quiet=2, legacy=not own, stripdir=folder, prependdir=place,
                               invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)  # fmt: skip
        for module in [] if own else Path(folder).rglob("*.pyc"):
            module.with_suffix(".py").unlink(missing_ok=True)  # some came as bytecode
        Path(shutil.make_archive(archive, "zip", folder)).replace(archive)
