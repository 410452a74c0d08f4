"""Whose line it was: the last line of an exception's traceback that is the student's own."""

import linecache
import sysconfig
from pathlib import Path
from traceback import walk_tb

from IPython import get_ipython

LIBRARY = str(Path(__file__).parents[1])
INSTALLED = tuple(sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib"))


def place(error):
    """Where in the student's code it was raised, as "cell 5, line 3: return 1 / 0"; empty if it is not known."""
    for frame, line in reversed(list(walk_tb(error.__traceback__))):
        file = frame.f_code.co_filename
        if not file.startswith((LIBRARY, "<frozen", *INSTALLED)):
            return f"{_cell(file)}line {line}: {linecache.getline(file, line or 0).strip()}".rstrip(": ")
    return ""


def _cell(file):
    """What the notebook calls the cell that this file stands for."""
    compiler = getattr(get_ipython(), "compile", None)
    label = compiler.format_code_name(file) if hasattr(compiler, "format_code_name") else None
    return f"{' '.join(label)}, " if label else ""
