"""Fixed Diamond games for two, long enough to be played move by move in the rooms of a benchmark."""

from __future__ import annotations

import random
from functools import cache

from mitsuboshi.ai import _engine
from mitsuboshi.games.diamond.board import ROW
from mitsuboshi.games.game import complete_options
from mitsuboshi.games.registry import GAMES

GAME = GAMES["diamond"]
OPTIONS = complete_options(GAME.options, {})
PLIES = 200
TRIES = 2
"""A move is the best, by rows gained, of so many by lot: games are long, boards full of jumps."""


@cache
def game(number: int = 0) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The moves of the game of that number, and the position before each; the same in every run."""
    lot = random.Random(number)
    position, moves, positions = _engine.start(GAME.key, 2, OPTIONS), [], []
    while len(moves) < PLIES and (legal := _engine.legal_moves(GAME.key, position, OPTIONS)):
        seat = GAME.seats[len(moves) % 2]
        move = max(lot.choices(legal, k=TRIES), key=lambda text: _rows(seat, text))
        moves.append(move)
        positions.append(position)
        position = _engine.play(GAME.key, position, OPTIONS, move)
    return tuple(moves), tuple(positions)


def _rows(seat: str, move: str) -> int:
    origin, _, destination = move.partition("-")
    return ROW[seat][int(destination)] - ROW[seat][int(origin)]


def moves(number: int = 0) -> tuple[str, ...]:
    """The moves of the game of that number."""
    return game(number)[0]
