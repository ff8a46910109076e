"""The service as a client sees it over a socket: messages in JSON both ways, and the code that closes it."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import msgspec
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.rest import WAIT_S, Guest, Json

ANSWERS = ("ok", "refused")
IDS = itertools.count(1)


def new_id() -> str:
    """An id for an action that no other has."""
    return f"id-of-an-action-{next(IDS):010}"


class Wire:
    """One open socket of a room; ``events`` are all that it has been told so far, without answers."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.events: list[Json] = []

    def send(self, message: Json | str | bytes) -> None:
        """One message, in JSON unless it is text or bytes."""
        self.connection.send(
            message if isinstance(message, str | bytes) else msgspec.json.encode(message).decode()
        )

    def receive(self, within_s: float = WAIT_S) -> Json:
        """The next message; TimeoutError when none comes."""
        message: Json = msgspec.json.decode(self.connection.recv(within_s))
        if message["type"] not in ANSWERS:
            self.events.append(message)
        return message

    def until(self, true: Callable[[Json], bool]) -> Json:
        """The first message from now on for which that is true."""
        while not true(message := self.receive()):
            continue
        return message

    def told(self, kind: str) -> Json:
        """The next message of that type."""
        return self.until(lambda message: message["type"] == kind)

    def event(self, version: int) -> Json:
        """The event of that version."""
        return self.until(
            lambda message: message.get("version") == version and message["type"] not in ANSWERS
        )

    def ask(self, kind: str, id: str | None = None, **fields: Any) -> Json:  # noqa: A002 - as the message says it
        """The answer to an action."""
        self.send({"type": kind, **({} if id is None else {"id": id}), **fields})
        return self.until(lambda message: message["type"] in ANSWERS and message["id"] == id)

    def did(self, kind: str, **fields: Any) -> int:
        """The version that an action made, which must not be refused."""
        answer = self.ask(kind, new_id(), **fields)
        assert answer["type"] == "ok", answer
        version: int = answer["version"]
        return version

    def close_code(self) -> int:
        """The code with which the service closes it, whatever it says before."""
        deadline = time.monotonic() + WAIT_S
        while (code := self.begins_or_is_closed()) is None:
            assert time.monotonic() < deadline, f"it was not closed within {WAIT_S:.0f} s"
        return code

    def begins_or_is_closed(self) -> int | None:
        """None when a message comes; the code when it is closed instead, 1006 where it breaks off."""
        try:
            self.receive()
        except ConnectionClosed as closed:
            return 1006 if closed.rcvd is None else int(closed.rcvd.code)
        return None

    def versions(self) -> list[int]:
        """The versions of all that it has been told, a snapshot's among them."""
        return [
            event["room"]["version"] if event["type"] == "snapshot" else event["version"]
            for event in self.events
        ]

    def silent(self, s: float = 0.3) -> bool:
        """Whether nothing comes for a while."""
        try:
            self.receive(s)
        except TimeoutError:
            return True
        return False


def address(guest: Guest) -> str:
    """The URL of the socket of the guest's room."""
    return str(guest.http.base_url).replace("http", "ws", 1).rstrip("/") + f"{guest.path}/socket"


@contextmanager
def raw(guest: Guest, **options: Any) -> Iterator[Wire]:
    """A socket of the guest's room on which nothing has been said yet."""
    with connect(address(guest), compression=None, close_timeout=2, **options) as connection:
        yield Wire(connection)


@contextmanager
def wired(
    guest: Guest, after: int | None = None, event_id: str | None = None, **options: Any
) -> Iterator[Wire]:
    """A socket on which the guest has said hello."""
    with raw(guest, **options) as wire:
        # It may be closed by now, for one request too many: then that is what is heard next.
        with suppress(ConnectionClosed):
            wire.send(hello(guest, after, event_id))
        yield wire


def hello(guest: Guest, after: int | None = None, event_id: str | None = None) -> Json:
    """The guest's first message."""
    message: Json = {"type": "hello"}
    if guest.token is not None:
        message["token"] = guest.token
    if after is not None:
        message["after"] = after
    if event_id is not None:
        message["event_id"] = event_id
    return message
