"""A course of one notebook with four small questions, for tests that must not depend on which notebooks there are."""

import nbformat

MODULE = """
from course_lib.check.judges import tracing
from solutions.rows import asks, by_hand, explains

def small():
    return [(n,) for n in range(-3, 4)]

QUESTIONS = {
    "toy.hand": by_hand(lambda rng: (rng.randrange(100),), lambda n: {"half": n / 2}, tracing.entries,
                        hints={"half": "Divide by 2."}),
    "toy.double": asks(small, lambda rng: (rng.randrange(100),)),
    "toy.fix": asks(small),
    "toy.why": explains(),
}
"""
SENTENCES = 'SENTENCES = {"one too many": "take n itself."}\n'
INTRODUCTION = """# Exercises

Nine questions, 99 points. Run a check as often as you like.

- **Core**, for everybody: question 9.

First say who you are."""
SETUP = """from course_lib.check import check, personal_tree, score, student

student("your name or number")"""
DOUBLE = """def double(n):
    ### BEGIN SOLUTION
    total = n
    #~ total = n + 1  ## one too many
    #~ total = n  ## two more: one line is enough.
    #~| total += 2
    if n < 0:
        #~ if n > 5:  ## signs: look at numbers below 0.
        total = -total
        #~& total = total  ## signs
    return 2 * total if n >= 0 else -2 * total
    #~ return total  ## not doubled: take it twice.
    ### END SOLUTION"""
SQUARE = """#~ ## the square: twice a number is not its square.
def double(n):
    return n * n"""
FIX = """def fixed(n):
    return n
### BEGIN SOLUTION
#~ ## not fixed yet: one must be added.
def fixed(n):
    return n + 1
    #~ return n - 1  ## the wrong way: add one.
### END SOLUTION"""
WHY = """why = ...
### BEGIN SOLUTION
why = "b"
#~ why = "a"  ## a: That is too small.
### END SOLUTION"""


def write(folder):
    """Write the course's `solutions/` into this folder; return the path of its notebook."""
    cells = [_text(INTRODUCTION), nbformat.v4.new_code_cell(SETUP)]
    cells += _question("toy.hand", "by_hand", "By hand", 1, ['by_hand = {"half": ...}'])
    cells += _question("toy.double", "double", "Twice", 3, [DOUBLE, SQUARE])
    cells += _question("toy.fix", "fixed", "Fix it", 2, [FIX], level="stretch")
    cells += _question("toy.why", "why", "Why", 1, [WHY])
    cells += [_text("## Your score"), nbformat.v4.new_code_cell('score("01_toy")')]
    solutions = folder / "solutions"
    solutions.mkdir(parents=True)
    (solutions / "01_toy.py").write_text(MODULE, encoding="utf-8")
    (solutions / "mistakes.py").write_text(SENTENCES, encoding="utf-8")
    nbformat.write(nbformat.v4.new_notebook(cells=cells), solutions / "01_toy.ipynb")
    return solutions / "01_toy.ipynb"


def _text(source):
    return nbformat.v4.new_markdown_cell(source)


def _question(identifier, name, title, points, sources, level="core"):
    own = identifier.replace(".", "-")
    yield _text(f"## 7. {title} ({points} point{'s' * (points != 1)})\n\nWrite it.")
    for source in sources:
        if source.startswith("#~"):
            yield nbformat.v4.new_raw_cell(source)
        else:
            yield _code(source, grade_id=own, grade=False, solution=True, locked=False)
    check = _code(f'check("{identifier}", {name})', grade_id=f"{own}-check", grade=True, solution=False, locked=True,
                  points=points)  # fmt: skip
    check.metadata |= {"tags": ["raises-exception"], "level": level}
    yield check


def _code(source, **nbgrader):
    return nbformat.v4.new_code_cell(source, metadata={"nbgrader": nbgrader | {"schema_version": 3, "task": False}})
