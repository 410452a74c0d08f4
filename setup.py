"""Puts the tables of public cases into the installed package: then an exercise notebook works alone in a folder."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class WithCases(build_py):
    """The modules of the package, and `course_lib/cases/`; an editable installation finds them in `exercises/`."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            add_cases(Path("exercises"), Path(self.build_lib, "course_lib", "cases"))


def add_cases(exercises: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for path in exercises.glob("*.cases.gz"):
        shutil.copy(path, target)


if __name__ == "__main__":
    setup(cmdclass={"build_py": WithCases})
