"""What an exercise notebook imports: questions and their checks; and the warm-up questions of the notebooks."""

from importlib import import_module as _import_module

from course_lib.check.graded import CHECK as __all__

_HOMES = {"warm_up": "warm_ups", "CheckFailed": "failures", "NotAnswered": "failures", "NotPossible": "failures"}
"""The modules of names that are not functions of the session."""


def __getattr__(name):
    """Load what draws and checks only for a notebook: the grader, which judges with this package, does without."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = _import_module(f"{__name__}.{_HOMES.get(name, 'session')}")
    found = getattr(home if name in _HOMES else home.SESSION, name)
    globals()[name] = found
    return found
