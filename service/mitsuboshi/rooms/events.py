"""What happened in a room, in the past tense. The fold of a room's events is its state."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from mitsuboshi.rooms.commands import Visibility
from mitsuboshi.rooms.state import Absence, LastMove, Offer, Result, Seat


class Event(Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=True):
    """``version`` counts a room's events from 1; ``id`` is opaque; ``at_ms`` is Unix time."""

    id: str
    version: int
    at_ms: int


class BoardEvent(Event, frozen=True, kw_only=True):
    """The board, or whose turn it is, has changed; ``to_move`` is None where the game ends by it.

    ``turn_due_ms`` is service time."""

    position: str
    to_move: str | None
    ply: int
    turn_due_ms: int | None = None


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
    clock_ms: int | None
    absence_ms: int
    absence_then: Absence


class SeatTaken(Event, frozen=True, tag="seat_taken"):
    """A person sat down."""

    seat: str
    person: str
    name: str | None = None


class SeatLeft(Event, frozen=True, tag="seat_left"):
    """A person gave up a seat: it is open again, or an AI of ``level`` holds it."""

    seat: str
    level: str | None = None


class GameStarted(BoardEvent, frozen=True, tag="game_started"):
    """A game began, with these holders of the seats."""

    game_number: int
    seats: tuple[Seat, ...]


class MovePlayed(BoardEvent, frozen=True, tag="move_played"):
    """A move was made. ``details`` are the game's; ``fallback`` marks a move that no search made."""

    seat: str
    move: str
    details: dict[str, Any]
    fallback: bool = False


class Passed(BoardEvent, frozen=True, tag="passed"):
    """A seat had no legal move and passed."""

    seat: str


class Undone(BoardEvent, frozen=True, tag="undone"):
    """The game went back to ``plies`` turns after its start."""

    seat: str
    plies: int
    last_moves: tuple[LastMove, ...]


class ClockExpired(Event, frozen=True, tag="clock_expired"):
    """The time of a seat's move is over."""

    seat: str


class SeatAbsent(Event, frozen=True, tag="seat_absent"):
    """A seat's person has not been seen for too long."""

    seat: str


class SeatSubstituted(Event, frozen=True, tag="seat_substituted"):
    """An AI of ``level`` plays for an absent seat until its person is back."""

    seat: str
    level: str


class SeatReturned(Event, frozen=True, tag="seat_returned"):
    """A seat's person is back. ``turn_due_ms`` is service time."""

    seat: str
    turn_due_ms: int | None = None


class OfferMade(Event, frozen=True, tag="offer_made"):
    """A seat asks something of the others."""

    offer: Offer


class OfferAnswered(Event, frozen=True, tag="offer_answered"):
    """The holder of ``seats`` said yes or no; the first no ends the offer, as does the last yes."""

    kind: str
    seats: tuple[str, ...]
    accept: bool


class OfferExpired(Event, frozen=True, tag="offer_expired"):
    """An offer is void: the game went on, or its maker took it back or left."""

    kind: str


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
    | ClockExpired
    | SeatAbsent
    | SeatSubstituted
    | SeatReturned
    | OfferMade
    | OfferAnswered
    | OfferExpired
    | GameEnded
    | RematchVoted
    | Renamed
    | RoomClosed
)
