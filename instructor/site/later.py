"""Finds the modules that Python in the browser has not loaded: their archive is fetched when the first is imported."""

import sys
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType

ARCHIVE = "/lib/later.zip"
NAMES = set()
"""The names of the modules in the archive: `bytecode.py` adds them."""


class Later:
    """The last of Python's finders."""

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


def without_terminal():
    """Spare IPython the import of a prompt for terminals, with its 120 modules, of which a page has no use."""
    prompt = ModuleType("IPython.terminal.embed")
    prompt.embed = None
    sys.modules[prompt.__name__] = prompt


def install(address):
    """Find modules in the archive at this address too."""
    without_terminal()
    sys.meta_path.append(Later(address))
