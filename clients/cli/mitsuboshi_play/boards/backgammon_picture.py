"""The board of backgammon on paper: points and checkers in, styled lines out, the viewer's home below."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mitsuboshi_play.boards.board import Glyphs
from mitsuboshi_play.boards.xgid import BAR, OFF
from mitsuboshi_play.paint import Line, Span

CELL = 4
"""Columns of a point."""
STACK = 5
"""Checkers that are drawn one by one; of more, the innermost place has the number."""


@dataclass(frozen=True, slots=True)
class Side:
    """A side's letter and its checkers by place, as the viewer counts: off 0, bar 25 for both."""

    seat: str
    letter: str
    places: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Marks:
    """Places where the last checkers came to, the one in hand, and the numbered destinations."""

    ends: frozenset[int] = frozenset()
    selected: int | None = None
    picks: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Picture:
    """One board to draw. ``rows`` are the viewer's numbers of the far and near points, from the left, None
    for the bar; ``mine`` is the viewer's side."""

    rows: tuple[list[int | None], list[int | None]]
    mine: Side
    theirs: Side
    marks: Marks
    glyphs: Glyphs

    def lines(self) -> list[Line]:
        """13 lines of at most 71 columns: numbers, far points, a gap, near points, numbers."""
        far, near = self.rows
        return [
            self._numbers(far),
            *(self._row(far, depth, self.theirs) for depth in range(STACK)),
            self._gap(near),
            *(self._row(near, depth, self.mine) for depth in reversed(range(STACK))),
            self._numbers(near),
        ]

    def _numbers(self, row: list[int | None]) -> Line:
        return [Span(" "), *(self._number(point) for point in row), self._tray(row)]

    def _number(self, point: int | None) -> Span:
        if point is None:
            return self._pick(BAR) or Span(self._lead(BAR) + "bar ", "dim", self._paper(BAR))
        return self._pick(point) or Span(f"{self._lead(point)}{point:>2} ", "dim", self._paper(point))

    def _pick(self, point: int) -> Span | None:
        if point not in self.marks.picks:
            return None
        width = CELL + (point == BAR)
        return Span(f"[{self.marks.picks[point]}]".ljust(width), "pick", "pick", bold=True)

    def _lead(self, point: int) -> str:
        return "*" if point == self.marks.selected else ">" if point in self.marks.ends else " "

    def _paper(self, point: int) -> str:
        return "selected" if point == self.marks.selected else "last" if point in self.marks.ends else ""

    def _tray(self, row: list[int | None]) -> Span:
        """What a side has borne off, beside its own home board."""
        side = self.mine if row is self.rows[1] else self.theirs
        picked = side is self.mine and self.marks.picks.get(OFF)
        name = side.seat if self.glyphs.man else side.letter
        return Span(f"  off {name} {side.places[OFF]}" + (f" [{picked}]" if picked else ""), "dim")

    def _row(self, row: list[int | None], depth: int, on_bar: Side) -> Line:
        return [Span(" "), *(span for point in row for span in self._cell(point, depth, on_bar))]

    def _cell(self, point: int | None, depth: int, on_bar: Side) -> Line:
        if point is None:
            return [Span("|", "dim"), self._stack(BAR, depth, [on_bar], "bar", " "), Span("|", "dim")]
        paper = "odd point" if point % 2 else "even point"
        return [Span(" "), self._stack(point, depth, [self.mine, self.theirs], paper, self.glyphs.empty)]

    def _stack(self, place: int, depth: int, sides: list[Side], paper: str, empty: str) -> Span:
        for side in sides:
            count = side.places[place]
            if depth == STACK - 1 and count > STACK:
                return Span(f"{count:>2} ", f"{side.seat} checker", paper, bold=True)
            if depth < count:
                sign = self.glyphs.man or side.letter
                return Span(f" {sign} ", f"{side.seat} checker", paper, bold=True)
        return Span(f" {empty if depth == 0 else ' '} ", "dim", paper)

    def _gap(self, row: list[int | None]) -> Line:
        cells = ["|   |" if point is None else " " * CELL for point in row]
        return [Span(" " + "".join(cells), "dim")]
