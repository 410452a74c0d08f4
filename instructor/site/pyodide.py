"""Python for the browser: Pyodide's interpreter, the wheels that the course needs there, and their list (the lock).

The interpreter comes from Pyodide's npm package, and uv resolves which packages from PyPI the course needs. Those in
Python alone are with the standard library in two archives, from which Python imports without unpacking them: what a
notebook's first cell needs, and what is fetched later.
The lock file names the course and the packages with compiled modules, which Pyodide unpacks when a cell imports them.
Those that Pyodide compiles, such as NumPy, are loaded from its host, unless an archive of its release is at hand.
"""

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

INTERPRETER = "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"
LOADER = "loader.mjs"
"""What Pyodide's `pyodide.mjs` is called in the site: there JupyterLite finds ours under that name."""
ARCHIVE = "packages.zip"
"""Where packages are collected; `bytecode.py` divides it."""
LOCK = "pyodide-lock.json"
WEIGHTS = "course_lib/alphazero/weights"
SERVER = "jupyterlab", "nbformat", "nbclient", "widgetsnbextension", "jupyterlab-widgets", "jedi"
"""What the course uses outside of a browser only. Without jedi IPython completes a name from what it stands for."""
KERNEL = "ipython", "micropip"
"""What JupyterLite's kernel uses there, beside the wheels that come with it."""
COMES_WITH_IT = "piplite", "pyodide_kernel", "ipykernel"
SPEEDED = "markupsafe"
"""A package that has a compiled module and does without it: a failed check's report needs it."""
PYTHON = "--python-version", "3.14"


def unpack(archive: str | None, folder: Path) -> Path:
    """Unpack a release of Pyodide, or the one that JupyterLite's kernel was made for, from npm, into `folder`.

    Returns the folder with its lock file.
    """
    from jupyterlite_pyodide_kernel.constants import PYODIDE_VERSION

    if archive:
        shutil.unpack_archive(archive, folder, filter="data")
    else:
        package = f"pyodide@{PYODIDE_VERSION}"
        subprocess.run(["npm", "install", "--silent", "--no-save", "--prefix", folder, package], check=True)
    lock = next(folder.rglob(LOCK), None)
    if lock is None:
        raise ValueError(f"{archive} has no {LOCK}: give a release, such as pyodide-{PYODIDE_VERSION}.tar.bz2")
    return lock.parent


def download(course: Path, kernel: Path, offered: dict[str, dict], folder: Path) -> set[str]:
    """Download the wheels that the course needs in a browser, and return the names of what Pyodide has compiled.

    Pyodide's lock has the packages `offered`: these versions were tested. In the folder `kernel` are the wheels that
    come with JupyterLite's kernel.
    """
    pip, uv = [sys.executable, "-m", "pip", "--quiet"], [sys.executable, "-m", "uv", "--quiet", "pip", "compile"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", folder, course], check=True)
    for name in COMES_WITH_IT:
        shutil.copy(next(kernel.glob(f"{name}-*.whl")), folder)
    wheels = [f"./{wheel.name}" for wheel in folder.glob("*.whl")]
    versions = (f"{name}=={package['version']}" for name, package in offered.items())
    for name, lines in {"needed": [*wheels, *KERNEL], "versions": versions, "left_out": SERVER}.items():
        (folder / name).write_text("\n".join(lines))
    options = ["needed", "--constraints", "versions", "--excludes", "left_out", "--no-header", "--no-annotate"]
    options += ["--python-platform", "wasm32-pyodide2024", "--only-binary", "chess"]  # later releases have no wheel
    listed = subprocess.run([*uv, *PYTHON, *options], cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout
    found = {line.partition("==")[0]: line for line in listed.splitlines()}
    compiled = {name for name in found.keys() & offered if not offered[name]["file_name"].endswith("none-any.whl")}
    (folder / "fetched").write_text("\n".join(found[name] for name in found.keys() - compiled - set(wheels)))
    system = ["--platform", "pyemscripten_2026_0_wasm32", "--implementation", "cp", *PYTHON, "--requirement", "fetched"]
    for what in (system, [found[SPEEDED]]):
        subprocess.run([*pip, "download", "--no-deps", "--only-binary=:all:", *what], cwd=folder, check=True)
    return compiled - {SPEEDED}


def assemble(source: Path, wheels: Path, compiled: set[str], target: Path, elsewhere: str) -> None:
    """Write the folder `target`: the interpreter, the packages in the folder `wheels` and the `compiled` ones, a lock.

    Compiled packages are copied where `source`, the unpacked release, has them; the others are named at `elsewhere`.
    """
    target.mkdir(parents=True)
    for name in INTERPRETER:
        shutil.copy(source / name, target)
    here = Path(__file__).parent
    shutil.copy(source / "pyodide.mjs", target / LOADER)
    shutil.copy(here / "pages" / "python.mjs", target / "pyodide.mjs")
    with tempfile.TemporaryDirectory() as folder:
        for wheel in wheels.glob("*.whl"):
            if wheel.name.startswith("course_lib-") or wheel.name.endswith("wasm32.whl"):
                shutil.copy(wheel, target)
            else:
                shutil.unpack_archive(wheel, folder, "zip")
        for module in Path(folder, SPEEDED).glob("_speedups.*"):
            module.unlink()
        shutil.make_archive(target / ARCHIVE.removesuffix(".zip"), "zip", folder)
    lighten(next(target.glob("course_lib-*.whl")))
    subprocess.run(["node", here / "pages" / "bytecode.mjs", source, target], check=True)
    lock = json.loads((source / LOCK).read_text())
    entries = map(locked, target.glob("*.whl"))
    offered, lock["packages"] = lock["packages"], {entry["name"]: entry for entry in entries}
    for name in sorted(compiled):
        entry = lock["packages"][name] = offered[name]
        entry["depends"] = [need for need in entry["depends"] if need in compiled]
        if (source / entry["file_name"]).exists():
            shutil.copy(source / entry["file_name"], target)
        else:
            entry["file_name"] = f"{elsewhere}/{entry['file_name']}"
    (target / LOCK).write_text(json.dumps(lock, indent=1))


def lighten(wheel: Path) -> None:
    """Move the trained networks from the course's wheel to one of their own, which no first cell needs.

    The tables of cases are left out: in the site they are beside the exercises.
    """
    with tempfile.TemporaryDirectory() as own, tempfile.TemporaryDirectory() as apart:
        shutil.unpack_archive(wheel, own, "zip")
        shutil.rmtree(Path(own, "course_lib", "cases"))
        shutil.move(Path(own, WEIGHTS), Path(apart, WEIGHTS))
        about = Path(apart, f"{wheel.name.partition('-py3')[0].replace('lib', 'networks')}.dist-info")
        shutil.copytree(next(Path(own).glob("*.dist-info")), about)
        for folder, path in ((own, wheel), (apart, wheel.with_name(wheel.name.replace("lib", "networks")))):
            Path(shutil.make_archive(str(path), "zip", folder)).replace(path)


def locked(wheel: Path) -> dict:
    """The entry of a lock file for a wheel beside it, without dependencies."""
    module, version, *_ = wheel.name.split("-")
    return {
        "name": module.replace("_", "-"),
        "version": version,
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": [module],
        "depends": [],
        "unvendored_tests": False,
    }
