"""The language in which the course speaks: English, or another for which `locale/` here has a catalogue.

`COURSE_LANGUAGE=fr` chooses it, or else the line `language = "fr"` in the file `course.toml` of the working folder or a
folder above it. Messages are written in English in the code; `python -m instructor translate fr` collects them.
"""

import gettext as catalogues
import os
import re
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

LOCALE = Path(__file__).parent / "locale"
NUMBER = re.compile(r"\d{1,3}(,\d{3})+|\d+(\.\d+)?%")
"""A number that is not Python's, as 0.5 may be."""
PART = re.compile(r"(?<!\{)\{([A-Za-z]\w*)\}(?!\})")
"""A part with a name and no format."""
SHORT = 11
"""Characters, beside the parts, of a message that might be found by chance."""


class _InLanguage(Formatter):
    def format_field(self, value: Any, form: str) -> str:
        text = super().format_field(value, form)
        return localized(text) if isinstance(value, float) or (form and not isinstance(value, str)) else text


def localized(number: str) -> str:
    """A number as the language of the course writes it: 55.9% or 55,9 %. Parts with a format are, as {share:.1%}."""
    return number.translate(_marks(language()))


def numbers_in(text: str) -> str:
    """The text, such as a formula, with the decimal mark of the language of the course: 1.5/3 or 1,5/3."""
    return re.sub(r"(?<=\d)\.(?=\d)", localized("."), text) if "." in text else text


def gettext(message: str, /, *values: Any, **parts: Any) -> str:
    """The message, a whole sentence, in the language of the course or in English, with `parts` for {their names}."""
    translated = _catalogue(language()).gettext(message) if message else ""  # a catalogue has its header there
    return _InLanguage().format(translated, *values, **parts) if values or parts else translated


def ngettext(one: str, many: str, count: int, /, **parts: Any) -> str:
    """The message for this `count`, which is also a part: `one` for "1 node", `many` for "{count} nodes"."""
    message = _catalogue(language()).ngettext(one, many, count)
    return _InLanguage().format(message, count=localized(f"{count:,}"), **parts)


def N_(message: str) -> str:
    """The message itself: marks a constant, which `gettext` translates when it is shown."""
    return message


def in_all_languages(message: str) -> set[str]:
    """The message in English, and its translations."""
    return {message, *(_catalogue(path.name).gettext(message) for path in LOCALE.glob("*"))}


def translated(text: str) -> str:
    """A text that is English already, and was put together from messages, in the language of the course.

    It is for texts that are compared, stored, or written where there is no catalogue: they are translated when shown.
    """
    if NUMBER.fullmatch(text):
        return localized(text)
    if (said := gettext(text)) != text:
        return said
    for message, pattern in _patterns(language()):
        if found := pattern.fullmatch(text):
            parts = {name: translated(part) for name, part in found.groupdict().items()}
            unknown = " ".join(part for part in parts.values() if part in found.groups())
            if len(PART.sub("", message)) > SHORT or not re.search("[A-Za-z]{2}", unknown):
                return gettext(message, **parts)
    pieces = re.split(r"(\n|(?<=[.?!]) (?=[A-Z]))", text)
    if len(pieces) == 1:
        return text
    return "".join(piece if place % 2 else translated(piece) for place, piece in enumerate(pieces))


def language() -> str:
    """The language of the course, such as "en" or "fr"; `ValueError` if it has no catalogue."""
    return _language_of(os.getcwd(), os.environ.get("COURSE_LANGUAGE"))


@cache
def _language_of(folder: str, name: str | None) -> str:
    from tomllib import loads

    files = [path / "course.toml" for path in (Path(folder), *Path(folder).parents)]
    settings = next((loads(file.read_text(encoding="utf-8")) for file in files if not name and file.exists()), {})
    name = name or settings.get("language", "en")
    languages = ["en", *sorted(path.name for path in LOCALE.glob("*"))]
    if name in languages:
        return name
    known = " or ".join(languages)
    raise ValueError(f"the language must be {known}, not {name!r}: change COURSE_LANGUAGE, or the file course.toml")


@cache
def _marks(name: str) -> dict[int, str]:
    """What the language has in place of the marks in a number."""
    return dict(zip(map(ord, ",.%"), re.split(r"\d+", gettext("1,234.5%"))[1:]))


@cache
def _patterns(name: str) -> list[tuple[str, re.Pattern]]:
    """(message, pattern of its texts) of the messages with named parts, those with the most text beside them first."""
    found = {}
    for message in _catalogue(name).__dict__.get("_catalog", ()):
        if isinstance(message, str) and PART.search(message) and not re.search(r"(?<!\{)\{\w*[^\w{}]", message):
            first, *rest = [text.replace("{{", "{").replace("}}", "}") for text in PART.split(message)]
            pattern, parts, literals = re.escape(first), rest[::2], [*map(re.escape, rest[1::2])]
            for n, (part, literal) in enumerate(zip(parts, literals)):
                end = literal if n < len(parts) - 1 else rf"{literal}\Z"
                one = r"(?:(?!\. [A-Z]).)" if literal else "."  # not more than a sentence, before the message goes on
                pattern += f"(?P={part})" if part in parts[:n] else f"(?P<{part}>(?>{one}+?(?={end})))"
                pattern += literal
            found[message] = re.compile(pattern, re.DOTALL)
    return sorted(found.items(), key=lambda pair: -len(PART.sub("", pair[0])))


@cache
def _catalogue(name: str) -> catalogues.NullTranslations:
    return catalogues.translation("course_lib", LOCALE, [name], fallback=name == "en")


IN_TEMPLATES = {"gettext": gettext, "ngettext": ngettext, "number": localized, "language": language}
"""What templates call."""
