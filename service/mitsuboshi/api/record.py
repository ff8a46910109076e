"""A game's record as text: what a person reads, prints or sends, and what other programs of its game read."""

from __future__ import annotations

from typing import Any

from mitsuboshi.games.game import Outcome, Transcript
from mitsuboshi.rooms.records import Record


def transcript_of(record: Record, start: str | None) -> Transcript:
    """The record as formats exchange it; ``start`` is None where the game began as its rules say."""
    moves = [_with_throw(move) for move in record.moves]
    result = record.result
    outcome = None if result is None else Outcome(result.winner, result.reason, result.points, result.places)
    names = {seat.seat: name for seat in record.seats if (name := seat.name or seat.level)}
    return Transcript(tuple(moves), start, names, outcome)


def _with_throw(move: dict[str, Any]) -> str:
    """The move, after its throw and a colon where there is one."""
    return f"{move['throw']}:{move['move']}" if "throw" in move else str(move["move"])


def record_text(record: Record) -> str:
    """Tagged lines that tell what was played, a blank line, and a line a move."""
    tags = [
        f"game {record.game}",
        f"room {record.room} {record.game_number}",
        *(f"option {name} {_text(value)}" for name, value in record.options.items()),
        *(f"seat {seat.seat} {seat.name or seat.level or seat.kind}" for seat in record.seats),
        f"position {record.start}",
    ]
    if record.commitment is not None:
        tags += _dice_tags(record, record.commitment)
    if record.result is not None:
        tags.append(f"result {record.result.winner or 'draw'} {record.result.reason} {record.result.points}")
    moves = [f"{move['ply']} {move['seat']} {_with_throw(move)}" for move in record.moves]
    return "\n".join([*tags, "", *moves, ""])


def _dice_tags(record: Record, commitment: str) -> list[str]:
    """What verifiable throws are checked by; the secret once the game is over."""
    tags = [f"commitment {commitment}", *(f"nonce {seat} {nonce}" for seat, nonce in record.nonces.items())]
    return tags if record.dice_secret is None else [*tags, f"dice_secret {record.dice_secret}"]


def _text(value: str | int | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
