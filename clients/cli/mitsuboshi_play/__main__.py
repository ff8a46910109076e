"""The command ``mitsuboshi-play``."""

from __future__ import annotations

import io
import os
import sys

from mitsuboshi_play.inbox import CHUNK_BYTES
from mitsuboshi_play.options import read_settings
from mitsuboshi_play.play import DONE, Session
from mitsuboshi_play.verify import verify

STDIN = 0


def main() -> None:
    """Play as the command line says, and exit with the documented code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    arguments = [_whole(argument) for argument in sys.argv[1:]]
    if arguments[:1] == ["verify"]:
        sys.exit(verify(arguments[1:], os.environ, sys.stdout, read=_read_all))
    settings = read_settings(arguments, os.environ, sys.stdout)
    interactive = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
    session = Session(settings, os.environ, sys.stdout, read=_read, interactive=interactive)
    try:
        code = session.run()
    except BrokenPipeError:
        # Whoever read the output is gone: nothing more to say, not even when Python flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = DONE
    sys.exit(code)


def _read() -> bytes:
    """The next bytes of the input; none at its end, or where there is no input at all.

    It reads past Python's own buffer, whose lock a blocked thread would hold when the process ends."""
    if sys.stdin is None:
        return b""  # closed from the start: the number may be a connection's by now
    try:
        return os.read(STDIN, CHUNK_BYTES)
    except OSError:
        return b""


def _read_all() -> str:
    """The whole input; empty where there is none at all."""
    return sys.stdin.read() if sys.stdin is not None else ""


def _whole(argument: str) -> str:
    """The argument with bytes that are no UTF-8 replaced, as no JSON could carry them."""
    return argument.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


if __name__ == "__main__":
    main()
