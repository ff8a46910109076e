"""The bare peer: an ASGI application without framework, rules or rooms that makes a move's write."""

from __future__ import annotations

from typing import Any

import msgspec
from redis.asyncio import Redis

from bench.sample import ROOM, Sample
from mitsuboshi.store.scripts import Script

_decode = msgspec.json.Decoder().decode
_pack = msgspec.msgpack.Encoder().encode


class Bare:
    """``POST /<room>`` reads a JSON body, makes the write of a move's size and answers a snapshot."""

    def __init__(self, redis: Redis, sample: Sample) -> None:
        self._append = Script(redis, "append")
        self._keys = sample.keys
        self._change: dict[str, Any] = msgspec.msgpack.decode(sample.args[0])
        self._args = sample.args[1:]
        self._answer = sample.answer
        self._head = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(sample.answer)).encode()),
        ]
        self._versions: dict[str, int] = {}

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Answer one request, or follow the server's life."""
        if scope["type"] == "lifespan":
            while True:
                kind = (await receive())["type"]
                await send({"type": f"{kind}.complete"})
                if kind == "lifespan.shutdown":
                    return
        if scope["path"] == "/health/ready":
            await self._respond(send, 200)
            return
        body = b""
        while True:
            message = await receive()
            body += message["body"]
            if not message.get("more_body"):
                break
        assert _decode(body)["type"] == "move"
        written = await self._write(scope["path"][1:])
        await self._respond(send, 200 if written else 409)

    async def _respond(self, send: Any, status: int) -> None:
        await send({"type": "http.response.start", "status": status, "headers": self._head})
        await send({"type": "http.response.body", "body": self._answer})

    async def _write(self, room: str) -> Any:
        version = self._versions.get(room, 0)
        self._versions[room] = version + 1
        change = self._change | {
            "id": room,
            "before": f"{version}-123456789012345 " if version else "",
            "after": f"{version + 1}-123456789012345 ",
            "events": [f"{version + 1}-123456789012345"],
        }
        return await self._append(
            [key.replace(ROOM, room) for key in self._keys], [_pack(change), *self._args]
        )
