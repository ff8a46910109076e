"""What arrives while the client waits: typed lines and news, each by a thread of its own, in one queue."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from mitsuboshi_play.api import Away, Refused
from mitsuboshi_play.commands import LINE_MAX
from mitsuboshi_play.snapshot import BadAnswer, Snapshot

CHUNK_BYTES = 4096
TICK_S = 0.5
AT_ONCE_S = 0.2
"""A poll that answers sooner without news is followed by a pause."""


@dataclass(frozen=True, slots=True)
class Typed:
    line: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The input is at its end, or nobody reads the output."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The room has another version than before; ``rolled_back`` when a lower one, as after a loss of data."""

    room: Snapshot
    rolled_back: bool


@dataclass(frozen=True, slots=True)
class Gone:
    """The room cannot be watched any longer."""

    fault: Refused | Away | BadAnswer


Message = Typed | Ended | Seen | Gone
Inbox = queue.Queue[Message]


def next_message(inbox: Inbox) -> Message:
    """The next message. An interrupt ends the wait within ``TICK_S``, even one that comes just before."""
    while True:
        with contextlib.suppress(queue.Empty):
            return inbox.get(timeout=TICK_S)


class Reader:
    """Reads one line for each ``ask``, no more, so that a script's next line waits until its turn.

    ``read`` gives the next bytes, none at the end. It must not hold a lock of the interpreter's files: the
    thread may be blocked in it when the process ends.
    """

    def __init__(self, inbox: Inbox, read: Callable[[], bytes]) -> None:
        self._inbox = inbox
        self._read = read
        self._asked = threading.Semaphore(0)
        self._rest = b""
        self.pending = False

    def start(self) -> None:
        """Begin to read when asked."""
        threading.Thread(target=self._run, name="reader", daemon=True).start()

    def ask(self) -> None:
        """Want one more line; nothing new while one is on its way."""
        if not self.pending:
            self.pending = True
            self._asked.release()

    def _run(self) -> None:
        while True:
            self._asked.acquire()
            line = self._line()
            self._inbox.put(Ended() if line is None else Typed(line))
            if line is None:
                return

    def _line(self) -> str | None:
        while b"\n" not in self._rest:
            chunk = self._read()
            if not chunk:
                line, self._rest = self._rest, b""
                return _text(line) if line else None
            # A line is cut where no command reaches, so that endless input takes no memory.
            self._rest = self._rest[: 8 * LINE_MAX] + chunk
        line, _, self._rest = self._rest.partition(b"\n")
        return _text(line)


class Watcher:
    """Long-polls the room and reports each change of its version."""

    def __init__(self, inbox: Inbox, wait: Callable[[int], Snapshot], version: int) -> None:
        self._inbox = inbox
        self._wait = wait
        self._version = version

    def start(self) -> None:
        """Begin to poll, until the room is gone."""
        threading.Thread(target=self._run, name="watcher", daemon=True).start()

    def _run(self) -> None:
        try:
            while True:
                self._poll()
        except (Refused, Away, BadAnswer) as fault:
            self._inbox.put(Gone(fault))
        except BrokenPipeError:
            self._inbox.put(Ended())  # nobody reads what this thread had to say

    def _poll(self) -> None:
        begun = time.monotonic()
        room = self._wait(self._version)
        if room.version != self._version:
            self._inbox.put(Seen(room, rolled_back=room.version < self._version))
            self._version = room.version
        elif time.monotonic() - begun < AT_ONCE_S:
            time.sleep(AT_ONCE_S)


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").rstrip("\r")
