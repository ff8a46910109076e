"""Throws: drawn when their turn needs them, kept by its number, and derived so that they can be checked."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence

from mitsuboshi.games.game import AUTO_ROLL, VERIFIABLE
from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.history import History
from mitsuboshi.rooms.state import Chance, Room


def new_secret(entropy: bytes) -> dict[str, str]:
    """A fresh secret and the commitment to it, as events carry them."""
    secret = hmac.digest(entropy, b"dice secret", "sha256")
    return {"sealed_secret": secret.hex(), "commitment": hashlib.sha256(secret).hexdigest()}


def is_verifiable(room: Room) -> bool:
    """Whether the room's throws can be checked from the record."""
    return bool(room.options.get(VERIFIABLE.name))


def is_rolled_at_once(room: Room) -> bool:
    """Whether the throw of the turn in hand needs nobody's word."""
    seat = room.seat(room.to_move or "")
    by_ai = seat is None or seat.kind != "person" or seat.seat in room.substituted or room.out_of_time
    return by_ai or bool(room.options.get(AUTO_ROLL.name))


def roll(history: History, throw: str | None = None) -> None:
    """The throw of the turn in hand: the one given, the one that this turn had before, or a fresh one."""
    room, game, position = history.room, history.game, history.position
    result = throw or known_throw(room, len(room.movers)) or _drawn(history, game.chance(position))
    thrown = game.after_chance(position, result)
    board = history.board(thrown)
    # The clock has run since the turn was handed over; a game's first throw only tells whose turn it is.
    if room.to_move == board["to_move"]:
        board["turn_due_ms"] = room.turn_due_ms
    history.add(
        e.DiceRolled, seat=board["to_move"], dice=list(game.dice(thrown) or ()), throw=result, **board
    )


def known_throw(room: Room, turn: int) -> str | None:
    """The throw that the turn of this number has had, or None."""
    return (room.throws[turn] or None) if turn < len(room.throws) else None


def _drawn(history: History, results: Sequence[str]) -> str:
    room = history.room
    if room.chance is None:
        # One command may bring several throws: an empty turn between two of them passes by itself.
        return pick(results, history.chance, f"throw {len(room.movers)}")
    seats = [seat.seat for seat in room.seats]
    return pick(results, *derivation(room.chance, room.game_number, len(room.movers), seats))


def derivation(chance: Chance, game_number: int, turn: int, seats: Sequence[str]) -> tuple[bytes, str]:
    """The key and the message from which a verifiable throw is picked; ``turn`` counts from 0, with passes.

    The message is ``GAME:TURN:NONCE:NONCE``, the nonces in the order of the seats, empty where missing."""
    nonces = ":".join(chance.nonces.get(seat, "") for seat in seats)
    return bytes.fromhex(chance.secret), f"{game_number}:{turn}:{nonces}"


def pick(results: Sequence[str], key: bytes, message: str) -> str:
    """One of up to 256 equally likely results, without bias.

    The bytes of HMAC-SHA256(key, ``message:0``), then ``message:1`` and so on, are read in order. Each,
    divided by 256 // len(results), gives the number of a result, and is skipped where there is none."""
    width = 256 // len(results)
    return next(results[byte // width] for byte in _bytes(key, message) if byte // width < len(results))


def _bytes(key: bytes, message: str) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.digest(key, f"{message}:{block}".encode(), "sha256")
        block += 1
