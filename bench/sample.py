"""One move as the service writes it, taken down on its way to Redis: what a peer must write too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import msgspec
from redis.asyncio import Redis

from bench import script
from mitsuboshi.host.host import Host
from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms.views import snapshot
from mitsuboshi.store.keys import Keys
from mitsuboshi.store.room_store import RoomStore

PLIES = 60
ROOM, PERSON = "benchroom-000000", "benchperson-0000"
WAITS = c.Waits(1_800_000, 15_000)


class StoppedClock:
    """A clock that stands."""

    def now(self) -> c.Now:
        """Always the same time, of today's size."""
        return c.Now(1_796_000_000_000, 86_400_000)


class Notebook:
    """Stands in for Redis where one room is played on: keeps its value and the last write."""

    def __init__(self) -> None:
        self.value: bytes | None = None
        self.keys: list[str] = []
        self.args: list[bytes] = []

    async def mget(self, keys: list[str]) -> list[bytes | None]:
        """The room."""
        return [self.value]

    async def evalsha(self, digest: str, count: int, *rest: Any) -> int:
        """Take the write down."""
        self.keys, self.args = list(rest[:count]), list(rest[count:])
        change = msgspec.msgpack.decode(self.args[0])
        self.value = change["after"].encode() + self.args[1]
        return 1


@dataclass(frozen=True, slots=True)
class Sample:
    """Keys and arguments of ``append.lua`` for a move, the room's value before it, the answer's body."""

    keys: list[str]
    args: list[bytes]
    before: bytes
    answer: bytes


async def sample(plies: int = PLIES) -> Sample:
    """The move number ``plies`` of the scripted game, both seats in one hand."""
    notebook = Notebook()
    store = RoomStore(cast(Redis, notebook), Keys())
    host = Host(store, StoppedClock(), WAITS)
    body = c.CreateRoom(game="diamond", seats={"red": "me", "yellow": "me"})
    applied = await host.handle(ROOM, c.Create(ROOM, PERSON, "bench-invite-000", body, 86_400_000))
    before = b""
    for move in script.moves()[:plies]:
        before = notebook.value or b""
        applied = await host.handle(ROOM, c.Act(PERSON, c.Move(move=move)))
    view = snapshot(applied.room, PERSON, host.now(), WAITS, {})
    return Sample(notebook.keys, notebook.args, before, msgspec.json.encode(view))
