"""How pieces move, on positions made by hand."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest

from mitsuboshi.games.diamond import DIAMOND
from mitsuboshi.games.diamond.position import Position
from mitsuboshi.games.game import IllegalMove
from tests.games.diamond.literals import after, case, destinations, options, pieces

RING = "r71 r80 r68 r49 r40 r52"  # around the centre, one between each two of 62 81 79 58 39 41


def test_men_hop_neither_kings_nor_two_pieces() -> None:
    """Own king left, enemy king right, two men ahead, one man behind: only the last is jumped."""
    position = pieces("r60 R59 Y61 y70 r81 y50")
    assert [end for end, jumps in destinations(position, 60).items() if jumps] == [39]


def test_a_king_jumps_a_run_but_no_distant_piece_and_no_king() -> None:
    """Two men right, an empty point before the men left, a king in the run ahead."""
    position = pieces("R60 r61 y62 r58 y70 Y81 r50")
    assert {end: jumps for end, jumps in destinations(position, 60).items() if jumps} == {63: 1, 39: 1}


def test_a_ring_of_men_gives_each_destination_once() -> None:
    """A hop cycle ends: every point of the loop once, with the shorter way round, the origin never."""
    position = pieces(f"r62 {RING}")
    moves = [move for move in DIAMOND.legal_moves(position) if move.startswith("62-")]
    assert len(moves) == len(set(moves))
    jumped = {end: jumps for end, jumps in destinations(position, 62).items() if jumps}
    assert jumped == {81: 1, 41: 1, 79: 2, 39: 2, 58: 3}


def test_a_path_through_the_ring_names_the_points_between() -> None:
    """The path is whole, has the fewest jumps, and is the same every time."""
    position = pieces(f"r62 {RING}")
    assert DIAMOND.details(position, "62-79") == {"path": [62, 81, 79], "jumps": 2, "rows": 2}
    assert DIAMOND.details(position, "62-58")["path"] == [62, 41, 39, 58]


def test_a_ring_does_not_bring_a_piece_back_to_its_origin() -> None:
    """A move that ends on its origin is no move."""
    with pytest.raises(IllegalMove, match="another point than it began"):
        DIAMOND.play(pieces(f"r62 {RING}"), "62-62")


def test_even_the_position_with_the_most_moves_is_listed_with_little_work() -> None:
    """307 moves is the most that a long search for a crowded position has found: some 7,000 lines of code."""
    text = (
        "1/2/1R1/2r1/g4g1gry1yy/ggg1g1y5/1gry3g1yy/3r1r2g1/1y2r2y1/3r2r3/"
        "Y3r2gr2/1yyy2r2g2/y1y2g1g1G3/r1r1/2r/2/1 r 3 0 0"
    )
    position = DIAMOND.read(text, options())
    moves, lines = _listed(position)
    assert len(set(moves)) == 307
    assert lines < 20_000


def _listed(position: Position) -> tuple[list[str], int]:
    """The legal moves, and how many lines of Python ran to list them."""
    lines = 0

    def count(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        moves = DIAMOND.legal_moves(position)
    finally:
        sys.settrace(before)
    return moves, lines


def test_a_chain_goes_on_from_another_camps_border_line() -> None:
    """79 over 78 to yellow's border point 77, and from there over 67 to 58."""
    position = pieces("r79 y78 y67")
    assert {end: jumps for end, jumps in destinations(position, 79).items() if jumps} == {77: 1, 58: 2}


def test_a_chain_does_not_go_on_over_a_closed_point() -> None:
    """80 to 78 to 76 to 57: yellow may, but 76 is closed to red, to land on in mid-chain as well."""
    men = "y79 y77 y66"
    assert {end for end, jumps in destinations(pieces(f"r80 {men}"), 80).items() if jumps} == {78}
    yellow = destinations(pieces(f"y80 {men}", "yellow"), 80)
    assert {end: jumps for end, jumps in yellow.items() if jumps} == {78: 1, 76: 2, 57: 3}


def test_greens_camps_are_closed_with_two_players() -> None:
    """A camp that nobody uses is no place to rest in."""
    with pytest.raises(IllegalMove, match="84 is closed to red"):
        DIAMOND.play(pieces("r83"), "83-84")


def test_a_chain_may_touch_a_point_on_which_it_may_not_end() -> None:
    """102 is the last empty point of red's target: yellow may not stop there, but jumps on from it."""
    men = " ".join(f"r{point}" for point in (103, 104, 105, 106, *range(111, 120)))
    position = pieces(f"R120 {men} y77 y89 y90 r60", "yellow")
    assert "77-102" not in DIAMOND.legal_moves(position)
    with pytest.raises(IllegalMove, match="102 would complete red's target"):
        DIAMOND.play(position, "77-102")
    assert DIAMOND.details(position, "77-79") == {"path": [77, 102, 79], "jumps": 2, "rows": 2}


def test_what_a_step_reaches_is_shown_as_the_step() -> None:
    """The king reaches 61 by two jumps as well."""
    position = pieces("R60 r70 y71 r69 r59")
    assert DIAMOND.details(position, "60-61") == {"path": [60, 61], "jumps": 0, "rows": 0}


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("26-27", "there is no piece of yours on 26"),
        ("56-57", "there is no piece of yours on 56"),
        ("14-14", "a move must end on another point than it began"),
        ("0-1", "1 is occupied"),
        ("14-13", "13 is closed to red"),
        ("14-28", "28 is not reachable from 14 by a step or a chain of jumps"),
        ("pass", "a pass is only for a seat that has no legal move"),
    ],
)
def test_an_illegal_move_is_refused_with_the_rule_it_breaks(move: str, why: str) -> None:
    """Each kind of illegal move has a message of its own."""
    with pytest.raises(IllegalMove, match=f"^{why}$"):
        DIAMOND.play(DIAMOND.start(2, options()), move)


def test_details_of_an_illegal_move_are_refused() -> None:
    """There is no path to show."""
    with pytest.raises(IllegalMove, match="13 is closed to red"):
        DIAMOND.details(DIAMOND.start(2, options()), "14-13")


def test_a_pass_has_no_path() -> None:
    """The details of a pass have the same fields as those of any move."""
    position = case("pass_all_seats_draw_2p")
    assert DIAMOND.details(position, "pass") == {"path": [], "jumps": 0, "rows": 0}


def test_a_move_changes_two_points_and_the_turn() -> None:
    """Turn order is red, yellow, green, and round again."""
    position = after(DIAMOND.start(3, options()), "14-26", "56-57", "64-63")
    assert (position.to_move, position.ply, position.passes) == ("red", 3, 0)
    assert DIAMOND.write(position) == (
        "R/rr/rrr/rrrr/5rrrr4/3r8/11/10/1y5g1/yy6gg/yyy5ggg/yyyy4gggg/Yyyyy3ggggG/4/3/2/1 r 3 3 0"
    )
