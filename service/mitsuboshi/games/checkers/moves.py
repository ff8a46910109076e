"""Which moves there are: a move is its path, the squares that the piece stands on from first to last.

Captures are compulsory and played to their end; crowning ends a turn."""

from __future__ import annotations

from itertools import pairwise

from mitsuboshi.games.checkers.board import (
    BETWEEN,
    KING_JUMPS,
    KING_STEPS,
    LEFT,
    MAN_JUMPS,
    MAN_STEPS,
    RIGHT,
    Jumps,
    each,
)
from mitsuboshi.games.checkers.position import Position

Move = tuple[int, ...]
"""The path: origin, then each square that the piece comes to stand on; single squares as bits."""


def moves(position: Position) -> list[Move]:
    """Every legal move as the rules of movement have it, by origin, none twice; draws are not looked at."""
    capturing = jumpers(position)
    return _captures(position, capturing) if capturing else _simple_moves(position)


def jumpers(position: Position) -> int:
    """The pieces of the side to move that can capture."""
    enemy, empty = position.enemy, position.empty
    up = (enemy >> LEFT) & (empty >> 2 * LEFT) | (enemy >> RIGHT) & (empty >> 2 * RIGHT)
    down = (enemy << LEFT) & (empty << 2 * LEFT) | (enemy << RIGHT) & (empty << 2 * RIGHT)
    return _with_a_way(position, up, down)


def can_move(position: Position) -> bool:
    """Whether the side to move has any move."""
    empty = position.empty
    steppers = _with_a_way(position, empty >> LEFT | empty >> RIGHT, empty << LEFT | empty << RIGHT)
    return bool(steppers or jumpers(position))


def _with_a_way(position: Position, up: int, down: int) -> int:
    """The own pieces on squares with a way up, towards higher numbers, or down, as far as they may go it."""
    if position.to_move == "red":
        return position.red & (up | down & position.kings)
    return position.white & (down | up & position.kings)


def _simple_moves(position: Position) -> list[Move]:
    empty, kings = position.empty, position.kings
    man_steps = MAN_STEPS[position.to_move]
    return [
        (piece, end)
        for piece in each(position.own)
        for end in (KING_STEPS if piece & kings else man_steps)[piece]
        if end & empty
    ]


def _captures(position: Position, capturing: int) -> list[Move]:
    enemy, empty, kings = position.enemy, position.empty, position.kings
    found: list[Move] = []
    for piece in each(capturing):
        # No jump leads a man on from the row where it is crowned: its turn ends there by itself.
        jumps = KING_JUMPS if piece & kings else MAN_JUMPS[position.to_move]
        # A piece in mid-capture has left its square: a way round may end, or go on, there.
        _extend((piece,), enemy, empty | piece, jumps, found)
    return found


def _extend(path: Move, enemy: int, empty: int, jumps: Jumps, found: list[Move]) -> None:
    """Add every capture that begins with the path; ``enemy`` are the pieces that it has not taken."""
    ended = True
    for over, end in jumps[path[-1]]:
        if over & enemy and end & empty:
            ended = False
            _extend((*path, end), enemy ^ over, empty, jumps, found)
    if ended:
        found.append(path)


def captured(move: Move) -> list[int]:
    """The squares of the pieces that a move takes, in order; none for a simple move."""
    if (move[0], move[1]) not in BETWEEN:
        return []
    return [BETWEEN[pair] for pair in pairwise(move)]
