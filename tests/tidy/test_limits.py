"""docs/LIMITS.md holds every number of the code, and no other."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

import pytest

from tests.tidy.tree import files, text

PACKAGE = Path("service/mitsuboshi")
# | what | limit | … | `constant` |
ROW = re.compile(r"^\|(?P<what>[^|]+)\|(?P<limit>[^|]+)\|.*?`(?P<constant>[\w./ ]+)` \|$", re.MULTILINE)
NUMBER = re.compile(r"([\d,]+(?:\.\d+)?)(?: (ms|s|min|h)\b)?")
IN_MS = {"ms": 1, "s": 1000, "min": 60_000, "h": 3_600_000}
# A number whose name ends so is a limit or a pause, and belongs on the page.
LIMIT = re.compile(r"_?[A-Z][A-Z0-9_]*_(?:MAX|MIN|LEAST|MOST|S|MS)|BACKLOG")


class Row(NamedTuple):
    """One row of a table of limits."""

    what: str
    limit: str
    constant: str


def rows() -> list[Row]:
    """Every row that names a constant."""
    page = (text(Path("docs/LIMITS.md")) or "").partition("<!-- end of settings -->")[2]
    return [Row(*(cell.strip() for cell in found.groups())) for found in ROW.finditer(page)]


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.constant)
def test_a_number_of_the_page_is_that_of_the_code(row: Row) -> None:
    """Whoever changes a limit changes the page with it."""
    found = NUMBER.search(row.limit)
    assert found, row
    told, unit = float(found[1].replace(",", "")), found[2]
    assert in_unit_of(row.constant, told, unit) == value_of(row.constant)


def test_every_limit_of_the_code_is_on_the_page() -> None:
    """Each bound that somebody can run into is told in one place."""
    told = " ".join(row.constant for row in rows())
    assert [name for name in limits() if not re.search(rf"\b{re.escape(name)}\b", told)] == []


def test_a_limit_is_told_once() -> None:
    """Two rows for one constant would be two things to change."""
    told = [row.constant for row in rows()]
    assert sorted(told) == sorted(set(told))


def limits() -> Iterator[str]:
    """Names of the constants of the service that are limits, as the page writes them."""
    for path in files(".py"):
        if path.is_relative_to(PACKAGE):
            module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
            tree = ast.parse(text(path) or "")
            yield from (f"{module}.{name}" for name in assigned(tree) if LIMIT.fullmatch(name))


def assigned(tree: ast.Module) -> Iterator[str]:
    """The names that a module's own lines give a value to."""
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name))


def in_unit_of(constant: str, number: float, unit: str | None) -> float:
    """The number in the unit with which the constant's name ends; as it is where it has none."""
    if unit is None:
        return number
    wanted = "s" if re.search(r"_S(_MAX|_MIN)?$", constant) else "ms"
    return number * IN_MS[unit] / IN_MS[wanted]


def value_of(constant: str) -> float:
    """What the code has under that name."""
    if " " in constant:
        header, name = constant.split()
        return float(re.findall(rf"\b{name} = (\d+)", text(Path("service", header)) or "")[0])
    parts = constant.split(".")
    depth = next(
        n for n in range(len(parts), 0, -1) if (PACKAGE / Path(*parts[:n])).with_suffix(".py").exists()
    )
    value: Any = importlib.import_module(".".join(["mitsuboshi", *parts[:depth]]))
    for name in parts[depth:]:
        value = part(value, name)
    return float(value)


def part(value: Any, name: str) -> Any:
    """What a value has under that name: an entry, a bound of a type, a field or an attribute."""
    if isinstance(value, Mapping):
        return value[name]
    for inner in (value, *get_args(value)):
        if get_origin(inner) is Annotated:
            return getattr(inner.__metadata__[0], name)
    if isinstance(value, type):
        return get_type_hints(value, include_extras=True)[name]
    return getattr(value, name)


@pytest.mark.parametrize(
    ("constant", "number", "unit", "value"),
    [
        ("a.WAIT_S_MAX", 2, "min", 120),
        ("a.CLOCK_S_MIN", 1, "s", 1),
        ("a.TICK_S", 250, "ms", 0.25),
        ("a.B_MS", 1, "h", 3_600_000),
        ("a.N", 7, None, 7),
    ],
)
def test_units_are_told_apart(constant: str, number: float, unit: str | None, value: float) -> None:
    """A page may say one hour where the code counts milliseconds."""
    assert in_unit_of(constant, number, unit) == value


def test_the_measure_of_limits_finds_them() -> None:
    """A measure that finds nothing would pass everything."""
    found = set(limits())
    assert {"api.bodies.KEY_CHARS_MAX", "rooms.names.NAME_MAX", "ai.levels.MOVETIME_LEAST_MS"} <= found
