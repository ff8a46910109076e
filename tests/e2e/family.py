"""All processes of one data folder, as the system knows them."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from tests.processes import Program, free_port, processes_with, wait_until

WORKERS = 2


class Start(Protocol):
    """Starts a program in the test's data folder, where the PATH has nothing at all."""

    def __call__(self, command: str, port: int, **settings: str) -> Program: ...


class Up:
    """One running `up`, that has told its address."""

    def __init__(self, folder: Path, start: Start) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.program = start("up", self.port)
        self.program.wait_for_word("Play: ")

    def members(self, command: str) -> set[int]:
        """The processes of the family whose command line has ``command`` in it."""
        return members(self.folder, command)


def family(folder: Path) -> set[int]:
    """Every living process that was started for this folder."""
    return processes_with(str(folder))


def members(folder: Path, command: str) -> set[int]:
    """Those of the family whose command line has ``command`` in it."""
    return {pid for pid in family(folder) if command in _command_of(pid)}


def wait_for_the_end(folder: Path) -> None:
    """Return when nothing of the family is alive."""
    wait_until(lambda: not family(folder), "every process is gone", 10)


def _command_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""
