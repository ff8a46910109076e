"""Due times: rooms where something may be due are looked at, each by one command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from mitsuboshi.host.host import Host
from mitsuboshi.host.ports import Unreadable
from mitsuboshi.rooms.commands import Look
from mitsuboshi.rooms.follow import next_due
from mitsuboshi.rooms.refused import Refused

ROUND_ROOMS = 100
"""Rooms that are read at once; there are more rounds while they are full."""
BUSY_MS = 1000
"""How much later a room is looked at again that was too busy."""
UNREADABLE_MS = 60_000
"""How much later a room is looked at again that could not be read."""


class DueTimes(Protocol):
    """When rooms are to be looked at, in service time."""

    async def due(self, now_ms: int, most: int) -> Sequence[tuple[str, Mapping[str, int]]]:
        """Up to ``most`` rooms of each partition whose time has come, the longest overdue first.

        Each comes with when its people were last there."""

    async def postpone(self, room_id: str, due_ms: int, event_id: str | None) -> None:
        """Look at the room again at ``due_ms``, unless it is past the event ``event_id``."""

    async def forget(self, room_id: str) -> None:
        """Never look at the room again."""


async def look_at_due_rooms(host: Host, times: DueTimes) -> int:
    """Let happen what is due; the number of looks."""
    looks = 0
    while True:
        found = await times.due(host.now().service_ms, ROUND_ROOMS)
        for room_id, seen in found:
            await _look_at(host, times, room_id, seen)
        looks += len(found)
        if len(found) < ROUND_ROOMS:
            return looks


async def _look_at(host: Host, times: DueTimes, room_id: str, seen: Mapping[str, int]) -> None:
    try:
        room = (await host.handle(room_id, Look(dict(seen), host.waits))).room
    except Refused as refused:
        if refused.code == "room_not_found":
            await times.forget(room_id)
            return
        # Others are writing to it; what they write brings its own due time.
        await times.postpone(room_id, host.now().service_ms + BUSY_MS, None)
        return
    except Unreadable:
        # A newer process may know better in a while; meanwhile it keeps no other room waiting.
        await times.postpone(room_id, host.now().service_ms + UNREADABLE_MS, None)
        return
    due_ms = next_due(room, seen, host.waits, host.now())
    if due_ms is not None:
        await times.postpone(room_id, due_ms, room.event_id)
