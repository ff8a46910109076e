"""The Diamond Game's board on paper: geometry and position in, styled lines out.

It knows where points lie, and no rule.

A seat looks from its own side, so the picture needs only that seat's rows and numbers: row 17 on top, each
row centred.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mitsuboshi_play.boards.board import Glyphs
from mitsuboshi_play.boards.diamond_points import Geometry, Piece, Point
from mitsuboshi_play.paint import Line, Span

CELL = 4
"""Columns of a point; a row's neighbour is shifted by half of it."""


@dataclass(frozen=True, slots=True)
class Marks:
    """Where the last moves began, passed and ended, the piece in hand and its numbered destinations."""

    origins: frozenset[int] = frozenset()
    through: frozenset[int] = frozenset()
    ends: frozenset[int] = frozenset()
    selected: int | None = None
    picks: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Picture:
    """One board to draw, as ``view`` sees it; camps of seats not ``playing`` are grey."""

    geometry: Geometry
    pieces: Mapping[int, Piece]
    view: str
    playing: frozenset[str]
    marks: Marks
    glyphs: Glyphs

    def lines(self) -> list[Line]:
        """17 lines of at most 55 columns, the target apex on top."""
        rows: dict[int, list[Point]] = {}
        for point in sorted(self.geometry.points.values(), key=lambda p: p.places[self.view].number):
            rows.setdefault(point.places[self.view].row, []).append(point)
        widest = max(map(len, rows.values()))
        return [self._row(row, rows[row], widest - len(rows[row])) for row in sorted(rows, reverse=True)]

    def _row(self, row: int, points: list[Point], short: int) -> Line:
        margin = " " * (CELL // 2 * short)
        return [
            Span(f"{row:>2} ", "dim"),
            Span(margin),
            *(span for point in points for span in self._cell(point)),
        ]

    def _cell(self, point: Point) -> Line:
        if point.id in self.marks.picks:
            return [Span(f"[{self.marks.picks[point.id]}]".ljust(CELL), "pick", "pick", bold=True)]
        paper, place = self._paper(point), point.places[self.view]
        piece = self.pieces.get(point.id)
        if piece is None:
            number = Span(f"{place.number:<2}", "number", paper)
            return [Span(" ", "", paper), self._empty(point, paper), number]
        sign = (self.glyphs.king if piece.king else self.glyphs.man) or piece.letter
        lead = "*" if point.id == self.marks.selected else ">" if point.id in self.marks.ends else " "
        if piece.king:
            return [Span(f"{lead}{sign}{place.number:<2}", "light", f"{piece.seat} king", bold=True)]
        number = Span(f"{place.number:<2}", "number", paper)
        return [Span(lead, "mark", paper, bold=True), Span(sign, piece.seat, paper, bold=True), number]

    def _empty(self, point: Point, paper: str) -> Span:
        if point.id in self.marks.origins:
            return Span(self.glyphs.origin, "mark", paper, bold=True)
        if point.id in self.marks.through:
            return Span(self.glyphs.through, "mark", paper, bold=True)
        if point.id in self.geometry.apexes:
            return Span(self.glyphs.apex, "dim", paper)
        return Span(self.glyphs.camp if point.camp else self.glyphs.empty, "dim", paper)

    def _paper(self, point: Point) -> str:
        if point.id == self.marks.selected:
            return "selected"
        if point.id in self.marks.origins | self.marks.through | self.marks.ends:
            return "last"
        if not point.camp:
            return "wood"
        return point.camp if point.camp in self.playing else "closed"
