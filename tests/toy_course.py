"""A course of one notebook with four small questions, for tests that must not depend on which notebooks there are."""

from pathlib import Path

import nbformat

from sections import sections

TEXTS = sections(Path(__file__).with_suffix(".txt"))
MODULE = TEXTS["module"]
SENTENCES = 'SENTENCES = {"one too many": "take n itself."}\n'


def write(folder):
    """Write the course's `solutions/` into this folder; return the path of its notebook."""
    cells = [_text(TEXTS["introduction"]), nbformat.v4.new_code_cell(TEXTS["setup"])]
    cells += _question("toy.hand", "by_hand", "By hand", 1, ['by_hand = {"half": ...}'])
    cells += _question("toy.double", "double", "Twice", 3, [TEXTS["double"], TEXTS["square"]])
    cells += _question("toy.fix", "fixed", "Fix it", 2, [TEXTS["fix"]], level="stretch")
    cells += _question("toy.why", "why", "Why", 1, [TEXTS["why"]])
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
