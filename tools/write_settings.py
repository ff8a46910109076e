"""Writes the settings' table into docs/LIMITS.md, between its two marks."""

from __future__ import annotations

import sys
from pathlib import Path

from mitsuboshi.settings import table

PAGE = Path(__file__).resolve().parents[1] / "docs" / "LIMITS.md"
BEGIN, END = "<!-- settings: `make openapi` writes this table -->\n", "<!-- end of settings -->\n"


def with_table(page: str) -> str:
    """The page's text with today's table between the marks; ValueError when a mark is missing."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{PAGE.name} lacks its marks for the settings")
    return f"{before}{begin}\n{table()}\n{end}{after}"


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text()))
    sys.exit(0)
