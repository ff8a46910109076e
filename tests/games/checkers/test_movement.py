"""What moves there are, and which rule is told to whoever tries another."""

from __future__ import annotations

import pytest

from mitsuboshi.games.checkers import CHECKERS
from mitsuboshi.games.checkers.position import Position
from mitsuboshi.games.game import AmbiguousMove, IllegalMove, InvalidText
from tests.games.checkers.literals import START, board, read

CHAIN = board("W", white="22 32", red="18 11")
TWO_WAYS = board("W", white="K31", red="26 27 18 19")
ROUND = board("W", white="K22", red="18 19 26 27")


def refusal(position: Position, move: str) -> str:
    """Why a move is illegal."""
    with pytest.raises(IllegalMove) as refused:
        CHECKERS.play(position, move)
    return str(refused.value)


def test_the_first_moves_are_reds() -> None:
    """Seven of them, men forward to either side."""
    legal = CHECKERS.legal_moves(CHECKERS.start(2, {}))
    assert legal == ["9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"]


def test_a_man_moves_forward_and_a_king_every_way() -> None:
    """One square diagonally, for either side."""
    assert CHECKERS.legal_moves(board("B", white="32", red="15")) == ["15-18", "15-19"]
    assert CHECKERS.legal_moves(board("W", white="18", red="1")) == ["18-14", "18-15"]
    king = CHECKERS.legal_moves(board("W", white="K18", red="1"))
    assert sorted(king) == ["18-14", "18-15", "18-22", "18-23"]


def test_a_capture_is_compulsory_and_played_to_its_end() -> None:
    """Nothing else is offered, nor taken: no other move, no stop on the way."""
    assert CHECKERS.legal_moves(CHAIN) == ["22x15x8"]
    assert refusal(CHAIN, "32-27") == "a capture is compulsory: the piece on 22 can make one"
    assert refusal(CHAIN, "32-28") == "a capture is compulsory: the piece on 22 can make one"
    assert refusal(CHAIN, "22x15") == "the capture must go on from 15"
    assert CHECKERS.play(CHAIN, "22x15x8")[0] == "22x15x8"
    assert CHECKERS.play(CHAIN, "22x8") == CHECKERS.play(CHAIN, "22x15x8")


def test_any_capture_may_be_chosen_not_only_the_longest() -> None:
    """The shorter one stays legal."""
    position = board("B", white="18 26 19", red="14 15")
    assert CHECKERS.legal_moves(position) == ["14x23x30", "15x22x31", "15x24"]


def test_a_man_captures_forward_only() -> None:
    """Also when it has begun a capture; a king goes back."""
    assert CHECKERS.legal_moves(board("B", white="14", red="18")) == ["18-22", "18-23"]
    assert CHECKERS.legal_moves(board("B", white="14", red="K18")) == ["18x9"]
    assert CHECKERS.legal_moves(board("B", white="18 17", red="15")) == ["15x22"]
    assert CHECKERS.legal_moves(board("B", white="18 17", red="K15")) == ["15x22x13"]


def test_nothing_is_captured_onto_an_occupied_square() -> None:
    """A piece of either colour stands in the way."""
    assert CHECKERS.legal_moves(board("B", white="18 22", red="14 15")) == ["14x23"]
    assert "22 is occupied" in refusal(board("B", white="18 22", red="14 15"), "15x22")
    assert CHECKERS.legal_moves(board("B", white="18 32", red="15 22")) == ["15-19", "22-25", "22-26"]


def test_two_ways_to_one_square_are_two_moves() -> None:
    """The short form names neither; the choices are told."""
    position = board("W", white="31", red="26 27 18 19")
    assert sorted(CHECKERS.legal_moves(position)) == ["31x22x15", "31x24x15"]
    with pytest.raises(AmbiguousMove) as refused:
        CHECKERS.play(position, "31x15")
    assert "31x22x15" in str(refused.value)
    assert "31x24x15" in str(refused.value)
    first, second = (CHECKERS.play(position, move)[1] for move in ("31x22x15", "31x24x15"))
    assert CHECKERS.write(first) == "B:W15:B19,27"
    assert CHECKERS.write(second) == "B:W15:B18,26"


def test_a_king_may_end_a_capture_where_it_began() -> None:
    """Both ways round, all four taken; its own square counts as empty on the way."""
    legal = CHECKERS.legal_moves(ROUND)
    assert sorted(legal) == ["22x15x24x31x22", "22x31x24x15x22"]
    for move in legal:
        text, position = CHECKERS.play(ROUND, move)
        assert (text, CHECKERS.write(position)) == (move, "B:WK22:B")
        assert sorted(CHECKERS.details(ROUND, move)["captures"]) == [18, 19, 26, 27]
    with pytest.raises(AmbiguousMove, match="22x22 stands for more than one capture"):
        CHECKERS.play(ROUND, "22x22")


def test_no_piece_is_jumped_twice() -> None:
    """A king that comes by again finds the square empty."""
    for move in CHECKERS.legal_moves(TWO_WAYS):
        taken = CHECKERS.details(TWO_WAYS, move)["captures"]
        assert len(taken) == len(set(taken)) == 4
    assert refusal(ROUND, "22x15x22") == "the piece on 18 has been jumped already"


def test_crowning_ends_the_turn_with_more_to_take() -> None:
    """The new king captures on its next turn only."""
    position = board("B", white="26 25 27", red="22 1")
    text, crowned = CHECKERS.play(position, "22x31")
    assert (text, CHECKERS.write(crowned)) == ("22x31", "W:W25,27:B1,K31")
    assert CHECKERS.legal_moves(position) == ["22x29", "22x31"]
    assert refusal(position, "22x31x24") == "the turn ends on 31, where the man is crowned"


def test_a_man_that_steps_onto_the_far_row_is_crowned() -> None:
    """Either side's; a king that comes there stays one."""
    assert CHECKERS.write(CHECKERS.play(board("B", white="21", red="27"), "27-31")[1]) == "W:W21:BK31"
    assert CHECKERS.write(CHECKERS.play(board("W", white="8", red="12"), "8-3")[1]) == "B:WK3:B12"
    assert CHECKERS.write(CHECKERS.play(board("W", white="K8", red="12"), "8-3")[1]) == "B:WK3:B12"


def test_a_captured_king_is_gone() -> None:
    """And no king's mark stays on its square."""
    _, position = CHECKERS.play(board("B", white="K18 32", red="15"), "15x22")
    assert CHECKERS.write(position) == "W:W32:B22"
    assert CHECKERS.facts(position) == {
        "pieces": {"red": {"men": 1, "kings": 0}, "white": {"men": 1, "kings": 0}}
    }


@pytest.mark.parametrize(
    ("position", "move", "why"),
    [
        (START, "21-17", "the piece on 21 is white's"),
        (START, "17-21", "there is no piece on 17"),
        (START, "9-5", "a man moves forward only, not from 9 to 5"),
        (START, "9-17", "from 9 to 17 is not one square diagonally"),
        (START, "9-18", "from 9 to 18 is a jump: captures are written with x"),
        (START, "5-9", "9 is occupied"),
        (START, "9x18", "there is no piece of white's on 14 to capture"),
        (START, "9x13", "no capture leads from 9 to 13"),
        (START, "9x32", "no capture leads from 9 to 32"),
        (START, "21x14", "the piece on 21 is white's"),
        (START, "pass", "there is no passing in checkers: a side that cannot move has lost"),
        ("B:W14:B18", "18x9", "a man captures forward only, not from 18 to 9"),
        ("B:W18,19:B14,15,1", "1-5", "a capture is compulsory: the pieces on 14 and 15 can make one"),
        ("B:W18,19:B14,15,1", "14x24", "no capture leads from 14 to 24"),
        ("W:WK22:B18,19,26,27", "22x15x24", "the capture must go on from 24"),
        ("W:W21:B17,14", "21-17", "the game is over (no_moves)"),
    ],
)
def test_a_refusal_says_which_rule(position: str, move: str, why: str) -> None:
    """Players learn the game by it."""
    assert refusal(read(position), move) == why


@pytest.mark.parametrize(
    ("move", "fault"),
    [
        ("", "'' is no move"),
        ("11", "'11' is no move"),
        ("11-15-18", "'11-15-18' is no move"),
        ("11x15-18", "is no move"),
        ("11 - 15", "is no move"),
        ("11-15\n", "is no move"),
        ("\u0661\u0661-15", "is no move"),
        ("0-4", "square 1 of the move: '0' is not a number from 1 to 32"),
        ("11-33", "square 2 of the move: '33' is not a number from 1 to 32"),
        ("11-015", "square 2 of the move: '015' is not a number from 1 to 32"),
        ("1x2x" + "9" * 30, "square 3 of the move"),
        ("1" * 39, "at most 38 characters, this one 39"),
        ("PASS", "'PASS' is no move"),
    ],
)
def test_a_text_that_is_no_move_is_told_from_an_illegal_one(move: str, fault: str) -> None:
    """With the place of its fault."""
    with pytest.raises(InvalidText) as refused:
        CHECKERS.play(CHECKERS.start(2, {}), move)
    assert fault in str(refused.value)


def test_details_name_the_path_and_the_captures() -> None:
    """As numbers; a simple move takes nothing; the short form means the whole path."""
    start = CHECKERS.start(2, {})
    assert CHECKERS.details(start, "11-15") == {"path": [11, 15], "captures": []}
    whole = {"path": [22, 15, 8], "captures": [18, 11]}
    assert CHECKERS.details(CHAIN, "22x15x8") == whole
    assert CHECKERS.details(CHAIN, "22x8") == whole
    for move in ("22x13x31", "22-31", "22x31"):
        with pytest.raises(IllegalMove):
            CHECKERS.details(CHAIN, move)


def test_the_plain_move_takes_most_then_crowns_then_gives_least() -> None:
    """Sensible without any search."""
    assert CHECKERS.plain_move(board("B", white="18 26 19", red="14 15")) == "15x22x31"
    assert CHECKERS.plain_move(board("B", white="K1", red="11 27")) in {"27-31", "27-32"}
    assert CHECKERS.plain_move(board("B", white="22 29", red="13 4")) == "4-8"
