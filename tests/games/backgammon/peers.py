"""The final positions of our plays beside those of two independent generators, on positions of random games.

``python -m tests.games.backgammon.peers 20000`` compares on that many positions; the tests do it on fewer.
"""

from __future__ import annotations

import sys
from itertools import chain, count, islice

import bgsage
import gnubg_nn

from mitsuboshi.games.backgammon import BACKGAMMON
from mitsuboshi.games.backgammon.board import BAR, POINTS
from mitsuboshi.games.backgammon.moves import after, plays
from mitsuboshi.games.backgammon.position import Checkers, Position
from tests.games.backgammon.literals import playout

Board = tuple[Checkers, Checkers]
"""The mover's and the other side's checkers on points 1 to 24 and the bar, each in its own view."""


def ours(position: Position) -> set[Board]:
    """What our plays lead to."""
    boards = [after(position.mine, position.theirs, path) for path in plays(position).values()]
    return {(mine[1:], theirs[1:]) for mine, theirs in boards}


def gnubg(position: Position) -> set[Board]:
    """What GNU Backgammon's plays lead to."""
    board = [list(position.theirs[1:]), list(position.mine[1:])]
    found = gnubg_nn.moves(board, *(position.dice or ()))
    sides = [gnubg_nn.board_from_position_key(key) for key in found]
    return {(tuple(mine), tuple(theirs)) for theirs, mine in sides}


def sage(position: Position) -> set[Board]:
    """What bgsage's plays lead to.

    Its documentation promises an empty list where nothing can be played; what comes is the board unmoved. And
    where one number can bear off the last checker, though another play uses both, it gives that as well.
    """
    mine, theirs = position.mine, position.theirs
    points = [mine[point] - theirs[BAR - point] for point in range(1, POINTS + 1)]
    found = bgsage.possible_moves([theirs[BAR], *points, mine[BAR]], *(position.dice or ()))
    return {_sides(board) for board in found} - {(mine[1:], theirs[1:])}


def _sides(board: list[int]) -> Board:
    points = range(1, POINTS + 1)
    return (
        (*(max(0, board[point]) for point in points), board[BAR]),
        (*(max(0, -board[BAR - point]) for point in points), abs(board[0])),
    )


def compare(number: int) -> dict[str, int]:
    """Compare on that many positions, and count what was in them. AssertionError names one that differs."""
    seen = {"bar": 0, "doubles": 0, "bearing off": 0, "hits": 0, "passes": 0, "one number": 0}
    for position in islice(chain.from_iterable(playout(seed) for seed in count()), number):
        own = ours(position)
        text = BACKGAMMON.save(position)
        assert own == gnubg(position), f"gnubg-nn differs: {text}"
        others = sage(position)
        assert own <= others, f"bgsage lacks a play: {text}"
        assert not any(any(mine) for mine, _ in others - own), f"bgsage has another play: {text}"
        assert len(own) == len(set(BACKGAMMON.legal_moves(position))), f"a final position comes twice: {text}"
        found = plays(position)
        steps = next(iter(found.values()), ())
        seen["bar"] += position.mine[BAR] > 0
        seen["doubles"] += len(set(position.dice or ())) == 1
        seen["bearing off"] += any(final[0][0] > position.mine[0] for final in found)
        seen["hits"] += any(hits for _, hits in found)
        seen["passes"] += not found
        seen["one number"] += len(steps) == 1
    return seen


if __name__ == "__main__":
    print(compare(int(sys.argv[1])))
