"""Where the dark squares lie, as the server tells it, and what stands on them by a position text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mitsuboshi_play.snapshot import BadAnswer, Json


@dataclass(frozen=True, slots=True)
class Piece:
    seat: str
    king: bool


@dataclass(frozen=True, slots=True)
class Squares:
    """``columns`` and ``rows``: of a square as red sees it, from 0 at its near left; ``near`` is each
    seat's own near row among them."""

    columns: Mapping[int, int]
    rows: Mapping[int, int]
    near: Mapping[str, int]
    letters: Mapping[str, str]
    """The seat that each letter of a position text stands for."""

    def lines(self, view: str) -> list[list[int | None]]:
        """The squares of each row from the far one to the near one, from the left; None for a light one."""
        turned = self.near[view] != 0
        size = max(self.rows.values()) + 1
        at = {(self.columns[square], self.rows[square]): square for square in self.rows}
        lines = [[at.get((x, y)) for x in range(size)] for y in reversed(range(size))]
        return [line[::-1] for line in reversed(lines)] if turned else lines


def read_squares(data: Json) -> Squares:
    """The geometry of the game's page; BadAnswer when a promised field is missing or of another shape."""
    try:
        squares, seats = data["squares"], data["seats"]
        rows = {int(square["id"]): int(square["y"]) for square in squares}
        return Squares(
            columns={int(square["id"]): int(square["x"]) for square in squares},
            rows=rows,
            near={
                str(seat): next(rows[int(s["id"])] for s in squares if s["seen_by"][seat]["row"] == 1)
                for seat in seats
            },
            letters={str(seat["letter"]): str(name) for name, seat in seats.items()},
        )
    except (KeyError, TypeError, AttributeError, ValueError, StopIteration) as fault:
        raise BadAnswer(f"geometry: {fault!r}") from fault


def read_pieces(squares: Squares, position: str) -> dict[int, Piece]:
    """The piece on every occupied square of a FEN: after the side to move, each side's letter and squares."""
    pieces: dict[int, Piece] = {}
    for side in position.split(":")[1:]:
        seat = squares.letters.get(side[:1])
        for name in filter(None, side[1:].split(",")):
            square = name.removeprefix("K")
            if seat is None or not square.isdecimal() or int(square) not in squares.rows:
                raise BadAnswer(f"position: {side!r}")
            pieces[int(square)] = Piece(seat, king=name != square)
    return pieces
