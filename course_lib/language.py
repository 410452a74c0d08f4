"""The language in which the course speaks: English, or another for which `locale/` here has a catalogue.

`COURSE_LANGUAGE=fr` chooses it, or else the line `language = "fr"` in the file `course.toml` of the working folder or a
folder above it. Messages are written in English in the code; `python -m instructor translate fr` collects them.
"""

import gettext as catalogues
import os
from functools import cache
from pathlib import Path
from typing import Any

LOCALE = Path(__file__).parent / "locale"


def gettext(message: str, **parts: Any) -> str:
    """The message, a whole sentence, in the language of the course or in English, with `parts` for {their names}."""
    translated = _catalogue(language()).gettext(message)
    return translated.format(**parts) if parts else translated


def ngettext(one: str, many: str, count: int, **parts: Any) -> str:
    """The message for this `count`, which is also a part: `one` for "1 node", `many` for "{count} nodes"."""
    return _catalogue(language()).ngettext(one, many, count).format(count=count, **parts)


def N_(message: str) -> str:
    """The message itself: marks a constant, which `gettext` translates when it is shown."""
    return message


def language() -> str:
    """The language of the course, such as "en" or "fr"; `ValueError` if it has no catalogue."""
    name = os.environ.get("COURSE_LANGUAGE") or _language_of(Path.cwd())
    if name == "en" or (LOCALE / name).exists():
        return name
    known = " or ".join(["en", *sorted(path.name for path in LOCALE.glob("*"))])
    raise ValueError(f"the language must be {known}, not {name!r}: change COURSE_LANGUAGE, or the file course.toml")


@cache
def _language_of(folder: Path) -> str:
    from tomllib import loads

    files = [path / "course.toml" for path in (folder, *folder.parents)]
    settings = next((loads(file.read_text(encoding="utf-8")) for file in files if file.exists()), {})
    return settings.get("language", "en")


@cache
def _catalogue(name: str) -> catalogues.NullTranslations:
    return catalogues.translation("course_lib", LOCALE, [name], fallback=name == "en")
