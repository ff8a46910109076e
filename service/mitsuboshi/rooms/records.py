"""A game's record: from its opening, turn by turn, to its result."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from mitsuboshi.rooms.state import Line, Result, Room
from mitsuboshi.rooms.views import HolderView, holder_view, shown_move


class Record(Struct, frozen=True):
    """A game of a room from its start: ``moves`` hold ``seat``, ``ply``, ``move`` and the game's details."""

    room: str
    game: str
    game_number: int
    players: int
    options: dict[str, str | int | bool]
    seats: tuple[HolderView, ...]
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
        seats=tuple(holder_view(seat) for seat in line.opening.seats),
        start=line.opening.position,
        moves=[shown_move(turn) for turn in line.turns],
        position=line.position_after(len(line.turns)),
        result=room.games[game_number - 1] if past else room.result,
    )
