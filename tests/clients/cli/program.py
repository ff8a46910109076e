"""The client as its users run it: a process of its own, spoken to over pipes."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

ANSWER_S = 60.0


class Client:
    """One running ``mitsuboshi-play``; ``said`` is everything that it has printed."""

    def __init__(self, server: str, state: Path, *arguments: str, patience_s: int = 60) -> None:
        environ = {**os.environ, "XDG_STATE_HOME": str(state), "PYTHONIOENCODING": "utf-8"}
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "mitsuboshi_play",
                "--server",
                server,
                "--patience",
                str(patience_s),
                *arguments,
            ],
            env=environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )
        self.said = ""
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def type(self, *lines: str) -> None:
        """Send lines of input."""
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def until(self, pattern: str) -> str:
        """What is printed up to the first line that the pattern is found in, that line included."""
        read = ""
        deadline = time.monotonic() + ANSWER_S
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"no {pattern!r} within {ANSWER_S:.0f} s in:\n{self.said}") from None
            assert line is not None, f"ended without {pattern!r}:\n{self.said}"
            read += line
            if re.search(pattern, line):
                return read

    def end(self) -> int:
        """Close the input, wait for the end, and answer the exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.wait()

    def wait(self) -> int:
        """Wait for the end, and answer the exit code."""
        code = self.process.wait(ANSWER_S)
        while self._lines.get(timeout=ANSWER_S) is not None:
            pass
        return code

    def close(self) -> None:
        """End it, whatever it does, and its pipes."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self._reader.join()

    @property
    def room(self) -> str:
        """The id of the room."""
        found = re.search(r"^Room (\S+),", self.said, re.MULTILINE)
        assert found, self.said
        return found[1]

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                self.said += line
                self._lines.put(line)
        self._lines.put(None)
