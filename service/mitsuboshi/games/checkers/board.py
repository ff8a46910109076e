"""The 32 dark squares as bits, and the ways between them.

A set of squares is a number with a bit for each of them. After every two rows one bit stays unused, so that
the same four shifts lead to the neighbours from everywhere: +4 and +5 towards the higher numbers, where red
moves, -4 and -5 back. Whatever leaves the board lands on an unused bit, which ``BOARD`` masks out::

     bits         square numbers
       0  1  2  3      1  2  3  4       red's side
      4  5  6  7      5  6  7  8
       9 10 11 12      9 10 11 12
     13 14 15 16     13 14 15 16  ...
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

SEATS: Final = ("red", "white")
"""Both seats in turn order."""

SQUARES: Final = range(1, 33)
PIECES: Final = 12
"""Men of a seat at the start, and the most pieces that it can have."""
ROWS: Final = 8
PER_ROW: Final = 4

LEFT, RIGHT = 4, 5  # the two shifts towards higher numbers, left and right as white sees them
FORWARD: Final = {"red": (LEFT, RIGHT), "white": (-RIGHT, -LEFT)}

BIT: Final = {square: 1 << (square - 1 + (square - 1) // ROWS) for square in SQUARES}
SQUARE: Final = {bit: square for square, bit in BIT.items()}
BOARD: Final = sum(BIT.values())


def squares(bits: int) -> list[int]:
    """The numbers of the squares in a set, ascending."""
    return [SQUARE[bit] for bit in each(bits)]


def each(bits: int) -> Iterator[int]:
    """The single squares of a set, each as a set of its own, by ascending number."""
    while bits:
        lowest = bits & -bits
        yield lowest
        bits ^= lowest


def set_of(numbers: Iterator[int] | range) -> int:
    """The set of the squares with these numbers."""
    return sum(BIT[number] for number in numbers)


START: Final = {"red": set_of(range(1, 13)), "white": set_of(range(21, 33))}
FAR_ROW: Final = {"red": set_of(range(29, 33)), "white": set_of(range(1, 5))}
"""Where a seat's men are crowned."""


def _shifted(bit: int, by: int) -> int:
    return (bit << by if by > 0 else bit >> -by) & BOARD


Steps = dict[int, tuple[int, ...]]
Jumps = dict[int, tuple[tuple[int, int], ...]]


def _steps(shifts: tuple[int, ...]) -> Steps:
    return {bit: tuple(end for by in shifts if (end := _shifted(bit, by))) for bit in SQUARE}


def _jumps(shifts: tuple[int, ...]) -> Jumps:
    def ways(bit: int) -> Iterator[tuple[int, int]]:
        for by in shifts:
            over = _shifted(bit, by)
            if over and (end := _shifted(over, by)):
                yield over, end

    return {bit: tuple(ways(bit)) for bit in SQUARE}


_EVERY_WAY: Final = (*FORWARD["white"], *FORWARD["red"])
MAN_STEPS: Final = {seat: _steps(FORWARD[seat]) for seat in SEATS}
KING_STEPS: Final = _steps(_EVERY_WAY)
"""From each square, the neighbouring ones."""
MAN_JUMPS: Final = {seat: _jumps(FORWARD[seat]) for seat in SEATS}
KING_JUMPS: Final = _jumps(_EVERY_WAY)
"""From each square, the pairs of a square that is jumped and the one behind it."""

BETWEEN: Final = {(bit, end): over for bit, jumps in KING_JUMPS.items() for over, end in jumps}
"""The square that a jump between two squares passes."""


def row(square: int, seat: str) -> int:
    """The square's row as a seat counts it: 1 on its own side, 8 where its men are crowned."""
    from_red = (square - 1) // PER_ROW + 1
    return from_red if seat == "red" else ROWS + 1 - from_red


def number(square: int, seat: str) -> int:
    """The square's place in its row as a seat counts it: from 1 at its left."""
    from_white = (square - 1) % PER_ROW + 1
    return from_white if seat == "white" else PER_ROW + 1 - from_white


def column(square: int) -> int:
    """The square's column as red sees it, 0 at its left to 7; light squares have columns too."""
    from_white = 2 * ((square - 1) % PER_ROW) + row(square, "red") % 2
    return 2 * PER_ROW - 1 - from_white
