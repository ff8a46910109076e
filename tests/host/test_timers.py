"""Rooms end by service time, and presence puts the end off."""

from __future__ import annotations

import msgspec
import pytest
from redis.asyncio import Redis

from mitsuboshi.host.host import Applied, Host
from mitsuboshi.host.timers import BUSY_MS, UNREADABLE_MS, look_at_due_rooms
from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms.refused import Refused
from mitsuboshi.store.due_times import DueTimes
from mitsuboshi.store.keys import Keys
from mitsuboshi.store.presence import Presence
from mitsuboshi.store.room_store import RoomStore
from tests.rooms.table import LIFE_MS, refused

IDLE_MS = 10_000
WAITS = c.Waits(IDLE_MS, presence_ms=1000)
BEGUN_MS = 5_000_000


class SetClock:
    """The port ``Clock``, moved by hand."""

    service_ms = BEGUN_MS

    def now(self) -> c.Now:
        """The moment that was set."""
        return c.Now(1_796_000_000_000 + self.service_ms, self.service_ms)


class House:
    """A host and its timers."""

    def __init__(self, redis: Redis, partitions: int) -> None:
        names = Keys(partitions)
        self.clock = SetClock()
        self.times = DueTimes(redis, names)
        self.host = Host(RoomStore(redis, names), self.clock, WAITS)
        self.presence = Presence(redis, names, self.clock, LIFE_MS)

    async def create(self, room_id: str) -> None:
        """A room for two on one device."""
        body = c.CreateRoom(game="diamond", seats={"red": "me", "yellow": "me"})
        await self.host.handle(room_id, c.Create(room_id, "ann", "invite", body, LIFE_MS))

    async def look(self, after_ms: int) -> int:
        """How many rooms are looked at so long after the beginning."""
        self.clock.service_ms = BEGUN_MS + after_ms
        return await look_at_due_rooms(self.host, self.times)

    async def show(self, room_id: str, after_ms: int) -> None:
        """Its one person shows itself so long after the beginning."""
        self.clock.service_ms = BEGUN_MS + after_ms
        self.presence.note(room_id, "ann")
        await self.presence.write_down()

    async def status(self, room_id: str) -> str:
        """The room's."""
        return (await self.host.room(room_id)).status


@pytest.fixture(params=[1, 3], ids=["one partition", "three partitions"])
def house(redis_client: Redis, request: pytest.FixtureRequest) -> House:
    """A host on the emptied Redis."""
    return House(redis_client, request.param)


async def test_a_room_that_nobody_visits_ends(house: House) -> None:
    """At its time, not before; and is then never looked at again."""
    for number in range(5):
        await house.create(f"room-{number}")
    assert await house.look(IDLE_MS - 1) == 0
    assert await house.look(IDLE_MS) == 5
    for number in range(5):
        assert await house.status(f"room-{number}") == "closed"
    assert await house.look(10 * IDLE_MS) == 0


async def test_presence_puts_the_end_off(house: House) -> None:
    """Each look puts it off to what follows from the last presence."""
    await house.create("visited")
    await house.create("left-alone")
    await house.show("visited", 7000)
    assert await house.look(IDLE_MS) == 2
    assert (await house.status("visited"), await house.status("left-alone")) == ("playing", "closed")
    assert await house.look(IDLE_MS + 6999) == 0
    assert await house.look(IDLE_MS + 7000) == 1
    assert await house.status("visited") == "closed"


async def test_a_command_puts_no_look_off(house: House) -> None:
    """Whoever sent it was noted as present where it came in: an AI's answer keeps no room."""
    await house.create("room-id")
    await house.show("room-id", 9000)
    await house.host.handle("room-id", c.Act("ann", c.Move(move="6-26")))
    assert await house.look(IDLE_MS) == 1
    assert await house.look(IDLE_MS + 8999) == 0
    assert await house.look(IDLE_MS + 9000) == 1
    assert await house.status("room-id") == "closed"


async def test_no_presence_puts_off_the_end_of_a_rooms_life(house: House) -> None:
    """It is counted from its creation."""
    await house.create("room-id")
    for after_ms in range(0, LIFE_MS, 8_000_000):
        await house.show("room-id", after_ms + IDLE_MS)
        await house.look(after_ms + IDLE_MS)
        assert await house.status("room-id") == "playing"
    await house.show("room-id", LIFE_MS)
    assert await house.look(LIFE_MS) == 1
    assert await house.status("room-id") == "closed"


async def test_time_that_stands_still_ends_nothing(house: House) -> None:
    """While no API ran, or a clock was put back."""
    await house.create("room-id")
    for after_ms in (0, 5000, 1000, -100_000):
        assert await house.look(after_ms) == 0
    assert await house.status("room-id") == "playing"


async def test_a_room_whose_keys_are_gone_is_forgotten(house: House, redis_client: Redis) -> None:
    """It is looked at once, in vain."""
    await house.create("room-id")
    await redis_client.delete(*await redis_client.keys("*room:room-id*"))
    assert await house.look(IDLE_MS) == 1
    assert await house.look(IDLE_MS) == 0
    with refused("room_not_found"):
        await house.status("room-id")


class BusyOnce(Host):
    """A host that finds a room too busy the first time."""

    busy = True

    async def handle(self, room_id: str, command: c.Command, key: object = None) -> Applied:
        """Refused once, then as ever."""
        if self.busy and isinstance(command, c.Look):
            self.busy = False
            raise Refused("busy", "too many commands at once for this room")
        return await super().handle(room_id, command)


async def test_a_room_that_was_too_busy_to_look_at_is_looked_at_again(redis_client: Redis) -> None:
    """It must not live for ever because of that."""
    house = House(redis_client, 1)
    house.host = BusyOnce(RoomStore(redis_client, Keys()), house.clock, WAITS)
    await house.create("room-id")
    assert await house.look(IDLE_MS) == 1
    assert await house.status("room-id") == "playing"
    assert await house.look(IDLE_MS + BUSY_MS - 1) == 0, "the others come first"
    assert await house.look(IDLE_MS + BUSY_MS) == 1
    assert await house.status("room-id") == "closed"


async def test_a_room_that_cannot_be_read_keeps_no_other_waiting(house: House, redis_client: Redis) -> None:
    """It is looked at again in a while, when a newer process may know better."""
    for number in range(3):
        await house.create(f"room-{number}")
    broken = next(key for key in await redis_client.keys("*:room:room-0") if key.endswith(b"room-0"))
    await redis_client.set(broken, b"1-1 \xc1")
    assert await house.look(IDLE_MS) == 3
    assert {await house.status("room-1"), await house.status("room-2")} == {"closed"}
    assert await house.look(IDLE_MS + UNREADABLE_MS - 1) == 0
    assert await house.look(IDLE_MS + UNREADABLE_MS) == 1


async def test_whoever_has_just_acted_is_there_for_every_process(house: House) -> None:
    """By the very write of what it did: no other process calls it absent before its note is written down."""
    body = {
        "game": "diamond",
        "seats": {"red": "me", "yellow": "open"},
        "absence": {"after_s": 5, "then": "lose"},
    }
    asked = msgspec.convert(body, c.CreateRoom)
    await house.host.handle("room-id", c.Create("room-id", "ann", "invite", asked, LIFE_MS))
    house.clock.service_ms += IDLE_MS // 2
    await house.host.handle("room-id", c.Join("bob", c.JoinRoom()))
    (found,) = await house.times.due(house.clock.service_ms + IDLE_MS, 10)
    assert found == ("room-id", {"ann": BEGUN_MS, "bob": BEGUN_MS + IDLE_MS // 2})


@pytest.mark.parametrize("part", ["job", "log", "line:1", "present", "key:5f0c41d29be7"])
async def test_no_part_of_a_room_is_a_room(house: House, part: str) -> None:
    """Whatever the id, it names no other key."""
    await house.create("room-id")
    with refused("room_not_found"):
        await house.host.room(f"room-id:{part}")
