"""Notebooks as pages to read: with live explorers, and without Python."""

import re
from base64 import b64decode, b64encode
from collections.abc import Iterator
from html import unescape
from io import BytesIO
from pathlib import Path

import nbformat
from latex2mathml.converter import convert
from nbconvert import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbconvert.preprocessors import TagRemovePreprocessor
from PIL import Image

from course_lib.language import gettext
from course_lib.saving import WIDGET_VIEW, shown
from instructor.execute import run_cells

SETUP = """def show_on_pages():
    from IPython import get_ipython

    from course_lib.alphazero import find_lost_lines
    from course_lib.check.warm_ups import WarmUp
    from course_lib.explore.board import Board
    from course_lib.explore.explorer import Explorer
    from course_lib.explore.page import element, tree_element
    from course_lib.explore.predict import Prediction
    from course_lib.games import MAX, MIN

    def playable(board):
        game, opponent = board.game, board.opponent
        if repr(game) == "TicTacToe()" and opponent and board.human == MAX and not hasattr(opponent, "analysis"):
            return None if find_lost_lines(opponent, game, [MIN]) else element(board)

    formatter = get_ipython().display_formatter.formatters["text/html"]
    formatter.for_type(Explorer, lambda explorer: tree_element(explorer.tree))
    formatter.for_type(Board, playable)
    formatter.for_type(Prediction, element)
    formatter.for_type(WarmUp, lambda questions: questions.html(element))

show_on_pages()"""
"""Shows explorers, predictions, warm-up questions, and tic-tac-toe against what nobody beats, without Python."""
COLOURS = 128
"""Of a picture, which has only a few and their shades: so it takes a quarter of the bytes."""
LIVE = 'class="course-live"'
HIDDEN = r"<script.*?</script>|<math.*?</math>|<pre.*?</pre>|<!--.*?-->"
HEADING = re.compile(r'<h2 id="([^"]+)">(.+?)</h2>', re.DOTALL)
TEMPLATE = """{% extends 'index.html.j2' %}
{% block output_group %}
{% if cell.metadata.get('jupyter', {}).get('outputs_hidden') %}
<details class="folded"><summary>SHOW</summary>{{ super() }}</details>
{% else %}{{ super() }}{% endif %}
{% endblock %}"""
"""Outputs that a notebook folds, since they answer a prediction, are folded on the page too."""


def run(path: Path, cell_timeout: float = 300) -> nbformat.NotebookNode:
    """The notebook at `path`, run from top to bottom, with outputs for pages."""
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(SETUP))
    run_cells(notebook, path, cell_timeout)
    del notebook.cells[0]
    return notebook


def unrun(path: Path) -> str:
    """The HTML of a notebook without outputs: what can be read of an exercise before Python is there."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    return body(notebook, "")


def body(notebook: nbformat.NotebookNode, needs_python: str) -> str:
    """The HTML of a notebook's cells. `needs_python` is put below each output that needs Python to be live."""
    lighten(notebook)
    note = nbformat.v4.new_output("display_data", {"text/html": needs_python})
    for cell in notebook.cells:
        for at, output in reversed([*enumerate(cell.get("outputs", []), start=1)]):
            data = output.get("data", {})
            view = data.pop(WIDGET_VIEW, None)
            if view is not None and LIVE not in data.get("text/html", "") and data.keys() & {"text/html", "image/png"}:
                output.metadata["image/png"] = {"alt": data.get("text/plain", "")}
                cell.outputs.insert(at, note)
    exporter = HTMLExporter(template_name="basic", exclude_input_prompt=True, exclude_output_prompt=True)
    exporter.raw_template = TEMPLATE.replace("SHOW", gettext("Show the output"))
    exporter.register_filter("markdown2html", markdown)
    hidden = TagRemovePreprocessor(enabled=True, remove_input_tags={"hide-input"})
    exporter.register_preprocessor(hidden, enabled=True)
    return exporter.from_notebook_node(notebook)[0]


def lighten(notebook: nbformat.NotebookNode) -> None:
    """Reduce the pictures of a notebook to `COLOURS`."""
    for data in shown(notebook):
        if "image/png" in data:
            picture = Image.open(BytesIO(b64decode(data["image/png"]))).convert("RGB")
            picture.quantize(COLOURS, dither=Image.Dither.NONE).save(lighter := BytesIO(), "PNG", optimize=True)
            data["image/png"] = b64encode(lighter.getvalue()).decode()


def contents(body: str) -> list[tuple[str, str]]:
    """(id, HTML of the title) of each section of a page."""
    return HEADING.findall(body)


def sections(body: str) -> Iterator[dict[str, str]]:
    """The "id", "title" and text, without code and formulas, of each section of a page: what a search looks through."""
    _, *parts = re.split(r'<h[123] id="([^"]+)">', re.sub(HIDDEN, " ", body, flags=re.DOTALL))
    for id, html in zip(parts[::2], parts[1::2]):
        title, _, _ = html.partition("</h")
        words = (" ".join(unescape(re.sub("<[^>]+>", " ", part)).split()) for part in (title, html))
        yield {"id": id, **dict(zip(("title", "text"), words))}


class WithMathML(IPythonRenderer):
    """Markdown with its formulas in MathML, which browsers draw themselves."""

    def inline_math(self, body: str, display: str = "inline") -> str:
        return convert(body.strip(), display=display)

    def block_math(self, body: str) -> str:
        return self.inline_math(body, "block")

    def heading(self, text: str, level: int, **attributes) -> str:
        """With an id, so that links lead to it."""
        name = re.sub(r"\W+", "-", re.sub("<.*?>", "", text).lower()).strip("-")
        return super().heading(text, level, id=name)


def markdown(text: str) -> str:
    """The HTML of Markdown whose links between the course's files lead to their pages."""
    text = re.sub(r"\]\((?:\.\./notebooks/)?(\d\d_\w+)\.ipynb", r"](\1.html", text)
    text = re.sub(r"\]\(\.\./SOURCES\.md", "](sources.html", text)
    return MarkdownWithMath(WithMathML(escape=False, exclude_anchor_links=True)).render(text)
