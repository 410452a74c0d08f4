"""The protocol between the grader and a student's code: lines of JSON with plain data and names of functions.

Both sides run this module, so it imports nothing but the standard library. Nothing that arrives is ever executed: a
line can only hold an answer, an error, or a call of something that was offered before, with its arguments.
"""

import json
import math
import os
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

LARGEST = 1 << 20
"""Bytes in the longest line; a longer one ends the conversation."""
MAX_HASHED = 1_000
"""The most entries of the sets and dictionaries in a line: if all have one hash, more take too long to compare."""
FLOATS = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}
HOLDERS = {"tuple": tuple, "set": set, "frozenset": frozenset, "dict": dict}
AS_JSON = json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode


class Broken(Exception):
    """The other side ended, or sent a malformed line; the conversation is over."""


class RemoteError(Exception):
    """What the other side's code raised: `kind` (the exception's name), `message`, and the `line`, if known."""

    def __init__(self, kind: str, message: str = "", line: str = ""):
        super().__init__(f"{kind}: {message}" if message else kind)
        self.kind, self.message, self.line = kind, message, line


class NotPlain(ValueError):
    """A value that cannot be sent: not plain data, or too large."""


def pack(message: list) -> bytes:
    return line_of(AS_JSON(message))


def line_of(text: str) -> bytes:
    line = text.encode()
    if len(line) > LARGEST:
        raise NotPlain(f"{len(line):,} bytes; the most that can be sent is {LARGEST:,}")
    return line + b"\n"


def unpack(line: bytes, resolve: Callable, hashed: Iterator[int] | None = None) -> list:
    """The message in a line, with the values that `encode` sent; whatever is wrong with it, the error is `Broken`.

    `resolve(kind, content)` makes what is not plain; `hashed` numbers the entries of sets and dictionaries.
    """
    hashed = hashed or count(1)
    try:
        message = json.loads(line, object_hook=lambda sent: _decode(*sent.popitem(), resolve, hashed))
    except Broken:
        raise
    except Exception as error:  # whatever is wrong with it costs the other side only
        raise Broken(f"a malformed line ({type(error).__name__})") from None
    if not isinstance(message, list) or not message:
        raise Broken("a line that is not a message")
    return message


def _decode(kind: str, content: Any, resolve: Callable, hashed: Iterator[int]) -> Any:
    if kind == "float":
        return FLOATS[content]
    if kind not in HOLDERS:
        return resolve(kind, content)
    if kind != "tuple" and any(next(hashed) > MAX_HASHED for _ in content):
        raise Broken(f"sets or dictionaries of more than {MAX_HASHED:,} entries")
    return HOLDERS[kind](content)


def encode(value: Any, refer: Callable) -> Any:
    """`value` as JSON can hold it: numbers, text, None and lists as they are, all else as {kind: content}.

    `refer` returns the {kind: content} of a game or a function. Named tuples of the games and NumPy arrays can be sent
    too; everything else raises `NotPlain`.
    """
    kind = type(value)
    if value is None or kind in (bool, int, str):
        return value
    if kind is list:
        return [encode(item, refer) for item in value]
    if kind is float:
        return value if math.isfinite(value) else {"float": repr(value)}
    for number in (int, float):
        if isinstance(value, number):  # of NumPy, or a member of an IntEnum
            return encode(getattr(number, f"__{number.__name__}__")(value), refer)
    if callable(value) or hasattr(value, "to_move"):
        return refer(value)
    if kind.__module__ == "numpy" and hasattr(value, "tolist"):
        plain = encode(value.tolist(), refer)
        return {"array": plain} if isinstance(plain, list) else plain
    if isinstance(value, dict):
        return {"dict": [[encode(part, refer) for part in pair] for pair in value.items()]}
    for sequence in (list, tuple, set, frozenset):
        if isinstance(value, sequence):
            items = [encode(item, refer) for item in value]
            if hasattr(kind, "_fields") and kind.__module__.startswith("course_lib.games."):
                return {"named": [kind.__module__, kind.__name__, items]}
            return items if sequence is list else {sequence.__name__: items}
    raise NotPlain(f"something of type {kind.__name__}")


class Peer:
    """One end of the conversation. A subclass has `send(bytes)` and `receive() → bytes`, which carry whole lines.

    Messages are ["call", ticket, target, arguments], ["answer", ticket, value] and ["error", ticket, kind, message,
    line]. While one side waits for an answer it serves the calls of the other, so functions can be passed. A
    call's ticket cannot be predicted, and only an answer with it is accepted: an answer that student code writes to the
    pipe never passes for the answer to a later call. `offer` numbers what the other side may call.
    """

    def __init__(self, first: int = 0):
        self.offered, self.numbers = {}, count(first)

    def call(self, target, *arguments) -> Any:
        """The answer of the other side's `target`; what it raises arrives as `RemoteError`."""
        return self.call_with(target, AS_JSON([encode(value, self.refer) for value in arguments]))

    def call_with(self, target, arguments: str) -> Any:
        """The answer of `target` to arguments that are JSON already."""
        ticket = os.urandom(8).hex()
        self.send(line_of(f'["call","{ticket}",{AS_JSON(target)},{arguments}]'))
        while True:
            kind, *parts = self.message()
            if kind == "call":
                self.serve(*parts)
            elif parts[:1] != [ticket]:
                raise Broken("an answer to a call that was not made")
            elif kind == "answer" and len(parts) == 2:
                return parts[1]
            else:
                raise self.error_of(*parts[1:])

    def message(self) -> list:
        """The next message from the other side."""
        return unpack(self.receive(), self.resolve)

    def serve(self, *parts) -> None:
        """Run one call from the other side, and send its outcome."""
        if len(parts) != 3 or [type(parts[n]) for n in (0, 2)] != [str, list]:
            raise Broken("a line that is not a message")
        ticket, target, arguments = parts
        try:
            line = pack(["answer", ticket, encode(self.find(target)(*arguments), self.refer)])
        except Broken:
            raise
        except BaseException as error:
            line = pack(["error", ticket, *self.describe(error)])
        self.send(line)

    def describe(self, error: BaseException) -> tuple[str, str, str]:
        """The kind, message and line of an exception, as they are sent."""
        kind = error.kind if isinstance(error, RemoteError) else type(error).__name__
        return kind[:100], str(error)[:500], ""

    def error_of(self, *parts) -> Exception:
        """The exception to raise for the kind, message and line of an error."""
        if len(parts) != 3 or not all(type(part) is str for part in parts):
            raise Broken("a line that is not a message")
        return RemoteError(*(part[:500] for part in parts))

    def offer(self, thing: Any) -> int:
        """A number by which the other side may call `thing`, or name it."""
        number = next(self.numbers)
        self.offered[number] = thing
        return number

    def find(self, target: Any) -> Callable:
        """What the other side named by its number."""
        if type(target) is not int or target not in self.offered:
            raise Broken("a call of what was never offered")
        return self.offered[target]
