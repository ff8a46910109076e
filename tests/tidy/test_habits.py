"""Habits of the code that a linter has no rule for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tidy.tree import files, text

VAGUE_NAMES = {"util", "utils", "helper", "helpers", "common", "misc"}
BROAD = {"Exception", "BaseException"}
LOOPS = (ast.While, ast.For, ast.AsyncFor)


def test_no_module_has_a_vague_name() -> None:
    """A module is named for what it holds."""
    assert [str(p) for p in files(".py", ".c", ".h") if VAGUE_NAMES & {p.stem, *p.parent.parts}] == []


def test_every_module_says_what_it_is() -> None:
    """A module with code in it begins with a docstring."""
    silent = [str(p) for p, tree in modules() if tree.body and not ast.get_docstring(tree)]
    assert silent == []


def test_no_exception_is_swallowed() -> None:
    """``except Exception: pass`` hides what nobody has thought of."""
    assert [f"{p}:{n.lineno}" for p, tree in modules() for n in ast.walk(tree) if swallows(n)] == []


def test_no_test_sleeps_for_a_fixed_time() -> None:
    """A sleep in the tests is a pause inside a loop that waits for something."""
    found = []
    for path, tree in modules():
        if path.parts[0] == "tests":
            waiting = {id(n) for loop in ast.walk(tree) if isinstance(loop, LOOPS) for n in ast.walk(loop)}
            found += [f"{path}:{n.lineno}" for n in ast.walk(tree) if sleeps(n) and id(n) not in waiting]
    assert found == []


@pytest.mark.parametrize(
    ("source", "bad"),
    [
        ("try: f()\nexcept Exception: pass", True),
        ("try: f()\nexcept: ...", True),
        ("try: f()\nexcept (OSError, Exception): continue", True),
        ("try: f()\nexcept OSError: pass", False),
        ("try: f()\nexcept Exception: log()", False),
    ],
)
def test_the_measure_of_swallowing_is_right(source: str, bad: bool) -> None:
    """A measure that finds nothing would pass everything."""
    assert any(swallows(node) for node in ast.walk(ast.parse(source))) is bad


def modules() -> Iterator[tuple[Path, ast.Module]]:
    """Every Python file with its syntax tree."""
    for path in files(".py"):
        yield path, ast.parse(text(path) or "")


def swallows(node: ast.AST) -> bool:
    """Whether the node catches everything and does nothing about it."""
    if not isinstance(node, ast.ExceptHandler):
        return False
    caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    broad = any(kind is None or (isinstance(kind, ast.Name) and kind.id in BROAD) for kind in caught)
    idle = all(
        isinstance(line, ast.Pass | ast.Continue)
        or (isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant))
        for line in node.body
    )
    return broad and idle


def sleeps(node: ast.AST) -> bool:
    """Whether the node is a call of a sleep for longer than nothing."""
    if not isinstance(node, ast.Call):
        return False
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    nothing = bool(node.args) and isinstance(node.args[0], ast.Constant) and node.args[0].value == 0
    return name == "sleep" and not nothing
