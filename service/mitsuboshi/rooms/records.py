"""A game's record: from its opening, turn by turn, to its result."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from mitsuboshi.games.game import notation_of
from mitsuboshi.rooms.state import Chance, Line, Result, Room, Turn
from mitsuboshi.rooms.views import HolderView, holder_view, shown_move


class Record(Struct, frozen=True):
    """A game of a room from its start.

    ``moves`` hold ``seat``, ``ply``, ``move``, the game's details, and in games with dice the ``throw`` as it
    was drawn. ``commitment``, ``nonces`` by seat and, once the game is over, ``dice_secret`` are there where
    throws are verifiable."""

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
    commitment: str | None
    nonces: dict[str, str]
    dice_secret: str | None


def record(room: Room, game_number: int, line: Line) -> Record:
    """The record of the room's game of that number, whose line is given."""
    past = game_number < room.game_number
    chance = _chance(room, game_number)
    over = past or room.result is not None or room.status == "closed"
    return Record(
        room=room.id,
        game=room.game,
        game_number=game_number,
        players=len(room.seats),
        options=room.options,
        seats=tuple(holder_view(seat) for seat in line.opening.seats),
        start=notation_of(line.opening.position),
        moves=[_move(turn) for turn in line.turns],
        position=notation_of(line.position_after(len(line.turns))),
        result=room.games[game_number - 1] if past else room.result,
        commitment=chance.commitment if chance is not None else None,
        nonces=chance.nonces if chance is not None else {},
        dice_secret=chance.secret if chance is not None and over else None,
    )


def _chance(room: Room, game_number: int) -> Chance | None:
    """What the throws of that game derive from."""
    past = room.past_chances
    return past[game_number - 1] if game_number <= len(past) else room.chance


def _move(turn: Turn) -> dict[str, Any]:
    return shown_move(turn) | ({} if turn.throw is None else {"throw": turn.throw})
