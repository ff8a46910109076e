"""Positions that several tests of the engine begin from."""

from __future__ import annotations

from collections.abc import Iterable

from mitsuboshi.games.diamond.board import POINTS, START
from mitsuboshi.games.diamond.notation import write
from mitsuboshi.games.diamond.position import EMPTY, Position

START_2 = "R/rr/rrr/rrrr/4rrrrr4/12/11/10/y8/yy8/yyy8/yyyy8/Yyyyy8/4/3/2/1 r 2 0 0"
START_3 = "R/rr/rrr/rrrr/4rrrrr4/12/11/10/y7g/yy6gg/yyy5ggg/yyyy4gggg/Yyyyy3ggggG/4/3/2/1 r 3 0 0"


def red_and_yellow(men: Iterable[int], king: int, *, to_move: str = "red", ply: int = 100) -> str:
    """Red's pieces as given; yellow's on its start camp, with a man on 60 where red stands on 102."""
    cells = [EMPTY] * POINTS
    for point in START["yellow"].points:
        cells[point] = "Y" if point == START["yellow"].apex else "y"
    men = set(men)
    if 102 in men:
        cells[60] = "y"
    for point in men:
        cells[point] = "r"
    cells[king] = "R"
    return write(Position("".join(cells), to_move, 2, ply))


TARGET_BUT_118 = {*range(102, 107), *range(111, 118), 119, 120}
MAN_ON_APEX = red_and_yellow(TARGET_BUT_118, king=94)
"""Red's man has to leave the apex for 118; then the king jumps there over four men and wins."""

STUCK_RULES = {"leave_target": False, "border_stop": False}
ONE_MOVE = (
    "1/2/3/4/8y3Y/10y1/5g1g1y1/1g4ygy1/1y4g2/2g1yg3g/1yyG2gy3/2y2ggr4/yy2yrrrr1ggg/rrrr/rrR/rr/r r 3 324 0"
)
"""Under the stuck rules red has 93-72 and nothing else."""
NO_MOVE = "1/2/3/4/8y4/12/4y2yy2/5y4/1yy6/y1y2y4/1Yy8/1yy3y5/4rrrrr4/rrrr/rrr/rR/r r 2 286 0"
"""Under the stuck rules red, all in its target, has to pass."""
