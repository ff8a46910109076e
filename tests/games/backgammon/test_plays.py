"""Which plays there are, on positions made by hand."""

from __future__ import annotations

import subprocess
import sys
from types import FrameType

import pytest

from mitsuboshi.games.backgammon import BACKGAMMON
from mitsuboshi.games.backgammon.board import OFF
from mitsuboshi.games.backgammon.matching import realised
from mitsuboshi.games.backgammon.moves import plays
from mitsuboshi.games.backgammon.notation import read_ways
from mitsuboshi.games.backgammon.position import Position
from mitsuboshi.games.game import IllegalMove
from tests.games.backgammon.literals import OPTIONS, board, played, start, thrown


def moves(position: Position) -> set[str]:
    """The legal moves, none of which may come twice."""
    found = BACKGAMMON.legal_moves(position)
    assert len(found) == len(set(found))
    return set(found)


def refused(position: Position, move: str) -> str:
    """Why the move is against the rules."""
    with pytest.raises(IllegalMove) as fault:
        BACKGAMMON.play(position, move)
    return str(fault.value)


def test_an_opening_3_1_has_sixteen_plays() -> None:
    """Each final position once, by one text."""
    found = moves(thrown(start(), "31"))
    assert len(found) == 16
    assert {"8/5 6/5", "24/20", "13/10 6/5", "24/23 13/10"} <= found


def test_the_larger_number_is_played_where_only_one_can_be() -> None:
    """One checker on 12, point 4 blocked: after either number the other is blocked."""
    position = board("12:1", "21:2", dice=(5, 3), rest=(OFF, 1))
    assert moves(position) == {"12/7"}
    assert "it must be the larger, 5" in refused(position, "12/9")
    assert BACKGAMMON.to_move(played(position, "12/7")) == "black"


def test_the_smaller_number_is_played_where_the_larger_cannot_be() -> None:
    """Point 7 is blocked for the 5, and point 4 for a second step."""
    position = board("12:1", "21:2 18:2", dice=(5, 3), rest=(OFF, 1))
    assert moves(position) == {"12/9"}
    assert "point 7 is blocked" in refused(position, "12/7")


def test_the_order_that_uses_both_numbers_is_the_only_one() -> None:
    """The 3 first blocks the way of the 5; the 5 first lets both be played."""
    position = board("12:1", "16:2", dice=(5, 3), rest=(OFF, 1))
    assert moves(position) == {"12/4"}
    assert "2 numbers can be played, and must be" in refused(position, "12/7")
    assert "point 9 is blocked" in refused(position, "12/9")


def test_all_checkers_enter_before_another_one_moves() -> None:
    """Two on the bar, 23 blocked: one enters, the other stays, and nothing else moves."""
    position = board("bar:2", "2:2", dice=(4, 2), rest=(6, 6))
    assert moves(position) == {"bar/21"}
    assert "the checkers on the bar must enter first" in refused(position, "6/2")
    assert "the checkers on the bar must enter first" in refused(position, "bar/21 6/4")
    after = played(position, "bar/21")
    assert BACKGAMMON.facts(after)["bar"] == {"white": 1, "black": 0}


def test_once_the_bar_is_empty_any_checker_moves_on() -> None:
    """One enters with either number, and the other number is free."""
    position = board("bar:1", "2:2", dice=(4, 2), rest=(6, 13))
    assert moves(position) == {"bar/21 6/4", "bar/19"}
    assert not BACKGAMMON.facts(played(position, "bar/21 6/4"))["bar"]["white"]


def test_a_throw_that_enters_nothing_passes() -> None:
    """There is no move but a pass, and no pass where there is a move."""
    position = board("bar:1", "2:2 4:2", dice=(4, 2), rest=(6, 6))
    assert moves(position) == set()
    assert BACKGAMMON.must_pass(position)
    assert "the turn passes" in refused(position, "bar/21")
    after = played(position, "pass")
    assert (BACKGAMMON.to_move(after), BACKGAMMON.ply(after), after.dice) == ("black", 1, None)
    assert "only for a throw of which no number" in refused(thrown(start(), "31"), "pass")


def test_a_number_bears_off_from_its_own_point_or_from_the_highest() -> None:
    """5 and 2 with a 4-2: nothing leaves from 2 with the 4 while 5 is occupied."""
    position = board("5:1 2:1", "6:2", dice=(4, 2), rest=(OFF, 6))
    assert moves(position) == {"5/1 2/off", "5/off"}
    assert played(position, "5/3 3/off") == played(position, "5/off")
    assert "must be" in refused(position, "2/off")
    assert "2/off: a larger number bears off from the highest point only" in refused(
        board("5:2 2:1", "6:2", dice=(4, 3), rest=(OFF, 6)), "2/off 5/2"
    )


def test_a_number_above_all_checkers_bears_off_the_highest() -> None:
    """5 and 2 with a 6-1: the 6 takes the checker from 5, or from 4 after the 1."""
    position = board("5:1 2:1", "6:2", dice=(6, 1), rest=(OFF, 6))
    assert moves(position) == {"5/off 2/1", "5/off"}
    assert "2/off: a larger number bears off from the highest point only" in refused(position, "2/off 5/4")


def test_nothing_is_borne_off_while_a_checker_is_outside_or_on_the_bar() -> None:
    """And after a hit bearing off waits until that checker is home again."""
    outside = board("7:1 6:2", "13:2", dice=(6, 5), rest=(OFF, 6))
    assert moves(outside) == {"7/1 6/1", "7/2 6/off"}
    assert "once all are in the home board" in refused(outside, "6/off 6/1")
    hit = board("bar:1 6:2 1:1", "24:1", dice=(6, 1), rest=(OFF, 5))
    assert all("off" not in move for move in moves(hit))


def test_a_double_is_played_four_times() -> None:
    """By one checker or several."""
    position = board("13:4", "1:2", dice=(3, 3), rest=(OFF, 1))
    assert moves(position) == {"13/1", "13/4 13/10", "13/7(2)", "13/7 13/10(2)", "13/10(4)"}


def test_a_double_is_played_as_often_as_it_can_be() -> None:
    """Two steps, then the way is blocked."""
    position = board("13:1", "21:2", dice=(3, 3), rest=(OFF, 1))
    assert moves(position) == {"13/7"}
    assert "2 numbers can be played, and must be" in refused(position, "13/10")


def test_a_blot_goes_to_the_bar_when_it_is_hit() -> None:
    """Also on the way of a checker that goes on; two enemy checkers cannot be hit."""
    position = board("8:1 6:1", "20:1 17:1", dice=(3, 1), rest=(1, 1))
    after = played(position, "8/5* 6/5")
    assert BACKGAMMON.facts(after)["bar"] == {"white": 0, "black": 1}
    assert BACKGAMMON.facts(after)["pips"]["black"] == 25 + 17 + 13


def test_ways_that_hit_differently_are_different_plays() -> None:
    """24/18/13 and 24/19/13 with a blot on 19 only, and with blots on both."""
    one = board("24:1", "6:1", dice=(6, 5), rest=(OFF, 1))
    assert moves(one) == {"24/18/13", "24/19*/13"}
    both = board("24:1", "6:1 7:1", dice=(6, 5), rest=(OFF, 1))
    assert moves(both) == {"24/18*/13", "24/19*/13"}


def test_the_same_play_has_the_same_text_from_both_seats() -> None:
    """Plays are told from the mover's own view."""
    white, black = (thrown(start(), throw) for throw in ("31", "13"))
    assert (BACKGAMMON.to_move(white), BACKGAMMON.to_move(black)) == ("white", "black")
    assert BACKGAMMON.legal_moves(white) == BACKGAMMON.legal_moves(black)
    mine, theirs = played(white, "8/5 6/5"), played(black, "8/5 6/5")
    assert (mine.white, mine.black) == (theirs.black, theirs.white)


def test_the_plain_move_bears_off_then_hits_then_covers() -> None:
    """A legal move chosen without any search, or a pass."""
    assert BACKGAMMON.plain_move(board("5:1 2:1", "6:2", dice=(6, 1), rest=(OFF, 6))) == "5/off 2/1"
    assert BACKGAMMON.plain_move(thrown(start(), "31")) == "8/5 6/5"
    hit = board("8:1 6:3", "20:1", dice=(3, 1), rest=(13, 1))
    assert BACKGAMMON.plain_move(hit) == "8/5* 6/5"
    assert BACKGAMMON.plain_move(board("bar:1", "2:2 4:2", dice=(4, 2), rest=(6, 6))) == "pass"


def test_details_tell_the_steps_in_an_order_in_which_they_can_be_made() -> None:
    """The bar is 25 and off is 0."""
    position = board("bar:1 6:2", "5:1", dice=(5, 1), rest=(1, 6))
    assert BACKGAMMON.details(position, "bar/20* 6/5") == {
        "dice": [5, 1],
        "parts": [{"from": 25, "to": 20, "hit": True}, {"from": 6, "to": 5, "hit": False}],
    }
    assert BACKGAMMON.details(board("bar:1", "2:2 4:2", dice=(4, 2), rest=(6, 6)), "pass")["parts"] == []


def test_details_of_listed_plays_are_looked_up_without_reading_their_texts() -> None:
    """A position of 1872 plays; only a text in another form is read, and searched for."""
    crowded = "XGID=a----AA-AAA-AAAAAA--AAA-A-:0:0:1:33:0:0:0:0:10"
    position = BACKGAMMON.read(crowded, OPTIONS)
    listed = BACKGAMMON.legal_moves(position)
    assert len(listed) == 1872
    readings: list[str] = []

    def count(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code in (read_ways.__code__, realised.__code__):
            readings.append(frame.f_code.co_name)

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        details = [BACKGAMMON.details(position, move) for move in listed]
        assert not readings
        other = BACKGAMMON.details(position, listed[0].upper() + " ")
    finally:
        sys.setprofile(before)
    assert readings == ["read_ways", "realised"]
    assert other == details[0]
    paths = [tuple((part["from"], part["to"], part["hit"]) for part in one["parts"]) for one in details]
    assert paths == list(plays(position).values())


COUNT_GARBAGE = """
import gc
from mitsuboshi.games.backgammon import BACKGAMMON
from mitsuboshi.games.backgammon.moves import plays
gc.collect()
gc.disable()
for double in "123456":
    plays(BACKGAMMON.read(f"XGID=-b----E-C---eE---c-e----B-:0:0:1:{double * 2}:0:0:0:0:10", {}))
print(gc.collect())
"""


def test_plays_leave_no_cyclic_garbage() -> None:
    """It would keep whole lists in memory, and its collection stops everybody."""
    # In a process of its own: here other tests' leavings would count.
    told = subprocess.run([sys.executable, "-c", COUNT_GARBAGE], capture_output=True, text=True, check=True)
    assert int(told.stdout) == 0
