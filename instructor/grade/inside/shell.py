"""IPython for the notebooks that need it: cells run as in Jupyter, but there is no screen, no shell and no network."""

import asyncio
import os
import re
import sys
from collections.abc import Callable
from typing import Any

from IPython.core.interactiveshell import ExecutionResult, InteractiveShell
from IPython.utils.text import SList
from traitlets.config import Config

SETTINGS = Config(HistoryManager={"enabled": False}, InteractiveShell={"colors": "nocolor"})
INSTALLERS = "conda", "mamba", "micromamba", "pip", "uv"
PROGRAMS = "bash", "cmd", "js", "perl", "pypy", "python", "python2", "python3", "ruby", "script", "sh"
"""The line magics and cell magics that start another program."""


def _once(magic_name: str, line: str) -> str:
    """The arguments of a magic; `%timeit` repeats nothing unless it is told to, as nobody reads what it measures."""
    options = ("-n1", "-r1") if magic_name == "timeit" else ()
    return " ".join([*(option for option in options if option[:2] not in line), line])


class Shell(InteractiveShell):
    """A shell in which `ignored()` is called by whatever would start another program: then it does nothing."""

    ignored: Callable = staticmethod(lambda: None)

    def system(self, command: str) -> None:
        self.user_ns["_exit_code"] = 0
        self.ignored()

    def getoutput(self, command: str, split: bool = True, depth: int = 0) -> Any:
        self.ignored()
        return SList() if split else ""

    def run_line_magic(self, magic_name: str, line: str, _stack_depth: int = 1) -> Any:
        if magic_name in INSTALLERS:
            return self.ignored()
        if magic_name == "matplotlib":  # pictures are never shown
            return None
        try:
            return super().run_line_magic(magic_name, _once(magic_name, line), _stack_depth + 1)
        except ModuleNotFoundError:
            if magic_name != "load_ext":
                raise
            return self.ignored()

    def run_cell_magic(self, magic_name: str, line: str, cell: str) -> Any:
        if magic_name not in PROGRAMS:
            return super().run_cell_magic(magic_name, _once(magic_name, line), cell)
        self.user_ns.update(dict.fromkeys(re.findall(r"--(?:out|err)[ =](\w+)", line), ""))
        return self.ignored()

    def enable_gui(self, gui: str | None = None) -> None:
        """Nothing: there is no screen."""

    ask_exit = showtraceback = showsyntaxerror = showindentationerror = lambda self, *arguments, **keywords: None


async def _run(shell: Shell, source: str) -> ExecutionResult:
    try:
        transformed, error = shell.transform_cell(source), None
    except Exception:
        transformed, error = source, sys.exc_info()
    return await shell.run_cell_async(
        source, store_history=True, transformed_cell=transformed, preprocessing_exc_tuple=error
    )


class Jupyter:
    """Runs cells and calls functions as Jupyter's kernel does: in IPython, in an event loop that is running."""

    def __init__(self, ignored: Callable):
        os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"
        self.shell = Shell.instance(config=SETTINGS, user_module=sys.modules["__main__"])
        self.shell.ignored = ignored
        self.shell.display_formatter.active_types = ["text/plain"]
        self.shell.set_hook("show_in_pager", lambda *arguments, **keywords: None)
        self.shell.extension_manager.load_extension("storemagic")
        self.shell.compile.get_code_name = lambda *_: self.name
        self.loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self.loop)

    def run(self, name: str, source: str) -> None:
        """Run the cell of this name; raises what it raises."""
        self.name = name
        self.loop.run_until_complete(_run(self.shell, source)).raise_error()

    def call(self, function: Callable, *arguments: Any) -> Any:
        """What the function returns, called as in a cell."""

        async def call():
            return function(*arguments)

        return function(*arguments) if self.loop.is_running() else self.loop.run_until_complete(call())
