"""What a seat or a watcher may see of a room. Nothing else of a room leaves the service."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from mitsuboshi.games.game import Game
from mitsuboshi.games.registry import GAMES
from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms import times
from mitsuboshi.rooms.offers import undo_needs_consent
from mitsuboshi.rooms.refused import Refused
from mitsuboshi.rooms.seats import GAMES_MAX
from mitsuboshi.rooms.state import Absence, LastMove, Result, Room, Seat, Status, Turn
from mitsuboshi.rooms.turns import plies_to_undo_to


class HolderView(Struct, frozen=True):
    """Who holds a seat, as everybody sees it: ``level`` for an AI, ``name`` where its person gave one."""

    seat: str
    kind: Literal["person", "ai", "bot", "open"]
    name: str | None
    level: str | None


class SeatView(HolderView, frozen=True):
    """A seat as it is now.

    ``absent_in_ms`` is what remains of the wait for a person who is not present; ``absent`` tells that it is
    over, ``substituted`` that an AI plays meanwhile."""

    present: bool
    absent_in_ms: int | None
    absent: bool
    substituted: bool


class ClockView(Struct, frozen=True):
    """The time for each move; ``remaining_ms`` of the move in hand, None where no clock runs."""

    per_move_ms: int
    remaining_ms: int | None


class AbsenceView(Struct, frozen=True):
    """What happens ``after_ms`` without a sign of a person."""

    after_ms: int
    then: Absence


class OfferView(Struct, frozen=True):
    """What waits for an answer; ``to_version`` is that of the board which it asks for."""

    kind: str
    by: str
    version: int
    to_version: int
    waiting_for: tuple[str, ...]


class DrawLimit(Struct, frozen=True):
    """The game is drawn after ``plies`` plies that count; ``left`` of them remain."""

    plies: int
    left: int


class Snapshot(Struct, frozen=True):
    """A room as its viewer sees it: all that a fresh client needs.

    ``you``, ``may`` and ``legal_moves`` are the viewer's own. ``last_moves`` hold ``seat``,
    ``ply``, ``move`` and the game's details. Times are milliseconds; ``…_in_ms`` is what remains."""

    id: str
    game: str
    status: Status
    version: int
    server_now_ms: int
    expires_in_ms: int | None
    visibility: c.Visibility
    options: dict[str, str | int | bool]
    undo: str
    players: int
    game_number: int
    games: tuple[Result, ...]
    rematch: tuple[str, ...]
    seats: tuple[SeatView, ...]
    you: tuple[str, ...]
    owner: bool
    may: tuple[str, ...]
    position: str | None
    to_move: str | None
    ply: int
    dice: list[int] | None
    legal_moves: list[str]
    must_pass: bool
    last_moves: list[dict[str, Any]]
    clock: ClockView | None
    absence: AbsenceView
    offer: OfferView | None
    draw_limit: DrawLimit | None
    facts: dict[str, Any]
    result: Result | None
    metadata: dict[str, Any]


def require_watcher(room: Room, person: str | None) -> None:
    """Refused unless this person, or None for a stranger, may watch the room."""
    insider = person is not None and person in {*room.keepers(), *room.former}
    if room.visibility == "private" and not insider:
        raise Refused("private_room", "this room is private: only those who hold or held a seat may watch")


def snapshot(room: Room, person: str | None, now: c.Now, waits: c.Waits, seen: times.Seen) -> Snapshot:
    """The room as the person, or None for a stranger, sees it now.

    ``seen`` holds the service time at which each person was last there."""
    game = GAMES[room.game]
    you = room.held_by(person)
    position = game.read(room.position, room.options) if room.position else None
    on_turn = position is not None and room.to_move in you and not room.out_of_time
    legal_moves = game.legal_moves(position) if on_turn else []
    must_pass = room.status == "playing" and (not legal_moves if on_turn else game.must_pass(position))
    seen_ms = now.service_ms if person in room.keepers() else times.last_seen_ms(room, seen)
    end_ms = min(room.expires_ms, seen_ms + waits.idle_ms)
    return Snapshot(
        id=room.id,
        game=room.game,
        status=room.status,
        version=room.version,
        server_now_ms=now.wall_ms,
        expires_in_ms=None if room.status == "closed" else max(0, end_ms - now.service_ms),
        visibility=room.visibility,
        options=room.options,
        undo=room.undo,
        players=len(room.seats),
        game_number=room.game_number,
        games=room.games,
        rematch=room.rematch,
        seats=tuple(_seat_now(room, seat, now, waits, seen) for seat in room.seats),
        you=you,
        owner=person == room.owner,
        may=_may(room, person, you, must_pass),
        position=room.position or None,
        to_move=room.to_move,
        ply=room.ply,
        dice=None,
        legal_moves=legal_moves,
        must_pass=must_pass,
        last_moves=[shown_move(move) for move in room.last_moves],
        clock=_clock(room, now),
        absence=AbsenceView(room.absence_ms, room.absence_then),
        offer=_offer(room),
        draw_limit=_draw_limit(game, position),
        facts=game.facts(position) if position is not None else {},
        result=room.result,
        metadata=room.metadata,
    )


def _seat_now(room: Room, seat: Seat, now: c.Now, waits: c.Waits, seen: times.Seen) -> SeatView:
    present = seat.person is not None and times.is_present(seat.person, seen, waits, now)
    absent_in_ms = None
    if seat.person is not None and not present and times.watches_absence(room):
        absent_in_ms = max(0, times.absent_at_ms(room, seat.person, seen, waits) - now.service_ms)
    return SeatView(
        seat.seat,
        seat.kind,
        seat.name,
        seat.level,
        present,
        absent_in_ms,
        absent=seat.seat in room.absent,
        substituted=seat.seat in room.substituted,
    )


def _clock(room: Room, now: c.Now) -> ClockView | None:
    if room.clock_ms is None:
        return None
    due_ms = room.turn_due_ms
    return ClockView(room.clock_ms, None if due_ms is None else max(0, due_ms - now.service_ms))


def _offer(room: Room) -> OfferView | None:
    offer = room.offer
    if offer is None:
        return None
    return OfferView(offer.kind, offer.by, offer.version, offer.to_version, offer.waiting_for)


def holder_view(seat: Seat) -> HolderView:
    """Who holds the seat, with nobody's id."""
    return HolderView(seat.seat, seat.kind, seat.name, seat.level)


def shown_move(move: LastMove | Turn) -> dict[str, Any]:
    return {"seat": move.seat, "ply": move.ply, "move": move.move, **move.details}


def _draw_limit(game: Game[Any], position: Any) -> DrawLimit | None:
    limit = game.draw_limit(position) if position is not None else None
    return None if limit is None else DrawLimit(*limit)


def _may(room: Room, person: str | None, you: tuple[str, ...], must_pass: bool) -> tuple[str, ...]:
    """The types of the actions that are open to this person as things stand."""
    if person is None or room.status == "closed":
        return ()
    may = []
    if room.status == "waiting" and person == room.owner:
        may.append("start")
    if you and room.status == "playing":
        may += _may_in_play(room, person, you, must_pass)
    if you and room.status == "finished" and room.game_number < GAMES_MAX:
        may.append("rematch")
        if room.rematch:
            may.append("answer")
    return (*may, "leave", "rename") if you else tuple(may)


def _may_in_play(room: Room, person: str, you: tuple[str, ...], must_pass: bool) -> list[str]:
    may = []
    if room.to_move in you and not room.out_of_time:
        may.append("pass" if must_pass else "move")
    consent = undo_needs_consent(room)
    pending = room.offer is not None
    if consent is not None and not (consent and pending) and plies_to_undo_to(room, person) is not None:
        may.append("undo")
    if room.offer is not None and {room.offer.by, *room.offer.waiting_for} & set(you):
        may.append("answer")
    if set(room.absent) - set(room.substituted) - set(you):
        may.append("substitute")
    if len(room.people()) == 1 or not GAMES[room.game].policy.resign_alone[len(room.seats)]:
        may.append("resign")
    return may
