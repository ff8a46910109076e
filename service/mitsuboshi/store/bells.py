"""The doorbell: one subscription a process tells what has news: a room, an analysis, the queue.

What the news is, is read: a ring carries nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import structlog
from redis.asyncio import Redis

from mitsuboshi.store.scripts import answering

RETRY_S = 0.5
_log = structlog.get_logger()


class Bells:
    """Wakes those who wait for news of one id, as it is called out on the channels."""

    def __init__(self, redis: Redis, channels: Sequence[str]) -> None:
        self._redis = redis
        self._channels = channels
        self._waiting: dict[str, set[asyncio.Event]] = {}

    @asynccontextmanager
    async def listening(self, subject: str) -> AsyncIterator[asyncio.Event]:
        """Inside, each ring for the subject sets the event: clear it, look, wait for it, again."""
        event = asyncio.Event()
        self._waiting.setdefault(subject, set()).add(event)
        try:
            yield event
        finally:
            self._waiting[subject].discard(event)
            if not self._waiting[subject]:
                del self._waiting[subject]

    async def run(self) -> None:
        """Listen for ever. After a lost connection everybody is woken: a ring may have been missed."""
        while True:
            try:
                async with answering():
                    await self._listen()
            except Exception as fault:
                # Whatever it is: a client of a cluster fails in its own ways while masters change.
                _log.warning("bells_interrupted", reason=repr(fault))
            await asyncio.sleep(RETRY_S)

    async def _listen(self) -> None:
        async with self._redis.pubsub() as pubsub:
            async with answering():
                await pubsub.subscribe(*self._channels)
            while True:
                message = await pubsub.get_message(timeout=None)
                if message is None:
                    continue
                if message["type"] == "subscribe":
                    # At first, and whenever the client has connected again by itself.
                    self._ring_all()
                else:
                    self._ring(message["data"].decode())

    def _ring(self, subject: str) -> None:
        for event in self._waiting.get(subject, ()):
            event.set()

    def _ring_all(self) -> None:
        for subject in self._waiting:
            self._ring(subject)
