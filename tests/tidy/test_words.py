"""The tree speaks of the project alone: no machine, no registry, no word on how it was made."""

from __future__ import annotations

import re
from pathlib import Path

from tests.tidy.tree import files, text

REGISTRIES = r"pypi\.org|pythonhosted\.org|registry\.npmjs\.org|deb\.debian\.org|proxy\.golang\.org"
MACHINE_PATHS = r"(?<![\w.])/(?:work|root|home/\w+|Users/\w+)(?:/|\b)"
MAKING = (
    r"claude|anthropic|openai|chatgpt|copilot|\bLLMs?\b|language model|sub-?agents?\b|co-authored-by|"
    r"(?:generated|written) by an? (?:ai|model|assistant)|\bthe brief\b"
)
THIS = Path("tests/tidy/test_words.py")


def lines_with(pattern: str) -> list[str]:
    """``path:line: text`` for every line of the tree that the pattern is found in."""
    found = []
    wanted = re.compile(pattern, re.IGNORECASE)
    for path in files():
        for number, line in enumerate((text(path) or "").splitlines(), 1) if path != THIS else ():
            if wanted.search(line):
                found.append(f"{path}:{number}: {line.strip()[:100]}")
    return found


def test_no_file_names_a_package_registry() -> None:
    """Packages come from wherever the reader's own tools are set to look."""
    assert lines_with(REGISTRIES) == []


def test_no_file_names_a_folder_of_somebodys_machine() -> None:
    """Paths are relative to the tree, or temporary."""
    assert lines_with(MACHINE_PATHS) == []


def test_no_file_tells_how_the_project_was_made() -> None:
    """Readers learn what the project does and why."""
    assert lines_with(MAKING) == []
