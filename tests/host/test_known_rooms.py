"""What a process remembers of the rooms that it wrote saves loading them, and decides nothing by itself."""

from __future__ import annotations

from typing import Any

import pytest
from redis.asyncio import Redis

from mitsuboshi.host.host import Host
from mitsuboshi.host.ports import RequestKey
from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms.refused import Refused
from mitsuboshi.store.keys import Keys
from mitsuboshi.store.room_store import RoomStore
from tests.rooms.table import WAITS

ROOM, ANN = "room-of-the-test", "ann"
MOVES = ("14-26", "56-47", "3-14")


class StoppedClock:
    """A clock that stands."""

    def now(self) -> c.Now:
        """Always the same time."""
        return c.Now(1_796_000_000_000, 5_000_000)


class CountedRooms(RoomStore):
    """A store that counts how often a room was loaded."""

    loads = 0

    async def load(self, room_id: str, key: RequestKey | None) -> Any:
        """As the store's."""
        self.loads += 1
        return await super().load(room_id, key)


class Process:
    """One process of the service."""

    def __init__(self, redis: Redis, known_max: int = 100) -> None:
        self.rooms = CountedRooms(redis, Keys(), known_max)
        self.host = Host(self.rooms, StoppedClock(), WAITS)

    async def move(self, move: str, key: RequestKey | None = None) -> int:
        """The version that the move made."""
        return (await self.host.handle(ROOM, c.Act(ANN, c.Move(move=move)), key)).version

    async def undo(self) -> int:
        """The version that the undo made."""
        return (await self.host.handle(ROOM, c.Act(ANN, c.Undo()))).version


@pytest.fixture
async def first(redis_client: Redis) -> Process:
    """A process in which a game for one person on both seats has just begun."""
    process = Process(redis_client)
    body = c.CreateRoom(game="diamond", seats={"red": "me", "yellow": "me"})
    await process.host.handle(ROOM, c.Create(ROOM, ANN, "invite", body, 86_400_000))
    process.rooms.loads = 0
    return process


@pytest.fixture
def second(redis_client: Redis) -> Process:
    """Another process on the same Redis."""
    return Process(redis_client)


async def test_moves_in_one_process_load_nothing(first: Process) -> None:
    """The room is as this process wrote it, so its moves are one write each."""
    assert [await first.move(move) for move in MOVES] == [5, 6, 7]
    assert first.rooms.loads == 0


async def test_a_room_that_another_process_changed_is_loaded_anew(first: Process, second: Process) -> None:
    """Neither a refusal nor an effect comes of what is remembered alone."""
    await second.move(MOVES[0])
    assert await first.move(MOVES[1]) == 6
    assert await second.move(MOVES[2]) == 7
    with pytest.raises(Refused, match="no piece of yours") as caught:
        await first.move(MOVES[2])
    assert caught.value.room is not None
    assert caught.value.room.version == 7


async def test_a_write_on_an_outdated_room_is_decided_anew(first: Process, second: Process) -> None:
    """Two moves and an undo elsewhere leave the turn where it was: only the script can tell."""
    await second.move(MOVES[0])
    await second.undo()
    assert await first.move(MOVES[0]) == 7
    assert first.rooms.loads == 1


async def test_an_undo_sees_the_line_of_the_room_that_it_is_decided_on(
    first: Process, second: Process
) -> None:
    """Room and line are read together, never one from memory."""
    await first.move(MOVES[0])
    await second.undo()
    with pytest.raises(Refused) as caught:
        await first.undo()
    assert caught.value.code == "nothing_to_undo"


async def test_a_request_sent_again_to_another_process_has_one_effect(
    first: Process, second: Process
) -> None:
    """The receipt is looked at before anything that is remembered."""
    key = RequestKey("digest-of-key", "digest-of-body")
    assert await first.move(MOVES[0], key) == 5
    assert await first.move(MOVES[0], key) == 5
    assert await second.move(MOVES[0], key) == 5
    await first.move(MOVES[1])
    assert await first.move(MOVES[0], key) == 5


async def test_a_key_is_looked_at_even_where_the_move_would_be_legal_again(first: Process) -> None:
    """After an undo the same request could be carried out once more; its key says that it was."""
    key = RequestKey("digest-of-key", "digest-of-body")
    await first.move(MOVES[0], key)
    await first.undo()
    assert await first.move(MOVES[0], key) == 5
    assert (await first.host.room(ROOM)).version == 6


async def test_only_so_many_rooms_are_remembered(redis_client: Redis) -> None:
    """The room written longest ago is forgotten first, and a closed one at once."""
    process = Process(redis_client, known_max=2)
    body = c.CreateRoom(game="diamond", seats={"red": "me", "yellow": "me"})
    for room in ("room-1", "room-2", "room-3"):
        await process.host.handle(room, c.Create(room, ANN, "invite", body, 86_400_000))
    await process.host.handle("room-2", c.Close(ANN))
    assert [process.rooms.known(f"room-{number}") is not None for number in (1, 2, 3)] == [False, False, True]
