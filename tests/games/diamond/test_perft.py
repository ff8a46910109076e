"""The counts of the move tree from the start."""

from __future__ import annotations

import pytest

from mitsuboshi.games.diamond import DIAMOND
from mitsuboshi.games.diamond.position import Position
from tests.games.diamond.literals import options


def perft(position: Position, depth: int) -> int:
    """The number of move sequences of this length."""
    moves = DIAMOND.legal_moves(position)
    if depth == 1:
        return len(moves)
    return sum(perft(DIAMOND.play(position, move)[1], depth - 1) for move in moves)


@pytest.mark.parametrize(
    ("players", "counts"), [(2, [20, 400, 12_567, 395_128]), (3, [20, 400, 8_000, 251_480])]
)
def test_the_move_tree_has_the_reference_counts(players: int, counts: list[int]) -> None:
    """Distinct pairs of origin and destination, to depth 4."""
    start = DIAMOND.start(players, options())
    assert [perft(start, depth) for depth in range(1, 5)] == counts


def test_green_first_is_the_same_tree_turned() -> None:
    """The board looks alike from every seat, so another first seat changes no count."""
    start = DIAMOND.start(3, options(first_seat="green"))
    assert [perft(start, depth) for depth in range(1, 4)] == [20, 400, 8_000]
