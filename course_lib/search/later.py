"""Modules that take long to import, and are imported when they are used."""

from importlib import import_module


class Later:
    """A module that is imported when something in it is first asked for: `np = Later("numpy")`."""

    def __init__(self, name):
        self._name = name

    def __getattr__(self, attribute):
        found = getattr(import_module(self._name), attribute)
        setattr(self, attribute, found)
        return found
