"""Settings of nbconvert for slides: `jupyter nbconvert --to slides --config docs/slides.py NOTEBOOK`.

A slide begins at each heading, and further texts and predictions go below it. Code that is folded in the notebook is
left out.
"""

import re

from nbconvert.preprocessors import Preprocessor
from traitlets.config import get_config


class BySection(Preprocessor):
    """Give each cell its place among the slides."""

    def preprocess(self, notebook, resources):
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                kind = "slide" if re.search("^##? ", cell.source, re.M) else "subslide"
            else:
                kind = "subslide" if "predict(" in cell.source else "-"
            cell.metadata["slideshow"] = {"slide_type": kind}
            if cell.metadata.get("jupyter", {}).get("source_hidden"):
                cell.metadata["transient"] = {"remove_source": True}
        return notebook, resources


c = get_config()
c.SlidesExporter.preprocessors = [BySection]
c.SlidesExporter.reveal_scroll = True
c.SlidesExporter.reveal_theme = "white"
c.SlidesExporter.exclude_input_prompt = True
c.SlidesExporter.exclude_output_prompt = True
