"""The files of the source tree, as Git would take them."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@cache
def files(*suffixes: str) -> tuple[Path, ...]:
    """Tracked and new files that end with one of ``suffixes`` (all without any), relative to the root."""
    command = ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-co", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    paths = (Path(name) for name in listed.split("\0") if name)
    return tuple(sorted(p for p in paths if (ROOT / p).is_file() and p.name.endswith(suffixes or ("",))))


def text(path: Path) -> str | None:
    """The file's text, or None when it is binary, or a passing one that is gone already."""
    try:
        return (ROOT / path).read_text(encoding="utf-8")
    except (UnicodeDecodeError, FileNotFoundError):
        return None
