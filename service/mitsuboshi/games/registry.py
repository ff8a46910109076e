"""The games of the house: a literal list, one line a game."""

from __future__ import annotations

from typing import Any

from mitsuboshi.games.backgammon import BACKGAMMON
from mitsuboshi.games.checkers import CHECKERS
from mitsuboshi.games.diamond import DIAMOND
from mitsuboshi.games.game import Game

GAMES: dict[str, Game[Any]] = {game.key: game for game in (DIAMOND, CHECKERS, BACKGAMMON)}
