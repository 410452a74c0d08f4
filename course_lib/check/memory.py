"""What a reader got wrong and when it is asked again, in a small file of their own beside the notebooks."""

import json
import random
import time
from collections import Counter
from contextlib import contextmanager, suppress
from datetime import date, timedelta
from pathlib import Path

from course_lib.saving import write_whole

FILE = ".course_review.json"
AFTER = (1, 3, 7)
"""What was wrong is asked again after so many days; right after the last of them, it is done with."""
APART = 3
"""What was wrong is asked again in the same sitting when so many other questions have come between."""


class Memory:
    """The file, as one reader sees it: how many questions were answered, and which kinds are to be asked again.

    Such a kind has (stage, day): which of the days in `AFTER` it waits for, and the date. `today()` gives the day.
    `notice` tells of trouble with the file.
    """

    def __init__(self, reader="", file=FILE, today=date.today, seed=None):
        self.reader, self.file, self.today, self.notice = reader, Path(file).absolute(), today, ""
        self._new = {"seed": random.randrange(10**9) if seed is None else seed, "readers": {}}

    def luck(self, number=0):
        """The randomness of a question: another one for each reader, each day and each answer."""
        kept = self._read()
        return random.Random(f"{self.reader or kept['seed']} {self.today()} {self._own(kept)['answers']} {number}")

    def due(self):
        """The kinds that are to be asked again today, those that wait longest first."""
        waiting = sorted((day, kind) for kind, (_, day) in self._own(self._read())["due"].items())
        return [kind for day, kind in waiting if day <= str(self.today())]

    def note(self, kind, right):
        """Keep what came of an answer. A wrong one waits from the first of `AFTER` on; a right one, if due, goes on."""
        try:
            with alone(self.file):
                kept = self._read()
                own = kept["readers"][self.reader] = self._own(kept)
                stage, day = own["due"].get(kind, (-1, "never"))
                own["answers"] += 1
                if not right or day <= str(self.today()):
                    stage = stage + 1 if right else 0
                    own["due"].pop(kind, None)
                    if stage < len(AFTER):
                        own["due"][kind] = stage, str(self.today() + timedelta(AFTER[stage]))
                write_whole(self.file, json.dumps(kept, ensure_ascii=False, indent=1))
        except OSError as error:
            self.notice = f"This answer could not be kept: {error.strerror}."

    def _own(self, kept):
        return kept["readers"].get(self.reader, {"answers": 0, "due": {}})

    def _read(self):
        """What the file holds. One that is damaged is kept under another name, and a new one is begun."""
        try:
            kept = json.loads(self.file.read_text(encoding="utf-8"))
            random.Random(kept["seed"])
            for own in kept["readers"].values():
                range(own["answers"])
                for stage, day in own["due"].values():
                    date.fromisoformat(day) + timedelta(AFTER[stage])
        except FileNotFoundError:
            return self._new
        except (ValueError, TypeError, LookupError, AttributeError):
            number = sum(1 for _ in self.file.parent.glob(f"{self.file.stem}.damaged*")) + 1
            aside = self.file.with_suffix(f".damaged-{number}.json")
            self.notice = f"{self.file.name} could not be read. It is kept as {aside.name}, and a new one is begun."
            self.file.rename(aside)
            return self._new
        return kept


@contextmanager
def alone(file):
    """While this lasts, other notebooks wait to change the file. A lock of five seconds ago was left behind."""
    lock, late = file.with_name(f"{file.name}.lock"), time.monotonic() + 5
    while time.monotonic() < late:
        with suppress(FileExistsError):
            lock.mkdir()
            break
        time.sleep(0.02)
    try:
        yield
    finally:
        with suppress(FileNotFoundError):
            lock.rmdir()


def next_kind(kinds, answered, due, luck):
    """Which of these kinds to ask, after the (kind, whether right) `answered` in this sitting.

    First what was wrong and has waited, then what is due today, then what was asked least.
    """
    last = {kind: at for at, (kind, _) in enumerate(answered)}
    wrong = sorted((kind for kind, at in last.items() if not answered[at][1]), key=last.get)
    ripe = [kind for kind in wrong if len(answered) - last[kind] > APART]
    for kind in (*ripe, *due):
        if kind in ripe or (kind in kinds and kind not in last):
            return kind
    times = Counter(kind for kind, _ in answered)
    others = [kind for kind in kinds if kind not in wrong] or wrong
    return min(luck.sample(others, len(others)), key=lambda kind: (times[kind], last.get(kind, -1)))
