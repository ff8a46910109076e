"""Where the points lie, as the server tells it, and which piece each letter of a position text stands for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from mitsuboshi_play.snapshot import BadAnswer, Json


@dataclass(frozen=True, slots=True)
class Place:
    """Where a seat sees a point: row 1 is its own start apex, numbers run from its left."""

    row: int
    number: int

    def __str__(self) -> str:
        return f"{self.row}.{self.number}"


@dataclass(frozen=True, slots=True)
class Piece:
    seat: str
    king: bool
    letter: str


@dataclass(frozen=True, slots=True)
class Point:
    id: int
    camp: str
    """The seat in whose start or target the point lies; empty for the hexagon, border lines included."""
    places: Mapping[str, Place]


@dataclass(frozen=True, slots=True)
class Geometry:
    points: Mapping[int, Point]
    seats: tuple[str, ...]
    apexes: frozenset[int]
    letters: Mapping[str, Piece]
    """The piece that each letter of a position text stands for."""

    def place(self, seat: str, point: int) -> Place:
        """The point's row and number as ``seat`` sees it; BadAnswer where the board has none such."""
        if point not in self.points or seat not in self.points[point].places:
            raise BadAnswer(f"point {point} of {seat}")
        return self.points[point].places[seat]

    def point_at(self, seat: str, place: Place) -> int | None:
        """The point's id, or None where that row has no such number."""
        return next((p.id for p in self.points.values() if p.places.get(seat) == place), None)


def read_geometry(data: Json) -> Geometry:
    """The geometry of a game's page; BadAnswer when a promised field is missing or of another shape."""
    try:
        points, seats = data["points"], data["seats"]
        return Geometry(
            points={int(point["id"]): _point(point) for point in points},
            seats=tuple(map(str, seats)),
            apexes=frozenset(
                int(seat[camp]["apex"]) for seat in seats.values() for camp in ("start", "target")
            ),
            letters={
                str(seat[kind]): Piece(str(name), kind == "king", str(seat[kind]))
                for name, seat in seats.items()
                for kind in ("man", "king")
            },
        )
    except (KeyError, TypeError, AttributeError, ValueError) as fault:
        raise BadAnswer(f"geometry: {fault!r}") from fault


def _point(data: Json) -> Point:
    places = {str(s): Place(int(p["row"]), int(p["number"])) for s, p in data["seen_by"].items()}
    inner = [str(camp["seat"]) for camp in data["camps"] if not camp["border"]]
    return Point(int(data["id"]), inner[0] if inner else "", places)


def read_pieces(geometry: Geometry, position: str) -> dict[int, Piece]:
    """The piece on every occupied point of a position text: its first word lists the points by id."""
    pieces: dict[int, Piece] = {}
    point = 0
    for empties, letter in re.findall(r"(\d+)|([^/\d])", position.partition(" ")[0]):
        if letter:
            if letter not in geometry.letters:
                raise BadAnswer(f"position: {letter!r}")
            pieces[point] = geometry.letters[letter]
        point += int(empties or 1)
    return pieces
