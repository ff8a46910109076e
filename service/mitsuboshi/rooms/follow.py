"""What must come next, as pure functions of a room: an AI's job, a due time, changes to the game's line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, structs

from mitsuboshi.games.game import PASS
from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.commands import Now, Waits
from mitsuboshi.rooms.history import SUBSTITUTE_LEVEL
from mitsuboshi.rooms.state import FORMAT, Opening, Room, Seat, Turn
from mitsuboshi.rooms.times import absent_at_ms, anybody_present, last_seen_ms, watches_absence


class MoveJob(Struct, frozen=True, tag="move", array_like=True):
    """An AI is to move: its answer names ``job_id``. ``position`` is text, ``options`` are complete."""

    job_id: str
    room: str
    game: str
    options: dict[str, str | int | bool]
    position: str
    level: str
    format: int = FORMAT


class DrawJob(Struct, frozen=True, tag="draw", array_like=True):
    """An AI that holds ``seat`` is offered a draw: its answer names ``job_id``."""

    job_id: str
    room: str
    game: str
    options: dict[str, str | int | bool]
    position: str
    seat: str
    level: str
    format: int = FORMAT


def next_question(room: Room) -> DrawJob | None:
    """The job for the AI that is to answer a draw offer, or None."""
    if room.offer is None or room.offer.kind != "draw":
        return None
    for seat in room.seats:
        if seat.seat in room.offer.waiting_for and seat.level is not None:
            return DrawJob(
                room.offer.id, room.id, room.game, room.options, room.position, seat.seat, seat.level
            )
    return None


def next_job(room: Room) -> MoveJob | None:
    """The job for the AI that is to move, or None while it is nobody's or a person's turn."""
    level = _level_to_move(room)
    if level is None:
        return None
    return MoveJob(room.turn_id, room.id, room.game, room.options, room.position, level)


def _level_to_move(room: Room) -> str | None:
    seat = room.seat(room.to_move) if room.status == "playing" and room.to_move else None
    if seat is None:
        return None
    if room.out_of_time or seat.seat in room.substituted:
        return SUBSTITUTE_LEVEL
    return seat.level


def next_due(room: Room, seen: Mapping[str, int], waits: Waits, now: Now) -> int | None:
    """Service time at which the room is to be looked at again, or None once it is closed."""
    if room.status == "closed":
        return None
    due_ms = min(room.expires_ms, last_seen_ms(room, seen) + waits.idle_ms)
    for other_ms in (room.turn_due_ms, room.nonces_due_ms):
        if other_ms is not None:
            due_ms = min(due_ms, other_ms)
    if watches_absence(room):
        away_ms = [
            absent_at_ms(room, person, seen, waits)
            for person in room.people()
            if not set(room.held_by(person)) <= set(room.absent)
        ]
        # While nobody is there, nobody's absence counts: look again in a while.
        soonest_ms = 0 if anybody_present(room, seen, waits, now) else now.service_ms + waits.presence_ms
        due_ms = min([due_ms, *(max(soonest_ms, at_ms) for at_ms in away_ms)])
    return due_ms


class LineChange(Struct, frozen=True):
    """How the line of game ``game_number`` changes.

    It is opened, or cut to ``keep`` turns, where those are not None; then it grows."""

    game_number: int
    opening: Opening | None
    keep: int | None
    grown: tuple[Turn, ...]


def line_change(room: Room, events: Sequence[e.AnyEvent]) -> LineChange:
    """What the events, which led to ``room``, do to the line of its game."""
    opening, keep, grown = None, None, []
    for event in events:
        match event:
            case e.GameStarted():
                opening = Opening(tuple(map(_without_person, event.seats)), event.position, event.version)
            case e.Undone():
                keep = event.plies
            case e.MovePlayed():
                grown.append(_turn(event, event.move, event.details))
            case e.Passed():
                grown.append(_turn(event, PASS, {}))
            case _:
                pass
    return LineChange(room.game_number, opening, keep, tuple(grown))


def _turn(event: e.MovePlayed | e.Passed, move: str, details: dict[str, Any]) -> Turn:
    return Turn(event.seat, event.ply, move, details, event.position, event.version, event.throw)


def _without_person(seat: Seat) -> Seat:
    return structs.replace(seat, person=None)
