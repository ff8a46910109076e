"""The board as each side counts it: points 24 down to 1, the bar before them and the tray behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

SEATS: Final = ("white", "black")
POINTS: Final = 24
BAR: Final = POINTS + 1
OFF: Final = 0
HOME: Final = 6
"""A side's home board are its points 1 to 6."""
CHECKERS: Final = 15
PLACES: Final = POINTS + 2
"""Off, the points and the bar: a side's checkers are as many counts, by the place as the side sees it."""

START: Final = tuple({24: 2, 13: 5, 8: 3, 6: 5}.get(place, 0) for place in range(PLACES))


def pips(checkers: Sequence[int]) -> int:
    """How many pips a side's checkers are away from being borne off."""
    return sum([place * count for place, count in enumerate(checkers)])


def geometry() -> dict[str, Any]:
    """The points, the bar and the tray as white sees them; ``docs/games/backgammon.md`` shows the shape."""
    return {
        "points": [*map(_point, range(1, POINTS + 1)), _place("bar", 6, BAR), _place("off", 13, OFF)],
        "seats": {
            "white": {"colour": "white", "checker": "X", "home": [1, 2, 3, 4, 5, 6]},
            "black": {"colour": "black", "checker": "O", "home": [19, 20, 21, 22, 23, 24]},
        },
    }


def _point(point: int) -> dict[str, Any]:
    upper = point > 12
    column = point - 13 if upper else 12 - point
    return {
        "id": point,
        "x": column + (column > 5),
        "y": int(upper),
        "neighbours": [near for near in (point - 1, point + 1) if 1 <= near <= POINTS],
        "seen_by": {"white": {"number": point}, "black": {"number": BAR - point}},
    }


def _place(name: str, x: int, number: int) -> dict[str, Any]:
    return {
        "id": name,
        "x": x,
        "y": 0.5,
        "neighbours": [],
        "seen_by": {seat: {"number": number} for seat in SEATS},
    }
