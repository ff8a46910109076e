"""What a checkers position is: the pieces, the side to move, and what the draw rules remember."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mitsuboshi.games.checkers.board import BOARD, SEATS

OTHER: Final = dict(zip(SEATS, reversed(SEATS), strict=True))


@dataclass(frozen=True, slots=True)
class Position:
    """A position between two moves; sets of squares as ``board`` has them.

    ``red`` and ``white`` hold men and kings, ``kings`` those of both. ``ply`` counts the turns since the
    start. ``quiet`` are the moves since the last capture or man's move, all of them king's moves, oldest
    first, as pairs of an origin and a destination: from them the earlier positions are found by walking back.
    """

    red: int
    white: int
    kings: int
    to_move: str
    ply: int = 0
    quiet: tuple[tuple[int, int], ...] = ()

    @property
    def own(self) -> int:
        """The pieces of the side to move."""
        return self.red if self.to_move == "red" else self.white

    @property
    def enemy(self) -> int:
        """The pieces of the other side."""
        return self.white if self.to_move == "red" else self.red

    @property
    def empty(self) -> int:
        """The squares without a piece."""
        return BOARD & ~(self.red | self.white)

    def pieces(self, seat: str) -> int:
        """The pieces of a seat."""
        return self.red if seat == "red" else self.white
