"""What a player may ask without changing the room: legal moves, an engine's advice, the record."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from mitsuboshi_play.api import Api
from mitsuboshi_play.screen import Screen
from mitsuboshi_play.snapshot import BadAnswer, Described, Json
from mitsuboshi_play.status import list_moves
from mitsuboshi_play.table import Table
from mitsuboshi_play.verify import report

HINT_LEVEL = "advanced"
FORMATS = {".json": "json", ".pdn": "pdn", ".mat": "mat"}
"""The format of a record by the ending of its file; any other is text."""


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
        self._known: tuple[int, list[Described]] | None = None

    def legal_moves(self) -> list[Described]:
        """What the side to move may do, asked once a version."""
        room = self._table.room
        if room.status != "playing":
            raise Sorry("not_playing")
        if "roll" in room.may:
            raise Sorry("roll_first")
        if self._known is None or self._known[0] != room.version:
            self._known = (room.version, self._api.legal_moves(room.id))
        return self._known[1]

    def from_place(self, point: str) -> list[Described]:
        """The next steps from a place, or in games and turns without steps the moves that begin there."""
        steps = [Described(step, {}) for step in self._table.room.legal_steps]
        return [move for move in steps or self.legal_moves() if self._table.board.origin(move) == point]

    def moves(self) -> None:
        """Print every legal move."""
        self._list(list_moves(self.legal_moves(), self._table.board, self._table.view, self._texts))

    def steps(self) -> None:
        """Print every step that may come next."""
        room = self._table.room
        if room.status != "playing":
            raise Sorry("not_playing")
        if "roll" in room.may:
            raise Sorry("roll_first")
        lines = [self._texts("listed", line=step) for step in room.legal_steps]
        self._list([*lines, self._texts("steps_count", count=len(lines))])

    def hint(self, level: str) -> None:
        """Print the lines that an AI of this level thinks best."""
        legal = {move.text: move for move in self.legal_moves()}
        lines = self._api.analysis(self._table.room, level or HINT_LEVEL)
        self._list([self._hint_line(line, legal) for line in lines] or [self._texts("hint_none")])

    def record(self, file: str) -> None:
        """Print the game so far, or write it into a file whose ending names the format."""
        text = self._api.record(self._table.room.id, FORMATS.get(Path(file).suffix, "text"))
        if not file:
            self._list([self._texts("line", line=line) for line in text.splitlines()])
            return
        try:
            Path(file).write_text(text, encoding="utf-8")
        except OSError as fault:
            raise Sorry("not_saved", file=file, reason=fault.strerror) from fault
        self._screen.say(self._texts("saved", file=file))

    def verify(self) -> None:
        """Check the throws of the last game from its record, and print what is found."""
        if not self._table.room.commitment:
            raise Sorry("not_verifiable")
        try:
            record = json.loads(self._api.record(self._table.room.id, "json"))
        except ValueError as fault:
            raise BadAnswer("record") from fault
        self._list(report(record, self._texts)[1])

    def _hint_line(self, line: Json, legal: dict[str, Described]) -> str:
        text = str(line.get("move"))
        move = self._table.board.line(legal[text], self._table.view) if text in legal else text
        numbers = {name: line.get(name) for name in ("score", "depth", "nodes")}
        return self._texts("hint_line", move=move, margin=self._margin(line.get("margin")), **numbers)

    def _margin(self, moves: object) -> str:
        """How far the side to move is ahead; nothing where the game or the line has no such number."""
        if not isinstance(moves, int | float):
            return ""
        return self._texts("hint_behind" if moves < 0 else "hint_ahead", moves=f"{abs(moves):.1f}")

    def _list(self, lines: Sequence[str]) -> None:
        self._screen.say("\n".join(lines))
