"""The AI's levels as data: how long each may think, and what keeps the weaker ones weak."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

MOVETIME_LEAST_MS: Final = 50
"""No queue shrinks a move's time below this."""


RACE_WIDTH: Final = 512
"""The race width of who plays as well as can be."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What ``Engine.search`` takes: 0 stands for no limit.

    ``noise`` is in hundredths of a step or of a man, in a game with chance in thousandths of a point.
    ``race_width`` is for games that become a race; others ignore it."""

    movetime_ms: int = 0
    nodes: int = 0
    plies: int = 0
    noise: int = 0
    race_width: int = 0


@dataclass(frozen=True, slots=True)
class Level:
    """One level; ``limits`` hold on an idle machine."""

    name: str
    limits: Limits

    @property
    def movetime_ms(self) -> int:
        """The time of a move on an idle machine."""
        return self.limits.movetime_ms


# One row a level, weakest first. To add one, put it where its strength belongs and check with
# `mitsuboshi arena` that it beats the row above and loses to the row below.
LEVELS: Final[Mapping[str, Level]] = {
    level.name: level
    for level in (
        Level("beginner", Limits(movetime_ms=100, plies=1, noise=750, race_width=8)),
        Level("intermediate", Limits(movetime_ms=300, plies=3, noise=60, race_width=8)),
        Level("advanced", Limits(movetime_ms=1000, plies=6, noise=20, race_width=64)),
        Level("master", Limits(movetime_ms=5000, race_width=RACE_WIDTH)),
    )
}

# What a game's levels are, where it needs other limits than those above: the same names in the same order.
GAME_LEVELS: Final[Mapping[str, Mapping[str, Level]]] = {
    "backgammon": {
        level.name: level
        for level in (
            Level("beginner", Limits(movetime_ms=100, plies=1, noise=250)),
            Level("intermediate", Limits(movetime_ms=300, plies=1)),
            Level("advanced", Limits(movetime_ms=1000, plies=3)),
            Level("master", Limits(movetime_ms=5000)),
        )
    },
    "checkers": {
        level.name: level
        for level in (
            Level("beginner", Limits(movetime_ms=100, plies=1, noise=300)),
            Level("intermediate", Limits(movetime_ms=300, plies=4, noise=12)),
            Level("advanced", Limits(movetime_ms=1000)),
            Level("master", Limits(movetime_ms=5000)),
        )
    },
}


def level_of(game: str, name: str) -> Level:
    """A game's level of that name, one of ``LEVELS``."""
    return GAME_LEVELS.get(game, LEVELS)[name]


def budget(level: Level, waiting: int) -> Limits:
    """The level's limits when ``waiting`` other jobs are queued: its time is shared with them, within reason.

    Levels that are limited by plies are hardly ever limited by time, so they play the same in a queue.
    """
    shared = level.limits.movetime_ms // (1 + max(waiting, 0))
    return replace(level.limits, movetime_ms=max(shared, MOVETIME_LEAST_MS))
