"""What a seat or a watcher may see of a room. Nothing else of a room leaves the service."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from mitsuboshi.games.game import Game, notation_of
from mitsuboshi.games.registry import GAMES
from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms import times
from mitsuboshi.rooms.chance import is_verifiable
from mitsuboshi.rooms.history import has_clock
from mitsuboshi.rooms.offers import is_turn_in_hand, undo_needs_consent
from mitsuboshi.rooms.refused import Refused
from mitsuboshi.rooms.seats import GAMES_MAX
from mitsuboshi.rooms.state import Absence, LastMove, Result, Room, Seat, Status, Turn
from mitsuboshi.rooms.turns import has_finished, plies_to_undo_to


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
    to_version: int | None
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
    steps: tuple[str, ...]
    position_now: str | None
    legal_moves: list[str]
    legal_steps: list[str]
    must_pass: bool
    last_moves: list[dict[str, Any]]
    clock: ClockView | None
    absence: AbsenceView
    offer: OfferView | None
    draw_limit: DrawLimit | None
    facts: dict[str, Any]
    result: Result | None
    commitment: str | None
    nonces_in_ms: int | None
    metadata: dict[str, Any]


def require_watcher(room: Room, person: str | None) -> None:
    """Refused unless this person, or None for a stranger, may watch the room."""
    insider = person is not None and person in {*room.keepers(), *room.former}
    if room.visibility == "private" and not insider:
        raise Refused("private_room", "this room is private: only those who hold or held a seat may watch")


def snapshot(room: Room, person: str | None, now: c.Now, waits: c.Waits, seen: times.Seen) -> Snapshot:
    """The room as the person, or None for a stranger, sees it now.

    ``seen`` holds the service time at which each person was last there."""
    you = room.held_by(person)
    board = _board(room, you)
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
        may=_may(room, person, you, board),
        position=notation_of(room.position) or None,
        to_move=room.to_move,
        ply=room.ply,
        dice=board.dice,
        steps=room.steps,
        position_now=board.position_now,
        legal_moves=board.legal_moves,
        legal_steps=board.legal_steps,
        must_pass=board.must_pass,
        last_moves=[shown_move(move) for move in room.last_moves],
        clock=_clock(room, now),
        absence=AbsenceView(room.absence_ms, room.absence_then),
        offer=_offer(room),
        draw_limit=board.draw_limit,
        facts=board.facts,
        result=room.result,
        commitment=room.chance.commitment if room.chance is not None else None,
        nonces_in_ms=_remaining_ms(room.nonces_due_ms, now),
        metadata=room.metadata,
    )


class Board(Struct, frozen=True):
    """What the rules say of the board to one viewer."""

    dice: list[int] | None = None
    position_now: str | None = None
    legal_moves: list[str] = []
    legal_steps: list[str] = []
    must_pass: bool = False
    awaits_throw: bool = False
    complete: bool = False
    can_resign: bool = False
    draw_limit: DrawLimit | None = None
    facts: dict[str, Any] = {}


def _board(room: Room, you: tuple[str, ...]) -> Board:
    if not room.position:
        return Board()
    game = GAMES[room.game]
    position = game.load(room.position, room.options)
    now = game.stepwise.after(position, room.steps) if game.stepwise is not None else position
    limit = game.draw_limit(position)
    shown: dict[str, Any] = {
        "dice": game.dice(position),
        "position_now": game.write(now) if game.stepwise is not None else None,
        "draw_limit": None if limit is None else DrawLimit(*limit),
        "facts": game.facts(now),
    }
    if room.status == "playing":
        shown["can_resign"] = not all(has_finished(game, position, seat) for seat in you)
        on_turn = room.to_move in you and not room.out_of_time
        shown |= _turn_on_board(room, game, position) if on_turn else {"must_pass": game.must_pass(position)}
    return Board(**shown)


def _turn_on_board(room: Room, game: Game[Any], position: Any) -> dict[str, Any]:
    """What is open to the viewer that is to move."""
    if game.chance(position):
        return {"awaits_throw": True}
    stepwise = game.stepwise
    if stepwise is None or stepwise.lists_moves:
        legal_moves = game.legal_moves(position)
        shown: dict[str, Any] = {"legal_moves": legal_moves, "must_pass": not legal_moves}
    else:
        shown = {"must_pass": game.must_pass(position)}
    if stepwise is not None:
        shown["legal_steps"] = stepwise.steps(position, room.steps)
        shown["complete"] = stepwise.confirmed and stepwise.move(position, room.steps) is not None
    return shown


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
    # Before the start nobody knows yet how many people there will be.
    if room.clock_ms is None or not (room.status == "waiting" or has_clock(room, room.seats)):
        return None
    return ClockView(room.clock_ms, _remaining_ms(room.turn_due_ms, now))


def _remaining_ms(due_ms: int | None, now: c.Now) -> int | None:
    return None if due_ms is None else max(0, due_ms - now.service_ms)


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


def _may(room: Room, person: str | None, you: tuple[str, ...], board: Board) -> tuple[str, ...]:
    """The types of the actions that are open to this person as things stand."""
    if person is None or room.status == "closed":
        return ()
    may = []
    if room.status == "waiting" and person == room.owner and room.nonces_due_ms is None:
        may.append("start")
    if you and room.status == "playing":
        may += _may_in_play(room, person, you, board)
    elif you and is_verifiable(room) and person not in room.given_nonces:
        may.append("nonce")
    if you and room.status == "finished" and room.game_number < GAMES_MAX:
        may.append("rematch")
        if room.rematch:
            may.append("answer")
    return (*may, "leave", "rename") if you else tuple(may)


def _may_in_play(room: Room, person: str, you: tuple[str, ...], board: Board) -> list[str]:
    may = []
    if room.to_move in you and not room.out_of_time:
        may += _may_on_turn(room, board)
    consent = undo_needs_consent(room)
    pending = room.offer is not None
    can_undo = (
        consent is not None and not (consent and pending) and plies_to_undo_to(room, person) is not None
    )
    if can_undo and not is_turn_in_hand(room, person, thrown=board.dice is not None):
        may.append("undo")
    policy = GAMES[room.game].policy
    if policy.draw_from_ply is not None and not pending:
        may.append("offer_draw")
    if room.offer is not None and {room.offer.by, *room.offer.waiting_for} & set(you):
        may.append("answer")
    if set(room.absent) - set(room.substituted) - set(you):
        may.append("substitute")
    if board.can_resign and (len(room.people()) == 1 or not policy.resign_alone[len(room.seats)]):
        may.append("resign")
    return may


def _may_on_turn(room: Room, board: Board) -> list[str]:
    if board.awaits_throw:
        return ["roll"]
    if board.must_pass:
        return ["pass"]
    wanted = {
        "move": True,
        "step": bool(board.legal_steps),
        "unstep": bool(room.steps),
        "confirm": board.complete,
    }
    return [action for action, is_open in wanted.items() if is_open]
