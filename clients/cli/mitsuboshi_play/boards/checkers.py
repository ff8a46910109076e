"""The words of the board of checkers: squares by number, moves as 11-15, captures as 15x22x31."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mitsuboshi_play.boards.board import Glyphs, NoPlace, Origin, Turn
from mitsuboshi_play.boards.checkers_picture import Marks, Picture
from mitsuboshi_play.boards.checkers_squares import read_pieces, read_squares
from mitsuboshi_play.paint import Line
from mitsuboshi_play.snapshot import Described, Json, Snapshot
from mitsuboshi_play.texts import Texts

SQUARE = re.compile(r"\d{1,3}", re.ASCII)
BETWEEN = re.compile(r"\s*[-x]\s*|\s+", re.IGNORECASE)


class Checkers:
    """8 by 8 squares; see ``Board`` for what each method promises."""

    def __init__(self, geometry: Json, texts: Texts, glyphs: Glyphs) -> None:
        self._squares = read_squares(geometry)
        self._texts = texts
        self._glyphs = glyphs
        self.seats = tuple(self._squares.near)

    def picture(self, room: Snapshot, view: str, choices: Sequence[Described]) -> list[Line]:
        """8 lines of 33 columns."""
        pieces = read_pieces(self._squares, room.position_now)
        marks = _chosen(choices) if choices else _in_hand(room.steps) if room.steps else _played(room)
        return Picture(self._squares, pieces, view, marks, self._glyphs).lines()

    def read(self, text: str, view: str) -> Turn | Origin | None:
        """``11-15``, ``15x22x31`` or ``11 15`` as a move or step, ``11`` as a piece."""
        parts = BETWEEN.split(text)
        if not all(SQUARE.fullmatch(part) for part in parts):
            return None
        for part in parts:
            if int(part) not in self._squares.rows:
                raise NoPlace(part)
        if len(parts) == 1:
            return Origin(str(int(parts[0])), parts[0])
        return Turn(("x" if len(parts) > 2 or "x" in text.lower() else "-").join(parts))

    def spelling(self, text: str) -> str:
        """The squares: ``22-15`` may stand for the jump ``22x15``."""
        return " ".join(BETWEEN.split(text))

    def origin(self, move: Described) -> str:
        """The first square."""
        return BETWEEN.split(move.text)[0]

    def piece(self, origin: Origin, view: str) -> str:
        """The piece's square."""
        return self._texts("piece", place=origin.point)

    def target(self, move: Described, view: str) -> str:
        """The next squares, and whether something is taken on the way."""
        squares = BETWEEN.split(move.text)[1:]
        return f"{' '.join(squares):<6} {self._texts('capture') if 'x' in move.text else ''}".rstrip()

    def line(self, move: Described, view: str) -> str:
        """The text."""
        return move.text

    def name(self, move: Described, view: str) -> str:
        """The text."""
        return move.text

    def seat_note(self, room: Snapshot, seat: str) -> str:
        """How many men and kings it has."""
        counts = room.facts.get("pieces", {}).get(seat)
        if not counts:
            return ""
        kings = counts["kings"]
        return ", ".join(
            [
                self._texts("man" if counts["men"] == 1 else "men", count=counts["men"]),
                self._texts("king" if kings == 1 else "kings", count=kings),
            ]
        )

    def notes(self, room: Snapshot) -> list[str]:
        """That the side to move has to capture, and how."""
        jumps = [step for step in room.legal_steps if "x" in step]
        return [self._texts("must_capture", steps=", ".join(jumps))] if jumps and not room.steps else []


def _squares_of(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in BETWEEN.split(text) if SQUARE.fullmatch(part))


def _chosen(choices: Sequence[Described]) -> Marks:
    paths = [_squares_of(choice.text) for choice in choices]
    picks: dict[int, int] = {}
    for number, path in enumerate(paths, 1):
        picks.setdefault(path[-1], number)
    return Marks(selected=paths[0][0], picks=picks)


def _in_hand(steps: Sequence[str]) -> Marks:
    """The way so far: what has been jumped is off the board already."""
    path = [square for step in steps[:1] for square in _squares_of(step)]
    return Marks(path=(*path, *(_squares_of(step)[-1] for step in steps[1:])))


def _played(room: Snapshot) -> Marks:
    if not room.last_moves:
        return Marks()
    last = room.last_moves[-1]
    return Marks(_squares_of(last.text), frozenset(map(int, last.details.get("captures") or ())))
