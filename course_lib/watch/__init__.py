"""Recording a search, the library's or your own, without widgets or pictures."""

# ruff: noqa: F401  (what is imported here is what this package offers)

from types import ModuleType as _Module

from course_lib.watch.calls import last_trace, watch
from course_lib.watch.mcts import MCTSTrace, watch_mcts
from course_lib.watch.record import SearchTrace

__all__ = [name for name, value in dict(globals()).items() if not (name.startswith("_") or isinstance(value, _Module))]
