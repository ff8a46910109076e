"""What a seat or a watcher may see of a room. Nothing else of a room leaves the service."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct

from mitsuboshi.games.game import Game
from mitsuboshi.games.registry import GAMES
from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.decide import GAMES_MAX, may_undo_at_once, plies_to_undo_to
from mitsuboshi.rooms.follow import next_due
from mitsuboshi.rooms.refused import Refused
from mitsuboshi.rooms.state import LastMove, Line, Result, Room, Seat, Status, Turn


class SeatView(Struct, frozen=True):
    """A seat as everybody sees it: ``level`` for an AI, ``name`` where its person gave one."""

    seat: str
    kind: Literal["person", "ai", "bot", "open"]
    name: str | None
    level: str | None


class DrawLimit(Struct, frozen=True):
    """The game is drawn at ply ``plies``; ``left`` plies remain."""

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
    offer: None
    draw_limit: DrawLimit | None
    facts: dict[str, Any]
    result: Result | None
    metadata: dict[str, Any]


def require_watcher(room: Room, person: str | None) -> None:
    """Refused unless this person, or None for a stranger, may watch the room."""
    insider = person is not None and (person == room.owner or person in room.people())
    if room.visibility == "private" and not insider:
        raise Refused("private_room", "this room is private: only those who hold a seat may watch")


def snapshot(room: Room, person: str | None, now: c.Now, idle_ms: int) -> Snapshot:
    """The room as the person, or None for a stranger, sees it now."""
    game = GAMES[room.game]
    you = room.held_by(person)
    position = game.read(room.position, room.options) if room.position else None
    on_turn = position is not None and room.status == "playing" and room.to_move in you
    legal_moves = game.legal_moves(position) if on_turn else []
    must_pass = room.status == "playing" and (not legal_moves if on_turn else game.must_pass(position))
    due_ms = next_due(room, now.service_ms, idle_ms)
    return Snapshot(
        id=room.id,
        game=room.game,
        status=room.status,
        version=room.version,
        server_now_ms=now.wall_ms,
        expires_in_ms=None if due_ms is None else max(0, due_ms - now.service_ms),
        visibility=room.visibility,
        options=room.options,
        undo=room.undo,
        players=len(room.seats),
        game_number=room.game_number,
        games=room.games,
        rematch=room.rematch,
        seats=tuple(_seat_view(seat) for seat in room.seats),
        you=you,
        owner=person == room.owner,
        may=_may(room, person, you, must_pass),
        position=room.position or None,
        to_move=room.to_move,
        ply=room.ply,
        dice=None,
        legal_moves=legal_moves,
        must_pass=must_pass,
        last_moves=[_shown_move(move) for move in room.last_moves],
        offer=None,
        draw_limit=_draw_limit(game, position),
        facts=game.facts(position) if position is not None else {},
        result=room.result,
        metadata=room.metadata,
    )


def _seat_view(seat: Seat) -> SeatView:
    return SeatView(seat.seat, seat.kind, seat.name, seat.level)


def _shown_move(move: LastMove | Turn) -> dict[str, Any]:
    return {"seat": move.seat, "ply": move.ply, "move": move.move, **move.details}


def _draw_limit(game: Game[Any], position: Any) -> DrawLimit | None:
    plies = game.draw_limit(position) if position is not None else None
    return None if plies is None else DrawLimit(plies, max(0, plies - game.ply(position)))


def _may(room: Room, person: str | None, you: tuple[str, ...], must_pass: bool) -> tuple[str, ...]:
    """The types of the actions that are open to this person as things stand."""
    if person is None or room.status == "closed":
        return ()
    may = []
    if room.status == "waiting" and person == room.owner:
        may.append("start")
    if you and room.status == "playing":
        if room.to_move in you:
            may.append("pass" if must_pass else "move")
        if may_undo_at_once(room) and plies_to_undo_to(room, person) is not None:
            may.append("undo")
        if len(room.people()) == 1 or not GAMES[room.game].policy.resign_alone[len(room.seats)]:
            may.append("resign")
    if you and room.status == "finished" and room.game_number < GAMES_MAX:
        may.append("rematch")
        if room.rematch:
            may.append("answer")
    return (*may, "leave", "rename") if you else tuple(may)


_HIDDEN = {"owner", "invite", "person", "created_ms", "expires_ms", "start"}


def event_view(event: e.AnyEvent) -> dict[str, Any]:
    """The event as every viewer sees it: details beside the move, nobody's id, no secret."""
    view: dict[str, Any] = msgspec.to_builtins(event)
    view.update(view.pop("details", {}))
    if "seats" in view and isinstance(event, e.RoomCreated | e.GameStarted):
        view["seats"] = [msgspec.to_builtins(_seat_view(seat)) for seat in event.seats]
    if isinstance(event, e.Undone):
        view["last_moves"] = [_shown_move(move) for move in event.last_moves]
    return {key: value for key, value in view.items() if key not in _HIDDEN}


class Record(Struct, frozen=True):
    """A game of a room from its start: ``moves`` hold ``seat``, ``ply``, ``move`` and the game's details."""

    room: str
    game: str
    game_number: int
    players: int
    options: dict[str, str | int | bool]
    seats: tuple[SeatView, ...]
    start: str
    moves: list[dict[str, Any]]
    position: str
    result: Result | None


def record(room: Room, game_number: int, line: Line) -> Record:
    """The record of the room's game of that number, whose line is given."""
    past = game_number < room.game_number
    return Record(
        room=room.id,
        game=room.game,
        game_number=game_number,
        players=len(room.seats),
        options=room.options,
        seats=tuple(_seat_view(seat) for seat in line.opening.seats),
        start=line.opening.position,
        moves=[_shown_move(turn) for turn in line.turns],
        position=line.position_after(len(line.turns)),
        result=room.games[game_number - 1] if past else room.result,
    )
