"""The star board: 121 points, their lines, and the six camps, all derived from three coordinates.

A point has three coordinates that sum to 0, one for each pair of opposite camps: a seat's *advance* is the
one that grows from its start apex (-8) to its target apex (+8). The star is the union of two big triangles:
the points with no coordinate above 4, whose corners are the start apexes, and those with none below -4, whose
corners are the target apexes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SEATS: Final = ("red", "yellow", "green")
"""All seats in turn order, which is clockwise seen from above."""

POINTS: Final = 121
ROWS: Final = 17

_BORDER: Final = 4  # the distance of a border line from the centre
_APEX: Final = 8

Coordinates = tuple[int, int, int]
"""A point's advance for red, for yellow and for green, in this order."""

_DIRECTIONS: Final = ((-1, 0, 1), (-1, 1, 0), (0, -1, 1), (0, 1, -1), (1, -1, 0), (1, 0, -1))
"""The six lines from a point as red sees them: back left and right, left, right, forward left and right. They
lead to neighbours in the order of their ids."""


def _on_board(point: Coordinates) -> bool:
    return max(point) <= _BORDER or min(point) >= -_BORDER


def _sideways(point: Coordinates, seat: int) -> int:
    """How far right of the centre line the seat of this number sees the point, in half steps."""
    return point[(seat + 1) % 3] - point[(seat + 2) % 3]


def _all_points() -> tuple[Coordinates, ...]:
    """Every point in the order of the ids: red's rows from its start apex, each from left to right."""
    span = range(-_APEX, _APEX + 1)
    points = [(r, y, -r - y) for r in span for y in span if _on_board((r, y, -r - y))]
    return tuple(sorted(points, key=lambda point: (point[0], _sideways(point, 0))))


COORDINATES: Final = _all_points()
_ID: Final = {point: number for number, point in enumerate(COORDINATES)}


def _ray(start: Coordinates, direction: Coordinates) -> tuple[int, ...]:
    """The points on the line from ``start`` in one direction, nearest first, up to the board's edge."""
    ray: list[int] = []
    here = start
    while True:
        here = (here[0] + direction[0], here[1] + direction[1], here[2] + direction[2])
        if here not in _ID:
            return tuple(ray)
        ray.append(_ID[here])


def _rays(start: Coordinates) -> tuple[tuple[int, ...], ...]:
    return tuple(ray for direction in _DIRECTIONS if (ray := _ray(start, direction)))


X: Final = tuple(_sideways(point, 0) for point in COORDINATES)
"""Half steps to the right of the board's centre, as red sees it: neighbours in a row are 2 apart."""

Y: Final = tuple(point[0] for point in COORDINATES)
"""Rows above the board's centre, as red sees it: -8 at red's start apex, 8 at its target apex."""

RAYS: Final = tuple(_rays(point) for point in COORDINATES)
"""The lines from each point, one for each direction that has a neighbour, nearest point first."""

NEIGHBOURS: Final = tuple(tuple(ray[0] for ray in rays) for rays in RAYS)


@dataclass(frozen=True, slots=True)
class Camp:
    """One of a seat's two camps: 15 points, of which 5 lie on the border line."""

    seat: str
    role: str
    """``start`` or ``target``."""
    points: tuple[int, ...]
    border: frozenset[int]
    apex: int

    @property
    def outer(self) -> tuple[int, ...]:
        """The 10 points beyond the border line, which are closed to other colours."""
        return tuple(point for point in self.points if point not in self.border)


def _camp(seat: str, role: str) -> Camp:
    axis, side = SEATS.index(seat), {"start": -1, "target": 1}[role]
    depth = {
        number: side * point[axis]
        for number, point in enumerate(COORDINATES)
        if side * point[axis] >= _BORDER and min(side * part for part in point) >= -_BORDER
    }
    border = frozenset(number for number, rows in depth.items() if rows == _BORDER)
    return Camp(seat, role, tuple(depth), border, max(depth, key=depth.__getitem__))


START: Final = {seat: _camp(seat, "start") for seat in SEATS}
TARGET: Final = {seat: _camp(seat, "target") for seat in SEATS}
CAMPS: Final = tuple(camp for seat in SEATS for camp in (START[seat], TARGET[seat]))


def _closed(seat: str) -> frozenset[int]:
    return frozenset(point for camp in CAMPS if camp.seat != seat for point in camp.outer)


def _no_stop(seat: str) -> frozenset[int]:
    own = {*START[seat].points, *TARGET[seat].points}
    return frozenset(point for camp in CAMPS if camp.seat != seat for point in camp.border) - own


CLOSED: Final = {seat: _closed(seat) for seat in SEATS}
"""The points where a seat's piece never stands or lands: with two players too, green's are among them."""

NO_STOP: Final = {seat: _no_stop(seat) for seat in SEATS}
"""Border-line points of other colours' camps that are in neither of the seat's own; see ``border_stop``."""

ROW: Final = {
    seat: tuple(point[axis] + _APEX + 1 for point in COORDINATES) for axis, seat in enumerate(SEATS)
}
"""Each point's row as a seat counts it: 1 at its start apex, 17 at its target apex."""


def _numbers(axis: int) -> tuple[int, ...]:
    leftmost: dict[int, int] = {}
    for point in COORDINATES:
        leftmost[point[axis]] = min(leftmost.get(point[axis], POINTS), _sideways(point, axis))
    return tuple((_sideways(point, axis) - leftmost[point[axis]]) // 2 + 1 for point in COORDINATES)


NUMBER: Final = {seat: _numbers(axis) for axis, seat in enumerate(SEATS)}
"""Each point's place in its row as a seat counts it: from 1 at its left."""


def _distances(apex: int) -> tuple[int, ...]:
    steps = {apex: 0}
    queue = [apex]
    for here in queue:
        for neighbour in NEIGHBOURS[here]:
            if neighbour not in steps:
                steps[neighbour] = steps[here] + 1
                queue.append(neighbour)
    return tuple(steps[point] for point in range(POINTS))


DISTANCE: Final = {seat: _distances(TARGET[seat].apex) for seat in SEATS}
"""The fewest steps from each point to a seat's target apex on the empty board."""
