"""Where a room's token is kept between two runs: a file that only its owner may read."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

TOKEN_BYTES_MAX = 4096


class BadTokenFile(Exception):
    """A token file that cannot be read or written; ``file`` and ``reason`` say which and why."""

    def __init__(self, file: Path, reason: str) -> None:
        super().__init__(f"{file}: {reason}")
        self.file = file
        self.reason = reason


def default_file(environ: Mapping[str, str], room: str) -> Path:
    """The file of a room's token where none was named, in the user's state folder."""
    base = environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    safe = re.sub(r"[^A-Za-z0-9_-]", "_", room)[:64]
    return Path(base) / "mitsuboshi" / f"{safe}.token"


def read_token(file: Path) -> str | None:
    """The token in the file, None where there is no such file; BadTokenFile when it holds anything else."""
    try:
        with file.open("rb") as opened:
            text = opened.read(TOKEN_BYTES_MAX + 1).decode("ascii").strip()
    except FileNotFoundError:
        return None
    except OSError as fault:
        raise BadTokenFile(file, fault.strerror or str(fault)) from fault
    except UnicodeDecodeError as fault:
        raise BadTokenFile(file, "it holds no token") from fault
    if not text or len(text) > TOKEN_BYTES_MAX or not text.isprintable() or " " in text:
        raise BadTokenFile(file, "it holds no token")
    return text


def write_token(file: Path, token: str) -> None:
    """Keep the token, readable by its owner alone; BadTokenFile when the file cannot be written."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        opened = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(opened, "w", encoding="ascii") as out:
            out.write(token + "\n")
    except (OSError, UnicodeEncodeError) as fault:
        raise BadTokenFile(file, str(fault)) from fault
