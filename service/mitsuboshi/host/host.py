"""The one way into a room: load, decide, append. Every door - REST, an AI's answer, a timer - enters here."""

from __future__ import annotations

import secrets

from msgspec import Struct

from mitsuboshi.host.ports import Clock, RequestKey, Rooms, Written
from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms.decide import decide, needs_line
from mitsuboshi.rooms.follow import next_due
from mitsuboshi.rooms.refused import Refused
from mitsuboshi.rooms.state import Line, Room

RACES_MAX = 20
"""How often a command is decided anew because another one came first."""


class Applied(Struct, frozen=True):
    """A command's effect: the room as it is now, and the version of the last event that the command made."""

    room: Room
    version: int


class Host:
    """Carries out commands on rooms, one atomic write each."""

    def __init__(self, rooms: Rooms, clock: Clock, waits: c.Waits) -> None:
        self._rooms = rooms
        self._clock = clock
        self.waits = waits

    def now(self) -> c.Now:
        """The time as commands see it."""
        return self._clock.now()

    async def room(self, room_id: str) -> Room:
        """The room; Refused when there is none."""
        room = (await self._rooms.load(room_id, None)).room
        if room is None:
            raise Refused("room_not_found", "there is no such room")
        return room

    async def line(self, room: Room, game_number: int) -> Line:
        """The line of that game of the room; Refused when it has had no such game."""
        line = None
        if 1 <= game_number <= room.game_number:
            line = await self._rooms.line(room.id, game_number)
        if line is None:
            raise Refused("game_not_found", f"this room has had no game {game_number}", "game")
        return line

    async def handle(self, room_id: str, command: c.Command, key: RequestKey | None = None) -> Applied:
        """The command's effect, or that of the first request with this key.

        Refused when the room says no; StoreUnavailable when the store is away."""
        if applied := await self._decide_on_known(room_id, command, key):
            return applied
        for _ in range(RACES_MAX):
            loaded = await self._rooms.load(room_id, key)
            if loaded.room is None and (loaded.receipt is not None or not isinstance(command, c.Create)):
                raise Refused("room_not_found", "there is no such room, or no more")
            if key is not None and loaded.receipt is not None and loaded.room is not None:
                if loaded.receipt.body != key.body:
                    raise Refused("key_reused", "this Idempotency-Key came with another body")
                return Applied(loaded.room, loaded.receipt.version)
            try:
                applied = await self._decide(loaded.room, command, key)
            except Refused as refused:
                refused.room = loaded.room
                raise
            if applied is not None:
                return applied
        raise Refused("busy", "too many commands at once for this room")

    async def _decide_on_known(
        self, room_id: str, command: c.Command, key: RequestKey | None
    ) -> Applied | None:
        """The command's effect on the room as this process remembers it, which saves the loading.

        None unless it was written: only that proves that the room is still so."""
        room = self._rooms.known(room_id)
        if room is None or needs_line(room, command):
            return None
        try:
            applied = await self._decide(room, command, key)
        except Refused:
            return None
        return applied if applied and applied.room is not room else None

    async def _decide(
        self, before: Room | None, command: c.Command, key: RequestKey | None
    ) -> Applied | None:
        """The command's effect on the room as it was loaded, or None when another command came first."""
        line = None
        if before is not None and needs_line(before, command):
            line = await self._rooms.line(before.id, before.game_number)
            if line is None or len(line.turns) < len(before.movers):
                return None  # cut by another command since the room was read
        now = self._clock.now()
        decision = decide(before, command, now, secrets.token_bytes(32), line)
        after = decision.room
        if not decision.events:
            return Applied(after, after.version)
        # Who was last there when is not known here; the store keeps an earlier due time.
        here = dict.fromkeys(after.people(), now.service_ms)
        due_ms = next_due(after, here, self.waits, now)
        person = getattr(command, "person", None)
        if not await self._rooms.append(before, decision, Written(key, due_ms, person)):
            return None
        return Applied(after, after.version)
