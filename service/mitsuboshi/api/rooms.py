"""Rooms over REST: create, join, act, watch."""

from __future__ import annotations

import time
from typing import Annotated, Any, Literal

import msgspec
from litestar import Response, delete, get, post
from litestar.exceptions import HTTPException
from litestar.params import PathParameter, QueryParameter
from litestar.response import Stream
from msgspec import Struct

from mitsuboshi.api.auth import random_id, require_person
from mitsuboshi.api.bodies import WrongType, is_known, read_body, request_key, with_if_match
from mitsuboshi.api.following import Place, place_of_event
from mitsuboshi.api.games import LegalMoves, legal_moves_of
from mitsuboshi.api.problems import documented
from mitsuboshi.api.record import record_text, transcript_of
from mitsuboshi.api.service import AnyRequest, Service, first_of, service_of
from mitsuboshi.api.streams import JSON, NDJSON, SSE, stream, wanted_type
from mitsuboshi.games.registry import GAMES
from mitsuboshi.host.host import Applied
from mitsuboshi.host.ports import RequestKey
from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms.event_views import event_view
from mitsuboshi.rooms.records import Record, record
from mitsuboshi.rooms.refused import Refused
from mitsuboshi.rooms.state import Room
from mitsuboshi.rooms.views import Snapshot, require_watcher

WAIT_S_MAX = 60
EVENTS_MAX = 500
"""Events in one page."""

_decode_create = msgspec.json.Decoder(c.CreateRoom)
_decode_join = msgspec.json.Decoder(c.JoinRoom)
_decode_action = msgspec.json.Decoder(c.AnyAction)

RoomId = Annotated[str, PathParameter(description="The room's id.")]
KNOWN = QueryParameter(
    ge=0,
    le=2**53,
    description="The last version that the caller knows.",
    # Litestar leaves a bound of zero out of the description where the parameter may be missing.
    schema_extra={"minimum": 0},
)


class Created(Struct, frozen=True):
    """A new room, and the token that holds ``seats``; an ``invite`` where it is private."""

    token: str
    seats: tuple[str, ...]
    invite: str | None
    applied_version: int
    room: Snapshot


class Joined(Struct, frozen=True):
    """A seat in a room: the token that holds ``seats``."""

    token: str
    seats: tuple[str, ...]
    applied_version: int
    room: Snapshot


class AppliedSnapshot(Snapshot, frozen=True, kw_only=True):
    """The room after an action, which made its events up to ``applied_version``."""

    applied_version: int


class EventPage(Struct, frozen=True):
    """Events in order. Ask again with ``next_after``; ``more`` tells that there are more by now."""

    events: list[dict[str, Any]]
    next_after: int
    more: bool


@post("/v1/rooms", opt={"body": c.CreateRoom}, responses=documented(404, 413, 415), operation_id="createRoom")
async def create_room(request: AnyRequest) -> Created:
    """Create a room. Seats that are not named are open, but the first is the caller's."""
    service = service_of(request)
    service.require_api_key(request)
    caller = service.person(request)
    body = await read_body(request, _decode_create)
    key = request_key(request, caller, body)
    # With a key every id follows from it, so that a request sent again finds its room and its token.
    ids = [random_id(), random_id(), random_id()]
    if key is not None:
        ids = [service.tokens.derived_id(kind, key.key) for kind in ("room", "person", "invite")]
    room_id, person, invite = ids[0], caller or ids[1], ids[2]
    command = c.Create(room_id, person, invite, body, service.life_ms)
    applied = await service.host.handle(room_id, command, key)
    room = await service.arrive(applied.room, person)
    return Created(
        token=service.tokens.write(person),
        seats=room.held_by(person),
        invite=room.invite if room.visibility == "private" else None,
        applied_version=applied.version,
        room=await service.view(room, person),
    )


@post(
    "/v1/rooms/{room_id:str}/seats",
    opt={"body": c.JoinRoom},
    responses=documented(403, 404, 409, 410, 413, 415),
    operation_id="joinRoom",
)
async def join_room(request: AnyRequest, room_id: RoomId) -> Joined:
    """Take an open seat: the one named, or any."""
    service = service_of(request)
    caller = service.person(request)
    body, key = await _read_for(service, room_id, request, caller, _decode_join)
    person = caller or (random_id() if key is None else service.tokens.derived_id("join", room_id, key.key))
    applied = await service.host.handle(room_id, c.Join(person, body), key)
    room = await service.arrive(applied.room, person)
    return Joined(
        token=service.tokens.write(person),
        seats=room.held_by(person),
        applied_version=applied.version,
        room=await service.view(room, person),
    )


@post(
    "/v1/rooms/{room_id:str}/actions",
    status_code=200,
    opt={"body": c.AnyAction},
    responses=documented(403, 404, 409, 410, 413, 415),
    operation_id="act",
)
async def act(request: AnyRequest, room_id: RoomId) -> AppliedSnapshot:
    """Do one action. With a ``version`` (or If-Match) it is refused once the game has moved on."""
    service = service_of(request)
    person = require_person(service.person(request))
    action, key = await _read_for(service, room_id, request, person, _decode_action)
    try:
        applied = await service.host.handle(room_id, c.Act(person, action), key)
    except Refused as refused:
        if refused.room is not None:
            await service.arrive(refused.room, person)  # Whoever asks in vain is there too.
        raise
    return await _applied_snapshot(service, applied, person)


@delete(
    "/v1/rooms/{room_id:str}",
    status_code=200,
    responses=documented(403, 404, 410),
    operation_id="closeRoom",
)
async def close_room(request: AnyRequest, room_id: RoomId) -> AppliedSnapshot:
    """End the room, as its owner. It can still be read for an hour."""
    service = service_of(request)
    person = require_person(service.person(request))
    applied = await service.host.handle(room_id, c.Close(person))
    return await _applied_snapshot(service, applied, person)


async def _applied_snapshot(service: Service, applied: Applied, person: str) -> AppliedSnapshot:
    view = await service.view(await service.arrive(applied.room, person), person)
    fields = {name: getattr(view, name) for name in view.__struct_fields__}
    return AppliedSnapshot(**fields, applied_version=applied.version)


async def _read_for(
    service: Service,
    room_id: str,
    request: AnyRequest,
    caller: str | None,
    decoder: msgspec.json.Decoder[Any],
) -> tuple[Any, RequestKey | None]:
    """The body and the key; where one is wrong and there is no such room either, the room is refused."""
    try:
        body = await read_body(request, decoder)
        if isinstance(body, c.Action):
            body = with_if_match(request, body)
        return body, request_key(request, caller, body)
    except (Refused, WrongType):
        await service.host.room(room_id)
        raise


async def _watched_room(service: Service, request: AnyRequest, room_id: str) -> tuple[Room, str | None]:
    person = service.person(request)
    room = await service.host.room(room_id)
    require_watcher(room, person)
    return await service.arrive(room, person), person


@get(
    "/v1/rooms/{room_id:str}",
    responses=documented(403, 404),
    operation_id="getRoom",
)
async def get_room(
    request: AnyRequest,
    room_id: RoomId,
    after: Annotated[int | None, KNOWN] = None,
    wait_s: Annotated[
        float, QueryParameter(ge=0, le=WAIT_S_MAX, description="With ``after``: how long to wait for more.")
    ] = 0,
) -> Response[Snapshot]:
    """The room as the caller sees it. With ``after`` it waits until the room has another version."""
    service = service_of(request)
    room, person = await _watched_room(service, request, room_id)
    if after == room.version and wait_s > 0:
        room = await _changed_room(service, room, person, wait_s)
    headers = {"ETag": f'"{room.version}"', "Cache-Control": "no-cache", "Vary": "Authorization"}
    if after is None and is_known(request, room.version):
        return Response(None, status_code=304, headers=headers)  # type: ignore[arg-type]
    return Response(await service.view(room, person), headers=headers)


async def _changed_room(service: Service, known: Room, person: str | None, wait_s: float) -> Room:
    """The room once it has changed, or as it is when the time is up or the service stops."""
    until = time.monotonic() + wait_s
    async with service.bells.listening(known.id) as rung:
        while True:
            rung.clear()
            room = await service.arrive(await service.host.room(known.id), person)
            left_s = until - time.monotonic()
            if room.event_id != known.event_id or left_s <= 0 or service.stopping.is_set():
                return room
            await first_of(rung, service.stopping, within_s=min(left_s, service.show_s))


@get(
    "/v1/rooms/{room_id:str}/legal-moves",
    responses=documented(403, 404, 409, 410),
    operation_id="roomLegalMoves",
)
async def room_legal_moves(request: AnyRequest, room_id: RoomId) -> LegalMoves:
    """The legal moves of the side to move, whoever asks."""
    service = service_of(request)
    room, _ = await _watched_room(service, request, room_id)
    if room.status == "closed":
        raise Refused("room_closed", "the room is closed", room=room)
    if not room.position:
        raise Refused("not_playing", "the game has not begun", room=room)
    return legal_moves_of(room)


@get(
    "/v1/rooms/{room_id:str}/events",
    responses=documented(403, 404, 406),
    operation_id="roomEvents",
)
async def room_events(
    request: AnyRequest,
    room_id: RoomId,
    after: Annotated[int | None, KNOWN] = None,
    limit: Annotated[
        int, QueryParameter(ge=1, le=EVENTS_MAX, description="Events in a page of JSON.")
    ] = EVENTS_MAX,
) -> Response[EventPage] | Stream | Response[None]:
    """What happened after a version: a page, or by Accept a stream that goes on.

    A gap that cannot be filled is replaced by one ``snapshot``; a stream without ``after`` begins so too."""
    service = service_of(request)
    media_type = wanted_type(request.headers.get("accept", ""))
    if media_type is None:
        raise HTTPException(f"this is served as {JSON}, {NDJSON} or {SSE}", status_code=406)
    if media_type == JSON:
        room, person = await _watched_room(service, request, room_id)
        return Response(await _event_page(service, room, person, after or 0, limit))
    place = Place(after)
    if "last-event-id" in request.headers:
        place = place_of_event(request.headers["last-event-id"])
    return await stream(service, room_id, service.person(request), place, media_type)


async def _event_page(service: Service, room: Room, person: str | None, after: int, limit: int) -> EventPage:
    events = await service.log.events(room.id, after, limit + 1)
    missing = after != room.version and (not events or events[0].version != after + 1)
    if missing:
        view = {"type": "snapshot", "room": await service.view(room, person), "id": room.event_id}
        return EventPage([view], room.version, more=False)
    page = events[:limit]
    next_after = page[-1].version if page else after
    return EventPage([event_view(event) for event in page], next_after, more=len(events) > limit)


@get(
    "/v1/rooms/{room_id:str}/record",
    responses=documented(403, 404, 409),
    operation_id="roomRecord",
)
async def room_record(
    request: AnyRequest,
    room_id: RoomId,
    format: Annotated[  # noqa: A002 - a refusal names the parameter as the caller wrote it
        Literal["json", "text", "pdn", "mat"],
        QueryParameter(description="How it is written; pdn and mat are those of single games."),
    ] = "json",
    game: Annotated[int | None, QueryParameter(ge=1, description="Number of the game; the last one.")] = None,
) -> Response[Record | str]:
    """A game of the room, move by move: as JSON, as text, or in a format of its game (pdn, mat)."""
    service = service_of(request)
    room, _ = await _watched_room(service, request, room_id)
    number = room.game_number if game is None else game
    content = record(room, number, await service.host.line(room, number))
    if format == "json":
        return Response(content)
    if format == "text":
        return Response(record_text(content), media_type="text/plain")
    form = GAMES[room.game].transcripts.get(format)
    if form is None:
        known = ", ".join(["json", "text", *GAMES[room.game].transcripts])
        raise Refused("not_in_this_game", f"the records of this game are written as: {known}", "format")
    start = content.start if room.start is not None else None
    return Response(form.write(transcript_of(content, start)), media_type=form.media_type)


ROUTES = [
    create_room,
    join_room,
    act,
    close_room,
    get_room,
    room_legal_moves,
    room_events,
    room_record,
]
