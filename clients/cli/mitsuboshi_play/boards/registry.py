"""The games whose boards this client can draw. A game is added as one more line."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mitsuboshi_play.boards.backgammon import Backgammon
from mitsuboshi_play.boards.board import Board, Glyphs
from mitsuboshi_play.boards.checkers import Checkers
from mitsuboshi_play.boards.diamond import Diamond
from mitsuboshi_play.snapshot import Json
from mitsuboshi_play.texts import Texts

BOARDS: Mapping[str, Callable[[Json, Texts, Glyphs], Board]] = {
    "diamond": Diamond,
    "checkers": Checkers,
    "backgammon": Backgammon,
}
