"""The course's own face: what `course.toml`, at the top of the course, says of it."""

import json
import re
import tomllib
from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader

from course_lib.language import IN_TEMPLATES
from instructor.questions import ROOT

PAGES = Path(__file__).parent / "exam_pages"


EXPECTED = {
    "contact": (r'"(|\S+@\S+|https?://\S+)"', 'an e-mail address, the address of a page with https://, or ""'),
    "exam_points": (r"\[[\d.]+, [\d.]+, [\d.]+\]", "three numbers, for levels 1 to 3 of a question, such as [1, 2, 3]"),
}
"""Line of `course.toml` → the pattern of its value as JSON, and the pattern in words; other lines have a text."""


@dataclass
class Face:
    """What a lecturer has written into `course.toml`; `logo` is a path that can be opened, or empty."""

    name: str
    institution: str
    logo: str
    language: str
    contact: str
    exam_title: str
    exam_points: list[float]

    @property
    def logo_source(self) -> str:
        """The source of an `<img>`; empty without a logo."""
        return self.logo and picture_source(png(self.logo))


def face(course: Path = ROOT) -> Face:
    """The face of the course in this folder. `ValueError` names a line that is missing, unknown or wrong."""
    path = course / "course.toml"
    try:
        found = Face(**tomllib.loads(path.read_text(encoding="utf-8")))
    except (TypeError, ValueError) as error:
        wanted = ", ".join(Face.__annotations__)
        raise ValueError(f"{path}: expected the lines {wanted}, each NAME = VALUE; {error}") from None
    for key, value in vars(found).items():
        pattern, wanted = EXPECTED.get(key, ('".*"', "a text in quotation marks"))
        if not re.fullmatch(pattern, json.dumps(value, default=repr)):
            raise ValueError(f"{path}: expected {key} = {wanted}; got {value!r}")
    if found.logo:
        found.logo = str(course / found.logo)
        png(found.logo)  # or an error, before anything is written
    return found


def png(path: str) -> bytes:
    """The content of a picture; `ValueError` if it is not a PNG file."""
    content = Path(path).read_bytes()
    if not content.startswith(b"\x89PNG"):
        raise ValueError(f"{path}: expected a PNG file, got another kind: convert the picture")
    return content


def picture_source(content: bytes) -> str:
    """The source of an `<img>`, of a PNG file."""
    return f"data:image/png;base64,{b64encode(content).decode()}"


def environment(folder: Path = PAGES, course: Path = ROOT, **options: Any) -> Environment:
    """The templates in this folder, which may call `gettext`, with the filter `source`, and the face of the course."""
    loader = FileSystemLoader(folder)
    templates = Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, **options)
    templates.filters["source"] = picture_source
    templates.globals |= {"course": face(course), **IN_TEMPLATES}
    return templates
