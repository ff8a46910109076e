"""Lists of rooms: the public ones, and the caller's own."""

from __future__ import annotations

from typing import Annotated, Literal

from litestar import get
from litestar.params import QueryParameter
from msgspec import Struct

from mitsuboshi.api.auth import require_person
from mitsuboshi.api.problems import documented
from mitsuboshi.api.service import AnyRequest, service_of
from mitsuboshi.host.ports import RoomPage
from mitsuboshi.rooms.state import Room
from mitsuboshi.rooms.views import HolderView, holder_view

PAGE_ROOMS_MAX = 50

Cursor = Annotated[
    str | None,
    QueryParameter(pattern=r"^[0-9]{1,15}\.[A-Za-z0-9_-]{1,64}$", description="Where the next page begins."),
]


class RoomSummary(Struct, frozen=True):
    """A room in a list; ``you`` are the caller's seats."""

    id: str
    game: str
    status: str
    version: int
    visibility: str
    players: int
    seats: tuple[HolderView, ...]
    you: tuple[str, ...]
    to_move: str | None
    game_number: int


class RoomList(Struct, frozen=True):
    """A page of rooms, the newest first; ``next_cursor`` is None on the last page."""

    items: list[RoomSummary]
    next_cursor: str | None


@get("/v1/rooms", responses=documented(), operation_id="listRooms")
async def list_rooms(
    request: AnyRequest,
    game: Annotated[str | None, QueryParameter(max_length=32, description="Only this game's.")] = None,
    status: Annotated[
        Literal["waiting", "playing", "finished"] | None, QueryParameter(description="Only these.")
    ] = None,
    cursor: Cursor = None,
) -> RoomList:
    """The public rooms. A page may be short and still not be the last."""
    service = service_of(request)
    person = service.person(request)
    page = await service.lists.public(_read_cursor(cursor), PAGE_ROOMS_MAX)
    fitting = [room for room in page.rooms if game in (None, room.game) and status in (None, room.status)]
    return _listed(page, fitting, person)


@get("/v1/me/rooms", responses=documented(), operation_id="listMyRooms")
async def list_my_rooms(request: AnyRequest, cursor: Cursor = None) -> RoomList:
    """The rooms in which the caller holds a seat."""
    service = service_of(request)
    person = require_person(service.person(request))
    page = await service.lists.of_person(person, _read_cursor(cursor), PAGE_ROOMS_MAX)
    return _listed(page, [room for room in page.rooms if room.held_by(person)], person)


def _listed(page: RoomPage, rooms: list[Room], person: str | None) -> RoomList:
    items = [
        RoomSummary(
            id=room.id,
            game=room.game,
            status=room.status,
            version=room.version,
            visibility=room.visibility,
            players=len(room.seats),
            seats=tuple(map(holder_view, room.seats)),
            you=room.held_by(person),
            to_move=room.to_move,
            game_number=room.game_number,
        )
        for room in rooms
    ]
    return RoomList(items, None if page.next_after is None else f"{page.next_after[0]}.{page.next_after[1]}")


def _read_cursor(text: str | None) -> tuple[int, str] | None:
    if text is None:
        return None
    at, _, room_id = text.partition(".")
    return int(at), room_id


ROUTES = [list_rooms, list_my_rooms]
