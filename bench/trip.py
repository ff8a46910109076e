"""Peers inside the service: endpoints that make one Redis round trip and know neither rooms nor rules."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Request, get, post
from litestar.handlers import HTTPRouteHandler
from redis.asyncio import Redis

from bench.bare import Writer
from bench.sample import sample

KEY = "bench:value"


def trip_endpoint(redis: Any) -> HTTPRouteHandler:
    """``GET /bench/trip`` reads one value."""

    @get("/bench/trip", media_type="application/octet-stream")
    async def trip() -> bytes:
        """The value of one key."""
        value: Any = await redis.get(KEY)
        return bytes(value)

    return trip


def write_endpoint(redis: Redis) -> HTTPRouteHandler:
    """``POST /bench/write/<room>`` reads its body, makes a move's write and answers a snapshot's bytes."""
    taken = asyncio.run(sample())
    writer = Writer(redis, taken)

    @post("/bench/write/{room:str}", status_code=200, media_type="application/json")
    async def write(request: Request[Any, Any, Any], room: str) -> bytes:
        """A snapshot of the sample's size."""
        assert (await request.json())["type"] == "move"
        await writer.write(room)
        return taken.answer

    return write
