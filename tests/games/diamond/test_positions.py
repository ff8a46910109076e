"""Every position of ``positions.json`` with everything that it expects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mitsuboshi.games.diamond import DIAMOND
from mitsuboshi.games.diamond.board import NUMBER, ROW
from mitsuboshi.games.diamond.position import Position
from mitsuboshi.games.diamond.rules import distance_sum
from mitsuboshi.games.game import IllegalMove, Outcome
from tests.games.diamond.literals import CASES, destinations, position_of


def _check_legal_moves(position: Position, expected: list[list[int]]) -> None:
    moves = DIAMOND.legal_moves(position)
    found = {(move, DIAMOND.details(position, move)["jumps"]) for move in moves}
    assert found == {(f"{origin}-{end}", jumps) for origin, end, jumps in expected}
    assert len(moves) == len(expected)


def _check_n_legal(position: Position, expected: int) -> None:
    assert len(DIAMOND.legal_moves(position)) == expected


def _check_moves_from(position: Position, expected: dict[str, list[tuple[int, int]]]) -> None:
    for origin, ends in expected.items():
        assert destinations(position, int(origin)) == dict(ends)


def _check_moves(position: Position, expected: list[dict[str, Any]]) -> None:
    for move in expected:
        _check_move(position, f"{move['from']}-{move['to']}", move)


def _check_move(position: Position, text: str, expected: dict[str, Any]) -> None:
    assert (text in DIAMOND.legal_moves(position)) == expected["legal"]
    if not expected["legal"]:
        with pytest.raises(IllegalMove):
            DIAMOND.play(position, text)
        return
    canonical, following = DIAMOND.play(position, text)
    assert canonical == text
    if "min_jumps" in expected:
        assert DIAMOND.details(position, text)["jumps"] == expected["min_jumps"]
    _check_following(following, expected)


def _check_following(following: Position, expected: dict[str, Any]) -> None:
    for name in ("ply", "passes"):
        if name in expected:
            assert getattr(following, name) == expected[name]
    if "result" in expected:
        assert _result(DIAMOND.outcome(following)) == expected["result"]


def _result(outcome: Outcome | None) -> str:
    if outcome is None:
        return "ongoing"
    return f"win {outcome.winner}" if outcome.winner else "draw"


def _check_pass(position: Position, expected: dict[str, Any]) -> None:
    assert DIAMOND.must_pass(position) == expected["allowed"]
    if expected["allowed"]:
        _check_following(DIAMOND.play(position, "pass")[1], expected)
    else:
        with pytest.raises(IllegalMove):
            DIAMOND.play(position, "pass")


def _check_count_in_target(position: Position, expected: dict[str, int]) -> None:
    in_target = DIAMOND.facts(position)["in_target"]
    assert {seat: in_target[seat] for seat in expected} == expected


def _check_distance_sum(position: Position, expected: dict[str, int]) -> None:
    assert {seat: distance_sum(position.board, seat) for seat in expected} == expected


def _check_resign(position: Position, expected: dict[str, str]) -> None:
    assert {seat: _result(DIAMOND.resigned(position, seat)) for seat in expected} == expected


def _check_row_number(position: Position, expected: dict[str, dict[str, list[int]]]) -> None:
    for seat, points in expected.items():
        for point, row_and_number in points.items():
            assert [ROW[seat][int(point)], NUMBER[seat][int(point)]] == row_and_number


def _check_rows_advanced(position: Position, expected: list[list[int]]) -> None:
    for origin, end, rows in expected:
        assert DIAMOND.details(position, f"{origin}-{end}")["rows"] == rows


def _check_king_to_apex_hint(position: Position, expected: dict[str, bool]) -> None:
    hinted = DIAMOND.facts(position)["king_to_apex"]
    assert {seat: seat in hinted for seat in expected} == expected


CHECKS: dict[str, Callable[[Position, Any], None]] = {
    "legal_moves": _check_legal_moves,
    "n_legal": _check_n_legal,
    "moves_from": _check_moves_from,
    "moves": _check_moves,
    "pass": _check_pass,
    "count_in_target": _check_count_in_target,
    "distance_sum": _check_distance_sum,
    "resign": _check_resign,
    "row_number": _check_row_number,
    "rows_advanced": _check_rows_advanced,
    "king_to_apex_hint": _check_king_to_apex_hint,
}


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_position_is_as_expected(case: dict[str, Any]) -> None:
    """Each expectation of a case holds, and there is none that nobody checks."""
    position = position_of(case)
    for kind, expected in case["expected"].items():
        CHECKS[kind](position, expected)


def test_every_kind_of_expectation_occurs() -> None:
    """A check that no case uses would check nothing."""
    assert {kind for case in CASES for kind in case["expected"]} == CHECKS.keys()
