"""The service with some of its parts exchanged, to see what they give or cost.

``forgetful``: it loads the room for every move. ``batched``: what concurrent requests ask of Redis within one
turn of the event loop travels together. ``mounted``: the action endpoint without the framework.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import msgspec
from litestar import Litestar, asgi
from redis.asyncio import Redis

from bench import stand
from bench.trip import trip_endpoint
from mitsuboshi.api import rooms as api_rooms
from mitsuboshi.api.app import create_app
from mitsuboshi.api.auth import bearer_token, require_person
from mitsuboshi.api.service import Service
from mitsuboshi.host.host import Host
from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms.state import Room
from mitsuboshi.serve import open_service
from mitsuboshi.store.connect import connect
from mitsuboshi.store.keys import Keys
from mitsuboshi.store.room_store import RoomStore

_decode_action = msgspec.json.Decoder(c.AnyAction).decode
_encode = msgspec.json.Encoder().encode


class ForgetfulRooms(RoomStore):
    """Rooms, none of which is remembered."""

    def known(self, room_id: str) -> Room | None:
        """Nothing."""
        return None


class Batched:
    """The two commands of a move, those of one turn of the loop in one pipeline."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._waiting: list[tuple[asyncio.Future[Any], tuple[Any, ...]]] = []

    def _ask(self, *command: Any) -> asyncio.Future[Any]:
        loop = asyncio.get_running_loop()
        if not self._waiting:
            loop.call_soon(lambda: loop.create_task(self._flush()))
        answer: asyncio.Future[Any] = loop.create_future()
        self._waiting.append((answer, command))
        return answer

    async def mget(self, keys: list[str]) -> Any:
        """As Redis.mget."""
        return await self._ask("MGET", *keys)

    async def evalsha(self, *args: Any) -> Any:
        """As Redis.evalsha."""
        return await self._ask("EVALSHA", *args)

    async def get(self, key: str) -> Any:
        """As Redis.get."""
        return await self._ask("GET", key)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._redis, name)

    async def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        async with self._redis.pipeline(transaction=False) as pipe:
            for _, command in waiting:
                pipe.execute_command(*command)
            answers = await pipe.execute(raise_on_error=False)
        for (future, _), answer in zip(waiting, answers, strict=True):
            if isinstance(answer, Exception):
                future.set_exception(answer)
            else:
                future.set_result(answer)


def changed(url: str, *, forgetful: bool = False, batched: bool = False) -> Litestar:
    """The service, changed so, with ``GET /bench/trip`` and ``POST /bench/act/<room>`` for mounted moves."""
    settings = stand.settings(url)

    @asynccontextmanager
    async def opened() -> AsyncIterator[Service]:
        redis: Any = Batched(connect(url)) if batched else connect(url)
        async with open_service(settings, url) as service:
            rooms = (ForgetfulRooms if forgetful else RoomStore)(redis, Keys())
            host = Host(rooms, service.host, service.host.waits)
            yield replace(service, host=host)
        await redis.aclose()

    app = create_app(opened, settings.max_body_bytes)
    app.register(asgi("/bench/act", is_mount=True, copy_scope=False)(_act))
    client = connect(url)
    app.register(trip_endpoint(Batched(client) if batched else client))
    return app


async def _act(scope: Any, receive: Any, send: Any) -> None:
    """What ``rooms.act`` does for a move that is accepted."""
    service: Service = scope["litestar_app"].state.service
    headers = dict(scope["headers"])
    token = bearer_token(headers[b"authorization"].decode("latin-1"))
    person = require_person(service.person_of_token(token))
    message = await receive()
    body = message["body"]
    while message.get("more_body"):
        message = await receive()
        body += message["body"]
    action = _decode_action(body)
    applied = await service.host.handle(scope["path"].strip("/"), c.Act(person, action))
    answer = _encode(await api_rooms._applied_snapshot(service, applied, person))
    head = [(b"content-type", b"application/json"), (b"content-length", str(len(answer)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": head})
    await send({"type": "http.response.body", "body": answer})
