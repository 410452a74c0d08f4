"""What all widgets have: a script and style sheets in one text, and a picture for readers without a kernel.

anywidget sends one module to the browser. This module bundles the modules of js/ when the package is imported, so
installation needs no Node, there are no generated files, and the browser runs the code as written. Each module becomes
a function that returns its exports, so two modules may use the same name. It supports `import { a, b } from "./c.js"`,
`import c from "./c.js"` (or "./c.json" with …), `export` before a const, function or class, and `export default`. An
imported style sheet is a text, and the messages are those of the course's language.
"""

import json
import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ipywidgets import Widget

from course_lib.language import language
from course_lib.saving import WIDGET_VIEW

if TYPE_CHECKING:
    from course_lib.explore.drawing import Picture

JS = Path(__file__).parent / "js"
IMPORT = re.compile(r'^import (\{[^}]*\}|\w+) from "\./([\w.-]+)"(?: with \{[^}]*\})?;\n', re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?(?:const|function|class) (\w+))", re.MULTILINE)
DEFAULT = re.compile(r"^export default ", re.MULTILINE)


def script(entry: str) -> str:
    """The text of this file of js/, bundled with all its imports."""
    names = modules(entry)
    return "".join(_wrapped(name, language()) for name in names[:-1]) + _linked(names[-1])


def style(*sheets: str) -> str:
    """The text of these style sheets of js/."""
    return "".join(_text(name) for name in sheets)


@cache
def _file(name):
    return (JS / name).read_text(encoding="utf-8")


def _text(name):
    if name != "messages.en.json":
        return _file(name)
    messages = json.loads(_file(name)) | json.loads(_file(f"messages.{language()}.json"))
    return json.dumps(messages, ensure_ascii=False)


def modules(name: str, found: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The names of the modules that this one imports, directly or not, in topological order, and its own."""
    if name in found:
        return found
    for _, needed in IMPORT.findall(_text(name)):
        found = modules(needed, found)
    return (*found, name)


@cache
def _wrapped(name, language):
    """The definition of a constant, named after the file, with the exports of a module, in this language."""
    if name.endswith(".json"):
        return f"const {_constant(name)} = {_text(name).strip()};\n"
    if name.endswith(".css"):
        return f"const {_constant(name)} = {json.dumps(_text(name))};\n"
    exported = ", ".join([*(name for _, name in EXPORT.findall(_text(name))),
                          *("default: $default" for _ in DEFAULT.findall(_text(name)))])  # fmt: skip
    body = DEFAULT.sub("const $default = ", EXPORT.sub(r"\1", _linked(name)))
    return f"const {_constant(name)} = (() => {{\n{body}return {{ {exported} }};\n}})();\n"


def _linked(name):
    """The text of a module, with constants instead of imports."""
    return IMPORT.sub(_import, _text(name))


def _import(found):
    names, module = found.groups()
    part = "" if names.startswith("{") or module.endswith((".json", ".css")) else ".default"
    return f"const {names} = {_constant(module)}{part};\n"


def _constant(name):
    return "$" + re.sub(r"\W", "_", name)


class StillWidget(Widget):
    """A widget with a `_picture()` of it.

    If Python runs in the browser, there is no picture: Matplotlib loads slowly, and a kernel is always there.
    """

    _picture: "Callable[[], Picture]"

    def _still(self) -> tuple[dict, dict]:
        """(data, metadata) of what is shown without a kernel."""
        return ({}, {}) if sys.platform == "emscripten" else self._picture()._repr_mimebundle_()

    def _repr_mimebundle_(self, **options):
        live = super()._repr_mimebundle_(**options)
        live = live[0] if isinstance(live, tuple) else live or {}
        still, metadata = self._still()
        view = {kind: content for kind, content in live.items() if kind == WIDGET_VIEW}
        return still | {"text/plain": repr(self)} | view, metadata
