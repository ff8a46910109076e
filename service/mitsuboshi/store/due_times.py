"""When rooms are to be looked at: a sorted set by service time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from redis.asyncio import Redis

from mitsuboshi.store import keys
from mitsuboshi.store.keys import Keys
from mitsuboshi.store.presence import read_presence
from mitsuboshi.store.scripts import Script, answering


class DueTimes:
    """The port ``DueTimes`` on Redis."""

    def __init__(self, redis: Redis, names: Keys) -> None:
        self._redis = redis
        self._keys = names
        self._postpone = Script(redis, "postpone")

    async def due(self, now_ms: int, most: int) -> Sequence[tuple[str, Mapping[str, int]]]:
        """Up to ``most`` rooms of each partition whose time has come, the longest overdue first.

        Each comes with when its people were last there."""
        found: list[tuple[str, Mapping[str, int]]] = []
        async with answering():
            for tag in self._keys.all_tags():
                rooms: list[Any] = await self._redis.zrangebyscore(
                    keys.due(tag), 0, now_ms, start=0, num=most
                )
                found += [
                    (room.decode(), await read_presence(self._redis, self._keys, room.decode()))
                    for room in rooms
                ]
        return found

    async def postpone(self, room_id: str, due_ms: int, event_id: str | None) -> None:
        """Look at the room again at ``due_ms``, unless it is past the event ``event_id``."""
        named = [keys.due(self._keys.tag(room_id)), self._keys.room(room_id)]
        async with answering():
            await self._postpone(named, [room_id, due_ms, "" if event_id is None else f"{event_id} "])

    async def forget(self, room_id: str) -> None:
        """Never look at the room again."""
        tag = self._keys.tag(room_id)
        async with answering():
            await self._redis.zrem(keys.due(tag), room_id)
            await self._redis.zrem(keys.public(tag), room_id)
