"""The command `publish`: the addresses of the course on GitHub Pages and Binder, in README.md and CITATION.cff."""

import argparse
import os
import re
from pathlib import Path

from course_lib.launcher import find_notebook
from course_lib.saving import write_whole

REPOSITORY = re.compile(r"(?=.{1,39}/)[A-Za-z\d]+(?:[-_][A-Za-z\d]+)*/(?!\.\.?$)[\w.-]{1,100}(?<!\.git)", re.ASCII)
"""OWNER/REPOSITORY, as GitHub allows them."""
LINKS = re.compile(r"(?<=<!-- addresses -->\n).*?(?=<!-- end of addresses -->)", re.DOTALL)
UNPUBLISHED = "The course is not online yet. Once published, its notebooks run in the browser, without installation.\n"
CITED = re.compile(r"^(?:url|repository-code): .*\n", re.MULTILINE)


def publish(course: Path, repository: str | None) -> None:
    """Write the addresses of `repository`, such as "owner/name", into README and CITATION.cff; `None` removes them."""
    links, cited = UNPUBLISHED, ""
    if repository is not None:
        if not REPOSITORY.fullmatch(repository):
            raise ValueError(f"Expected OWNER/REPOSITORY as on GitHub, got {repository!r}.")
        owner, name = repository.split("/")
        host = f"{owner.lower()}.github.io"
        pages = f"https://{host}/" if name.lower() == host else f"https://{host}/{name}/"
        github = f"https://github.com/{repository}"
        binder = f"https://mybinder.org/v2/gh/{repository}/HEAD?urlpath=lab/tree/{find_notebook(course=course)}"
        colab = f"https://colab.research.google.com/github/{repository}/blob/HEAD/{find_notebook(course=course)}"
        links = (f"**[Read or run the course in your browser]({pages})** ·\n[open it on Binder]({binder}) ·\n"
                 f"[on Colab]({colab}) ·\n"
                 f"[ask a question or report a mistake]({github}/issues/new/choose)\n\n"
                 f"On Colab and Kaggle, run `%pip install --quiet git+{github}` in a new first cell.\n")  # fmt: skip
        cited = f"url: {pages}\nrepository-code: {github}\n"
    readme, citation = course / "README.md", course / "CITATION.cff"
    text, count = LINKS.subn(lambda _: links, readme.read_text(encoding="utf-8"))
    if count != 1:
        raise ValueError(f"Expected one line <!-- addresses --> and its end in {readme}, got {count}.")
    write_whole(readme, text)
    write_whole(citation, CITED.sub("", citation.read_text(encoding="utf-8")).rstrip("\n") + f"\n{cited}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add, own = parser.add_argument, os.environ.get("GITHUB_REPOSITORY")
    add("repository", nargs="?", metavar="OWNER/REPOSITORY", default=own,
        help="the course's repository on GitHub (default in GitHub workflows: the current one)")  # fmt: skip
    add("--remove", action="store_true", help="remove the addresses instead")


def run(options: argparse.Namespace) -> None:
    if options.repository is None and not options.remove:
        raise ValueError("Expected OWNER/REPOSITORY or --remove.")
    publish(Path(), None if options.remove else options.repository)
    print("README.md, CITATION.cff:", "no addresses" if options.remove else f"the addresses of {options.repository}")
