"""Peers that make a move's write without rules or rooms: by itself, and behind no framework at all."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from redis.asyncio import Redis

from bench.sample import ROOM, Sample, sample
from bench.wire import Misbehaved
from mitsuboshi.store.connect import connect
from mitsuboshi.store.scripts import Script

_decode = msgspec.json.Decoder().decode
_pack = msgspec.msgpack.Encoder().encode


class Writer:
    """Makes the write of a move of the sample's size, the next one of a room each time."""

    def __init__(self, redis: Redis, sample: Sample) -> None:
        self._append = Script(redis, "append")
        self._keys = sample.keys
        self._change: dict[str, Any] = msgspec.msgpack.decode(sample.args[0])
        self._args = sample.args[1:]
        self._versions: dict[str, int] = {}

    async def write(self, room: str) -> None:
        """One write; Misbehaved when the script refuses it."""
        version = self._versions.get(room, 0)
        self._versions[room] = version + 1
        change = self._change | {
            "id": room,
            "before": f"{version}-123456789012345 " if version else "",
            "after": f"{version + 1}-123456789012345 ",
            "events": [f"{version + 1}-123456789012345"],
        }
        keys = [key.replace(ROOM, room) for key in self._keys]
        if not await self._append(keys, [_pack(change), *self._args]):
            raise Misbehaved("the write was refused")


class Bare:
    """``POST /<room>`` reads a JSON body, makes the write and answers a snapshot of the sample's size."""

    def __init__(self, writer: Writer, sample: Sample) -> None:
        self._writer = writer
        self._answer = sample.answer
        self._head = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(sample.answer)).encode()),
        ]

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Answer one request, or follow the server's life."""
        if scope["type"] == "lifespan":
            await _follow_life(receive, send)
            return
        if scope["method"] == "POST":
            assert _decode(await _body(receive))["type"] == "move"
            await self._writer.write(scope["path"][1:])
        await send({"type": "http.response.start", "status": 200, "headers": self._head})
        await send({"type": "http.response.body", "body": self._answer})


async def _follow_life(receive: Any, send: Any) -> None:
    kind = ""
    while kind != "lifespan.shutdown":
        kind = (await receive())["type"]
        await send({"type": f"{kind}.complete"})


async def _body(receive: Any) -> bytes:
    message = await receive()
    body: bytes = message["body"]
    while message.get("more_body"):
        message = await receive()
        body += message["body"]
    return body


def bare(url: str) -> Bare:
    """The application on the Redis of that URL."""
    taken = asyncio.run(sample())
    return Bare(Writer(connect(url), taken), taken)
