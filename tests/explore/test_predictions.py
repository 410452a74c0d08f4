"""Questions to commit to before reading on, and how the notebooks ask them."""

import ast
import re
from collections import Counter
from pathlib import Path

import nbformat

from course_lib.explore import predict

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))


def ask():
    return predict("Is <b> & c?", ("no", "1 > 0"), "it depends", "yes, it is", right=3, because="2 < 3")


def test_the_options_stand_in_an_order_of_their_own_with_their_reasons():
    question = ask()
    shown = dict(zip(question.options, question.reasons))
    assert shown == {"no": "1 > 0", "it depends": "", "yes, it is": "2 < 3"}
    assert question.options[question.right] == "yes, it is"
    assert question.options == ask().options and (question.picked, question.tried) == (-1, [])
    places = Counter(predict(f"Which of {n}?", "a", "b", "c", right=1, because="so").right for n in range(300))
    assert len(places) == 3 and min(places.values()) > 70


def test_without_a_script_the_answer_is_folded():
    data, _ = ask()._repr_mimebundle_()
    options = [f"{number}. {option}" for number, option in enumerate(ask().options, 1)]
    assert data["text/plain"].splitlines() == ["Is <b> & c?", *options]
    shown, _, folded = data["text/html"].partition("<details>")
    assert "Is &lt;b&gt; &amp; c?" in shown and "2 &lt; 3" not in shown and "1 &gt; 0" not in shown
    assert folded.index("<b>yes, it is</b>: 2 &lt; 3") < folded.index("<b>no</b>: 1 &gt; 0")


def cells():
    """The code cells of each section of each notebook."""
    for path in NOTEBOOKS:
        sections = [[]]
        for place, cell in enumerate(nbformat.read(path, as_version=4).cells):
            if cell.cell_type == "markdown" and re.search("^## ", cell.source, re.M):
                sections.append([])
            elif cell.cell_type == "code":
                cell.place = place
                sections[-1].append(cell)
        yield from ((path.stem, section) for section in sections)


def asks(cell):
    """The call of `predict` that a cell makes, or None."""
    calls = [node for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Call)]
    return next((call for call in calls if getattr(call.func, "id", "") == "predict"), None)


def test_no_notebook_gives_its_answers_away():
    """The source of a question is folded, and of that JupyterLab shows the first line. The outputs of the next code
    cell of the section, and of the others before the next text, which often are the answer, are stored folded too;
    JupyterLab opens them when it is run."""
    found = 0
    for name, code in cells():
        for number, cell in enumerate(code):
            if asks(cell) is None:
                continue
            found += 1
            assert cell.metadata["jupyter"]["source_hidden"], (name, cell.source)
            assert "predict(" not in cell.source.splitlines()[0], (name, cell.source)
            for steps, other in enumerate(code[number + 1 :], 1):
                if asks(other) is None and (steps == 1 or (other.outputs and other.place == cell.place + steps)):
                    assert other.metadata.get("jupyter", {}).get("outputs_hidden"), (name, other.source)
    assert found > 40


def test_the_right_option_is_in_every_place():
    places = Counter()
    for _, code in cells():
        for call in filter(None, map(asks, code)):
            question = eval(compile(ast.Expression(call), "a cell", "eval"), {"predict": predict})
            if len(question.options) == 3:
                places[question.right] += 1
    assert len(places) == 3 and min(places.values()) > 0.2 * places.total(), places
