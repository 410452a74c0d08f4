"""What a notebook that is run for the site shows in the place of its widgets."""

from course_lib.explore.page import element, tree_element
from course_lib.explore.prompts import Prediction
from course_lib.explore.tree import Explorer


def on_pages():
    """In this kernel, show explorers and predictions as elements of a page without Python."""
    from IPython import get_ipython

    formatter = get_ipython().display_formatter.formatters["text/html"]
    formatter.for_type(Explorer, lambda explorer: tree_element(explorer.tree))
    formatter.for_type(Prediction, element)
