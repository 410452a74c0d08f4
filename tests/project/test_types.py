"""All public functions are annotated; whether the annotations are right is checked by mypy, in .ci/run."""

import ast
from pathlib import Path

LIBRARY = Path(__file__).parents[2] / "course_lib"


def incomplete(body, owner):
    """The names of the public functions and methods, and of each `__init__`, that lack an annotation."""
    for node in body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from incomplete(node.body, f"{owner}.{node.name}")
        elif isinstance(node, ast.FunctionDef) and (node.name == "__init__" or not node.name.startswith("_")):
            given = node.args
            parameters = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
            complete = all(p is None or p.annotation or p.arg in ("self", "cls") for p in parameters)
            if not complete or not (node.returns or node.name == "__init__"):
                yield f"{owner}.{node.name}"


def test_public_functions_are_annotated():
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in LIBRARY.rglob("*.py")}
    assert [name for path, tree in trees.items() for name in incomplete(tree.body, path.stem)] == []
