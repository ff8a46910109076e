"""What lies on the table: the room as last seen, from whose side it is looked at, and the piece in hand."""

from __future__ import annotations

from collections.abc import Sequence

from mitsuboshi_play.board import Glyphs, Marks, Picture
from mitsuboshi_play.commands import PointName
from mitsuboshi_play.geometry import Geometry, read_pieces
from mitsuboshi_play.paint import Line
from mitsuboshi_play.snapshot import Legal, Snapshot
from mitsuboshi_play.status import describe
from mitsuboshi_play.texts import Texts


class Table:
    """The state of the client; ``fixed_view`` is the seat to look from, None for the one to move."""

    def __init__(
        self, room: Snapshot, geometry: Geometry, texts: Texts, glyphs: Glyphs, fixed_view: str | None
    ) -> None:
        self.room = room
        self.geometry = geometry
        self.texts = texts
        self.fixed_view = fixed_view
        self.choices: Sequence[Legal] = ()
        self._glyphs = glyphs
        self._last_view = ""

    @property
    def view(self) -> str:
        """The seat whose rows and numbers are shown and read."""
        if self.fixed_view is not None:
            return self.fixed_view
        if self.room.to_move in self.room.you:
            self._last_view = self.room.to_move
        elif self._last_view not in (self.room.you or self._seats):
            self._last_view = (self.room.you or self._seats)[0]
        return self._last_view

    @property
    def _seats(self) -> tuple[str, ...]:
        return tuple(seat.seat for seat in self.room.seats)

    def adopt(self, room: Snapshot) -> bool:
        """Take another snapshot and put back a piece in hand; whether the board has changed."""
        changed = _board(room) != _board(self.room)
        if changed or room.version != self.room.version:
            self.choices = ()
        self.room = room
        return changed

    def board(self) -> list[Line]:
        """The board with the last moves or a piece's destinations; nothing before the first game."""
        if not self.room.position:
            return []
        pieces = read_pieces(self.geometry, self.room.position)
        seats = frozenset(self._seats)
        return Picture(self.geometry, pieces, self.view, seats, self._marks(), self._glyphs).lines()

    def status(self) -> list[Line]:
        """The words beside the board."""
        return describe(self.room, self.geometry, self.view, self.texts)

    def point(self, name: PointName) -> int | None:
        """The id of a point as typed, or None where the board has no such point."""
        if isinstance(name, int):
            return name if name in self.geometry.points else None
        return self.geometry.point_at(self.view, name)

    def _marks(self) -> Marks:
        if self.choices:
            picks = {legal.path[-1]: number for number, legal in enumerate(self.choices, 1)}
            return Marks(selected=self.choices[0].path[0], picks=picks)
        paths = [played.path for played in self.room.last_moves if played.path]
        return Marks(
            origins=frozenset(path[0] for path in paths),
            through=frozenset(point for path in paths for point in path[1:-1]),
            ends=frozenset(path[-1] for path in paths),
        )


def _board(room: Snapshot) -> tuple[object, ...]:
    return room.position, room.status, room.game_number, room.ply
