"""Who was in which room when: noted here, written down each second, read where it matters."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Any

from redis.asyncio import Redis

from mitsuboshi.host.ports import Clock
from mitsuboshi.store.keys import SAFETY_MS, Keys
from mitsuboshi.store.scripts import answering

NOTED_MS = 1500
"""How much later than it happened a presence may be known to every process; nobody is absent before that."""
FRESH_S = 1.0
"""How old what is known of other processes' people may be."""
ROOMS_MAX = 10_000
"""Rooms of which the last reading is kept."""
WRITTEN_ROOMS_MAX = 20
"""Rooms that are written down at once."""


async def read_presence(redis: Redis, names: Keys, room_id: str) -> dict[str, int]:
    """When each person was last in the room, as written down."""
    found: Any = await redis.zrange(names.present(room_id), 0, -1, withscores=True)
    return {person.decode(): int(at_ms) for person, at_ms in found}


class Presence:
    """The port ``Presence`` on Redis. A process that dies simply notes nobody any more."""

    def __init__(self, redis: Redis, names: Keys, clock: Clock, life_ms: int) -> None:
        self._redis = redis
        self._keys = names
        self._clock = clock
        self._ttl_ms = life_ms + SAFETY_MS
        self._noted: dict[str, dict[str, int]] = {}
        self._read: OrderedDict[str, tuple[float, dict[str, int]]] = OrderedDict()

    def note(self, room_id: str, person: str) -> None:
        """The person is in the room now."""
        self._noted.setdefault(room_id, {})[person] = self._clock.now().service_ms

    async def of(self, room_id: str) -> Mapping[str, int]:
        """When each person was last in the room, as it was known at most a second ago."""
        read_at, _ = self._read.get(room_id, (0.0, {}))
        if time.monotonic() - read_at > FRESH_S:
            async with answering():
                found = await read_presence(self._redis, self._keys, room_id)
            self._read[room_id] = (time.monotonic(), found)
            self._read.move_to_end(room_id)
            if len(self._read) > ROOMS_MAX:
                self._read.popitem(last=False)
        return self.known(room_id)

    def known(self, room_id: str) -> Mapping[str, int]:
        """The same, as far as it is known here."""
        _, read = self._read.get(room_id, (0.0, {}))
        return {**read, **self._noted.get(room_id, {})}

    async def write_down(self) -> None:
        """Tell the other processes whom this one has noted since the last time."""
        noted, self._noted = self._noted, {}
        if not noted:
            return
        try:
            # By parts, so that requests need not wait until a thousand rooms are packed and sent.
            rooms = list(noted.items())
            for start in range(0, len(rooms), WRITTEN_ROOMS_MAX):
                await self._write(rooms[start : start + WRITTEN_ROOMS_MAX])
        except BaseException:
            # They are told the next time, with those who have been noted since.
            for room_id, people in noted.items():
                self._noted[room_id] = people | self._noted.get(room_id, {})
            raise

    async def _write(self, noted: Iterable[tuple[str, dict[str, int]]]) -> None:
        async with answering(), self._redis.pipeline(transaction=False) as pipe:
            for room_id, people in noted:
                pipe.zadd(self._keys.present(room_id), people)
                pipe.pexpire(self._keys.present(room_id), self._ttl_ms)
                if room_id in self._read:
                    self._read[room_id][1].update(people)
            await pipe.execute()
