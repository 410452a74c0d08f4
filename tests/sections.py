"""Texts that tests keep in a file beside them: programs of students, cells, scripts."""

import re


def sections(path):
    """The texts of a file by name; a line "== name" stands above each."""
    parts = re.split(r"^== (.+)\n", path.read_text(encoding="utf-8"), flags=re.M)[1:]
    return {name: text.strip("\n") for name, text in zip(parts[::2], parts[1::2])}
