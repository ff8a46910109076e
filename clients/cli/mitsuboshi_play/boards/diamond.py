"""The words of the Diamond Game's board: points by id, or by row and number as a seat sees them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mitsuboshi_play.boards.board import Glyphs, NoPlace, Origin, Turn
from mitsuboshi_play.boards.diamond_picture import Marks, Picture
from mitsuboshi_play.boards.diamond_points import Place, read_geometry, read_pieces
from mitsuboshi_play.paint import Line
from mitsuboshi_play.snapshot import BadAnswer, Described, Json, Snapshot
from mitsuboshi_play.texts import Texts

PATH_POINTS = 8
"""Points of a path that a line has room for; a longer one is cut in the middle."""
POINT = re.compile(r"(\d{1,3})(?:\.(\d{1,3}))?", re.ASCII)
BETWEEN = re.compile(r"\s*-\s*|\s+")


class Diamond:
    """The star of 121 points; see ``Board`` for what each method promises."""

    def __init__(self, geometry: Json, texts: Texts, glyphs: Glyphs) -> None:
        self._geometry = read_geometry(geometry)
        self._texts = texts
        self._glyphs = glyphs
        self.seats = self._geometry.seats

    def picture(self, room: Snapshot, view: str, choices: Sequence[Described]) -> list[Line]:
        """17 lines of at most 55 columns, the target apex on top."""
        pieces = read_pieces(self._geometry, room.position)
        playing = frozenset(seat.seat for seat in room.seats)
        marks = _chosen(choices) if choices else _played(room)
        return Picture(self._geometry, pieces, view, playing, marks, self._glyphs).lines()

    def read(self, text: str, view: str) -> Turn | Origin | None:
        """``14-26`` or ``5.5-6.4`` as a move, ``14`` or ``5.5`` as a piece."""
        parts = BETWEEN.split(text)
        if len(parts) > 2 or not all(POINT.fullmatch(part) for part in parts):
            return None
        points = [str(self._point(part, view)) for part in parts]
        return Turn("-".join(points)) if len(points) == 2 else Origin(points[0], parts[0])

    def spelling(self, text: str) -> str:
        """The text: what ``read`` gives has ids alone."""
        return text

    def origin(self, move: Described) -> str:
        """The first point of the path."""
        return str(path_of(move)[0])

    def piece(self, origin: Origin, view: str) -> str:
        """The piece's place and point."""
        place = self._geometry.place(view, int(origin.point))
        return self._texts("piece_on_point", place=place, point=origin.point)

    def target(self, move: Described, view: str) -> str:
        """The last point of the path, with the move's kind and gain."""
        return f"{self._geometry.place(view, path_of(move)[-1])!s:<6} {self._gain(move)}"

    def line(self, move: Described, view: str) -> str:
        """Ids, rows and numbers, kind, rows gained."""
        return f"{move.text:<8} {self._ends(move, view):<12} {self._gain(move)}"

    def name(self, move: Described, view: str) -> str:
        """Every point of the path, cut in the middle; of a move without one its text."""
        if not move.details.get("path"):
            return move.text
        places = [str(self._geometry.place(view, point)) for point in path_of(move)]
        if len(places) > PATH_POINTS:
            places = [*places[: PATH_POINTS - 2], "…", places[-1]]
        return "-".join(places)

    def seat_note(self, room: Snapshot, seat: str) -> str:
        """How many of its pieces are home."""
        home = room.facts.get("in_target", {})
        return self._texts("home", count=home[seat]) if seat in home else ""

    def notes(self, room: Snapshot) -> list[str]:
        """Whose target is full but for the king."""
        seats = room.facts.get("king_to_apex")
        return [self._texts("king_to_apex", seats=", ".join(map(str, seats)))] if seats else []

    def _point(self, text: str, view: str) -> int:
        row, _, number = text.partition(".")
        point = self._geometry.point_at(view, Place(int(row), int(number))) if number else int(row)
        if point is None or point not in self._geometry.points:
            raise NoPlace(text)
        return point

    def _ends(self, move: Described, view: str) -> str:
        path = path_of(move)
        return f"{self._geometry.place(view, path[0])}-{self._geometry.place(view, path[-1])}"

    def _gain(self, move: Described) -> str:
        """A move's kind and the rows it gains, such as ``2 jumps  +4 rows``."""
        jumps, rows = _number(move, "jumps"), _number(move, "rows")
        kinds = {0: self._texts("step"), 1: self._texts("jump")}
        kind = kinds.get(jumps) or self._texts("jumps", jumps=jumps)
        return f"{kind:<8} {self._texts('row' if abs(rows) == 1 else 'rows', rows=f'{rows:+d}')}"


def path_of(move: Described) -> tuple[int, ...]:
    """The points of a move, two at least; BadAnswer where the server tells fewer."""
    path = move.details.get("path")
    if not isinstance(path, list) or len(path) < 2 or not all(isinstance(point, int) for point in path):
        raise BadAnswer(f"path of {move.text}")
    return tuple(path)


def _number(move: Described, name: str) -> int:
    value = move.details.get(name)
    if not isinstance(value, int):
        raise BadAnswer(f"{name} of {move.text}")
    return value


def _chosen(choices: Sequence[Described]) -> Marks:
    picks = {path_of(move)[-1]: number for number, move in enumerate(choices, 1)}
    return Marks(selected=path_of(choices[0])[0], picks=picks)


def _played(room: Snapshot) -> Marks:
    paths = [path_of(move) for move in room.last_moves if move.details.get("path")]
    return Marks(
        origins=frozenset(path[0] for path in paths),
        through=frozenset(point for path in paths for point in path[1:-1]),
        ends=frozenset(path[-1] for path in paths),
    )
