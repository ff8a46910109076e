"""Positions as tests write them, each side in its own view: ``board("12:1", "4:2 24:13", dice=(5, 3))``."""

from __future__ import annotations

import random
from collections.abc import Iterator

from mitsuboshi.games.backgammon import BACKGAMMON
from mitsuboshi.games.backgammon.board import BAR, CHECKERS, OFF, PLACES
from mitsuboshi.games.backgammon.position import Checkers, Position
from mitsuboshi.games.game import Options, complete_options

OPTIONS: Options = complete_options(BACKGAMMON.options, {})


PLACE = {"off": OFF, "bar": BAR} | {str(point): point for point in range(1, BAR)}


def side(text: str, rest: int = OFF) -> Checkers:
    """A side's checkers; those that the text does not place are on ``rest``."""
    checkers = [0] * PLACES
    for item in text.split():
        place, _, count = item.partition(":")
        checkers[PLACE[place]] = int(count)
    checkers[rest] += CHECKERS - sum(checkers)
    return tuple(checkers)


def board(
    mine: str,
    theirs: str,
    dice: tuple[int, int] | None = None,
    to_move: str = "white",
    rest: tuple[int, int] = (OFF, OFF),
) -> Position:
    """A position; ``mine`` and ``theirs`` are the side to move and the other one, each in its own view."""
    own, others = side(mine, rest[0]), side(theirs, rest[1])
    white, black = (own, others) if to_move == "white" else (others, own)
    return Position(white, black, to_move, dice)


def start() -> Position:
    """The position that waits for the opening throw."""
    return BACKGAMMON.start(2, OPTIONS)


def thrown(position: Position, throw: str) -> Position:
    """The position with a throw to play."""
    return BACKGAMMON.after_chance(position, throw)


def played(position: Position, move: str) -> Position:
    """The position after a move."""
    return BACKGAMMON.play(position, move)[1]


def playout(seed: int) -> Iterator[Position]:
    """The positions of a random game that have a throw to play."""
    rnd = random.Random(seed)
    position = start()
    while BACKGAMMON.outcome(position) is None:
        position = thrown(position, rnd.choice(BACKGAMMON.chance(position)))
        yield position
        position = played(position, rnd.choice(BACKGAMMON.legal_moves(position) or ["pass"]))
