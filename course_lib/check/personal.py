"""Trees of one's own: numbers that are made from a student's identifier, alike on every machine and in every Python."""

from hashlib import sha256
from itertools import count
from unicodedata import normalize

from course_lib.games import MAX, TreeGame


def as_compared(student):
    """A student's identifier in the form in which identifiers are compared.

    Capitals make no difference, nor do blanks around the identifier, nor how its letters are encoded: in the name of a
    folder that a Mac has made, ä is two characters.
    """
    return " ".join(normalize("NFKC", normalize("NFKC", str(student)).casefold()).split())


class Numbers:
    """Whole numbers that look random. They depend on the question and on the student's identifier, on nothing else.

    Two identifiers that `as_compared` makes equal have the same numbers.
    """

    def __init__(self, question, student):
        name = as_compared(student)
        digests = (sha256(f"{question}|{name}|{part}".encode()).digest() for part in count())
        self._numbers = (int.from_bytes(digest[at : at + 4], "big") for digest in digests for at in range(0, 32, 4))

    def below(self, n):
        """A number from 0 to n − 1."""
        return next(self._numbers) % n

    def between(self, low, high):
        """A number from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def choice(self, options):
        return options[self.below(len(options))]

    def sample(self, options, n):
        """A list of `n` different ones of these."""
        options = list(options)
        return [options.pop(self.below(len(options))) for _ in range(n)]


def tree_from(numbers, shape, low=0, high=20, first=MAX):
    """A `TreeGame` whose leaves all differ. `shape` holds for each ply the numbers of children to choose from."""
    worths = iter(numbers.sample(range(low, high + 1), high - low + 1))

    def tree(ply):
        if ply == len(shape):
            return next(worths)
        return [tree(ply + 1) for _ in range(numbers.choice(shape[ply]))]

    return TreeGame(tree(0), first=first)
