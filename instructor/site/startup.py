"""What Python in the browser starts with: JupyterLite's kernel, and a finder of modules that are fetched later.

`bytecode.py` puts this module into Python's first archive.
"""

import sys
from importlib import import_module
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType

ARCHIVE = "/lib/later.zip"
NAMES = set()
"""The names of the modules in the archive: `bytecode.py` adds them."""
ELSEWHERE = "numpy", "matplotlib"
N_ = str  # marks messages, as that of course_lib.language, which is there only after a cell has imported it
MISSING = N_("This cell needs NumPy or Matplotlib, which could not be loaded: this network does not reach Pyodide's "
             "host,\nor only slowly. Explorers, boards and checks work without them. The page to read (Read, above) "
             "shows the pictures.\n")  # fmt: skip
FOLLOWS = N_("This cell needs {name!r}, which a cell above could not make without NumPy or Matplotlib.\n")
MOST = 100_000
CUT = N_("\n… The output is cut here: a page cannot show more than {most:,} characters of a cell.\n")


class Later:
    """The last of Python's finders: fetches the archive of the other modules when the first of them is imported."""

    def __init__(self, address, archive=ARCHIVE):
        self.address, self.archive = address, archive

    def find_spec(self, name, path=None, target=None):
        if name not in NAMES:
            return None
        if not Path(self.archive).exists():
            Path(self.archive).write_bytes(fetched(self.address))
        package, _, _ = name.rpartition(".")
        return PathFinder.find_spec(name, [f"{self.archive}/{package.replace('.', '/')}".rstrip("/")])


def fetched(address):
    """The bytes at an address; a worker may wait for them."""
    from js import XMLHttpRequest

    request = XMLHttpRequest.new()
    request.open("GET", address, False)
    request.responseType = "arraybuffer"
    request.send()
    return request.response.to_bytes()


def gettext(message, **parts):
    """The message in the language of the course, as soon as that is loaded."""
    if "course_lib.language" in sys.modules:
        return sys.modules["course_lib.language"].gettext(message, **parts)
    return message.format(**parts) if parts else message


def without_terminal():
    """Spare IPython the import of a prompt for terminals, with its 120 modules, of which a page has no use."""
    prompt = ModuleType("IPython.terminal.embed")
    prompt.embed = None
    sys.modules[prompt.__name__] = prompt


class Explained:
    """Explains what could not be loaded, which is no error: *Run All* goes on below it. Shows other errors."""

    lacking = False

    def __call__(self, shell, kind, error, trace, tb_offset=None):
        if kind is ModuleNotFoundError and str(error.name).partition(".")[0] in ELSEWHERE:
            self.lacking = True
            sys.stderr.write(gettext(MISSING))
        elif kind is NameError and self.lacking:
            sys.stderr.write(gettext(FOLLOWS, name=error.name))
        elif notebook := sys.modules.get("course_lib.explore.notebook"):
            notebook.show(shell, kind, error, trace, tb_offset=tb_offset)
        else:
            shell.showtraceback((kind, error, trace), tb_offset=tb_offset)


class Limited:
    """What a stream writes for one cell, up to `MOST` characters: a page that shows more hangs."""

    def __init__(self, write):
        self.written, self.plain_write = 0, write

    def begin(self, *_):
        self.written = 0

    def write(self, text):
        before, self.written = self.written, self.written + len(text)
        if before <= MOST:
            self.plain_write(text[: MOST - before] + (gettext(CUT, most=MOST) if self.written > MOST else ""))
        return len(text)


def begin(address, load_for):
    """Start the kernel; the archive of the other modules is at `address`, and a cell waits for `load_for(code)`."""
    without_terminal()
    sys.meta_path.append(Later(address))
    import pyodide_kernel

    import_module("piplite.piplite")  # JupyterLite expects it
    shell = pyodide_kernel.ipython_shell
    shell.Completer.use_jedi = False
    shell.set_custom_exc((Exception,), Explained())
    pyodide_kernel.kernel._load_packages_from_imports = load_for
    for stream in (pyodide_kernel.stdout_stream, pyodide_kernel.stderr_stream):
        limited = Limited(stream.write)
        stream.write = limited.write
        shell.events.register("pre_run_cell", limited.begin)
