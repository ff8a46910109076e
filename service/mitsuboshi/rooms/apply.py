"""The fold: a room and one of its events make the next room. No rule is checked here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import structs

from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.state import FORMAT, LastMove, Room, Seat

SHOWN_MOVES = {2: 1, 3: 2}
"""How many last moves clients show, by number of players: one for every other seat."""


def apply(room: Room | None, event: e.AnyEvent) -> Room:
    """The room after the event; ``room`` is None only before ``room_created``."""
    if isinstance(event, e.RoomCreated):
        return _created(event)
    if room is None:
        raise ValueError(f"{type(event).__name__} needs a room")
    changes = _CHANGES[type(event)](room, event)
    return structs.replace(room, version=event.version, event_id=event.id, **changes)


def _created(event: e.RoomCreated) -> Room:
    return Room(
        format=FORMAT,
        id=event.room,
        version=event.version,
        event_id=event.id,
        changed_version=event.version,
        turn_id="",
        status="waiting",
        game=event.game,
        owner=event.owner,
        invite=event.invite,
        visibility=event.visibility,
        options=event.options,
        undo=event.undo,
        metadata=event.metadata,
        seats=event.seats,
        start=event.start,
        created_ms=event.created_ms,
        expires_ms=event.expires_ms,
    )


def _with_seat(room: Room, new: Seat) -> tuple[Seat, ...]:
    return tuple(new if seat.seat == new.seat else seat for seat in room.seats)


def _seat_taken(room: Room, event: e.SeatTaken) -> dict[str, Any]:
    return {"seats": _with_seat(room, Seat(event.seat, "person", event.person, event.name))}


def _seat_left(room: Room, event: e.SeatLeft) -> dict[str, Any]:
    if event.level is None:
        seat = Seat(event.seat)
    else:
        seat = Seat(event.seat, "ai", level=event.level, put_later=True)
    changes: dict[str, Any] = {
        "seats": _with_seat(room, seat),
        "rematch": tuple(name for name in room.rematch if name != event.seat),
    }
    if room.to_move == event.seat:
        changes["turn_id"] = event.id
    return changes


def _game_started(room: Room, event: e.GameStarted) -> dict[str, Any]:
    return {
        "status": "playing",
        "changed_version": event.version,
        "turn_id": event.id,
        "game_number": event.game_number,
        "seats": event.seats,
        "rematch": (),
        "position": event.position,
        "to_move": event.to_move,
        "ply": event.ply,
        "movers": "",
        "last_moves": (),
        "result": None,
        "games": room.games if room.result is None else (*room.games, room.result),
    }


def _turn_taken(room: Room, event: e.MovePlayed | e.Passed, mover: str) -> dict[str, Any]:
    return {
        "changed_version": event.version,
        "turn_id": event.id,
        "position": event.position,
        "to_move": event.to_move,
        "ply": event.ply,
        "movers": room.movers + mover,
    }


def _move_played(room: Room, event: e.MovePlayed) -> dict[str, Any]:
    mover = str(next(index for index, seat in enumerate(room.seats) if seat.seat == event.seat))
    shown = SHOWN_MOVES.get(len(room.seats), 1)
    last_moves = (*room.last_moves, LastMove(event.seat, event.ply, event.move, event.details))[-shown:]
    return _turn_taken(room, event, mover) | {"last_moves": last_moves}


def _passed(room: Room, event: e.Passed) -> dict[str, Any]:
    return _turn_taken(room, event, "-")


def _undone(room: Room, event: e.Undone) -> dict[str, Any]:
    return {
        "changed_version": event.version,
        "turn_id": event.id,
        "position": event.position,
        "to_move": event.to_move,
        "ply": event.ply,
        "movers": room.movers[: event.plies],
        "last_moves": event.last_moves,
    }


def _game_ended(room: Room, event: e.GameEnded) -> dict[str, Any]:
    return {
        "status": "finished",
        "changed_version": event.version,
        "turn_id": "",
        "to_move": None,
        "result": event.result,
    }


def _rematch_voted(room: Room, event: e.RematchVoted) -> dict[str, Any]:
    votes = set(room.rematch) | set(event.seats) if event.accept else set(room.rematch) - set(event.seats)
    return {"rematch": tuple(seat.seat for seat in room.seats if seat.seat in votes)}


def _renamed(room: Room, event: e.Renamed) -> dict[str, Any]:
    seats = (
        structs.replace(seat, name=event.name) if seat.seat in event.seats else seat for seat in room.seats
    )
    return {"seats": tuple(seats)}


def _room_closed(room: Room, event: e.RoomClosed) -> dict[str, Any]:
    return {"status": "closed", "changed_version": event.version, "turn_id": "", "to_move": None}


_CHANGES: dict[type[e.AnyEvent], Callable[[Room, Any], dict[str, Any]]] = {
    e.SeatTaken: _seat_taken,
    e.SeatLeft: _seat_left,
    e.GameStarted: _game_started,
    e.MovePlayed: _move_played,
    e.Passed: _passed,
    e.Undone: _undone,
    e.GameEnded: _game_ended,
    e.RematchVoted: _rematch_voted,
    e.Renamed: _renamed,
    e.RoomClosed: _room_closed,
}
