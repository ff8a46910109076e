"""The pages of decisions: each whole, each found from the list, each dependency among them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests.tidy.tree import files, text

FOLDER = Path("docs/decisions")
PAGES = [path for path in files(".md") if path.parent == FOLDER and path.name != "README.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_decision_has_its_four_parts(page: Path) -> None:
    """Who reads it later learns what it was for, and when to think again."""
    content = text(page) or ""
    assert content.startswith(f"# {page.name[:4]} ")
    parts = ("Context.", "Decision.", "Given up.", "We would notice")
    assert [part for part in parts if f"**{part}" not in content] == []


def test_the_list_has_every_decision_in_order() -> None:
    """No page is lost, and no number is used twice."""
    listed = re.findall(r"^\| \[(\d{4})\]\((\S+)\) \|", text(FOLDER / "README.md") or "", re.MULTILINE)
    assert [name for _, name in listed] == [page.name for page in PAGES]
    assert [int(number) for number, _ in listed] == list(range(1, len(PAGES) + 1))


def test_every_dependency_has_its_reason() -> None:
    """What pyproject.toml asks for, and nothing else, has a line that says why."""
    page = text(FOLDER / "0008-dependencies.md") or ""
    assert set(re.findall(r"^\| `([\w-]+)` \|", page, re.MULTILINE)) == dependencies()


def dependencies() -> set[str]:
    """Names of the packages that the service, its tests and the terminal client ask for."""
    asked: list[str] = []
    for path in ("pyproject.toml", "clients/cli/pyproject.toml"):
        project = tomllib.loads(text(Path(path)) or "")["project"]
        asked += project["dependencies"]
        for extra in project.get("optional-dependencies", {}).values():
            asked += extra
    return {re.split(r"[^\w-]", name)[0] for name in asked}
