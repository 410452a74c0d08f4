"""The protocol between the grader and a student's code: pickles go in, and lines of JSON with plain data come out.

Both sides run this module, so it imports nothing but the standard library. Nothing that comes out is ever executed: a
line can only hold a student's answer, or what an error says.
"""

import json
import math
from collections.abc import Iterator
from itertools import count
from typing import Any

LARGEST = 1 << 20
"""Bytes in the longest line; a longer one ends the conversation."""
MAX_HASHED = 1_000
"""The most entries of the sets and dictionaries in a line: if all have one hash, more take too long to compare."""
FLOATS = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}
HOLDERS = {"tuple": tuple, "set": set, "dict": dict}
AS_JSON = json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode


class Broken(Exception):
    """The program ended, or sent a malformed line; the conversation is over."""


class RemoteError(Exception):
    """What the student's code raised: `kind` (the exception's name), `message`, and the `line`, if known."""

    def __init__(self, kind: str, message: str = "", line: str = ""):
        super().__init__(f"{kind}: {message}" if message else kind)
        self.kind, self.message, self.line = kind, message, line


def encode(value: Any) -> Any:
    """Plain data as JSON can hold it: numbers, text, None and lists as they are, all else as {kind: content}."""
    kind = type(value)
    if kind is float and not math.isfinite(value):
        return {"float": repr(value)}
    if kind is list:
        return list(map(encode, value))
    if kind is dict:
        return {"dict": [list(map(encode, pair)) for pair in value.items()]}
    return {kind.__name__: list(map(encode, value))} if kind in (tuple, set) else value


def decode(line: bytes) -> list:
    """The message in a line, with the values that `encode` sent; whatever is wrong with it, the error is `Broken`."""
    hashed = count(1)
    try:
        message = json.loads(line, object_hook=lambda sent: _decode(*sent.popitem(), hashed))
    except Broken:
        raise
    except Exception as error:  # whatever is wrong with it costs the student only
        raise Broken(f"a malformed line ({type(error).__name__})") from None
    if not isinstance(message, list):
        raise Broken("a line that is not a message")
    return message


def _decode(kind: str, content: Any, hashed: Iterator[int]) -> Any:
    if kind == "float":
        return FLOATS[content]
    if kind != "tuple" and any(next(hashed) > MAX_HASHED for _ in content):
        raise Broken(f"sets or dictionaries of more than {MAX_HASHED:,} entries")
    return HOLDERS[kind](content)
