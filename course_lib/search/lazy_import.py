"""Modules that take long to import, and are imported when they are used."""

from importlib import import_module
from typing import Any


class LazyImport:
    """A module that is imported when something in it is first asked for: `np = LazyImport("numpy")`."""

    def __init__(self, name: str):
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        found = getattr(import_module(self._name), attribute)
        setattr(self, attribute, found)
        return found
