"""Lists of rooms: sorted sets, one a partition, merged when they are read."""

from __future__ import annotations

from typing import Any

from redis.asyncio import Redis

from mitsuboshi.host.ports import RoomPage, Unreadable
from mitsuboshi.rooms.state import Room
from mitsuboshi.store import keys
from mitsuboshi.store.keys import Keys
from mitsuboshi.store.room_store import read_room
from mitsuboshi.store.scripts import answering

Place = tuple[int, str]
"""Of a room in a list: its score, its id. Lists run from the greatest to the least."""


def _read(value: bytes | None) -> Room | None:
    """The room, or None where it has gone or only a newer process can read it."""
    try:
        return None if value is None else read_room(value)
    except Unreadable:
        return None


class RoomLists:
    """The port ``Lists`` on Redis."""

    def __init__(self, redis: Redis, names: Keys) -> None:
        self._redis = redis
        self._keys = names

    async def public(self, after: Place | None, most: int) -> RoomPage:
        """Up to ``most`` of the public rooms."""
        return await self._page([keys.public(tag) for tag in self._keys.all_tags()], after, most)

    async def of_person(self, person: str, after: Place | None, most: int) -> RoomPage:
        """Up to ``most`` of the rooms in which the person holds a seat."""
        names = [keys.rooms_of(tag, person) for tag in self._keys.all_tags()]
        return await self._page(names, after, most)

    async def _page(self, sets: list[str], after: Place | None, most: int) -> RoomPage:
        async with answering():
            places = [place for name in sets for place in await self._places(name, after, most)]
            places.sort(reverse=True)
            page = places[:most]
            values = await self._values([room_id for _, room_id in page])
        # A room that has gone may still be listed for a while: nothing but its end takes it off.
        rooms = [room for _, room_id in page if (room := _read(values[room_id])) is not None]
        return RoomPage(rooms, page[-1] if len(places) > most else None)

    async def _values(self, room_ids: list[str]) -> dict[str, bytes | None]:
        """What is stored of each room, read together where they share a partition."""
        by_tag: dict[str, list[str]] = {}
        for room_id in room_ids:
            by_tag.setdefault(self._keys.tag(room_id), []).append(room_id)
        values: dict[str, bytes | None] = {}
        for together in by_tag.values():
            found: Any = await self._redis.mget([self._keys.room(room_id) for room_id in together])
            values |= dict(zip(together, found, strict=True))
        return values

    async def _places(self, name: str, after: Place | None, most: int) -> list[Place]:
        """Up to ``most`` + 1 of a set's places behind ``after``."""
        found: list[Place] = []
        start, step = 0, most + 1
        highest = "+inf" if after is None else after[0]
        while len(found) <= most:
            entries: Any = await self._redis.zrevrangebyscore(
                name, highest, "-inf", start=start, num=step, withscores=True
            )
            places = [(int(score), member.decode()) for member, score in entries]
            found += [place for place in places if after is None or place < after]
            if len(entries) < step:
                break
            start += step
        return found[:step]
