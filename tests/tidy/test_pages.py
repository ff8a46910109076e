"""The pages for readers: links that lead somewhere, settings as the program has them, a changelog."""

from __future__ import annotations

import re
import runpy
from collections.abc import Iterator
from pathlib import Path

from mitsuboshi.settings import CLIENTS, Settings, variable
from tests.tidy.tree import ROOT, files, text

LINK = re.compile(r"\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def test_every_relative_link_resolves() -> None:
    """A link to a file of the tree finds it, and a link to a heading finds that."""
    assert [f"{page}: {link}" for page, link in links() if not resolves(page, link)] == []


def test_the_page_of_limits_has_the_settings_of_the_program() -> None:
    """docs/LIMITS.md holds the table that settings.py gives; `make openapi` writes it."""
    page = text(Path("docs/LIMITS.md")) or ""
    assert page == runpy.run_path(str(ROOT / "tools/write_settings.py"))["with_table"](page)


def test_every_setting_that_a_page_names_exists() -> None:
    """No page tells of a variable that the program does not know."""
    known = {variable(name) for name in Settings.__dataclass_fields__} | CLIENTS
    unknown = [
        f"{page}: {name}"
        for page in files(".md", "Dockerfile", "compose.yaml")
        for name in re.findall(r"\bMITSUBOSHI_[A-Z_]*[A-Z]\b", text(page) or "")
        if name not in known
    ]
    assert unknown == []


def test_the_changelog_has_a_place_for_what_is_next() -> None:
    """A change for users has a line under Unreleased."""
    assert re.search(r"^## \[?Unreleased\]?$", text(Path("CHANGELOG.md")) or "", re.MULTILINE)


def links() -> Iterator[tuple[Path, str]]:
    """Every relative link of every page, code blocks left out."""
    for page in files(".md"):
        for link in LINK.findall(FENCE.sub("", text(page) or "")):
            if not re.match(r"[a-z]+:", link):
                yield page, link


def resolves(page: Path, link: str) -> bool:
    """Whether the file is there and has the heading that the link names."""
    name, _, heading = link.partition("#")
    target = (ROOT / page.parent / name).resolve() if name else ROOT / page
    if not target.exists():
        return False
    return not heading or target.suffix != ".md" or heading in anchors(target.read_text())


def anchors(page: str) -> set[str]:
    """The anchors of a page's headings, as code forges make them."""
    headings = re.findall(r"^#+ +(.+?)\s*$", FENCE.sub("", page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
