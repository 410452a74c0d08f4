"""Notebooks as pages to read: with live explorers, and without Python."""

import re
from pathlib import Path

import nbformat
from nbconvert import HTMLExporter
from nbconvert.filters import markdown2html
from nbconvert.preprocessors import TagRemovePreprocessor

from course_lib.saving import WIDGET_VIEW
from instructor.execute import run_cells

SETUP = """def show_on_pages():
    from IPython import get_ipython

    from course_lib.explore.page import element, tree_element
    from course_lib.explore.prompts import Prediction
    from course_lib.explore.tree import Explorer

    formatter = get_ipython().display_formatter.formatters["text/html"]
    formatter.for_type(Explorer, lambda explorer: tree_element(explorer.tree))
    formatter.for_type(Prediction, element)

show_on_pages()"""
"""Shows explorers and predictions as elements of a page without Python."""
MATH = re.compile(r"(?P<code>`+)[^`]+(?P=code)|(?P<mark>\$\$?)(?P<formula>[^$]+?)(?P=mark)")
LIVE = 'class="course-live"'


def run(path: Path, cell_timeout: float = 300) -> nbformat.NotebookNode:
    """The notebook at `path`, run from top to bottom, with outputs for pages."""
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(SETUP))
    run_cells(notebook, path.parent, cell_timeout)
    del notebook.cells[0]
    return notebook


def body(notebook: nbformat.NotebookNode, needs_python: str) -> str:
    """The HTML of a notebook's cells. `needs_python` stands below each output that is alive with Python only."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = linked(with_math(cell.source))
        for output in cell.get("outputs", []):
            view = output.get("data", {}).pop(WIDGET_VIEW, None)
            if view is not None and LIVE not in output.data.get("text/html", ""):
                still(output.data, needs_python)
    exporter = HTMLExporter(template_name="basic", exclude_input_prompt=True, exclude_output_prompt=True,
                            exclude_anchor_links=True)  # fmt: skip
    hidden = TagRemovePreprocessor(enabled=True, remove_input_tags={"hide-input"})
    exporter.register_preprocessor(hidden, enabled=True)
    return without_empty_heads(exporter.from_notebook_node(notebook)[0])


def without_empty_heads(text: str) -> str:
    """HTML whose tables have no empty heads, which a screen reader would read out as such: they are plain cells."""
    return re.sub(r"<th([^>]*)></th>", r"<td\1></td>", text)


def still(data: dict, needs_python: str) -> None:
    """Put the note below what stands in the place of a widget: a picture, HTML or text."""
    if "text/html" in data:
        data["text/html"] += needs_python
    elif "image/png" in data:
        picture = data.pop("image/png").strip()
        data["text/html"] = (
            f'<img alt="{data.get("text/plain", "")}" src="data:image/png;base64,{picture}">{needs_python}'
        )


def with_math(text: str) -> str:
    """Markdown with its formulas in MathML, which browsers draw themselves."""
    from latex2mathml.converter import convert

    def drawn(found):
        if found["code"]:
            return found[0]
        return convert(found["formula"].strip(), display="block" if found["mark"] == "$$" else "inline")

    return MATH.sub(drawn, text)


def linked(text: str) -> str:
    """Markdown whose links between the course's files lead to their pages."""
    text = re.sub(r"\]\((?:\.\./notebooks/)?(\d\d_\w+)\.ipynb", r"](\1.html", text)
    return re.sub(r"\]\(\.\./SOURCES\.md", "](sources.html", text)


def text_page(path: Path) -> str:
    """The HTML of a file of Markdown."""
    return without_empty_heads(markdown2html(linked(Path(path).read_text(encoding="utf-8"))))
