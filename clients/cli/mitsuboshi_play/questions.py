"""What a player may ask without changing the room: legal moves, an engine's advice, the record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mitsuboshi_play.api import Api
from mitsuboshi_play.screen import Screen
from mitsuboshi_play.snapshot import Json, Legal
from mitsuboshi_play.status import list_moves
from mitsuboshi_play.table import Table

HINT_LEVEL = "advanced"


class Sorry(Exception):
    """What could not be done: a sentence's key and its values."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.key = key
        self.values = values


class Questions:
    """Asks the server for the room on the table; Refused and Sorry tell why there is no answer."""

    def __init__(self, api: Api, table: Table, screen: Screen) -> None:
        self._api = api
        self._table = table
        self._screen = screen
        self._texts = table.texts
        self._known: tuple[int, list[Legal]] | None = None

    def legal_moves(self) -> list[Legal]:
        """What the side to move may do, asked once a version."""
        room = self._table.room
        if room.status != "playing":
            raise Sorry("not_playing")
        if self._known is None or self._known[0] != room.version:
            self._known = (room.version, self._api.legal_moves(room.id))
        return self._known[1]

    def moves(self) -> None:
        """Print every legal move."""
        self._list(list_moves(self.legal_moves(), self._table.geometry, self._table.view, self._texts))

    def hint(self, level: str) -> None:
        """Print the lines that an AI of this level thinks best."""
        legal = {move.move: move for move in self.legal_moves()}
        room = self._table.room
        lines = self._api.analysis(room.position, room.options, level or HINT_LEVEL)
        self._list([self._hint_line(line, legal) for line in lines] or [self._texts("hint_none")])

    def record(self, file: str) -> None:
        """Print the game so far, or write it into a file whose ending names the format."""
        text = self._api.record(self._table.room.id, "json" if file.endswith(".json") else "text")
        if not file:
            self._list([self._texts("line", line=line) for line in text.splitlines()])
            return
        try:
            Path(file).write_text(text, encoding="utf-8")
        except OSError as fault:
            raise Sorry("not_saved", file=file, reason=fault.strerror) from fault
        self._screen.say(self._texts("saved", file=file))

    def _hint_line(self, line: Json, legal: dict[str, Legal]) -> str:
        move = str(line.get("move"))
        path = legal[move].path if move in legal else ()
        ends = [str(self._table.geometry.place(self._table.view, point)) for point in (path[:1] + path[-1:])]
        numbers = {name: line.get(name) for name in ("score", "depth", "nodes")}
        return self._texts("hint_line", place="-".join(ends) or move, move=move, **numbers)

    def _list(self, lines: Sequence[str]) -> None:
        self._screen.say("\n".join(lines))
