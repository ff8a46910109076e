"""The state of a room: plain frozen values, as they are stored."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from mitsuboshi.rooms.commands import Visibility

FORMAT = 1
"""Number of the stored layout; a process reads the layouts that it knows and refuses newer ones."""

Absence = Literal["substitute", "ask", "lose", "wait"]
Status = Literal["waiting", "playing", "finished", "closed"]


class Seat(Struct, frozen=True, omit_defaults=True):
    """Who holds a seat: ``person`` is the id behind a token, for kind person; ``level`` is an AI's, and
    ``put_later`` tells that this AI took over a seat that a person had or could have had."""

    seat: str
    kind: Literal["person", "ai", "bot", "open"] = "open"
    person: str | None = None
    name: str | None = None
    level: str | None = None
    put_later: bool = False


class LastMove(Struct, frozen=True, omit_defaults=True):
    """A move that clients still show; ``details`` are the game's own."""

    seat: str
    ply: int
    move: str
    details: dict[str, Any] = {}


class Offer(Struct, frozen=True):
    """A request that the others must answer: a draw, or to undo, back to ``plies`` turns after the start.

    ``version`` and ``id`` are those of the event which made it, ``to_version`` is that of the board which an
    undo asks for."""

    kind: Literal["draw", "undo"]
    by: str
    version: int
    to_version: int | None
    plies: int
    waiting_for: tuple[str, ...]
    id: str = ""


class Turn(Struct, frozen=True, array_like=True):
    """One turn of the game's line: the move's text, or ``pass``, its throw, and the position after it."""

    seat: str
    ply: int
    move: str
    details: dict[str, Any]
    position: str
    version: int = 0
    """Of the event that brought the position."""
    throw: str | None = None


class Opening(Struct, frozen=True, array_like=True):
    """How a game began: who held the seats (nobody's id is kept), and the position."""

    seats: tuple[Seat, ...]
    position: str
    version: int = 0
    """Of the event that brought the position."""


class Line(Struct, frozen=True):
    """A game from its opening, turn by turn."""

    opening: Opening
    turns: tuple[Turn, ...]

    def position_after(self, plies: int) -> str:
        """Position text when ``plies`` turns had been taken."""
        return self._at(plies).position

    def version_after(self, plies: int) -> int:
        """Version of the event that first brought that position."""
        return self._at(plies).version

    def _at(self, plies: int) -> Turn | Opening:
        return self.turns[plies - 1] if plies else self.opening


class Result(Struct, frozen=True, omit_defaults=True):
    """How a game ended; ``winner`` None is a draw, or a game that everybody left."""

    winner: str | None
    reason: str
    points: int
    places: tuple[str, ...] = ()


class Chance(Struct, frozen=True, array_like=True):
    """What the throws of one verifiable game derive from: the secret, as hexadecimal digits, bound by its
    ``commitment``; and people's nonces by seat."""

    secret: str
    commitment: str
    nonces: dict[str, str] = {}


class Room(Struct, frozen=True, array_like=True):
    """A room after its event number ``version``. New fields go to the end, with a default."""

    format: int
    id: str
    version: int
    event_id: str
    """Of the last event; with the version it tells this history from any other."""
    changed_version: int
    """Of the last event that made earlier actions stale."""
    turn_id: str
    """Id of the event that gave the side to move its turn: what an AI's answer must name."""
    status: Status
    game: str
    owner: str
    invite: str
    visibility: Visibility
    options: dict[str, str | int | bool]
    undo: str
    metadata: dict[str, Any]
    seats: tuple[Seat, ...]
    start: str | None
    """Position text from which every game of this room begins, or None for the game's own start."""
    created_ms: int
    """Service time, like ``expires_ms``."""
    expires_ms: int
    game_number: int = 0
    games: tuple[Result, ...] = ()
    """Results of the games before this one."""
    rematch: tuple[str, ...] = ()
    position: str = ""
    to_move: str | None = None
    ply: int = 0
    movers: str = ""
    """One character a turn since the game's start: the index of the seat that moved, or ``-`` for a pass."""
    last_moves: tuple[LastMove, ...] = ()
    result: Result | None = None
    clock_ms: int | None = None
    """Time for each move, or None."""
    absence_ms: int = 0
    absence_then: Absence = "wait"
    turn_due_ms: int | None = None
    """Service time at which the move in hand is out of time, or None where no clock runs."""
    out_of_time: bool = False
    """The time of the move in hand is over, and an AI makes it."""
    absent: tuple[str, ...] = ()
    """Seats whose persons have been away for too long."""
    substituted: tuple[str, ...] = ()
    """Those of them for which an AI plays."""
    offer: Offer | None = None
    former: tuple[str, ...] = ()
    """The last people who gave up their seats: they may go on watching a private room."""
    clock_with_others: bool = False
    """The clock runs only while two or more people hold seats."""
    throws: tuple[str, ...] = ()
    """The game's throws by the number of their turn, empty where it had none; an undo takes none of them."""
    steps: tuple[str, ...] = ()
    """Of the turn in hand."""
    first_moves: tuple[str, ...] = ()
    """With which the room's first game will begin."""
    chance: Chance | None = None
    """Of the game in play or the next one, where throws are verifiable."""
    given_nonces: dict[str, str] = {}
    """For the next game, by person."""
    nonces_due_ms: int | None = None
    """Service time at which the next game begins without the nonces that are missing."""
    fill: str | None = None
    """Level of the AIs that take the open seats then."""
    past_chances: tuple[Chance, ...] = ()
    """Of the games that are over, in order."""

    def seat(self, name: str) -> Seat | None:
        """The seat of that name, or None."""
        return next((seat for seat in self.seats if seat.seat == name), None)

    def held_by(self, person: str | None) -> tuple[str, ...]:
        """Names of the seats that the person holds, in turn order."""
        if person is None:
            return ()
        return tuple(seat.seat for seat in self.seats if seat.person == person)

    def keepers(self) -> set[str]:
        """Ids of those whose presence keeps the room: everybody who holds a seat, and the owner."""
        return {*self.people(), self.owner}

    def people(self) -> set[str]:
        """Ids of everybody who holds a seat."""
        return {seat.person for seat in self.seats if seat.person is not None}
