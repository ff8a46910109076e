"""What must come next, as pure functions of a room: an AI's job, a due time, changes to the game's line."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, structs

from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.decide import PASS
from mitsuboshi.rooms.state import Opening, Room, Seat, Turn


class MoveJob(Struct, frozen=True, tag="move", array_like=True):
    """An AI is to move: its answer names ``job_id``. ``position`` is text, ``options`` are complete."""

    job_id: str
    room: str
    game: str
    options: dict[str, str | int | bool]
    position: str
    level: str


def next_job(room: Room) -> MoveJob | None:
    """The job for the AI that is to move, or None while it is nobody's or a person's turn."""
    seat = room.seat(room.to_move) if room.status == "playing" and room.to_move else None
    if seat is None or seat.kind != "ai" or seat.level is None:
        return None
    return MoveJob(room.turn_id, room.id, room.game, room.options, room.position, seat.level)


def next_due(room: Room, seen_ms: int, idle_ms: int) -> int | None:
    """Service time at which the room is to be looked at again, or None once it is closed."""
    if room.status == "closed":
        return None
    return min(room.expires_ms, seen_ms + idle_ms)


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
                opening = Opening(tuple(map(_without_person, event.seats)), event.position)
            case e.Undone():
                keep = event.plies
            case e.MovePlayed():
                grown.append(Turn(event.seat, event.ply, event.move, event.details, event.position))
            case e.Passed():
                grown.append(Turn(event.seat, event.ply, PASS, {}, event.position))
            case _:
                pass
    return LineChange(room.game_number, opening, keep, tuple(grown))


def _without_person(seat: Seat) -> Seat:
    return structs.replace(seat, person=None)
