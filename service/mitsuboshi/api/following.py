"""How a reader follows a room: what it missed or a snapshot, then every event as it happens."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import suppress
from enum import Enum

import msgspec
from msgspec import Struct

from mitsuboshi.api.hub import QUEUE_EVENTS_MAX, Subscriber, Told, told
from mitsuboshi.api.service import Service
from mitsuboshi.rooms.state import Room
from mitsuboshi.rooms.views import Snapshot, require_watcher

HEARTBEAT_S = 15.0
"""Silence after which a stream shows that it is alive."""
HEARTBEAT = Told(0, "", b"")

_encode = msgspec.json.Encoder().encode


class End(Enum):
    """Why a stream ends, though nobody hung up."""

    RESTART = "the process is stopping"
    CLOSED = "the room is closed"
    TOO_SLOW = "the reader did not keep up"


class Ended(Exception):
    """The stream is over."""

    def __init__(self, end: End) -> None:
        super().__init__(end.value)
        self.end = end


class SnapshotMessage(Struct, frozen=True, tag="snapshot"):
    """The whole room, in place of events that cannot be sent; ``id`` is that of its last event."""

    room: Snapshot
    id: str


class Place(Struct, frozen=True):
    """Where a reader left off: at a version, and with the id of that event where it knows it."""

    after: int | None = None
    event_id: str | None = None


def place_of_event(event_id: str) -> Place:
    """The place of a reader whose last event had that id; no place where it is no id of ours."""
    version, _, suffix = event_id.partition("-")
    if version.isascii() and version.isdigit() and len(version) <= 15 and suffix:
        return Place(int(version), event_id)
    return Place()


class _Arrival(Struct, frozen=True):
    """What a reader found: what it is sent first, up to ``version``, and whether its presence counts."""

    beginning: list[Told]
    version: int
    inside: bool
    closed: bool


async def follow(service: Service, room_id: str, person: str | None, place: Place) -> AsyncGenerator[Told]:
    """Everything that the reader is to be sent; a HEARTBEAT where that is nothing at first, or for a while.

    Of a closed room, nothing at all to who has seen its end.

    Refused when there is no such room or it may not be watched; Ended when the service ends the stream."""
    async with service.hub.subscribed(room_id) as subscriber:
        arrival = await _arrive(service, room_id, person, place)
        version, inside = arrival.version, arrival.inside
        for event in arrival.beginning:
            yield event
        if arrival.closed:
            raise Ended(End.CLOSED)
        del arrival  # A reader stays for hours: it keeps nothing that it was sent.
        silent_since = time.monotonic()
        while True:
            for event in await _news(service, room_id, person, subscriber):
                if event.version > version or event.snapshot:
                    version = event.version
                    yield event
                    silent_since = time.monotonic()
                if event.last:
                    raise Ended(End.CLOSED)
            if time.monotonic() - silent_since >= HEARTBEAT_S:
                yield HEARTBEAT
                silent_since = time.monotonic()
            if service.stopping.is_set():
                raise Ended(End.RESTART)
            with suppress(TimeoutError):
                async with asyncio.timeout(service.show_s):
                    await subscriber.news.wait()
            if inside and person is not None:
                service.presence.note(room_id, person)


async def _arrive(service: Service, room_id: str, person: str | None, place: Place) -> _Arrival:
    room = await service.host.room(room_id)
    require_watcher(room, person)
    room = await service.arrive(room, person)
    missed, closed = await _beginning(service, room, person, place), room.status == "closed"
    # Something must be said at once, unless that nothing will ever follow.
    beginning = missed or ([] if closed else [HEARTBEAT])
    return _Arrival(beginning, room.version, service.is_inside(room, person), closed)


async def _news(service: Service, room_id: str, person: str | None, subscriber: Subscriber) -> list[Told]:
    if subscriber.too_slow:
        raise Ended(End.TOO_SLOW)
    if subscriber.failed:
        raise Ended(End.RESTART)
    if subscriber.lost:
        subscriber.lost = False
        return [await _snapshot(service, await service.host.room(room_id), person)]
    return subscriber.take()


async def _beginning(service: Service, room: Room, person: str | None, place: Place) -> list[Told]:
    """Exactly the events that the reader has missed, or else a snapshot."""
    if place.after is not None and 0 <= room.version - place.after <= QUEUE_EVENTS_MAX:
        events = await service.log.events(room.id, max(0, place.after - 1), QUEUE_EVENTS_MAX + 2)
        missed = [event for event in events if place.after < event.version <= room.version]
        known = place.event_id is None or place.event_id in (event.id for event in events)
        if known and [event.version for event in missed] == list(range(place.after + 1, room.version + 1)):
            return [told(event) for event in missed]
    return [await _snapshot(service, room, person)]


async def _snapshot(service: Service, room: Room, person: str | None) -> Told:
    text = _encode(SnapshotMessage(await service.view(room, person), room.event_id))
    return Told(room.version, room.event_id, text, snapshot=True)
