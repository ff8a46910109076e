"""A lean HTTP/1.1 client on kept-alive connections: what measures must cost little itself."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import msgspec

_END = b"\r\n\r\n"


class Misbehaved(Exception):
    """The service answered otherwise than it should, or not at all."""


class Wire(asyncio.Protocol):
    """One connection, one request at a time."""

    def __init__(self) -> None:
        self._received = b""
        self._length = -1
        self._answer: asyncio.Future[tuple[int, bytes]] | None = None

    @classmethod
    async def open(cls, port: int) -> Wire:
        """A connection to that port of this machine."""
        _, wire = await asyncio.get_running_loop().create_connection(cls, "127.0.0.1", port)
        return wire

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """Answer the request once its response is complete; its length must be declared."""
        self._received += data
        if self._length < 0:
            head_end = self._received.find(_END)
            if head_end < 0:
                return
            head = self._received[:head_end].lower()
            self._head_end = head_end + len(_END)
            self._length = self._head_end + int(head.partition(b"content-length:")[2].split(b"\r", 1)[0])
        if len(self._received) >= self._length and self._answer is not None:
            answer, self._answer = self._answer, None
            answer.set_result((int(self._received[9:12]), self._received[self._head_end : self._length]))

    def connection_lost(self, exc: Exception | None) -> None:
        """Fail the request in flight."""
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(Misbehaved(f"the connection was lost: {exc}"))

    def send(self, request: bytes) -> asyncio.Future[tuple[int, bytes]]:
        """Send a whole request; status and body follow."""
        self._received, self._length = b"", -1
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return self._answer

    async def ask(self, request: bytes, expected: int = 200) -> bytes:
        """The body of the answer; Misbehaved unless it has the expected status."""
        status, body = await self.send(request)
        if status != expected:
            raise Misbehaved(f"status {status}: {body[:300].decode(errors='replace')}")
        return body

    @property
    def is_open(self) -> bool:
        """Whether neither side has hung up."""
        return not self._transport.is_closing()

    def close(self) -> None:
        """Hang up."""
        self._transport.close()


def request(
    method: str, path: str, body: Any = None, token: str | None = None, key: str | None = None
) -> bytes:
    """A whole request, its body as JSON; with a ``key`` it may be sent again."""
    content = b"" if body is None else msgspec.json.encode(body)
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost"]
    if token is not None:
        lines.append(f"Authorization: Bearer {token}")
    if key is not None:
        lines.append(f"Idempotency-Key: {key}")
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
    return "\r\n".join(lines).encode() + _END + content
