"""A game of a match, as the arena counts it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

CONFIDENCE: Final = 1.96
"""Standard errors in an error bar: 95%."""


@dataclass(frozen=True, slots=True)
class Played:
    """One game: ``points`` for the first contestant (1, ½ or 0), and what each one's search looked like.

    ``opening`` is the opening's number; ``won`` what the first contestant has won by the game's own count,
    below 0 when it has lost; ``winner`` the number of the seat that has won, None after a draw. ``turns``,
    ``depths`` and ``spent_s`` are sums over the game, the first contestant's and the second's."""

    points: float
    plies: int
    turns: tuple[int, int]
    depths: tuple[int, int]
    opening: int = 0
    won: int = 0
    winner: int | None = None
    spent_s: tuple[float, float] = (0.0, 0.0)
