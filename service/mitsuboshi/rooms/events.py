"""What happened in a room, in the past tense. The fold of a room's events is its state."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from mitsuboshi.rooms.commands import Visibility
from mitsuboshi.rooms.state import LastMove, Result, Seat


class Event(Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=True):
    """``version`` counts a room's events from 1; ``id`` is opaque; ``at_ms`` is Unix time."""

    id: str
    version: int
    at_ms: int


class RoomCreated(Event, frozen=True, tag="room_created"):
    """A room began; its creator's own seats are taken by the events that follow."""

    room: str
    game: str
    owner: str
    invite: str
    visibility: Visibility
    options: dict[str, str | int | bool]
    seats: tuple[Seat, ...]
    undo: str
    metadata: dict[str, Any]
    start: str | None
    created_ms: int
    expires_ms: int


class SeatTaken(Event, frozen=True, tag="seat_taken"):
    """A person sat down."""

    seat: str
    person: str
    name: str | None = None


class SeatLeft(Event, frozen=True, tag="seat_left"):
    """A person gave up a seat: it is open again, or an AI of ``level`` holds it."""

    seat: str
    level: str | None = None


class GameStarted(Event, frozen=True, tag="game_started"):
    """A game began, with these holders of the seats."""

    game_number: int
    seats: tuple[Seat, ...]
    position: str
    to_move: str
    ply: int


class MovePlayed(Event, frozen=True, tag="move_played"):
    """A move was made. ``details`` are the game's; ``fallback`` marks a move that no search made."""

    seat: str
    ply: int
    move: str
    details: dict[str, Any]
    position: str
    to_move: str
    fallback: bool = False


class Passed(Event, frozen=True, tag="passed"):
    """A seat had no legal move and passed."""

    seat: str
    ply: int
    position: str
    to_move: str


class Undone(Event, frozen=True, tag="undone"):
    """The game went back to ``plies`` turns after its start."""

    seat: str
    plies: int
    ply: int
    position: str
    to_move: str
    last_moves: tuple[LastMove, ...]


class GameEnded(Event, frozen=True, tag="game_ended"):
    """A game is over."""

    result: Result


class RematchVoted(Event, frozen=True, tag="rematch_voted"):
    """The holder of these seats wants another game, or no longer."""

    seats: tuple[str, ...]
    accept: bool


class Renamed(Event, frozen=True, tag="renamed"):
    """A person took another name."""

    seats: tuple[str, ...]
    name: str


class RoomClosed(Event, frozen=True, tag="room_closed"):
    """The room ended, by its ``owner`` or by its ``time``."""

    by: Literal["owner", "time"]


AnyEvent = (
    RoomCreated
    | SeatTaken
    | SeatLeft
    | GameStarted
    | MovePlayed
    | Passed
    | Undone
    | GameEnded
    | RematchVoted
    | Renamed
    | RoomClosed
)
