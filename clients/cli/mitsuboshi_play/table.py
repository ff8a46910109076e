"""What lies on the table: the room as last seen, from whose side it is looked at, and the piece in hand."""

from __future__ import annotations

from collections.abc import Sequence

from mitsuboshi_play.boards.board import Board
from mitsuboshi_play.paint import Line
from mitsuboshi_play.snapshot import Described, Snapshot
from mitsuboshi_play.status import describe
from mitsuboshi_play.texts import Texts


class Table:
    """The state of the client; ``fixed_view`` is the seat to look from, None for the one to move."""

    def __init__(self, room: Snapshot, board: Board, texts: Texts, fixed_view: str | None) -> None:
        self.room = room
        self.board = board
        self.texts = texts
        self.fixed_view = fixed_view
        self.choices: Sequence[Described] = ()
        """Where the piece in hand may go."""
        self._last_view = ""

    @property
    def view(self) -> str:
        """The seat from whose side the board is shown and its places are read."""
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

    def picture(self) -> list[Line]:
        """The board with the last moves or a piece's destinations; nothing before the first game."""
        if not self.room.position:
            return []
        return self.board.picture(self.room, self.view, self.choices)

    def status(self) -> list[Line]:
        """The words beside the board."""
        return describe(self.room, self.board, self.view, self.texts)


def _board(room: Snapshot) -> tuple[object, ...]:
    return room.position_now, room.dice, room.steps, room.status, room.game_number, room.ply
