"""What no file of the tree has in it: somebody's folders or address, and work that is put off."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.tidy.tree import files, text

UNWANTED = {
    "a folder of somebody's machine": r"(?<![\w.])/(?:root|home/\w+|Users/\w+)(?:/|\b)",
    "somebody's e-mail address": r"\b[\w.+-]+@(?!example\.)[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\b",
    "a note of what is to be done": r"\b(?:TODO|FIXME|XXX)\b",
}
THIS = Path("tests/tidy/test_words.py")


@pytest.mark.parametrize("pattern", UNWANTED.values(), ids=UNWANTED)
def test_no_file_has(pattern: str) -> None:
    """Paths are relative to the tree, or temporary; addresses are invented; no comment puts work off."""
    found = [
        f"{path}:{number}: {line.strip()[:100]}"
        for path in files()
        if path != THIS
        for number, line in enumerate((text(path) or "").splitlines(), 1)
        if re.search(pattern, line)
    ]
    assert found == []
