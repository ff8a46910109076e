"""Position text: canonical both ways, every fault named by its place, and nothing lost in saved positions."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mitsuboshi.games.checkers import CHECKERS
from mitsuboshi.games.game import InvalidText, notation_of
from tests.games.checkers.literals import START, after, board, random_game, read

SHUFFLED = "B:WK32:BK1|4|04vr40rv"


def test_the_start_is_written_as_documented() -> None:
    """Side to move, white's squares, red's."""
    assert CHECKERS.write(CHECKERS.start(2, {})) == START
    assert CHECKERS.save(CHECKERS.start(2, {})) == START


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("B:W21-32:B1-12", START),
        ("B:B1-12:W21-32.", START),
        ("W:WK10,9:BK12,1-3,20", "W:W9,K10:B1,2,3,K12,20"),
        ("B:W21:BK29", "B:W21:BK29"),
        ("B:W:B1", "B:W:B1"),
        ("W:W32-32:B.", "W:W32:B"),
    ],
)
def test_other_ways_to_write_a_position_are_read(text: str, canonical: str) -> None:
    """Ranges, either order, a dot at the end; a side may have nothing left."""
    assert CHECKERS.write(read(text)) == canonical


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "not 1"),
        ("B:W21", "3 parts as in B:W21,22:B1,K2, not 2"),
        ("B:W21:B1:H0", "3 parts as in B:W21,22:B1,K2, not 4"),
        ("x" * 201, "at most 200 characters, this one 201"),
        ("R:W21:B1", "side to move: 'R' is not one of B (red), W (white)"),
        (" B:W21:B1", "side to move: ' B' is not one of"),
        ("B:R1:W21", "squares: 'R' is not one of B (red), W (white)"),
        ("B::W21", "squares: '' is not one of B (red), W (white)"),
        ("B:W21:W22", "squares: white's are given twice"),
        ("B:W:B", "squares: there is no piece"),
        ("B:W21:B21", "squares: 21 has a piece of each colour"),
        ("B:W21,:B1", "white's squares: '' is not a square"),
        ("B:W21,k5:B1", "white's squares: 'k5' is not a square"),
        ("B:W21:B1\n", "red's squares: '1\\n' is not a square"),
        ("B:W21..:B1", "white's squares: '21..' is not a square"),
        ("B:W21:B\u0661", "red's squares: '\u0661' is not a square"),
        ("B:W21,33:B1", "white's squares: '33' is not a number from 1 to 32"),
        ("B:W0:B1", "white's squares: '0' is not a number from 1 to 32"),
        ("B:W021:B1", "white's squares: '021' is not a number from 1 to 32"),
        (f"B:W{'9' * 99}:B1", "is not a number from 1 to 32"),
        ("B:W21-40:B1", "white's squares: '40' is not a number from 1 to 32"),
        ("B:W25-21:B1", "'25-21': a range goes from the lower square to the higher"),
        ("B:WK21-25:B1", "'K21-25': a range is of men, kings are named one by one"),
        ("B:W21,21:B1", "white's squares: 21 is given twice"),
        ("B:W21,K21:B1", "white's squares: 21 is given twice"),
        ("B:W21,4:B1", "white's squares: on 4 a man would have been crowned"),
        ("B:W21:B1,29", "red's squares: on 29 a man would have been crowned"),
        ("B:W21:B1-13", "red's squares: at most 12 pieces, not 13"),
        (START + "|1|", "'12|1|' is not a square"),
    ],
)
def test_a_fault_in_a_position_is_named_by_its_place(text: str, fault: str) -> None:
    """Which part, and what is wrong in it."""
    with pytest.raises(InvalidText) as refused:
        read(text)
    assert fault in str(refused.value)


def test_a_position_that_is_over_can_be_read() -> None:
    """A side that cannot move has lost there; it is no fault of the text."""
    blocked = read("W:W21:B14,17")
    outcome = CHECKERS.outcome(blocked)
    assert outcome
    assert (outcome.winner, outcome.reason) == ("red", "no_moves")


def test_what_the_text_leaves_out_is_saved() -> None:
    """The ply, and the quiet moves as digits of base 32; the notation stands before them."""
    position = after(read("B:WK32:BK1"), "1-5", "32-28", "5-1", "28-32")
    assert CHECKERS.save(position) == SHUFFLED
    assert notation_of(SHUFFLED) == CHECKERS.write(position)
    assert CHECKERS.load(SHUFFLED, {}) == position
    assert CHECKERS.ply(CHECKERS.load(SHUFFLED, {})) == 4
    assert CHECKERS.ply(read(notation_of(SHUFFLED))) == 0
    assert CHECKERS.save(after(board("B", white="21", red="1"), "1-5")) == "W:W21:B5|1|"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("B:WK32:BK1|4", "memory: ply and quiet moves, 2 parts, not 1"),
        ("B:WK32:BK1|4||", "memory: ply and quiet moves, 2 parts, not 3"),
        ("B:WK32:BK1|04|", "ply: '04' is not a whole number of at most 5 digits"),
        ("B:WK32:BK1|-1|", "ply: '-1' is not"),
        ("B:WK32:BK1|100000|", "ply: '100000' is not"),
        ("B:WK32:BK1|4|04v", "quiet moves: each is two digits from 0 to v"),
        ("B:WK32:BK1|4|04vw", "quiet moves: each is two digits from 0 to v"),
        ("B:WK32:BK1|1|04vr", "quiet moves: at most as many as plies, and 80, not 2"),
        ("B:WK32:BK1|500|" + "04vr40rv" * 21, "quiet moves: at most as many as plies, and 80, not 84"),
        ("B:W32:BK1|4|04vr40rv", "quiet moves: number 4 is not one of a king of white's"),
        ("B:WK32:BK1|4|04vr50rv", "quiet moves: number 1 is not one of a king of red's"),
        ("B:WK32:BK1|1|mv", "quiet moves: number 1 was not legal"),
        ("W:WK32,10:BK5,6|1|04", "quiet moves: number 1 was not legal"),
    ],
)
def test_a_memory_that_cannot_be_is_refused(text: str, fault: str) -> None:
    """Each quiet move was a king's, to a neighbouring square that was empty, with no capture due."""
    with pytest.raises(InvalidText) as refused:
        CHECKERS.load(text, {})
    assert fault in str(refused.value)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.integers(0, 2**32), st.integers(0, 400))
def test_a_position_is_the_same_once_saved_and_loaded(seed: int, plies: int) -> None:
    """Random games, to their ends; and the notation alone keeps the board."""
    *_, position = random_game(seed, plies=plies)
    saved = CHECKERS.save(position)
    assert CHECKERS.load(saved, {}) == position
    assert hash(CHECKERS.load(saved, {})) == hash(position)
    board_alone = read(CHECKERS.write(position))
    assert CHECKERS.write(board_alone) == CHECKERS.write(position) == notation_of(saved)
    assert len(saved) <= 400


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.text(alphabet="BWK0123456789,:-.| xv", max_size=60))
def test_no_text_makes_reading_fail_otherwise(text: str) -> None:
    """What is read is canonical once written; all else is the one exception."""
    try:
        position = CHECKERS.load(text, {})
    except InvalidText:
        return
    assert CHECKERS.load(CHECKERS.save(position), {}) == position
