"""Service time: milliseconds that pass only while some API process runs.

Each second a process adds what has passed on the server's clock since anybody last added. A gap of more than
3 s, or a step back, is not added: neither a restart nor a clock step costs anybody a game.
"""

from __future__ import annotations

import time

from redis.asyncio import Redis

from mitsuboshi.rooms.commands import Now
from mitsuboshi.store import keys
from mitsuboshi.store.keys import Keys
from mitsuboshi.store.scripts import Script, answering

GAP_MAX_MS = 3000
TICK_S = 1.0


class ServiceTime:
    """The port ``Clock`` on Redis: read at every tick, carried on by this process's own clock in between."""

    def __init__(self, redis: Redis, names: Keys) -> None:
        self._key = keys.service_time(names.all_tags()[0])
        self._redis = redis
        self._tick = Script(redis, "service_time")
        self._service_ms = 0
        self._read_at = time.monotonic()

    def now(self) -> Now:
        """The time now."""
        since_ms = min(GAP_MAX_MS, int((time.monotonic() - self._read_at) * 1000))
        return Now(time.time_ns() // 1_000_000, self._service_ms + since_ms)

    async def tick(self) -> None:
        """Move service time on by what has passed, as an API process does each second."""
        async with answering():
            self._set(await self._tick([self._key], [GAP_MAX_MS, "move"]))

    async def read(self) -> None:
        """Take over the service time without moving it, as a worker does."""
        async with answering():
            self._set(await self._tick([self._key], [GAP_MAX_MS, "read"]))

    def _set(self, service_ms: int) -> None:
        self._service_ms = service_ms
        self._read_at = time.monotonic()
