"""A lean WebSocket client: what listens by the thousand must cost little itself."""

from __future__ import annotations

import asyncio
import base64
import os
import socket
from collections.abc import Callable
from typing import cast

import msgspec

from bench.wire import Misbehaved

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
DEAF_BUFFER_BYTES = 4096
_HEAD_END = b"\r\n\r\n"
Heard = Callable[[bytes], None]


class Socket(asyncio.Protocol):
    """One socket of a room: says hello and hands on every message; a deaf one reads the first alone."""

    def __init__(self, heard: Heard, deaf: bool) -> None:
        self._heard = heard
        self._deaf = deaf
        self._received = b""
        self._open = False
        self.lost = False
        self.began: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @classmethod
    async def open(cls, port: int, room: str, heard: Heard, deaf: bool = False) -> Socket:
        """A socket that has been told what the room is."""
        plain = socket.socket()
        if deaf:
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, DEAF_BUFFER_BYTES)
        plain.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(plain, ("127.0.0.1", port))
        _, one = await loop.create_connection(lambda: cls(heard, deaf), sock=plain)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET /v1/rooms/{room}/socket HTTP/1.1",
            "Host: localhost",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
        ]
        one._transport.write("\r\n".join(lines).encode() + _HEAD_END)
        await one.began
        return one

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """Hand on each whole message."""
        self._received += data
        if not self._open and not self._opened():
            return
        while (frame := self._frame()) is not None:
            kind, payload = frame
            if kind == PING:
                self._send(PONG, payload)
            elif kind == TEXT:
                self._message(payload)

    def connection_lost(self, exc: Exception | None) -> None:
        """Whoever waits for the beginning waits in vain."""
        self.lost = True
        if not self.began.done():
            self.began.set_exception(Misbehaved(f"the socket was lost: {exc}"))

    def close(self) -> None:
        """Hang up."""
        self._transport.abort()

    def _opened(self) -> bool:
        head, end, rest = self._received.partition(_HEAD_END)
        if not end:
            return False
        if not head.startswith(b"HTTP/1.1 101"):
            self.began.set_exception(Misbehaved(f"no socket: {head[:100]!r}"))
            return False
        self._open, self._received = True, rest
        self._send(TEXT, msgspec.json.encode({"type": "hello"}))
        return True

    def _message(self, text: bytes) -> None:
        if self.began.done():
            self._heard(text)
            return
        self.began.set_result(None)
        if self._deaf:
            self._transport.pause_reading()

    def _frame(self) -> tuple[int, bytes] | None:
        data = self._received
        if len(data) < 2:
            return None
        size, start = data[1] & 127, 2
        if size >= 126:
            start = 4 if size == 126 else 10
            size = int.from_bytes(data[2:start], "big")
        if len(data) < max(start, start + size):
            return None
        self._received = data[start + size :]
        return data[0] & 15, data[start : start + size]

    def _send(self, kind: int, payload: bytes) -> None:
        # A mask of zeros is a mask; all that is sent is short.
        self._transport.write(bytes([128 | kind, 128 | len(payload), 0, 0, 0, 0]) + payload)
