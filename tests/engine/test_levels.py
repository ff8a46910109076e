"""Levels are what they are said to be: each keeps to its time, and beats the one below."""

from __future__ import annotations

import pytest

from mitsuboshi.ai._engine import Engine
from mitsuboshi.ai.arena import Match, play_games
from mitsuboshi.ai.contestants import Pace
from mitsuboshi.ai.levels import LEVELS, level_of
from mitsuboshi.games.game import complete_options
from mitsuboshi.games.registry import GAMES
from tests.engine.boards import START_2

POSITIONS = {
    "diamond": START_2,
    "checkers": "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
    "backgammon": "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10",
}
SLACK_MS = 150
"""A machine that does other things may wake a search late."""


@pytest.mark.parametrize("game", list(GAMES))
@pytest.mark.parametrize("name", list(LEVELS))
def test_a_level_keeps_to_its_time(game: str, name: str) -> None:
    """At a tenth of it; what keeps weak levels weak ends them long before."""
    limits = Pace(time_scale=0.1).applied(level_of(game, name).limits)
    line = Engine(16).search(
        game,
        POSITIONS[game],
        {},
        movetime_ms=limits.movetime_ms,
        plies=limits.plies,
        noise=limits.noise,
        race_width=limits.race_width,
    )[0]
    assert line.time_ms <= limits.movetime_ms + SLACK_MS
    assert not limits.plies or line.depth <= limits.plies


@pytest.mark.parametrize(
    ("game", "strong", "weak", "players", "least"),
    [
        ("diamond", "intermediate", "beginner", 2, 9),
        ("diamond", "advanced", "intermediate", 2, 9),
        ("diamond", "intermediate", "beginner", 3, 9),
        ("checkers", "intermediate", "beginner", 2, 9),
        ("backgammon", "intermediate", "beginner", 2, 8),
    ],
)
def test_a_level_beats_the_one_below(game: str, strong: str, weak: str, players: int, least: int) -> None:
    """In most of twelve games. These levels are bounded by depth, so the games are the same everywhere."""
    options = complete_options(GAMES[game].options, {})
    played = play_games(Match(game, players, options, (strong, weak), Pace(), 4, 1), range(12))
    assert sum(one.points for one in played) >= least
