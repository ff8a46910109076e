"""The peer inside the service: an endpoint that makes one Redis round trip and nothing else."""

from __future__ import annotations

from typing import Any

from litestar import get
from litestar.handlers import HTTPRouteHandler

KEY = "bench:value"


def trip_endpoint(redis: Any) -> HTTPRouteHandler:
    """``GET /bench/trip``, by this client."""

    @get("/bench/trip", media_type="application/octet-stream")
    async def trip() -> bytes:
        """The value of one key."""
        value: Any = await redis.get(KEY)
        return bytes(value)

    return trip
