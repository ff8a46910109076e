"""The counts of the move tree, from the start and where captures branch."""

from __future__ import annotations

import pytest

from mitsuboshi.ai.perft import python_perft
from mitsuboshi.games.checkers import CHECKERS
from mitsuboshi.games.checkers.moves import moves
from mitsuboshi.games.checkers.position import Position
from mitsuboshi.games.checkers.rules import played
from tests.games.checkers.literals import START, read

KINGS = (
    "W:WK21,K22,K23,K24,K25,K26,K27,K28,K29,K30,K31,K32:BK1,K2,K3,K4,K5,K6,K7,K8,K9,K10,K11,K12",
    [7, 49, 340, 1983, 12_914, 84_049],
)
ROUNDABOUTS = ("W:WK31:B17,18,19,26,27,10,11", [8, 60, 184, 1267, 3529, 22_595])
MEN = ("B:W26,27,18,19,30:B22,14,1", [2, 2, 5, 28, 120, 619, 2402])


def perft(position: Position, depth: int) -> int:
    """The number of move sequences of this length; each path of a capture is a move of its own."""
    legal = moves(position)
    return len(legal) if depth == 1 else sum(perft(played(position, move), depth - 1) for move in legal)


@pytest.mark.parametrize(
    ("text", "counts"),
    [(START, [7, 49, 302, 1469, 7361, 36_768, 179_740]), KINGS, ROUNDABOUTS, MEN],
    ids=["start", "kings", "roundabouts", "men"],
)
def test_the_move_tree_has_the_published_counts(text: str, counts: list[int]) -> None:
    """A capture of several pieces is one move, whatever the number of its jumps."""
    assert [perft(read(text), depth) for depth in range(1, len(counts) + 1)] == counts


def test_the_tree_is_the_same_through_the_interface_of_all_games() -> None:
    """What ``mitsuboshi perft checkers --python`` counts."""
    start = CHECKERS.start(2, {})
    assert [python_perft(CHECKERS, start, depth) for depth in range(1, 6)] == [7, 49, 302, 1469, 7361]
