"""Positions that games are tried from, as text."""

from __future__ import annotations

from mitsuboshi.games.diamond.board import NEIGHBOURS, START, TARGET

OPEN_POINT = 104
"""The point on the border of red's target that the nearly won positions leave open."""
_OUTSIDE = next(point for point in NEIGHBOURS[OPEN_POINT] if point not in TARGET["red"].points)
WINNING_MOVE = f"{_OUTSIDE}-{OPEN_POINT}"
"""The move that wins for red where it is to move in ``nearly_won``."""
_RED_HOME = "".join(f" r{point}" for point in TARGET["red"].points if point not in (OPEN_POINT, 120))
_YELLOW = " Y98" + "".join(
    f" y{point}" for point in (56, 65, 66, 75, 76, 77, 86, 87, 88, 89, 99, 100, 101, 60)
)
_GREEN = f" G{START['green'].apex}" + "".join(f" g{point}" for point in (73, 74, 83, 84, 85, 94, 95, 96, 97))


def text(pieces: str, to_move: str, players: int = 2, ply: int = 0, passes: int = 0) -> str:
    """The text of the position with these pieces, as ``R120 r60 y61``."""
    board = ["."] * 121
    for piece in pieces.split():
        board[int(piece[1:])] = piece[0]
    widths = [1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1]
    rows = []
    for width in widths:
        row, board = "".join(board[:width]), board[width:]
        for run in range(width, 0, -1):
            row = row.replace("." * run, str(run))
        rows.append(row)
    return f"{'/'.join(rows)} {to_move[0]} {players} {ply} {passes}"


def nearly_won(to_move: str = "red", players: int = 2, ply: int = 0) -> str:
    """Red lacks one move; the others stand near their start."""
    red = f"R{TARGET['red'].apex} r{_OUTSIDE}{_RED_HOME}"
    green = f"{_GREEN} g107 g108 g109 g59 g50" if players == 3 else ""
    return text(red + _YELLOW + green, to_move, players, ply)


MUST_PASS = text(
    "R14 r0 r1 r2 r3 r4 r5 r6 r7 r8 r9 r15 r16 r17 r18"
    " Y27 y26 y28 y29 y30 y31 y37 y39 y40 y41 y42 y43 y47 y56 y99",
    "red",
    ply=100,
)
"""Red has no legal move, yellow has."""

ONE_MOVE = text(
    "R14 r0 r1 r2 r3 r4 r5 r6 r7 r8 r9 r15 r16 r17 r18"
    " Y27 y60 y28 y29 y30 y31 y37 y39 y40 y41 y42 y43 y47 y56 y99",
    "red",
    ply=100,
)
"""Red has one legal move: 14-26."""

YELLOW_FIRST = "56-57"
"""A move that yellow has at the start, whatever red has played."""
