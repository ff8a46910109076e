"""Due times: rooms whose time has come are looked at, each by one command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from mitsuboshi.host.host import Host
from mitsuboshi.rooms.commands import Expire
from mitsuboshi.rooms.follow import next_due
from mitsuboshi.rooms.refused import Refused


class DueTimes(Protocol):
    """When rooms are to be looked at, in service time."""

    async def due(self, now_ms: int) -> Sequence[tuple[str, int]]:
        """Some of the rooms whose time has come, each with the time of its last presence."""

    async def postpone(self, room_id: str, due_ms: int) -> None:
        """Look at the room again at ``due_ms``."""

    async def forget(self, room_id: str) -> None:
        """Never look at the room again."""


async def look_at_due_rooms(host: Host, times: DueTimes) -> int:
    """End the rooms whose time is over; the number of rooms that were looked at."""
    found = await times.due(host.now().service_ms)
    for room_id, seen_ms in found:
        await _look_at(host, times, room_id, seen_ms)
    return len(found)


async def _look_at(host: Host, times: DueTimes, room_id: str, seen_ms: int) -> None:
    try:
        applied = await host.handle(room_id, Expire(seen_ms, host.idle_ms))
    except Refused as refused:
        if refused.code == "room_not_found":
            await times.forget(room_id)
        return
    due_ms = next_due(applied.room, seen_ms, host.idle_ms)
    if due_ms is not None:
        await times.postpone(room_id, due_ms)
