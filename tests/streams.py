"""The service as a client sees it over an event stream, in both of its forms."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import httpx
import msgspec

from tests.rest import WAIT_S, Guest, Json, create, join

SSE, NDJSON = "text/event-stream", "application/x-ndjson"


class Stream:
    """An open stream; ``ids`` are those of its messages, for server-sent events, in order."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self.ids: list[str] = []
        self.messages: list[Json] = []
        self._lines = response.iter_lines()
        self._is_sse = response.headers["content-type"].startswith(SSE)

    def part(self) -> Json | None:
        """The next message, or None for a sign of life; StopIteration at the end."""
        message = self._event() if self._is_sse else self._line()
        if message is not None:
            self.messages.append(message)
        return message

    def receive(self) -> Json:
        """The next message."""
        while (message := self.part()) is None:
            continue
        return message

    def rest(self) -> list[Json]:
        """Every message until the service ends the stream."""
        found = []
        try:
            while True:
                found.append(self.receive())
        except StopIteration:
            return found

    def event(self, version: int) -> Json:
        """The event of that version."""
        while (message := self.receive()).get("version") != version:
            continue
        return message

    def _line(self) -> Json | None:
        line = next(self._lines)
        return msgspec.json.decode(line) if line else None

    def _event(self) -> Json | None:
        fields = {}
        while line := next(self._lines):
            name, _, value = line.partition(":")
            fields[name] = value.removeprefix(" ")
        if "data" not in fields:
            assert fields == {"": ""}, fields
            return None
        assert fields.keys() == {"retry", "id", "data"}
        self.ids.append(fields["id"])
        message: Json = msgspec.json.decode(fields["data"])
        return message

    def versions(self) -> list[int]:
        """The versions of all messages so far."""
        return [m["room"]["version"] if m["type"] == "snapshot" else m["version"] for m in self.messages]


@contextmanager
def streaming(
    guest: Guest, accept: str = SSE, after: int | str | None = None, last_id: str | None = None
) -> Iterator[Stream]:
    """A stream of the guest's room."""
    with asked(guest, accept, after, last_id) as response:
        assert response.status_code == 200, response.read()
        yield Stream(response)


def no_stream(guest: Guest, accept: str = SSE, after: int | str | None = None) -> httpx.Response:
    """The refusal of a stream of the guest's room."""
    with asked(guest, accept, after) as response:
        assert response.status_code != 200
        response.read()
        return response


@contextmanager
def asked(
    guest: Guest, accept: str, after: int | str | None = None, last_id: str | None = None
) -> Iterator[httpx.Response]:
    """The answer to somebody who asks for a stream, as it begins."""
    headers = {"Accept": accept}
    if guest.token is not None:
        headers["Authorization"] = f"Bearer {guest.token}"
    if last_id is not None:
        headers["Last-Event-ID"] = last_id
    params: dict[str, Any] = {} if after is None else {"after": after}
    url = f"{guest.path}/events"
    with guest.http.stream("GET", url, headers=headers, params=params, timeout=WAIT_S) as response:
        yield response


def pair(http: httpx.Client, **body: Any) -> tuple[Guest, Guest]:
    """Two people at the beginning of their game; it is red's turn."""
    red = create(http, **body)
    return red, join(red)


@contextmanager
def always_renaming(guest: Guest, least: int) -> Iterator[None]:
    """Inside, the guest makes events without a pause, more than ``least`` of them in all."""
    stop = [False]

    def write() -> int:
        number = 0
        while not stop[0]:
            number += 1
            guest.did("rename", name=f"Aya {number}")
        return number

    with ThreadPoolExecutor(1) as threads:
        writing = threads.submit(write)
        try:
            yield
        finally:
            stop[0] = True
        assert writing.result() > least
