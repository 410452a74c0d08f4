"""A site that was made before, served on 127.0.0.1, and a browser that reaches no other host."""

import os
from pathlib import Path

import pytest

from lab import serving

PATIENCE = 600_000
"""Milliseconds: Python takes long to start in a browser on a busy machine."""
HOW = "make one with `python -m instructor site FOLDER`, which needs the extra `site`, and set COURSE_SITE=FOLDER"


@pytest.fixture(scope="session")
def site():
    """The folder of the site that COURSE_SITE names."""
    if "COURSE_SITE" not in os.environ:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(f"there is no site to test: {HOW}")
    return Path(os.environ["COURSE_SITE"]).resolve()


@pytest.fixture(scope="module")
def served(site):
    """The address of the site."""
    with serving(site) as address:
        yield address


@pytest.fixture
def visit(browser, served):
    """A reader of the site: `outside` has what was asked of other hosts, in vain, and `errors` what else failed."""
    nobody = {"server": "http://127.0.0.1:9", "bypass": "127.0.0.1"}  # a proxy that does not answer
    context = browser.new_context(base_url=served, proxy=nobody, viewport={"width": 1280, "height": 900})
    context.set_default_timeout(PATIENCE)
    context.outside, context.errors = [], []

    def asked(request):
        if request.url.startswith("http") and not request.url.startswith(served):
            context.outside.append(request.url)

    def told(message):
        """A file that the site lacks is an error; what another host does not give is not."""
        lacking = message.text.startswith("Failed to load resource")
        if message.type == "error" and not (lacking and not message.location["url"].startswith(served)):
            context.errors.append(f"{message.text} {message.location['url']}" if lacking else message.text)

    context.on("request", asked)
    context.on("console", told)
    context.on("weberror", lambda error: context.errors.append(str(error.error)))
    yield context
    context.close()
