"""The command ``mitsuboshi-play``."""

from __future__ import annotations

import os
import sys

from mitsuboshi_play.inbox import CHUNK_BYTES
from mitsuboshi_play.options import read_settings
from mitsuboshi_play.play import DONE, Session


def main() -> None:
    """Play as the command line says, and exit with the documented code."""
    settings = read_settings(sys.argv[1:], os.environ, sys.stdout)
    session = Session(
        settings,
        os.environ,
        sys.stdout,
        # Past Python's own buffer, whose lock a blocked thread would hold when the process ends.
        read=lambda: os.read(sys.stdin.fileno(), CHUNK_BYTES),
        interactive=sys.stdin.isatty() and sys.stdout.isatty(),
    )
    try:
        code = session.run()
    except BrokenPipeError:
        # Whoever read the output is gone: nothing more to say, not even when Python flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = DONE
    sys.exit(code)


if __name__ == "__main__":
    main()
