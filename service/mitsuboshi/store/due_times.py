"""When rooms are to be looked at, and when somebody was last there: sorted sets by service time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from redis.asyncio import Redis

from mitsuboshi.store import keys
from mitsuboshi.store.keys import Keys
from mitsuboshi.store.scripts import answering

DUE_ROOMS_MAX = 100
"""Rooms looked at in one round, so that one round is short."""


class DueTimes:
    """The port ``DueTimes`` on Redis."""

    def __init__(self, redis: Redis, names: Keys) -> None:
        self._redis = redis
        self._keys = names

    async def due(self, now_ms: int) -> Sequence[tuple[str, int]]:
        """Some of the rooms whose time has come, each with the time of its last presence."""
        found: list[tuple[str, int]] = []
        async with answering():
            for tag in self._keys.all_tags():
                rooms: list[Any] = await self._redis.zrangebyscore(
                    keys.due(tag), 0, now_ms, start=0, num=DUE_ROOMS_MAX
                )
                if rooms:
                    seen: Any = await self._redis.zmscore(keys.seen(tag), rooms)
                    found += [(room.decode(), int(at or 0)) for room, at in zip(rooms, seen, strict=True)]
        return found

    async def postpone(self, room_id: str, due_ms: int) -> None:
        """Look at the room again at ``due_ms``."""
        async with answering():
            await self._redis.zadd(keys.due(self._keys.tag(room_id)), {room_id: due_ms}, xx=True)

    async def forget(self, room_id: str) -> None:
        """Never look at the room again."""
        tag = self._keys.tag(room_id)
        async with answering(), self._redis.pipeline(transaction=True) as pipe:
            pipe.zrem(keys.due(tag), room_id)
            pipe.zrem(keys.seen(tag), room_id)
            await pipe.execute()

    async def note_presence(self, room_ids: Iterable[str], now_ms: int) -> None:
        """Somebody was in these rooms just now."""
        async with answering(), self._redis.pipeline(transaction=False) as pipe:
            for room_id in room_ids:
                pipe.zadd(keys.seen(self._keys.tag(room_id)), {room_id: now_ms}, xx=True)
            await pipe.execute()
