"""Rooms in Redis: one value a room, its events in a stream, the game's line in a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from redis.asyncio import Redis

from mitsuboshi.host.ports import Loaded, Receipt, RequestKey, StoreUnavailable
from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.decide import Decision
from mitsuboshi.rooms.follow import line_change, next_job
from mitsuboshi.rooms.state import FORMAT, Line, Opening, Room, Turn
from mitsuboshi.store import keys
from mitsuboshi.store.keys import Keys
from mitsuboshi.store.scripts import Script, answering

LOG_EVENTS_MAX = 4000
"""About how many of a room's last events are kept; a 1,200-ply game makes some 1,210."""

ROOMS_KNOWN_MAX = 4096
"""Rooms that a process remembers as it last wrote them, so that the next command need not load them."""

_encode = msgspec.msgpack.Encoder().encode
_decode_room = msgspec.msgpack.Decoder(Room).decode
_decode_receipt = msgspec.msgpack.Decoder(Receipt).decode
_decode_event = msgspec.msgpack.Decoder(e.AnyEvent).decode
_decode_opening = msgspec.msgpack.Decoder(Opening).decode
_decode_turn = msgspec.msgpack.Decoder(Turn).decode


class RoomStore:
    """The ports ``Rooms`` and ``Log`` on Redis."""

    def __init__(self, redis: Redis, names: Keys, known_max: int = ROOMS_KNOWN_MAX) -> None:
        self._redis = redis
        self._keys = names
        self._known_max = known_max
        self._append = Script(redis, "append")
        self._known: dict[str, Room] = {}

    async def ping(self) -> None:
        """Return when Redis answers; StoreUnavailable when it does not."""
        async with answering():
            await self._redis.ping()

    def known(self, room_id: str) -> Room | None:
        """The room as this process last wrote it, or None; other processes may have changed it since."""
        return self._known.get(room_id)

    async def load(self, room_id: str, key: RequestKey | None) -> Loaded:
        """The room and the key's receipt, read at one instant."""
        wanted = [self._keys.room(room_id)]
        if key is not None:
            wanted.append(self._keys.receipt(room_id, key.key))
        async with answering():
            found: list[Any] = await self._redis.mget(wanted)
        receipt = found[1] if key is not None else None
        return Loaded(
            None if found[0] is None else _read_room(found[0]),
            None if receipt is None else _decode_receipt(receipt),
        )

    async def line(self, room_id: str, game_number: int) -> Line | None:
        """The line of that game of the room, or None where there is none."""
        async with answering():
            found: list[Any] = await self._redis.lrange(self._keys.line(room_id, game_number), 0, -1)
        if not found:
            return None
        return Line(_decode_opening(found[0]), tuple(map(_decode_turn, found[1:])))

    async def events(self, room_id: str, after: int, most: int) -> Sequence[e.AnyEvent]:
        """Up to ``most`` of the kept events whose version is greater than ``after``, in order."""
        async with answering():
            entries: Any = await self._redis.xrange(self._keys.log(room_id), f"{after + 1}-0", "+", most)
        return [_decode_event(fields[b"event"]) for _, fields in entries]

    async def append(
        self, before: Room | None, decision: Decision, key: RequestKey | None, due_ms: int | None
    ) -> bool:
        """The decision's one atomic write.

        False when the room is no longer as it was ``before``, or when the key has its receipt already."""
        room = decision.room
        receipt_key, receipt = self._keys.room(room.id), b""
        if key is not None:
            receipt_key = self._keys.receipt(room.id, key.key)
            receipt = _encode(Receipt(key.body, room.version))
        bell = keys.bell(self._keys.tag(room.id))
        args = _append_args(before, decision, due_ms, bell, receipt)
        self._known.pop(room.id, None)
        async with answering():
            written = bool(await self._append([*self._append_keys(room), receipt_key], args))
        if written and room.status != "closed":
            self._known[room.id] = room
            if len(self._known) > self._known_max:
                del self._known[next(iter(self._known))]
        return written

    def _append_keys(self, room: Room) -> list[str]:
        tag = self._keys.tag(room.id)
        return [
            self._keys.room(room.id),
            self._keys.log(room.id),
            self._keys.line(room.id, room.game_number),
            self._keys.awaited(room.id),
            keys.moves(tag),
            keys.due(tag),
            keys.seen(tag),
        ]


def _read_room(value: bytes) -> Room:
    room = _decode_room(memoryview(value)[value.index(b" ") + 1 :])
    if room.format > FORMAT:
        raise StoreUnavailable(f"the room was written by a newer process, in format {room.format}")
    return room


def _beginning(room: Room | None) -> str:
    return f"{room.event_id} " if room is not None else ""


def _life_ms(room: Room, now_ms: int) -> int:
    return keys.CLOSED_MS if room.status == "closed" else room.expires_ms - now_ms + keys.SAFETY_MS


def _append_args(
    before: Room | None, decision: Decision, due_ms: int | None, bell: str, receipt: bytes
) -> list[bytes]:
    """The arguments of ``append.lua``, in its order."""
    room, now_ms = decision.room, decision.now.service_ms
    job = next_job(room)
    line = line_change(room, decision.events)
    change = {
        "id": room.id,
        "before": _beginning(before),
        "after": _beginning(room),
        "ttl_ms": _life_ms(room, now_ms),
        "events": [event.id for event in decision.events],
        "log_max": LOG_EVENTS_MAX,
        "keep": line.keep,
        "awaited": "" if job is None else job.job_id,
        "due_ms": due_ms,
        "now_ms": now_ms,
        "bell": bell,
    }
    return [
        # A null would count as true in Lua.
        _encode({name: value for name, value in change.items() if value is not None}),
        _encode(room),
        b"" if job is None else _encode(job),
        b"" if line.opening is None else _encode(line.opening),
        receipt,
        *map(_encode, decision.events),
        *map(_encode, line.grown),
    ]
