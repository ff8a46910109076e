"""Rooms in Redis: one value a room, its events in a stream, the game's line in a list."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from redis.asyncio import Redis

from mitsuboshi.host.ports import Loaded, Receipt, RequestKey, Unreadable, Written
from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.decide import Decision
from mitsuboshi.rooms.follow import line_change, next_job, next_question
from mitsuboshi.rooms.state import FORMAT, Line, Opening, Room, Turn
from mitsuboshi.store import keys
from mitsuboshi.store.keys import Keys
from mitsuboshi.store.packing import packed, unpacked
from mitsuboshi.store.scripts import Script, answering

LOG_EVENTS_MAX = 4000
"""About how many of a room's last events are kept; a 1,200-ply game makes some 1,210."""

ROOMS_KNOWN_MAX = 4096
"""Rooms that a process remembers as it last wrote them, so that the next command need not load them."""

T = TypeVar("T")
_ROOM_ID = re.compile("[A-Za-z0-9_-]{1,64}")

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
        """Return when Redis serves keys; StoreUnavailable when it does not, as a cluster without a master."""
        async with answering():
            await self._redis.exists(keys.service_time(self._keys.all_tags()[0]))

    def known(self, room_id: str) -> Room | None:
        """The room as this process last wrote it, or None; other processes may have changed it since."""
        return self._known.get(room_id)

    async def load(self, room_id: str, key: RequestKey | None) -> Loaded:
        """The room and the key's receipt, read at one instant."""
        if not _ROOM_ID.fullmatch(room_id):
            return Loaded(None, None)  # It could name another key of a room.
        wanted = [self._keys.room(room_id)]
        if key is not None:
            wanted.append(self._keys.receipt(room_id, key.key))
        async with answering():
            found: list[Any] = await self._redis.mget(wanted)
        receipt = found[1] if key is not None else None
        return Loaded(
            None if found[0] is None else read_room(found[0]),
            None if receipt is None else _readable(_decode_receipt, receipt),
        )

    async def line(self, room_id: str, game_number: int) -> Line | None:
        """The line of that game of the room, or None where there is none."""
        async with answering():
            found: list[Any] = await self._redis.lrange(self._keys.line(room_id, game_number), 0, -1)
        if not found:
            return None
        turns = tuple(_readable(_decode_turn, unpacked(turn)) for turn in found[1:])
        return Line(_readable(_decode_opening, unpacked(found[0])), turns)

    async def events(self, room_id: str, after: int, most: int) -> Sequence[e.AnyEvent]:
        """Up to ``most`` of the kept events whose version is greater than ``after``, in order."""
        async with answering():
            entries: Any = await self._redis.xrange(self._keys.log(room_id), f"{after + 1}-0", "+", most)
        return [_event(*entry) for entry in entries]

    async def last_event(self, room_id: str) -> e.AnyEvent | None:
        """The newest event, or None where there is none."""
        async with answering():
            entries: Any = await self._redis.xrevrange(self._keys.log(room_id), count=1)
        return _event(*entries[0]) if entries else None

    async def append(self, before: Room | None, decision: Decision, written: Written) -> bool:
        """The decision's one atomic write.

        False when the room is no longer as it was ``before``, or when the key has its receipt already."""
        room, key = decision.room, written.key
        receipt_key, receipt = self._keys.room(room.id), b""
        if key is not None:
            receipt_key = self._keys.receipt(room.id, key.key)
            receipt = _encode(Receipt(key.body, room.version))
        joined, left = _people_who_came_and_went(before, room)
        tag = self._keys.tag(room.id)
        people = [keys.rooms_of(tag, person) for person in (*joined, *left)]
        channels = {"bell": keys.bell(tag), "work": keys.work(tag)}
        more = {
            "due_ms": written.due_ms,
            "person": written.person,
            "joined": len(joined),
            "left": len(left),
            **channels,
        }
        args = _append_args(before, decision, receipt, more)
        named = [*self._append_keys(room), receipt_key, *people, *self._earlier_lines(room)]
        self._known.pop(room.id, None)
        async with answering():
            done = bool(await self._append(named, args))
        if done and room.status != "closed":
            self._known[room.id] = room
            if len(self._known) > self._known_max:
                del self._known[next(iter(self._known))]
        return done

    def _earlier_lines(self, room: Room) -> list[str]:
        """The lines of earlier games: they go with a room that is closed."""
        closed = room.status == "closed"
        return [self._keys.line(room.id, number) for number in range(1, room.game_number) if closed]

    def _append_keys(self, room: Room) -> list[str]:
        tag = self._keys.tag(room.id)
        return [
            self._keys.room(room.id),
            self._keys.log(room.id),
            self._keys.line(room.id, room.game_number),
            self._keys.awaited(room.id),
            keys.moves(tag),
            keys.due(tag),
            keys.public(tag),
            self._keys.present(room.id),
            self._keys.asked(room.id),
        ]


def _readable(decode: Callable[[Any], T], data: bytes | memoryview) -> T:
    """What is stored there; Unreadable where this process does not know the layout."""
    try:
        return decode(data)
    except msgspec.DecodeError as fault:
        raise Unreadable(f"what is stored cannot be read: {fault}") from fault


def read_room(value: bytes) -> Room:
    """The room in a stored value; Unreadable where this process does not know the layout."""
    room = _readable(_decode_room, memoryview(value)[value.find(b" ") + 1 :])
    if room.format > FORMAT:
        raise Unreadable(f"the room was written by a newer process, in format {room.format}")
    return room


def _entry(event: e.AnyEvent) -> bytes:
    """The event as it lies in the log, where the entry's id is the event's, and begins with the version."""
    return packed(_encode(msgspec.structs.replace(event, id="", version=0)))


def _event(entry_id: bytes, fields: Mapping[bytes, bytes]) -> e.AnyEvent:
    event: e.AnyEvent = _readable(_decode_event, unpacked(fields[b"event"]))
    event_id = entry_id.decode()
    return msgspec.structs.replace(event, id=event_id, version=int(event_id.partition("-")[0]))


def _beginning(room: Room | None) -> str:
    return f"{room.event_id} " if room is not None else ""


def _life_ms(room: Room, now_ms: int) -> int:
    return keys.CLOSED_MS if room.status == "closed" else room.expires_ms - now_ms + keys.SAFETY_MS


def _people_who_came_and_went(before: Room | None, room: Room) -> tuple[list[str], list[str]]:
    """Who holds a seat now and did not before, and the other way round; a closed room is nobody's."""
    had = before.people() if before is not None else set()
    has = room.people() if room.status != "closed" else set()
    return sorted(has - had), sorted(had - has)


def _append_args(
    before: Room | None, decision: Decision, receipt: bytes, more: dict[str, Any]
) -> list[bytes]:
    """The arguments of ``append.lua``, in its order; ``more`` goes into its map."""
    room, now_ms = decision.room, decision.now.service_ms
    job, question = next_job(room), next_question(room)
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
        "asked": "" if question is None else question.job_id,
        "now_ms": now_ms,
        "public": True if room.visibility == "public" and room.status != "closed" else None,
        **more,
    }
    return [
        # A null would count as true in Lua.
        _encode({name: value for name, value in change.items() if value is not None}),
        _encode(room),
        b"" if job is None else _encode(job),
        b"" if question is None else _encode(question),
        b"" if line.opening is None else packed(_encode(line.opening)),
        receipt,
        *map(_entry, decision.events),
        *(packed(_encode(turn)) for turn in line.grown),
    ]
