"""The board of checkers on paper: squares and pieces in, styled lines out, the viewer's side below."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mitsuboshi_play.boards.board import Glyphs
from mitsuboshi_play.boards.checkers_squares import Piece, Squares
from mitsuboshi_play.paint import Line, Span

CELL = 4
"""Columns of a square."""


@dataclass(frozen=True, slots=True)
class Marks:
    """The way of the last piece and what it took; the piece in hand and its numbered destinations."""

    path: tuple[int, ...] = ()
    taken: frozenset[int] = frozenset()
    selected: int | None = None
    picks: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Picture:
    """One board to draw, as ``view`` sees it."""

    squares: Squares
    pieces: Mapping[int, Piece]
    view: str
    marks: Marks
    glyphs: Glyphs

    def lines(self) -> list[Line]:
        """8 lines of 33 columns; every dark square has its number."""
        return [
            [Span(" "), *(span for square in line for span in self._cell(square))]
            for line in self.squares.lines(self.view)
        ]

    def _cell(self, square: int | None) -> Line:
        if square is None:
            return [Span(" " * CELL, "", "light square")]
        if square in self.marks.picks:
            return [Span(f"[{self.marks.picks[square]}]".ljust(CELL), "pick", "pick", bold=True)]
        paper, piece = self._paper(square), self.pieces.get(square)
        number = Span(f"{square:<2}", "number", paper)
        if piece is None:
            return [Span(" ", "", paper), Span(self._empty(square), "number", paper), number]
        lead = "*" if square == self.marks.selected else ">" if square in self.marks.path[-1:] else " "
        letter = piece.seat[:1].upper() if piece.king else piece.seat[:1]
        sign = (self.glyphs.king if piece.king else self.glyphs.man) or letter
        if piece.king:
            return [Span(f"{lead}{sign}{square:<2}", f"on {piece.seat}", f"{piece.seat} king", bold=True)]
        return [
            Span(lead, "number", paper, bold=True),
            Span(sign, f"{piece.seat} man", paper, bold=True),
            number,
        ]

    def _empty(self, square: int) -> str:
        if square in self.marks.taken:
            return self.glyphs.taken
        if square in self.marks.path[:1]:
            return self.glyphs.origin
        return self.glyphs.through if square in self.marks.path else self.glyphs.empty

    def _paper(self, square: int) -> str:
        if square == self.marks.selected:
            return "dark selected"
        return "dark last" if square in self.marks.path or square in self.marks.taken else "dark square"
