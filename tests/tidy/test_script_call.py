"""The call of append.lua that docs/ARCHITECTURE.md shows is the one that the store makes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from mitsuboshi.host.ports import RequestKey, Written
from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms.decide import decide
from mitsuboshi.rooms.follow import next_due
from mitsuboshi.store.keys import Keys
from mitsuboshi.store.room_store import RoomStore
from tests.rooms.table import LIFE_MS, WAITS
from tests.tidy.tree import text

BODY = {"game": "diamond", "seats": {"red": "me", "yellow": {"ai": "beginner"}}}
ROW = re.compile(r"^(KEYS|ARGV) (\d+)  (.+(?:\n {9}.+)*)$", re.MULTILINE)


class Telling:
    """In the place of Redis: keeps what a script is called with."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        self.args: list[bytes] = []

    async def evalsha(self, _digest: str, keys: int, *rest: Any) -> int:
        """The call of a script that the server knows."""
        self.keys, self.args = list(rest[:keys]), list(rest[keys:])
        return 1


def shown() -> tuple[list[str], list[str]]:
    """The keys and the arguments of the page."""
    section = (text(Path("docs/ARCHITECTURE.md")) or "").partition("### One call of the script")[2]
    found = ROW.findall(section.split("\n## ")[0])
    assert [int(number) for _, number, _ in found] == [*range(1, 11), *range(1, 9)]
    return [what for kind, _, what in found if kind == "KEYS"], [
        what for kind, _, what in found if kind == "ARGV"
    ]


async def test_the_call_of_the_page_is_that_of_the_store() -> None:
    """Key by key, the whole map, and something in each of the arguments that have something."""
    redis: Any = Telling()
    created = c.Create("k7qm2wxzp4sd9h3j", "ann", "invite", msgspec.convert(BODY, c.CreateRoom), LIFE_MS)
    room = decide(None, created, c.Now(1_796_000_000_000, 5_000_000), (140_000_000_000_001).to_bytes(6)).room
    now = c.Now(1_796_000_009_000, 5_009_000)
    decision = decide(
        room, c.Act("ann", c.Move(move="6-26", version=3)), now, (77_035_811_204_906).to_bytes(6)
    )
    due_ms = next_due(decision.room, {"ann": now.service_ms}, WAITS, now)
    key = RequestKey("5f0c41d29be7", "digest of the body")
    assert await RoomStore(redis, Keys()).append(room, decision, Written(key, due_ms, "yfz2lqm4bd7xk3ta"))
    keys, args = shown()
    assert redis.keys == keys
    assert msgspec.msgpack.decode(redis.args[0]) == msgspec.json.decode(args[0])
    assert [not arg for arg in redis.args] == [arg.startswith("nothing") for arg in args]
