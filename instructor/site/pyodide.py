"""Python for the browser: Pyodide's interpreter, the wheels that the course needs there, and their list (the lock).

The interpreter comes from Pyodide's npm package. Pure-Python wheels come from PyPI. All of them but the course's own
lie in one archive, from which Python imports without unpacking it, as from that of the standard library. Pyodide
unpacks the other packages, when a cell imports them, if the lock file names them.
Compiled packages such as NumPy are built by Pyodide: the lock names them where Pyodide keeps them, unless an archive
of its release is at hand.
"""

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from dataclasses import dataclass
from importlib.metadata import PathDistribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

INTERPRETER = "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"
LOADER = "loader.mjs"
"""What Pyodide's `pyodide.mjs` is called in the site: there JupyterLite finds ours under that name."""
ARCHIVE = "packages.zip"
LOCK = "pyodide-lock.json"
SERVER = {"jupyterlab", "nbformat", "nbclient", "widgetsnbextension", "jupyterlab-widgets", "jedi"}
"""What the course uses outside of a browser only. Without jedi IPython completes a name from what it stands for."""
KERNEL = {"ipython", "micropip"}
"""What JupyterLite's kernel uses there, beside the wheels that come with it."""
COMES_WITH_IT = "piplite", "pyodide_kernel", "ipykernel"
SPEEDED = {"markupsafe"}
"""Packages that have a compiled module and do without it: a failed check's report needs this one."""
PYTHON = "3.14"
BROWSER = {"sys_platform": "emscripten", "platform_system": "Emscripten", "platform_machine": "wasm32", "extra": "",
           "python_version": PYTHON, "python_full_version": f"{PYTHON}.0"}  # fmt: skip


@dataclass(frozen=True)
class Wheel:
    """A wheel for the browser: its file, and what its metadata say; `needs` are names of other packages."""

    path: Path
    name: str
    version: str
    needs: tuple[str, ...]
    modules: tuple[str, ...]


def unpack(archive: str | Path, folder: Path) -> Path:
    """Unpack a release of Pyodide, from its pages or from npm, and return the folder with its lock file."""
    with tarfile.open(archive) as files:
        files.extractall(folder, filter="data")
    locks = sorted(folder.rglob(LOCK))
    if not locks:
        raise ValueError(f"{archive} has no {LOCK}: give a release of Pyodide, such as pyodide-{version()}.tar.bz2")
    return locks[0].parent


def version() -> str:
    """The release of Pyodide that JupyterLite's kernel was made for."""
    from jupyterlite_pyodide_kernel.constants import PYODIDE_VERSION

    return PYODIDE_VERSION


def from_npm(folder: Path) -> Path:
    """Fetch Pyodide's npm package into this folder, and return the archive."""
    called("npm", "pack", "--silent", f"pyodide@{version()}", "--pack-destination", str(folder),
           wants="Pyodide's interpreter comes from the npm registry, or with --pyodide from a file")  # fmt: skip
    return next(folder.glob("pyodide-*.tgz"))


def called(*command, wants: str, cwd: Path | None = None) -> None:
    """Run a program; `ValueError` with what it `wants`, a sentence, and its error output if it fails."""
    if shutil.which(command[0]) is None:
        raise ValueError(f"{command[0]} is missing: on Debian and Ubuntu, `apt install nodejs npm`. {wants}")
    run = subprocess.run(command, capture_output=True, text=True, cwd=cwd)
    if run.returncode:
        raise ValueError(f"{wants}. `{' '.join(map(str, command[:6]))} …` failed:\n{run.stderr.strip()[-2000:]}")


def own_wheel(course: Path, folder: Path) -> Path:
    """Make the wheel of this checkout of the course."""
    called(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(course),
           wants="the course's own wheel is made by pip with setuptools, which it fetches from PyPI")  # fmt: skip
    return next(Path(folder).glob("*.whl"))


def kernel_wheels(extension: Path, folder: Path) -> None:
    """Copy the wheels into `folder` that come with JupyterLite's kernel, whose `extension` of JupyterLab is given."""
    for name in COMES_WITH_IT:
        shutil.copy(next(Path(extension, "static", "pypi").glob(f"{name}-*.whl")), folder)


def gather(own: Path, folder: Path, lock: dict) -> tuple[dict[str, Wheel], dict[str, dict]]:
    """Download the wheels that `own` needs, and those that they need, but for what Pyodide has compiled.

    Wheels that are in `folder` are not downloaded. Returns two dictionaries by name: the `Wheel`s, and the entries in
    Pyodide's lock of the compiled packages.
    """
    offered = lock["packages"]
    wheels = {"course-lib": read(own)}
    wanted, compiled = set(wheels["course-lib"].needs) - SERVER | KERNEL, {}
    while wanted:
        built = {name for name in wanted - SPEEDED if name in offered and not is_pure(offered[name]["file_name"])}
        compiled |= {name: offered[name] for name in built}
        for name in wanted & SPEEDED:
            pure_wheel(name, folder)
        pure = sorted(wanted - built - SPEEDED)
        if pure:  # of the version that Pyodide was tested with, if it knows one
            download([f"{name}=={offered[name]['version']}" if name in offered else name for name in pure], folder)
        wheels |= {wheel.name: wheel for wheel in map(read, Path(folder).glob("*.whl"))}
        needs = {need for wheel in wheels.values() for need in wheel.needs}
        needs |= {need for entry in compiled.values() for need in entry["depends"]}
        wanted = {canonicalize_name(need) for need in needs} - set(wheels) - set(compiled) - SERVER
    return wheels, compiled


def is_pure(file: str) -> bool:
    return file.endswith("none-any.whl")


def download(requirements: list[str], folder: Path) -> None:
    """Fetch these wheels for the browser, without what they need in their turn."""
    system = ("--platform", "pyemscripten_2026_0_wasm32", "--implementation", "cp", "--python-version", PYTHON)
    called(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", *system,
           "--dest", str(folder), *requirements, wants="packages in Python alone come from PyPI")  # fmt: skip


def pure_wheel(name: str, folder: Path) -> None:
    """Make a wheel of what is in Python alone of this package, as it is installed here."""
    package = distribution(name)
    with zipfile.ZipFile(Path(folder, f"{name}-{package.version}-py3-none-any.whl"), "w") as files:
        for file in package.files:
            if file.suffix == ".py" or file.name in ("METADATA", "LICENSE.txt"):
                files.write(file.locate(), file)


def read(path: Path) -> Wheel:
    """The metadata of a wheel."""
    with zipfile.ZipFile(path) as files:
        names = files.namelist()
    info = next(name for name in names if re.fullmatch(r"[^/]+\.dist-info/METADATA", name)).split("/")[0]
    package = PathDistribution(zipfile.Path(path, f"{info}/"))
    needs = map(Requirement, package.requires or [])
    there = {canonicalize_name(need.name) for need in needs if need.marker is None or need.marker.evaluate(BROWSER)}
    code = {name.split("/")[0].removesuffix(".py") for name in names if name.endswith((".py", ".so"))}
    modules = sorted(name for name in code if name.isidentifier())
    return Wheel(path, canonicalize_name(package.name), package.version, tuple(sorted(there)), tuple(modules))


def entry(wheel: Wheel, known: set[str]) -> dict:
    """What a lock file says of a wheel that lies beside it; of what it needs, only what is `known` to the lock."""
    return {
        "name": wheel.name,
        "version": wheel.version,
        "file_name": wheel.path.name,
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.path.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": list(wheel.modules),
        "depends": [name for name in wheel.needs if name in known and name != wheel.name],
        "unvendored_tests": False,
    }


def compile_modules(source: Path, *archives: Path) -> None:
    """Put bytecode into these archives, and into that of the standard library in the unpacked release `source`."""
    here = Path(__file__).parent
    script, library = here / "bytecode.py", source / "python_stdlib.zip"
    called("node", here / "pages" / "bytecode.mjs", source, script, library, *archives,
           wants="Pyodide compiles Python's modules in Node")  # fmt: skip


def assemble(source: Path, wheels: dict[str, Wheel], compiled: dict[str, dict], elsewhere: str, target: Path) -> None:
    """Write the folder `target` with the interpreter, the wheels and their lock file.

    Compiled packages are copied where `source`, the unpacked release, has them; the others are named at `elsewhere`.
    """
    target.mkdir(parents=True)
    for name in INTERPRETER:
        shutil.copy(source / name, target)
    (target / "pyodide.mjs").rename(target / LOADER)
    shutil.copy(Path(__file__).parent / "pages" / "python.mjs", target / "pyodide.mjs")
    apart = {name: wheel for name, wheel in wheels.items() if name == "course-lib" or not is_pure(wheel.path.name)}
    with tempfile.TemporaryDirectory() as folder:
        for wheel in (wheel for name, wheel in wheels.items() if name not in apart):
            shutil.unpack_archive(wheel.path, folder, "zip")
        shutil.make_archive((target / ARCHIVE).with_suffix(""), "zip", folder)
    known = {*apart, *compiled}
    packages = {name: entry(wheel, known) for name, wheel in apart.items()}
    for wheel in apart.values():
        shutil.copy(wheel.path, target)
    for name, said in compiled.items():
        here = source / said["file_name"]
        if here.exists():
            shutil.copy(here, target)
        file = said["file_name"] if here.exists() else f"{elsewhere}/{said['file_name']}"
        packages[name] = said | {"file_name": file, "depends": [need for need in said["depends"] if need in known]}
    lock = json.loads((source / LOCK).read_text())
    (target / LOCK).write_text(json.dumps(lock | {"packages": dict(sorted(packages.items()))}, indent=1))
