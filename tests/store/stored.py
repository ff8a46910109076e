"""A table whose every decision is written to Redis, and a look at what is there."""

from __future__ import annotations

from typing import Any

from redis.asyncio import Redis

from mitsuboshi.host.ports import RequestKey, Written
from mitsuboshi.rooms.decide import Decision
from mitsuboshi.rooms.follow import next_due
from mitsuboshi.rooms.state import Room
from mitsuboshi.store.room_store import RoomStore
from tests.rooms.table import WAITS, Table

AI = {"ai": "beginner"}


class Stored:
    """A table and the store that keeps it: ``await stored.turn()`` plays and writes."""

    def __init__(self, store: RoomStore, table: Table) -> None:
        self.store = store
        self.table = table

    @classmethod
    async def new(cls, store: RoomStore, room_id: str = "room-id", **body: Any) -> Stored:
        """A new room, written."""
        stored = cls(store, Table.of("ann", room_id, **body))
        await stored.keep()
        return stored

    async def keep(self, key: RequestKey | None = None) -> bool:
        """Write the table's last decision."""
        return await self.append(self.table.before, self.table.decision, key)

    async def append(self, before: Room | None, decision: Decision, key: RequestKey | None = None) -> bool:
        """Write this decision, with the due time that follows from it."""
        here = dict.fromkeys(decision.room.people(), decision.now.service_ms)
        due_ms = next_due(decision.room, here, WAITS, decision.now)
        return await self.store.append(before, decision, Written(key, due_ms))

    async def turn(self, move: str | None = None) -> None:
        """Whoever is to move makes this move, or any."""
        self.table.turn(move)
        assert await self.keep()

    async def act(self, person: str, kind: str, **fields: Any) -> None:
        """The person's action."""
        self.table.act(person, kind, **fields)
        assert await self.keep()

    async def is_as_the_table(self) -> bool:
        """Whether what is stored is what the table has: room, line and log."""
        room = (await self.store.load(self.table.room.id, None)).room
        line = await self.store.line(self.table.room.id, self.table.room.game_number)
        events = await self.store.events(self.table.room.id, 0, 10_000)
        return (room, line, list(events)) == (self.table.room, self.table.line, self.table.events)


async def queued(redis: Redis, kind: str = "jobs") -> list[bytes]:
    """The jobs in the streams of that kind, of all partitions."""
    found = []
    for key in sorted(await redis.keys(f"*:{kind}")):
        found += [fields[b"job"] for _, fields in await redis.xrange(key)]
    return found
