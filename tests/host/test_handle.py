"""Many commands at once on one room: each has its effect once, or is refused."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import msgspec
import pytest
from redis.asyncio import Redis

from mitsuboshi.games.diamond import DIAMOND
from mitsuboshi.host.host import RACES_MAX, Applied, Host
from mitsuboshi.host.ports import RequestKey, Written
from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms.decide import Decision
from mitsuboshi.rooms.refused import Code, Refused
from mitsuboshi.rooms.state import Line, Room
from mitsuboshi.store.keys import Keys
from mitsuboshi.store.room_store import RoomStore
from tests.rooms.table import LIFE_MS, WAITS, refused

NOW = c.Now(1_796_000_000_000, 5_000_000)
THREE = {"red": "me", "yellow": "open", "green": "open"}
BOTH = {"red": "me", "yellow": "me"}


class StandingClock:
    """The port ``Clock`` at one moment."""

    def now(self) -> c.Now:
        """Always the same."""
        return NOW


class House:
    """Two API processes' hosts on one Redis, used in turn."""

    def __init__(self, redis: Redis, partitions: int = 1) -> None:
        names = Keys(partitions)
        self.store = RoomStore(redis, names)
        self.hosts = [Host(RoomStore(redis, names), StandingClock(), WAITS) for _ in range(2)]
        self._used = 0

    def host(self) -> Host:
        """The one whose turn it is."""
        self._used += 1
        return self.hosts[self._used % 2]

    async def create(self, room: str = "room-id", key: RequestKey | None = None, **body: Any) -> Applied:
        """Ann's room."""
        asked = msgspec.convert({"game": "diamond"} | body, c.CreateRoom)
        return await self.host().handle(room, c.Create(room, "ann", "invite", asked, LIFE_MS), key)

    async def act(self, person: str, kind: str, key: RequestKey | None = None, **fields: Any) -> Applied:
        """The person's action."""
        action: c.AnyAction = msgspec.convert({"type": kind} | fields, c.AnyAction)  # type: ignore[arg-type]
        return await self.host().handle("room-id", c.Act(person, action), key)

    async def join(self, person: str, key: RequestKey | None = None, **body: Any) -> Applied:
        """The person asks for a seat."""
        return await self.host().handle("room-id", c.Join(person, msgspec.convert(body, c.JoinRoom)), key)

    async def room(self) -> Room:
        """As it is now."""
        return await self.hosts[0].room("room-id")

    async def versions_are_contiguous(self) -> None:
        """The log holds every version once, up to the room's."""
        events = await self.store.events("room-id", 0, 10_000)
        assert [event.version for event in events] == list(range(1, (await self.room()).version + 1))


@pytest.fixture(params=[1, 3], ids=["one partition", "three partitions"])
def house(redis_client: Redis, request: pytest.FixtureRequest) -> House:
    """Two hosts on the emptied Redis."""
    return House(redis_client, request.param)


async def outcomes(*commands: Any) -> Counter[str]:
    """How many commands of those at once were done, and how many were refused by which code."""
    answers = await asyncio.gather(*commands, return_exceptions=True)
    for answer in answers:
        if isinstance(answer, BaseException) and not isinstance(answer, Refused):
            raise answer
    return Counter(answer.code if isinstance(answer, Refused) else "done" for answer in answers)


async def test_a_command_is_answered_with_its_effect(house: House) -> None:
    """The room after it, and the version of its last event."""
    created = await house.create(seats=BOTH)
    assert (created.version, created.room.version, created.room.status) == (4, 4, "playing")
    moved = await house.act("ann", "move", move="6-26")
    assert (moved.version, moved.room.ply) == (5, 1)
    assert await house.room() == moved.room


async def test_there_must_be_such_a_room(house: House) -> None:
    """Nothing is made by asking for it."""
    with refused("room_not_found"):
        await house.act("ann", "leave")
    with refused("room_not_found"):
        await house.room()
    with refused("room_not_found"):
        await house.hosts[0].handle("room-id", c.Look({}, WAITS))


async def test_a_refusal_carries_the_room_that_is_its_reason(house: House) -> None:
    """Version and state, for the problem document."""
    await house.create(seats=BOTH)
    with pytest.raises(Refused) as caught:
        await house.act("ann", "move", move="6-27")
    assert caught.value.room == await house.room()


async def test_of_three_who_claim_the_last_seat_one_gets_it(house: House) -> None:
    """The others are told that it is taken, and are nowhere in the room."""
    for number in range(10):
        room_id = f"race-{number}"
        await house.create(room_id)
        joins = [house.host().handle(room_id, c.Join(who, c.JoinRoom())) for who in ("bob", "cleo", "dora")]
        assert await outcomes(*joins) == {"done": 1, "seat_taken": 2}
        room = await house.hosts[0].room(room_id)
        assert len(room.people()) == 2


async def test_two_who_want_any_seat_get_different_ones(house: House) -> None:
    """Both are in the room, each with one seat."""
    await house.create(seats=THREE)
    assert await outcomes(house.join("bob"), house.join("cleo")) == {"done": 2}
    room = await house.room()
    assert {len(room.held_by(person)) for person in ("ann", "bob", "cleo")} == {1}
    assert room.status == "playing"


async def test_a_join_as_the_game_starts_is_before_it_or_refused(house: House) -> None:
    """Never half seated."""
    for number in range(10):
        room_id = f"race-{number}"
        await house.create(room_id, seats=THREE)
        start = house.host().handle(room_id, c.Act("ann", c.Start()))
        join = house.host().handle(room_id, c.Join("bob", c.JoinRoom()))
        counted = await outcomes(start, join)
        room = await house.hosts[0].room(room_id)
        assert room.status == "playing"
        assert counted["done"] == 1 + ("bob" in room.people())
        assert counted["already_started"] == 2 - counted["done"]


async def test_a_move_sent_by_many_at_once_is_played_once(house: House) -> None:
    """The others find that it is no longer their turn, or that the move is not legal any more."""
    await house.create(seats=THREE)
    await house.join("bob")
    await house.join("cleo")
    counted = await outcomes(*(house.act("ann", "move", move="6-26") for _ in range(12)))
    assert counted == {"done": 1, "not_your_turn": 11}
    await house.versions_are_contiguous()


async def test_a_resignation_sent_by_many_at_once_counts_once(house: House) -> None:
    """One result; the others are told that the game is over."""
    await house.create()
    await house.join("bob")
    assert await outcomes(*(house.act("ann", "resign") for _ in range(6))) == {"done": 1, "game_over": 5}
    events = await house.store.events("room-id", 0, 100)
    assert [type(event).__name__ for event in events].count("GameEnded") == 1


async def test_many_different_commands_at_once_are_all_in_the_history(house: House) -> None:
    """What was not done was refused, if only because too many came at once."""
    await house.create(seats=THREE)
    await house.join("bob")
    await house.join("cleo")
    before = (await house.room()).version
    people = ("ann", "bob", "cleo")
    renames = [house.act(people[number % 3], "rename", name=f"Name {number}") for number in range(24)]
    counted = await outcomes(*renames, house.act("ann", "move", move="6-26"))
    assert set(counted) <= {"done", "busy"}
    assert counted["done"] >= RACES_MAX
    assert (await house.room()).version == before + counted["done"]
    await house.versions_are_contiguous()


async def test_undos_at_once_each_take_back_a_move_of_their_own(house: House) -> None:
    """The line that one reads may be cut by another meanwhile."""
    await house.create(seats=BOTH)
    for _ in range(6):
        await house.act("ann", "move", move=_any_move(await house.room()))
    counted = await outcomes(*(house.act("ann", "undo") for _ in range(8)))
    assert set(counted) <= {"done", "busy", "nothing_to_undo"}
    room = await house.room()
    assert room.ply == 6 - counted["done"]
    line = await house.store.line("room-id", 1)
    assert line is not None
    assert len(line.turns) == room.ply
    assert line.position_after(room.ply) == room.position
    await house.versions_are_contiguous()


def _any_move(room: Room) -> str:
    return DIAMOND.legal_moves(DIAMOND.read(room.position, room.options))[0]


class LineReadLate(RoomStore):
    """A store that reads the line only after somebody else's command."""

    between: Any = None

    async def line(self, room_id: str, game_number: int) -> Line | None:
        """The line as it is after what came between."""
        if self.between is not None:
            done, self.between = self.between, None
            await done
        return await super().line(room_id, game_number)


@pytest.mark.parametrize(
    ("between", "code"),
    [
        ("undo", "nothing_to_undo"),
        ("close", "room_closed"),
        ("rematch", "nothing_to_undo"),
        ("gone", "room_not_found"),
    ],
)
async def test_an_undo_is_decided_on_the_line_of_its_own_room(
    redis_client: Redis, between: str, code: Code
) -> None:
    """Whatever happens between the reading of the room and of the line, it is done or refused."""
    house = House(redis_client)
    late = LineReadLate(redis_client, Keys())
    await house.create(seats=BOTH)
    for _ in range(2):
        await house.act("ann", "move", move=_any_move(await house.room()))
    late.between = {
        "undo": lambda: _twice(house),
        "close": lambda: house.hosts[0].handle("room-id", c.Close("ann")),
        "rematch": lambda: _again(house),
        "gone": redis_client.flushdb,
    }[between]()
    host = Host(late, StandingClock(), WAITS)
    with refused(code):
        await host.handle("room-id", c.Act("ann", c.Undo()))


async def _twice(house: House) -> None:
    await house.act("ann", "undo")
    await house.act("ann", "undo")


async def _again(house: House) -> None:
    await house.act("ann", "resign")
    await house.act("ann", "rematch")


async def test_a_request_sent_by_many_at_once_with_one_key_has_one_effect(house: House) -> None:
    """All are answered with the same version."""
    await house.create(seats=BOTH)
    key = RequestKey("one-key", "one-body")
    answers = await asyncio.gather(*(house.act("ann", "move", key, move="6-26") for _ in range(20)))
    assert {answer.version for answer in answers} == {5}
    assert (await house.room()).ply == 1
    await house.versions_are_contiguous()


async def test_a_creation_sent_by_many_at_once_with_one_key_makes_one_room(house: House) -> None:
    """Each answer names the same room, and its creator holds its seat."""
    key = RequestKey("one-key", "one-body")
    answers = await asyncio.gather(*(house.create(key=key) for _ in range(20)))
    assert {(answer.version, answer.room.held_by("ann")) for answer in answers} == {(2, ("red",))}
    await house.versions_are_contiguous()


async def test_a_request_sent_again_much_later_has_no_second_effect(house: House) -> None:
    """The same version as then, with the room as it is now; where the move would be legal again too."""
    await house.create(seats=BOTH)
    key = RequestKey("one-key", "one-body")
    await house.act("ann", "move", key, move="6-26")
    await house.act("ann", "undo")
    again = await house.act("ann", "move", key, move="6-26")
    assert (again.version, again.room.version, again.room.ply) == (5, 6, 0)
    await house.hosts[0].handle("room-id", c.Close("ann"))
    assert (await house.act("ann", "move", key, move="6-26")).version == 5


async def test_a_key_with_another_body_is_refused(house: House) -> None:
    """Before anything else of the request is looked at, and nothing changes."""
    await house.create(seats=BOTH)
    await house.act("ann", "move", RequestKey("one-key", "one-body"), move="6-26")
    with refused("key_reused"):
        await house.act("ann", "move", RequestKey("one-key", "two-body"), move="nonsense", version=0)
    assert (await house.room()).version == 5


async def test_a_refusal_is_not_remembered(house: House) -> None:
    """The same key may succeed once the state allows it."""
    await house.create()
    key = RequestKey("one-key", "one-body")
    with refused("not_playing"):
        await house.act("ann", "move", key, move="6-26")
    await house.join("bob")
    assert (await house.act("ann", "move", key, move="6-26")).room.ply == 1


class AlwaysOvertaken(RoomStore):
    """A store in which another command always comes first."""

    tries = 0

    async def append(self, before: Room | None, decision: Decision, written: Written) -> bool:
        """Too late."""
        self.tries += 1
        return False


async def test_who_is_always_overtaken_is_told_in_the_end(redis_client: Redis) -> None:
    """After a bounded number of tries."""
    await House(redis_client).create(seats=BOTH)
    store = AlwaysOvertaken(redis_client, Keys())
    with refused("busy"):
        await Host(store, StandingClock(), WAITS).handle("room-id", c.Act("ann", c.Leave()))
    assert store.tries == RACES_MAX


async def test_a_game_that_was_never_played_has_no_line(house: House) -> None:
    """Neither the next one nor the one before the first."""
    await house.create(seats=BOTH)
    room = await house.room()
    assert (await house.hosts[0].line(room, 1)).turns == ()
    for number in (0, 2, 99):
        with refused("game_not_found", "game"):
            await house.hosts[0].line(room, number)
