"""The board's geometry, as clients draw it, and what the game declares of itself."""

from __future__ import annotations

from typing import Any

import pytest

from mitsuboshi.games.checkers import CHECKERS
from mitsuboshi.games.checkers.board import BIT, BOARD, SQUARE

SQUARES: list[dict[str, Any]] = CHECKERS.geometry()["squares"]


def test_there_are_32_dark_squares_by_number() -> None:
    """Each of its own bit, on a place of its own, where column and row make it dark."""
    assert [square["id"] for square in SQUARES] == list(range(1, 33))
    assert len({(square["x"], square["y"]) for square in SQUARES}) == 32
    assert all((square["x"] + square["y"]) % 2 == 0 for square in SQUARES)
    assert all(0 <= square[axis] <= 7 for square in SQUARES for axis in "xy")
    assert {SQUARE[bit] for bit in BIT.values()} == set(range(1, 33))
    assert BOARD.bit_count() == 32


def test_red_sees_square_1_in_its_first_row_at_the_right() -> None:
    """Where the books have it; white sees it in its last row at the left."""
    first, fourth, last = SQUARES[0], SQUARES[3], SQUARES[31]
    assert (first["x"], first["y"]) == (6, 0)
    assert (fourth["x"], fourth["y"]) == (0, 0)
    assert (last["x"], last["y"]) == (1, 7)
    assert first["seen_by"] == {"red": {"row": 1, "number": 4}, "white": {"row": 8, "number": 1}}
    assert last["seen_by"] == {"red": {"row": 8, "number": 1}, "white": {"row": 1, "number": 4}}


def test_neighbours_are_one_square_away_diagonally() -> None:
    """All of them, and each the other's."""
    place = {square["id"]: (square["x"], square["y"]) for square in SQUARES}
    for square in SQUARES:
        near = {
            other
            for other, (x, y) in place.items()
            if abs(x - square["x"]) == 1 and abs(y - square["y"]) == 1
        }
        assert set(square["neighbours"]) == near


def test_each_seat_starts_on_its_side_and_is_crowned_on_the_other() -> None:
    """Twelve squares each, and the far row."""
    seats = CHECKERS.geometry()["seats"]
    assert seats["red"]["start"]["squares"] == list(range(1, 13))
    assert seats["white"]["start"]["squares"] == list(range(21, 33))
    assert (seats["red"]["crowning"]["squares"], seats["white"]["crowning"]["squares"]) == (
        [29, 30, 31, 32],
        [1, 2, 3, 4],
    )
    assert (seats["red"]["letter"], seats["white"]["letter"]) == ("B", "W")


def test_two_play_and_there_is_no_chance() -> None:
    """Red moves first; other numbers of players are refused."""
    start = CHECKERS.start(2, {})
    assert (CHECKERS.to_move(start), CHECKERS.players(start), CHECKERS.chance(start)) == ("red", 2, ())
    assert CHECKERS.dice(start) is None
    assert CHECKERS.facts(start)["pieces"]["white"] == {"men": 12, "kings": 0}
    with pytest.raises(ValueError, match="two play checkers, not 3"):
        CHECKERS.start(3, {})
    with pytest.raises(ValueError, match="no chance"):
        CHECKERS.after_chance(start, "31")
