"""When rooms are to be looked at."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis

from mitsuboshi.store.due_times import DUE_ROOMS_MAX, DueTimes
from mitsuboshi.store.keys import Keys
from mitsuboshi.store.room_store import RoomStore
from tests.rooms.table import BEGUN, IDLE_MS
from tests.store.stored import Stored

DUE_MS = BEGUN.service_ms + IDLE_MS


@pytest.fixture
def times(redis_client: Redis, names: Keys) -> DueTimes:
    """Due times on the emptied Redis."""
    return DueTimes(redis_client, names)


async def test_a_room_is_due_when_its_time_has_come(store: RoomStore, times: DueTimes) -> None:
    """With the time of its last presence; in every partition."""
    for number in range(5):
        await Stored.new(store, f"room-{number}")
    assert await times.due(DUE_MS - 1) == []
    found = await times.due(DUE_MS)
    assert sorted(found) == [(f"room-{number}", BEGUN.service_ms) for number in range(5)]


async def test_a_room_put_off_is_due_later(store: RoomStore, times: DueTimes) -> None:
    """And one that is not known is not made known by it."""
    await Stored.new(store)
    await times.postpone("room-id", DUE_MS + 50)
    await times.postpone("nowhere", 5)
    assert await times.due(DUE_MS + 49) == []
    assert [room for room, _ in await times.due(DUE_MS + 50)] == ["room-id"]


async def test_presence_is_noted_for_rooms_that_there_are(store: RoomStore, times: DueTimes) -> None:
    """It shows when the room is looked at."""
    await Stored.new(store)
    await times.note_presence(["room-id", "nowhere"], BEGUN.service_ms + 77)
    assert await times.due(DUE_MS) == [("room-id", BEGUN.service_ms + 77)]


async def test_a_room_forgotten_is_never_due(store: RoomStore, times: DueTimes) -> None:
    """Nothing of it stays in the lists."""
    await Stored.new(store)
    await times.forget("room-id")
    await times.postpone("room-id", 1)
    await times.note_presence(["room-id"], 1)
    assert await times.due(10**15) == []


async def test_a_round_is_short(store: RoomStore, times: DueTimes, names: Keys) -> None:
    """The longest overdue come first, the rest in the next rounds."""
    for number in range(DUE_ROOMS_MAX + 20):
        await Stored.new(store, f"room-{number}")
        await times.postpone(f"room-{number}", number)
    found = [room for room, _ in await times.due(10**15)]
    assert DUE_ROOMS_MAX <= len(found) <= DUE_ROOMS_MAX * names.partitions
    assert {f"room-{number}" for number in range(DUE_ROOMS_MAX)} <= set(found)
