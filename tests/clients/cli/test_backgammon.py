"""The board of backgammon is drawn from its viewer's side, and moves are read in the mover's own numbers."""

from __future__ import annotations

from typing import Any

import pytest

from mitsuboshi_play.boards.backgammon import Backgammon
from mitsuboshi_play.boards.board import ASCII, DISCS, Board, Origin, Turn
from mitsuboshi_play.paint import ansi, plain
from mitsuboshi_play.snapshot import BadAnswer, Described, Snapshot, read_snapshot
from mitsuboshi_play.status import describe, list_picks
from mitsuboshi_play.texts import Texts

from .conftest import board_of, snapshot_json

START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
START_FOR_WHITE = """\
  13  14  15  16  17  18  bar  19  20  21  22  23  24   off O 0
   X   .   .   .   O   . |   |  O   .   .   .   .   X
   X               O     |   |  O                   X
   X               O     |   |  O
   X                     |   |  O
   X                     |   |  O
                         |   |
   O                     |   |  X
   O                     |   |  X
   O               X     |   |  X
   O               X     |   |  X                   O
   O   .   .   .   X   . |   |  X   .   .   .   .   O
  12  11  10   9   8   7  bar   6   5   4   3   2   1   off X 0"""
BARS = "XGID=bA----GA--A---------b----B:0:0:-1:21:0:0:0:0:10"
BARS_FOR_BLACK = """\
  13  14  15  16  17  18  bar  19  20  21  22  23  24   off X 3
   .   .   X   .   .   X | X |  X   .   .   .   .   X
                         | X |  X
                         |   |  X
                         |   |  X
                         |   |  7
                         |   |
                         |   |
                         |   |
                         |   |
                         | O |      O
   .   .   .   .   .   . | O |  .   O   .   .   .   .
  12  11  10   9   8   7  bar   6   5   4   3   2   1   off O 11"""


def room(**changes: Any) -> Snapshot:
    """A room of backgammon in which the caller, white, has thrown 3 and 1."""
    seats = [{"seat": seat, "kind": "person", "name": None} for seat in ("white", "black")]
    own = {
        "game": "backgammon",
        "seats": seats,
        "you": ["white"],
        "to_move": "white",
        "may": ["move", "step"],
        "position": START,
        "dice": [3, 1],
        "steps": [],
        "legal_steps": ["8/5", "8/7", "6/5"],
        "facts": {"pips": {"white": 167, "black": 160}},
        "draw_limit": None,
    }
    return read_snapshot(snapshot_json(**own | changes))


def text(board: Board, seen: Snapshot, view: str, *choices: str) -> str:
    lines = board.picture(seen, view, [Described(choice, {}) for choice in choices])
    return "\n".join(plain(line) for line in lines)


def words(board: Board, seen: Snapshot) -> str:
    return "\n".join(plain(line) for line in describe(seen, board, "white", Texts()))


@pytest.fixture
def backgammon() -> Board:
    return board_of("backgammon")


def test_the_start_is_drawn_from_whites_side(backgammon: Board) -> None:
    assert text(backgammon, room(), "white") == START_FOR_WHITE


def test_black_sees_its_own_home_below_with_bars_high_stacks_and_what_is_off(backgammon: Board) -> None:
    assert text(backgammon, room(position=BARS), "black") == BARS_FOR_BLACK


def test_steps_in_hand_show_where_they_have_come_to(backgammon: Board) -> None:
    seen = room(position_now="XGID=-b---AD-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", steps=["6/5"])
    assert "bar   6 > 5   4" in text(backgammon, seen, "white").split("\n")[-1]
    assert " 19 >20  21" in text(backgammon, seen, "black").split("\n")[0], "as black counts"


def test_the_last_move_shows_in_the_viewers_numbers(backgammon: Board) -> None:
    last = {"seat": "black", "ply": 1, "move": "13/8", "dice": [3, 2], "parts": [{"from": 13, "to": 8}]}
    assert ">17" in text(backgammon, room(last_moves=[last], dice=None), "white").split("\n")[0]


def test_destinations_are_numbered_on_the_board(backgammon: Board) -> None:
    drawn = text(backgammon, room(), "white", "6/5", "6/3", "6/off").split("\n")
    assert drawn[-1].endswith("bar * 6 [1]   4 [2]   2   1   off X 0 [3]")


@pytest.mark.parametrize("view", ["white", "black"])
def test_every_board_is_13_lines_within_80_columns_and_colours_end(view: str) -> None:
    lines = board_of("backgammon", DISCS).picture(room(position=BARS), view, [])
    assert len(lines) == 13
    assert max(len(plain(line)) for line in lines) <= 71
    assert all(ansi(line).count("\x1b[") == 2 * ansi(line).count("\x1b[0m") for line in lines)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("8/5 6/5", Turn("8/5 6/5")),
        ("8/5,6/5*", Turn("8/5,6/5*")),
        ("13/8", Turn("13/8")),
        ("13-8", Turn("13/8")),
        ("13 8", Turn("13/8")),
        ("BAR/22*", Turn("bar/22*")),
        ("6/off(2)", Turn("6/off(2)")),
        ("24/18*/13", Turn("24/18*/13")),
        ("13", Origin("13", "13")),
        ("Bar", Origin("bar", "Bar")),
        ("25", Origin("bar", "25")),
        ("13/", None),
        ("13/8/", None),
        ("a/b", None),
        ("13/8 x", None),
    ],
)
def test_moves_are_read(backgammon: Board, typed: str, meant: Turn | Origin | None) -> None:
    assert backgammon.read(typed, "white") == meant


def test_steps_may_be_spelled_without_hits_and_with_numbers_for_bar_and_off(backgammon: Board) -> None:
    assert backgammon.spelling("25/22") == backgammon.spelling("bar/22*")
    assert backgammon.spelling("6/0") == backgammon.spelling("6/off")


def test_dice_pips_and_the_next_steps_are_told(backgammon: Board) -> None:
    told = words(backgammon, room())
    assert "white   (no name) (you) - X, 167 pips" in told
    assert "black   (no name) - O, 160 pips" in told
    assert (
        "Dice: 3 1\nTurn: white (you)\nType a step, or the whole move at once. Steps: 8/5, 8/7, 6/5" in told
    )
    assert "X, 167" not in words(board_of("backgammon", DISCS), room()), "colours tell the sides apart"


def test_what_to_type_next_is_told(backgammon: Board) -> None:
    assert "Type roll" in words(backgammon, room(may=["roll"], dice=None, legal_steps=[]))
    made = room(steps=["8/5"], legal_steps=["8/7", "6/5"])
    assert "Dice: 3 1 - made: 8/5\n" in words(backgammon, made)
    assert "Next: 8/7, 6/5 (back takes the last step back)" in words(backgammon, made)
    assert "Type done to end the turn" in words(backgammon, room(steps=["8/5", "6/5"], may=["confirm"]))
    assert "Type " not in words(backgammon, room(to_move="black", may=[], legal_steps=[]))


def test_a_turn_that_passed_by_itself_is_told(backgammon: Board) -> None:
    last = {"seat": "white", "ply": 4, "move": "8/5 6/5", "dice": [3, 1], "parts": []}
    assert "Last: white 31: 8/5 6/5; black pass\n" in words(backgammon, room(last_moves=[last], ply=5))
    assert "Last: white 31: 8/5 6/5\n" in words(backgammon, room(last_moves=[last], ply=4))


def test_verifiable_dice_show_their_commitment_before_the_first_move(backgammon: Board) -> None:
    assert "Commitment: abc\n" in words(backgammon, room(commitment="abc"))
    assert "Commitment" not in words(backgammon, room(commitment="abc", ply=1))
    waiting = room(status="waiting", position=None, to_move=None, commitment="abc", nonces_in_ms=9000)
    assert "waiting for everybody's nonce" in words(backgammon, waiting)
    over = room(status="finished", commitment="abc", result={"winner": "white", "reason": "x", "points": 2})
    assert "Result: white wins 2 points (x).\nType verify to check the dice." in words(backgammon, over)


def test_picks_tell_what_is_hit(backgammon: Board) -> None:
    steps = [Described("8/5*", {}), Described("8/7", {})]
    assert list_picks(steps, backgammon, "white") == ["  1  5      hits", "  2  7"]


def test_what_is_no_board_or_position_is_a_bad_answer(backgammon: Board) -> None:
    for geometry in ({}, {"points": [], "seats": {"white": {"checker": "X"}}}):
        with pytest.raises(BadAnswer):
            Backgammon(geometry, Texts(), ASCII)
    for position in ("XGID=", "XGID=" + "-" * 26 + ":0:0:9:00", "XGID=" + "?" * 26 + ":0:0:1:00", "O" * 26):
        with pytest.raises(BadAnswer):
            text(backgammon, room(position=position), "white")
