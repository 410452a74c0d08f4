"""The course's own face: what `course.toml`, at the top of the course, says of it."""

import re
import tomllib
from base64 import b64encode
from dataclasses import asdict, dataclass, field
from pathlib import Path

from jinja2 import Environment, FileSystemLoader

from instructor.questions import ROOT

FILE = "course.toml"
REPOSITORY = re.compile(r"([A-Za-z\d]+(?:-[A-Za-z\d]+)*)/(?!\.\.?$)[\w.-]{1,100}(?<!\.git)|", re.ASCII)
"""OWNER/NAME, as GitHub allows them, or nothing."""


@dataclass
class Face:
    """What a lecturer has written into `course.toml`. What is not there has the default."""

    name: str = "Planning in games"
    institution: str = ""
    logo: str = ""
    language: str = "en"
    contact: str = ""
    repository: str = ""
    exam_title: str = "Exam"
    exam_points: list = field(default_factory=lambda: [1, 2, 3])

    @property
    def logo_source(self) -> str:
        """The source of an `<img>`; empty without a logo."""
        return self.logo and picture_source(png(self.logo))


def face(course: Path = ROOT) -> Face:
    """The face of the course in this folder; its logo is a path that can be opened.

    `ValueError` for a line that it cannot have; `OSError` if the logo is not there.
    """
    path, known = course / FILE, asdict(Face())
    try:
        written = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except ValueError as error:
        raise ValueError(f'{path}: {error}; write lines such as name = "Planning in games"') from None
    for name, value in written.items():
        if type(value) is not type(known.get(name)):
            expected = f"a {type(known[name]).__name__}" if name in known else f"one of {', '.join(known)}"
            raise ValueError(f"{path}: expected {expected}, got {name} = {value!r}")
    found = Face(**written)
    if not REPOSITORY.fullmatch(found.repository):
        raise ValueError(f"{path}: expected OWNER/NAME as on GitHub, got repository = {found.repository!r}")
    if found.logo:
        found.logo = str(course / found.logo)
        png(found.logo)
    return found


def png(path: str) -> bytes:
    """The content of a picture; `ValueError` if it is not a PNG file."""
    content = Path(path).read_bytes()
    if not content.startswith(b"\x89PNG"):
        raise ValueError(f"{path}: expected a PNG file, got another kind: convert the picture")
    return content


def base64(content: bytes) -> str:
    """A file as text."""
    return b64encode(content).decode()


def picture_source(content: bytes) -> str:
    """The source of an `<img>`, of a PNG file."""
    return f"data:image/png;base64,{base64(content)}"


def environment() -> Environment:
    """The templates of pages and files for instructors, with two filters, and the `course`'s face."""
    folder = Path(__file__).parent / "exam_pages"
    templates = Environment(loader=FileSystemLoader(folder), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    templates.filters |= {"source": picture_source, "base64": base64}
    templates.globals["course"] = face()
    return templates
