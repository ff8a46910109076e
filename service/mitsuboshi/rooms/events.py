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
    """A room began; its creator's own seats are taken by the events that follow.

    ``moves`` are those that its first game begins with. ``commitment`` binds the service to
    ``sealed_secret``, from which the throws of the first game derive where they are verifiable."""

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
    clock_with_others: bool = False
    moves: tuple[str, ...] = ()
    commitment: str | None = None
    sealed_secret: str | None = None


class SeatTaken(Event, frozen=True, tag="seat_taken"):
    """A person sat down."""

    seat: str
    person: str
    name: str | None = None


class SeatLeft(Event, frozen=True, tag="seat_left"):
    """A person gave up a seat: it is open again, or an AI of ``level`` holds it."""

    seat: str
    level: str | None = None


class NoncesAwaited(Event, frozen=True, tag="nonces_awaited"):
    """The next game waits for people's nonces; an AI of level ``fill`` will take each open seat.

    ``nonces_due_ms`` is service time."""

    nonces_due_ms: int
    fill: str | None = None


class NonceGiven(Event, frozen=True, tag="nonce_given"):
    """The holder of ``seats`` gave its share in the chance of the next game."""

    person: str
    seats: tuple[str, ...]
    nonce: str


class GameStarted(BoardEvent, frozen=True, tag="game_started"):
    """A game began, with these holders of the seats.

    Where throws are verifiable, ``nonces`` by seat are those that are in; ``commitment`` is the game's."""

    game_number: int
    seats: tuple[Seat, ...]
    nonces: dict[str, str] = {}
    commitment: str | None = None


class DiceRolled(BoardEvent, frozen=True, tag="dice_rolled"):
    """The dice were thrown for the turn of ``seat``.

    ``throw`` is the result as it was drawn; the first of a game has one die of each seat, in turn order."""

    seat: str
    dice: list[int]
    throw: str


class StepMade(Event, frozen=True, tag="step_made"):
    """One step of a turn was made: ``steps`` are those so far, ``position`` is at the turn's start."""

    seat: str
    step: str
    steps: tuple[str, ...]
    position: str
    position_now: str
    to_move: str


class StepUndone(StepMade, frozen=True, tag="step_undone"):
    """The last ``step`` of a turn was taken back."""


class MovePlayed(BoardEvent, frozen=True, tag="move_played"):
    """A move was made, with this throw. ``details`` are the game's; ``fallback``: no search made the move."""

    seat: str
    move: str
    details: dict[str, Any]
    throw: str | None = None
    fallback: bool = False


class Passed(BoardEvent, frozen=True, tag="passed"):
    """A seat had no legal move, with this throw, and passed."""

    seat: str
    throw: str | None = None


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
    """A game is over.

    Where throws are verifiable ``dice_secret`` is what they derived from; ``commitment`` binds the service to
    ``sealed_secret`` for the next game."""

    result: Result
    dice_secret: str | None = None
    commitment: str | None = None
    sealed_secret: str | None = None


class RematchVoted(Event, frozen=True, tag="rematch_voted"):
    """The holder of these seats wants another game, or no longer."""

    seats: tuple[str, ...]
    accept: bool


class Renamed(Event, frozen=True, tag="renamed"):
    """A person took another name."""

    seats: tuple[str, ...]
    name: str


class RoomClosed(Event, frozen=True, tag="room_closed"):
    """The room ended, by its ``owner`` or by its ``time``; with the secret of a game in play."""

    by: Literal["owner", "time"]
    dice_secret: str | None = None


AnyEvent = (
    RoomCreated
    | SeatTaken
    | SeatLeft
    | NoncesAwaited
    | NonceGiven
    | GameStarted
    | DiceRolled
    | StepMade
    | StepUndone
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
