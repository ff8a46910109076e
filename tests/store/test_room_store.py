"""Rooms in Redis: one atomic write a command, or none."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec import structs
from redis.asyncio import Redis

from mitsuboshi.host.ports import Receipt, RequestKey, StoreUnavailable, Unreadable
from mitsuboshi.rooms.decide import Decision
from mitsuboshi.rooms.state import FORMAT
from mitsuboshi.store import keys
from mitsuboshi.store.connect import connect
from mitsuboshi.store.keys import Keys
from mitsuboshi.store.room_store import LOG_EVENTS_MAX, RoomStore
from tests.rooms.table import Table
from tests.store.stored import AI, Stored, queued

ROOMS = [f"room-{number}" for number in range(8)]


async def test_what_is_written_is_read(store: RoomStore) -> None:
    """Room, line and log, after every kind of change."""
    stored = await Stored.new(store, name="Ayumi", metadata={"ref": [1, None, "星", 2**63, 0.5]})
    stored.table.join("bob")
    await stored.keep()
    for _ in range(3):
        await stored.turn()
    await stored.act("bob", "resign")
    await stored.act("ann", "rematch")
    assert await stored.is_as_the_table()
    await stored.act("bob", "rematch")
    await stored.turn()
    assert await stored.is_as_the_table()
    first = await store.line("room-id", 1)
    assert first == stored.table.lines[1]


async def test_there_is_no_room_before_its_creation(store: RoomStore) -> None:
    """Nor a line, nor a history; and looking makes none."""
    assert (await store.load("nowhere", RequestKey("key", "body"))).room is None
    assert await store.line("nowhere", 1) is None
    assert await store.events("nowhere", 0, 10) == []


async def test_of_two_commands_on_one_version_one_is_written(store: RoomStore) -> None:
    """The other leaves no trace."""
    stored = await Stored.new(store, seats={"red": "me", "yellow": "me"})
    before = stored.table.room
    stored.table.act("ann", "move", move="6-26")
    winner, loser = stored.table.decision, Table.of("ann", seats={"red": "me", "yellow": "me"})
    loser.sent = 50
    loser.act("ann", "move", move="14-27")
    assert await stored.append(before, winner)
    assert not await stored.append(before, loser.decision, RequestKey("key", "body"))
    assert await stored.is_as_the_table()
    assert (await store.load("room-id", RequestKey("key", "body"))).receipt is None


async def test_a_room_is_created_once(store: RoomStore) -> None:
    """A second creation under its id is refused."""
    stored = await Stored.new(store)
    other = Table.of("bob")
    events = tuple(structs.replace(event, id=f"{event.version}-77") for event in other.events)
    room = structs.replace(other.room, event_id=events[-1].id)
    assert not await stored.append(None, structs.replace(other.decision, room=room, events=events))
    assert await stored.is_as_the_table()


async def test_a_write_sent_twice_is_written_once(store: RoomStore, redis_client: Redis) -> None:
    """Its answer was lost: the second one is told that it is done."""
    stored = await Stored.new(store, seats={"yellow": AI})
    assert await stored.keep()
    stored.table.turn()
    for _ in range(3):
        assert await stored.keep(RequestKey("key", "body"))
    assert await stored.is_as_the_table()
    assert len(await queued(redis_client)) == 1


async def test_a_write_sent_again_after_others_is_not_written_again(store: RoomStore) -> None:
    """An AI may have answered before the lost answer is asked for again."""
    stored = await Stored.new(store, seats={"yellow": AI})
    stored.table.turn()
    before, sent = stored.table.before, stored.table.decision
    assert await stored.append(before, sent)
    await stored.turn()
    assert await stored.append(before, sent)
    assert await stored.is_as_the_table()


async def test_who_holds_a_lost_version_cannot_write_on_it(store: RoomStore, redis_client: Redis) -> None:
    """Redis lost its last second, and the version has been given out again since."""
    stored = await Stored.new(store, seats={"red": "me", "yellow": "me"})
    kept = {key: await redis_client.dump(key) for key in await redis_client.keys("*room-id*")}
    await stored.turn()
    lost_room = stored.table.room
    stored.table.turn()
    late = stored.table.decision
    for key, value in kept.items():
        await redis_client.restore(key, 0, value, replace=True)
    again = Stored(store, Table.of("ann", seats={"red": "me", "yellow": "me"}))
    again.table.sent = 50
    await again.turn("14-27")
    assert again.table.room.version == lost_room.version
    assert not await stored.append(lost_room, late)
    assert await again.is_as_the_table()


async def test_a_request_is_remembered_with_its_effect(store: RoomStore) -> None:
    """By its key alone, with the version that it made."""
    stored = await Stored.new(store, seats={"red": "me", "yellow": "me"})
    stored.table.turn()
    version = stored.table.room.version
    await stored.keep(RequestKey("key-one", "body-one"))
    await stored.turn()
    loaded = await store.load("room-id", RequestKey("key-one", "whatever"))
    assert loaded.receipt == Receipt("body-one", version)
    assert loaded.room == stored.table.room
    assert (await store.load("room-id", RequestKey("key-two", "body-one"))).receipt is None
    assert (await store.load("room-id", None)).receipt is None


async def test_events_are_read_from_any_version(store: RoomStore) -> None:
    """In order, as many as asked for."""
    stored = await Stored.new(store, seats={"red": "me", "yellow": "me"})
    for _ in range(6):
        await stored.turn()
    assert [event.version for event in await store.events("room-id", 3, 4)] == [4, 5, 6, 7]
    assert [event.version for event in await store.events("room-id", 9, 4)] == [10]
    assert await store.events("room-id", 10, 4) == []
    assert await store.events("room-id", 10_000, 4) == []


async def test_the_log_keeps_the_last_events(store: RoomStore) -> None:
    """About as many as it says, and always the newest."""
    stored = await Stored.new(store)
    for _ in range(10):
        before, events = stored.table.room, []
        for _ in range(500):
            events += stored.table.act("ann", "rename", name="Ayumi")
        assert await stored.append(before, Decision(stored.table.now, stored.table.room, tuple(events)))
    kept = await store.events("room-id", 0, 10_000)
    assert LOG_EVENTS_MAX <= len(kept) < LOG_EVENTS_MAX + 200
    assert list(kept) == stored.table.events[-len(kept) :]


async def test_an_undo_cuts_the_line(store: RoomStore) -> None:
    """And the line grows on from there."""
    stored = await Stored.new(store, seats={"yellow": AI})
    for _ in range(6):
        await stored.turn()
    await stored.act("ann", "undo")
    assert await stored.is_as_the_table()
    for plies in (2, 0):
        await stored.act("ann", "undo")
        line = await store.line("room-id", 1)
        assert line is not None
        assert len(line.turns) == plies
    await stored.turn()
    assert await stored.is_as_the_table()


async def test_a_job_is_queued_once_a_turn(store: RoomStore, redis_client: Redis, names: Keys) -> None:
    """What does not change the turn leaves it alone; each new turn has a new one."""
    stored = await Stored.new(store, seats={"yellow": AI})
    assert await queued(redis_client) == []
    await stored.turn("6-26")
    await stored.act("ann", "rename", name="Ayumi")
    assert len(await queued(redis_client)) == 1
    assert await redis_client.get(names.awaited("room-id")) == stored.table.job().job_id.encode()
    await stored.act("ann", "undo")
    assert await redis_client.get(names.awaited("room-id")) is None
    await stored.turn("6-26")
    jobs = await queued(redis_client)
    assert len(jobs) == 2
    assert jobs[0] != jobs[1]
    assert await redis_client.get(names.awaited("room-id")) == stored.table.job().job_id.encode()


@pytest.mark.parametrize("end", ["resign", "leave", "close"])
async def test_after_the_end_no_job_is_waited_for(
    store: RoomStore, redis_client: Redis, names: Keys, end: str
) -> None:
    """The queued one is nobody's."""
    stored = await Stored.new(store, seats={"yellow": AI})
    await stored.turn()
    if end == "close":
        stored.table.close("ann")
        await stored.keep()
    else:
        await stored.act("ann", end)
    assert await redis_client.get(names.awaited("room-id")) is None


async def test_every_key_of_a_room_ends_by_itself_and_has_its_partitions_tag(
    store: RoomStore, redis_client: Redis, names: Keys
) -> None:
    """So that one script may touch them all, and nothing stays for ever."""
    for room_id in ROOMS:
        stored = await Stored.new(store, room_id, seats={"yellow": AI})
        stored.table.turn()
        await stored.keep(RequestKey("key", "body"))
        await stored.act("ann", "resign")
        await stored.act("ann", "rematch")
    of_rooms = [key.decode() for key in await redis_client.keys("*room-*")]
    assert len(of_rooms) == len(ROOMS) * 5
    for key in of_rooms:
        room_id = key.split(":")[2]
        assert key.startswith(f"{names.tag(room_id)}:room:{room_id}")
        assert 0 < await redis_client.pttl(key) <= 86_400_000 + keys.SAFETY_MS
    rest = {key.decode() for key in await redis_client.keys("*")} - set(of_rooms)
    of_ann = {keys.rooms_of(tag, "ann") for tag in names.all_tags()}
    assert rest - of_ann <= {make(tag) for tag in names.all_tags() for make in (keys.moves, keys.due)}
    for key in rest & of_ann:
        assert 0 < await redis_client.pttl(key) <= 86_400_000 + keys.SAFETY_MS
    assert len({names.tag(room_id) for room_id in ROOMS}) == names.partitions


async def test_a_closed_room_is_readable_for_an_hour(
    store: RoomStore, redis_client: Redis, names: Keys
) -> None:
    """Then its keys go; and nobody looks at it again, nor finds it in a list."""
    stored = await Stored.new(store, seats={"red": "me", "yellow": "me"}, visibility="public")
    await stored.turn()
    tag = names.tag("room-id")
    lists = (keys.due(tag), keys.public(tag), keys.rooms_of(tag, "ann"))
    assert None not in [await redis_client.zscore(key, "room-id") for key in lists]
    stored.table.close("ann")
    await stored.keep()
    assert await stored.is_as_the_table()
    for key in (names.room("room-id"), names.log("room-id"), names.line("room-id", 1)):
        assert 0 < await redis_client.pttl(key) <= keys.CLOSED_MS
    assert [await redis_client.zscore(key, "room-id") for key in lists] == [None, None, None]


async def test_a_room_of_a_newer_layout_is_left_alone(
    store: RoomStore, redis_client: Redis, names: Keys
) -> None:
    """An old process does not read what it might misread."""
    stored = await Stored.new(store)
    newer = msgspec.msgpack.encode(structs.replace(stored.table.room, format=FORMAT + 1))
    await redis_client.set(names.room("room-id"), b"2-2 " + newer)
    with pytest.raises(StoreUnavailable, match="newer"):
        await store.load("room-id", None)


async def test_a_store_that_is_away_says_so(data_dir: Path) -> None:
    """Whatever is asked of it: whether a write took place is not known."""
    redis = connect(f"unix://{data_dir}/nobody.sock")
    store = RoomStore(redis, Keys())
    stored = Stored(store, Table.of("ann"))
    for asked in (
        store.ping(),
        store.load("room-id", None),
        store.line("room-id", 1),
        store.events("room-id", 0, 1),
        stored.keep(),
    ):
        with pytest.raises(StoreUnavailable):
            await asked
    await redis.aclose()


async def test_listeners_hear_of_each_write(store: RoomStore, redis_client: Redis, names: Keys) -> None:
    """By the room's id, in its partition's channel, only when something was written."""
    stored = Stored(store, Table.of("ann", seats={"yellow": AI}))
    async with redis_client.pubsub() as pubsub:
        await pubsub.subscribe(*map(keys.bell, names.all_tags()))
        heard = [await pubsub.get_message(timeout=5) for _ in names.all_tags()]
        assert {message["type"] for message in heard} == {"subscribe"}
        await stored.keep()
        message = await pubsub.get_message(timeout=5)
        assert (message["channel"].decode(), message["data"]) == (keys.bell(names.tag("room-id")), b"room-id")
        await stored.keep()
        await stored.turn()
        assert (await pubsub.get_message(timeout=5))["data"] == b"room-id"
        assert await pubsub.get_message(timeout=0.05) is None


async def test_a_move_takes_little_room(store: RoomStore, redis_client: Redis) -> None:
    """A game's log and line take some 170 bytes a move, of which an event alone would take 200."""
    stored = await Stored.new(store, seats={"red": "me", "yellow": "me"})
    for _ in range(100):
        await stored.turn()
    assert await stored.is_as_the_table()
    both = await redis_client.keys("*:log") + await redis_client.keys("*:line:1")
    assert len(both) == 2
    taken = sum([await redis_client.memory_usage(key, samples=0) or 0 for key in both])
    assert taken < 100 * 200 + 4096


async def test_what_was_written_before_there_was_packing_is_read(
    store: RoomStore, redis_client: Redis
) -> None:
    """Events and turns that lie there as they are, beside those that are packed."""
    stored = await Stored.new(store, seats={"red": "me", "yellow": "me"})
    await stored.turn()
    (log,), (line,) = await redis_client.keys("*:log"), await redis_client.keys("*:line:1")
    await redis_client.delete(log)
    for event in stored.table.events:
        await redis_client.xadd(log, {"event": msgspec.msgpack.encode(event)}, id=event.id)
    opening, *turns = stored.table.line.opening, *stored.table.line.turns
    for place, value in enumerate((opening, *turns)):
        await redis_client.lset(line, place, msgspec.msgpack.encode(value))
    await stored.turn()
    assert await stored.is_as_the_table()
    assert await store.last_event("room-id") == stored.table.events[-1]


async def test_what_was_packed_otherwise_is_not_guessed_at(store: RoomStore, redis_client: Redis) -> None:
    """A newer process may have another dictionary, and a value may be cut short."""
    stored = await Stored.new(store, seats={"red": "me", "yellow": "me"})
    (key,) = await redis_client.keys("*:log")
    _, fields = (await redis_client.xrevrange(key, count=1))[0]
    for version, value in enumerate((b"\x02" + fields[b"event"][1:], b"\x01\xff\xff", b""), 100):
        await redis_client.xadd(key, {"event": value}, id=f"{version}-1")
        with pytest.raises(Unreadable):
            await store.last_event("room-id")
    assert stored.table.events
