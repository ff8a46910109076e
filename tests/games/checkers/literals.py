"""Positions as tests write them, ``board("W", white="22 32", red="18 K11")``, and ways through games."""

from __future__ import annotations

import random
from collections.abc import Iterator

from mitsuboshi.games.checkers import CHECKERS
from mitsuboshi.games.checkers.position import Position

START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"


def read(text: str) -> Position:
    """The position of a FEN."""
    return CHECKERS.read(text, {})


def board(to_move: str, *, white: str, red: str) -> Position:
    """A position with the pieces named, kings as ``K11``; to move is ``W`` or ``B``."""
    return read(f"{to_move}:W{','.join(white.split())}:B{','.join(red.split())}")


def again(position: Position) -> Position:
    """The position once saved and loaded."""
    return CHECKERS.load(CHECKERS.save(position), {})


def after(position: Position, *moves: str) -> Position:
    """The position after some moves, saved and loaded between them as rooms do."""
    for move in moves:
        position = again(CHECKERS.play(position, move)[1])
    return position


def reason(position: Position) -> str | None:
    """How the game ended, or None while it goes on."""
    outcome = CHECKERS.outcome(position)
    return outcome.reason if outcome else None


def random_game(seed: int, position: Position | None = None, plies: int = 400) -> Iterator[Position]:
    """The positions of a random game, from its first to its last."""
    rnd = random.Random(seed)
    here = CHECKERS.start(2, {}) if position is None else position
    yield here
    for _ in range(plies):
        moves = CHECKERS.legal_moves(here)
        if not moves:
            return
        here = CHECKERS.play(here, rnd.choice(moves))[1]
        yield here
