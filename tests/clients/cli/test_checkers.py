"""The board of checkers is drawn from the server's geometry, and its moves are read as people write them."""

from __future__ import annotations

from typing import Any

import pytest

from mitsuboshi_play.boards.board import ASCII, DISCS, DOTS, Board, NoPlace, Origin, Turn
from mitsuboshi_play.boards.checkers import Checkers
from mitsuboshi_play.paint import ansi, plain
from mitsuboshi_play.snapshot import BadAnswer, Described, Snapshot, read_snapshot
from mitsuboshi_play.status import describe
from mitsuboshi_play.texts import Texts

from .conftest import board_of, snapshot_json

START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"
START_FOR_RED = """\
      w32     w31     w30     w29
  w28     w27     w26     w25
      w24     w23     w22     w21
  .20     .19     .18     .17
      .16     .15     .14     .13
  r12     r11     r10     r9
      r8      r7      r6      r5
  r4      r3      r2      r1"""
TAKEN_FOR_WHITE = """\
      .1      .2      .3      .4
  .5      .6      .7     >W8
      .9      .10     x11     .12
  .13     .14     +15     .16
      .17     x18     .19     .20
  .21     o22     .23     .24
      .25     .26     .27     .28
  .29     R30     .31     w32"""


def room(**changes: Any) -> Snapshot:
    """A room of checkers that the caller plays on both sides."""
    seats = [{"seat": seat, "kind": "person", "name": None} for seat in ("red", "white")]
    facts = {"pieces": {"red": {"men": 11, "kings": 0}, "white": {"men": 1, "kings": 1}}}
    own = {"game": "checkers", "seats": seats, "you": ["red", "white"], "position": START, "facts": facts}
    return read_snapshot(snapshot_json(**own | changes))


def text(board: Board, seen: Snapshot, view: str, *choices: str) -> str:
    lines = board.picture(seen, view, [Described(choice, {}) for choice in choices])
    return "\n".join(plain(line) for line in lines)


@pytest.fixture
def checkers() -> Board:
    return board_of("checkers")


def test_the_start_is_drawn_from_reds_side(checkers: Board) -> None:
    assert text(checkers, room(), "red") == START_FOR_RED


def test_white_sees_its_own_side_below_and_what_was_taken(checkers: Board) -> None:
    last = {"seat": "white", "ply": 9, "move": "22x15x8", "path": [22, 15, 8], "captures": [18, 11]}
    seen = room(position="B:WK8,32:BK30", last_moves=[last])
    assert text(checkers, seen, "white") == TAKEN_FOR_WHITE


def test_steps_in_hand_show_the_way_and_the_board_after_them(checkers: Board) -> None:
    seen = room(position="W:W22,32:B11,18", position_now="W:W15,32:B11", steps=["22x15"], to_move="white")
    drawn = text(checkers, seen, "white").split("\n")
    assert drawn[3].split() == [".13", ".14", ">w15", ".16"]
    assert drawn[5].split()[1] == "o22"


def test_destinations_are_numbered_on_the_board(checkers: Board) -> None:
    drawn = text(checkers, room(), "red", "11-15", "11-16").split("\n")
    assert drawn[4].split()[:2] == ["[2]", "[1]"]
    assert drawn[5].split()[1] == "*r11"


@pytest.mark.parametrize("glyphs", [ASCII, DOTS, DISCS])
def test_every_board_is_8_lines_of_33_columns(glyphs: Any) -> None:
    lines = board_of("checkers", glyphs).picture(room(), "white", [])
    assert [sum(len(span.text) for span in line) for line in lines] == [33] * 8
    assert all(ansi(line).count("\x1b[") == 2 * ansi(line).count("\x1b[0m") for line in lines)


def test_kings_stand_out_in_colour() -> None:
    lines = board_of("checkers", DISCS).picture(room(position="B:WK8:BK30"), "red", [])
    papers = {span.paper for line in lines for span in line if "★" in span.text}
    assert papers == {"red king", "white king"}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("11-15", Turn("11-15")),
        ("11 15", Turn("11-15")),
        ("22x15", Turn("22x15")),
        ("22X15x8", Turn("22x15x8")),
        ("22-15-8", Turn("22x15x8")),
        ("22 15 8", Turn("22x15x8")),
        ("11", Origin("11", "11")),
        ("11-", None),
        ("a3-b4", None),
        ("x15", None),
    ],
)
def test_moves_are_read(checkers: Board, typed: str, meant: Turn | Origin | None) -> None:
    assert checkers.read(typed, "red") == meant


def test_a_square_that_the_board_has_not_is_told(checkers: Board) -> None:
    with pytest.raises(NoPlace):
        checkers.read("11-33", "red")


def test_a_capture_may_be_spelled_with_dashes(checkers: Board) -> None:
    assert checkers.spelling("22-15") == checkers.spelling("22x15") != checkers.spelling("22x15x8")


def test_men_kings_and_a_capture_that_must_be_made_are_told(checkers: Board, texts: Texts) -> None:
    seen = room(to_move="white", legal_steps=["22x15", "22x13"])
    told = "\n".join(plain(line) for line in describe(seen, checkers, "red", texts))
    assert "red     (no name) (you) - 11 men, 0 kings" in told
    assert "white   (no name) (you) - 1 man, 1 king" in told
    assert "A capture is open and must be made: 22x15, 22x13" in told
    assert "must be made" not in "\n".join(
        plain(line) for line in describe(room(legal_steps=["11-15"]), checkers, "red", texts)
    )


def test_what_is_no_board_or_position_is_a_bad_answer(checkers: Board) -> None:
    with pytest.raises(BadAnswer):
        Checkers({"squares": []}, Texts(), ASCII)
    for position in ("B:W99:B1", "B:G1:B2", "B:Wx:B2"):
        with pytest.raises(BadAnswer):
            text(checkers, room(position=position), "red")
