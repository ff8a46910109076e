"""Files and functions stay small enough to be read in one go."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.tidy.tree import files, text

PYTHON_FILE_LINES, PYTHON_FUNCTION_LINES = 400, 60
C_FILE_LINES, C_FUNCTION_LINES = 600, 80
# path or path::function, with the reason. Empty is best.
EXCEPTIONS: dict[str, str] = {
    "service/engine/diamond_weights_two.c": "a net that train/fit.c has written, by inputs",
    "service/engine/diamond_weights_three.c": "likewise",
}


def test_python_files_and_functions_are_small() -> None:
    """At most 400 lines a file and 60 a function; aim for 120 and 7."""
    too_long = []
    for path in files(".py"):
        source = text(path) or ""
        if len(source.splitlines()) > PYTHON_FILE_LINES:
            too_long.append(str(path))
        too_long += [
            f"{path}::{name}" for name, lines in python_functions(source) if lines > PYTHON_FUNCTION_LINES
        ]
    assert [name for name in too_long if name not in EXCEPTIONS] == []


def test_c_files_and_functions_are_small() -> None:
    """At most 600 lines a file and 80 a function; aim for 250 and 12."""
    too_long = []
    for path in files(".c", ".h"):
        source = text(path) or ""
        if len(source.splitlines()) > C_FILE_LINES:
            too_long.append(str(path))
        too_long += [f"{path}::{name}" for name, lines in c_functions(source) if lines > C_FUNCTION_LINES]
    assert [name for name in too_long if name not in EXCEPTIONS] == []


def python_functions(source: str) -> Iterator[tuple[str, int]]:
    """Each function's name and lines, decorators left out."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1


def c_functions(source: str) -> Iterator[tuple[str, int]]:
    """Each function's name and lines, by the brace in the first column that ends it."""
    name, begun = "", 0
    for number, line in enumerate(source.splitlines(), 1):
        head = re.match(r"(?:[A-Za-z_][\w\s*]*?[\s*])?(\w+)\(", line)
        if head and not line.rstrip().endswith(";"):
            name, begun = head[1], number
        if line.startswith("}") and begun:
            yield name, number - begun + 1
            begun = 0


def test_the_c_measure_finds_functions() -> None:
    """A measure that finds nothing would pass everything."""
    source = "static int\nf(void)\n{\n    return 1;\n}\n\nint g(int a,\n      int b) {\n    return a;\n}\n"
    assert list(c_functions(source + "int h(void);\n")) == [("f", 4), ("g", 4)]
