"""When rooms are to be looked at."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis

from mitsuboshi.host.ports import StoreUnavailable
from mitsuboshi.rooms.commands import Now
from mitsuboshi.store.due_times import DueTimes
from mitsuboshi.store.keys import Keys
from mitsuboshi.store.presence import Presence
from mitsuboshi.store.room_store import RoomStore
from tests.rooms.table import BEGUN, LIFE_MS, WAITS
from tests.store.stored import Stored

MOST = 30
DUE_MS = BEGUN.service_ms + WAITS.idle_ms


class LateClock:
    """The port ``Clock``, a little after the beginning."""

    def now(self) -> Now:
        """Always the same time."""
        return Now(BEGUN.wall_ms + 77, BEGUN.service_ms + 77)


@pytest.fixture
def times(redis_client: Redis, names: Keys) -> DueTimes:
    """Due times on the emptied Redis."""
    return DueTimes(redis_client, names)


async def test_a_room_is_due_when_its_time_has_come(store: RoomStore, times: DueTimes) -> None:
    """In every partition, whether anybody was ever there or not."""
    for number in range(5):
        await Stored.new(store, f"room-{number}")
    assert await times.due(DUE_MS - 1, MOST) == []
    found = await times.due(DUE_MS, MOST)
    assert sorted(found, key=lambda room: room[0]) == [(f"room-{number}", {}) for number in range(5)]


async def test_a_room_put_off_is_due_later(store: RoomStore, times: DueTimes) -> None:
    """And one that is not known is not made known by it."""
    await Stored.new(store)
    await times.postpone("room-id", DUE_MS + 50, None)
    await times.postpone("nowhere", 5, None)
    assert await times.due(DUE_MS + 49, MOST) == []
    assert [room for room, _ in await times.due(DUE_MS + 50, MOST)] == ["room-id"]


async def test_who_was_there_shows_when_the_room_is_looked_at(
    store: RoomStore, times: DueTimes, redis_client: Redis, names: Keys
) -> None:
    """Each person with the last time; and nothing becomes due by it."""
    await Stored.new(store)
    presence = Presence(redis_client, names, LateClock(), LIFE_MS)
    for room_id in ("room-id", "nowhere"):
        presence.note(room_id, "ann")
        presence.note(room_id, "bob")
    await presence.write_down()
    assert await times.due(DUE_MS - 1, MOST) == []
    assert await times.due(DUE_MS, MOST) == [
        ("room-id", dict.fromkeys(("ann", "bob"), BEGUN.service_ms + 77))
    ]


async def test_a_room_forgotten_is_never_due(store: RoomStore, times: DueTimes) -> None:
    """Nothing of it stays in the lists."""
    await Stored.new(store)
    await times.forget("room-id")
    await times.postpone("room-id", 1, None)
    assert await times.due(10**15, MOST) == []


async def test_a_round_is_short(store: RoomStore, times: DueTimes, names: Keys) -> None:
    """The longest overdue come first, the rest in the next rounds."""
    for number in range(MOST + 20):
        await Stored.new(store, f"room-{number}")
        await times.postpone(f"room-{number}", number, None)
    found = [room for room, _ in await times.due(10**15, MOST)]
    assert MOST <= len(found) <= MOST * names.partitions
    assert {f"room-{number}" for number in range(MOST)} <= set(found)


async def test_a_look_does_not_put_off_what_has_come_meanwhile(store: RoomStore, times: DueTimes) -> None:
    """A move with a clock lands between the look and its end: its own due time stays."""
    stored = await Stored.new(store, seats={"red": "me", "yellow": "me"}, clock={"per_move_s": 10})
    looked_at = stored.table.room.event_id
    await stored.turn()
    await times.postpone("room-id", DUE_MS, looked_at)
    due_ms = BEGUN.service_ms + 10_000
    assert [room for room, _ in await times.due(due_ms, MOST)] == ["room-id"]
    await times.postpone("room-id", DUE_MS, stored.table.room.event_id)
    assert await times.due(due_ms, MOST) == []


async def test_who_was_noted_while_redis_was_away_is_told_later(
    store: RoomStore, times: DueTimes, redis_client: Redis, names: Keys
) -> None:
    """A failed writing loses nobody."""
    await Stored.new(store)
    away = Redis(unix_socket_path="/nowhere/redis.sock")
    presence = Presence(away, names, LateClock(), LIFE_MS)
    presence.note("room-id", "ann")
    with pytest.raises(StoreUnavailable):
        await presence.write_down()
    presence.note("room-id", "bob")
    assert set(presence.known("room-id")) == {"ann", "bob"}
