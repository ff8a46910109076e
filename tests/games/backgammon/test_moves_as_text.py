"""The text of plays: one canonical form, many that are understood, and every fault named."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mitsuboshi.games.backgammon import BACKGAMMON
from mitsuboshi.games.backgammon.board import OFF
from mitsuboshi.games.backgammon.matching import find
from mitsuboshi.games.backgammon.moves import plays
from mitsuboshi.games.backgammon.notation import texts
from mitsuboshi.games.backgammon.position import Position
from mitsuboshi.games.game import AmbiguousMove, IllegalMove, InvalidText
from tests.games.backgammon.literals import board, playout, start, thrown

HITTING = board("8:1 6:1", "20:1 17:1", dice=(3, 1), rest=(1, 1))
SIXES = board("24:2 18:1", "7:1", dice=(6, 6), rest=(1, 1))
FORKED = board("24:1", "6:1 7:1", dice=(6, 5), rest=(OFF, 1))
HALF_FORKED = board("24:1", "6:1", dice=(6, 5), rest=(OFF, 1))
BOTH_OFF = board("6:2", "1:2", dice=(6, 6), rest=(OFF, 1))


@pytest.mark.parametrize(
    ("position", "text", "canonical"),
    [
        (thrown(start(), "31"), "6/5 8/5", "8/5 6/5"),
        (thrown(start(), "31"), "8/5,6/5", "8/5 6/5"),
        (thrown(start(), "31"), " 8/5 ,  6/5 ", "8/5 6/5"),
        (thrown(start(), "65"), "24/18 18/13", "24/13"),
        (thrown(start(), "65"), "24/18/13", "24/13"),
        (thrown(start(), "65"), "18/13 24/18", "24/13"),
        (HITTING, "8/5 6/5", "8/5* 6/5"),
        (HITTING, "6/5* 8/5", "8/5* 6/5"),
        (HITTING, "8/5* 6/5*", "8/5* 6/5"),
        (SIXES, "24/18* 24/18 18/12 18/12", "24/18*/12(2)"),
        (SIXES, "24/12(2)", "24/18*/12(2)"),
        (SIXES, "24/12 18/6", "24/18*/6 18/12"),
        (board("bar:2", "6:3", dice=(2, 2), rest=(6, 1)), "25/23(2) 6/4(2)", "bar/23(2) 6/4(2)"),
        (board("bar:2", "6:3", dice=(2, 2), rest=(6, 1)), "BAR/23 bar/21 6/4", "bar/21 bar/23 6/4"),
        (BOTH_OFF, "6/0 6/OFF", "6/off(2)"),
        (HALF_FORKED, "24/19/13", "24/19*/13"),
        (HALF_FORKED, "24/18 18/13", "24/18/13"),
    ],
)
def test_a_play_is_understood_in_any_order_and_form(position: Position, text: str, canonical: str) -> None:
    """Hits, counts and points between may be told or not; the answer is the one canonical text."""
    assert BACKGAMMON.play(position, text) == BACKGAMMON.play(position, canonical)
    assert BACKGAMMON.play(position, text)[0] == canonical
    assert canonical in BACKGAMMON.legal_moves(position)


@pytest.mark.parametrize("position", [FORKED, HALF_FORKED])
def test_a_text_that_may_be_two_plays_is_ambiguous(position: Position) -> None:
    """Both are named: what is hit on the way makes the difference."""
    with pytest.raises(AmbiguousMove) as fault:
        BACKGAMMON.play(position, "24/13")
    assert all(move in str(fault.value) for move in BACKGAMMON.legal_moves(position))


def test_where_hits_are_told_what_is_not_told_is_no_hit() -> None:
    """As in games of other programs; two hits of which neither is told stay ambiguous."""
    assert texts(HALF_FORKED)[find(HALF_FORKED, "24/13", hits_are_told=True)] == "24/18/13"
    with pytest.raises(AmbiguousMove):
        find(FORKED, "24/13", hits_are_told=True)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "a move is written like 13/8 6/5*"),
        (" , ", "a move is written like 13/8 6/5*"),
        ("8-5", "part 1: '8-5' is not like 13/8"),
        ("8/5 6", "part 2: '6' is not like 13/8"),
        ("8/5 6/", "part 2: '6/' is not like 13/8"),
        ("8/5(5)", "part 1: '8/5(5)' is not like 13/8"),
        ("8*/5", "part 1: '8*/5' is not like 13/8"),
        ("31: 8/5", "part 1: '31:' is not like 13/8"),
        ("26/20", "part 1: '26' is neither a point from 1 to 24 nor bar or off"),
        ("08/5", "part 1: '08' is neither"),
        ("\u0668/5", "part 1: '\u0668' is neither"),
        ("8/5 13/bar", "part 2: '13/bar' does not go down"),
        ("5/8", "part 1: '5/8' does not go down"),
        ("8/8", "part 1: '8/8' does not go down"),
        ("13/12(3) 8/7(2)", "at most 4 steps, this one 5"),
        ("8/5" * 30, "at most 80 characters, this one 90"),
    ],
)
def test_a_text_that_is_no_play_is_refused(text: str, fault: str) -> None:
    """With the part that cannot be read."""
    with pytest.raises(InvalidText) as refused:
        BACKGAMMON.play(thrown(start(), "31"), text)
    assert fault in str(refused.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("8/5", "2 numbers can be played, and must be"),
        ("8/5 7/6", "7/6: there is no checker on point 7"),
        ("bar/22 6/5", "bar/22: there is no checker on the bar"),
        ("8/6 6/5", "8/6: 2 is not among the numbers left, 3, 1, nor a sum of them"),
        ("24/23 6/5", "6/5: 1 is not among the numbers left, 3"),
        ("6/off", "6/off: checkers are borne off once all are in the home board"),
        ("24/23 13/10 8/7", "8/7: every number has been used by the other parts"),
        ("8/5* 6/5", "8/5* hits nothing"),
    ],
)
def test_a_play_against_the_rules_is_refused_with_the_rule(text: str, reason: str) -> None:
    """In an opening 3-1."""
    with pytest.raises(IllegalMove) as refused:
        BACKGAMMON.play(thrown(start(), "31"), text)
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("24/18 6/1", "6/1: point 1 is blocked"),
        ("24/19 13/7", "24/19: point 19 is blocked"),
    ],
)
def test_a_blocked_point_is_named(text: str, reason: str) -> None:
    """In an opening 6-5."""
    with pytest.raises(IllegalMove) as refused:
        BACKGAMMON.play(thrown(start(), "65"), text)
    assert reason in str(refused.value)


def test_blocked_points_between_are_told() -> None:
    """The goal is free, neither way there is."""
    position = board("24:1 6:2", "6:2 7:2", dice=(6, 5), rest=(1, 1))
    with pytest.raises(IllegalMove, match="the points between are blocked"):
        BACKGAMMON.play(position, "24/13")


@settings(max_examples=15, deadline=None, derandomize=True)
@given(st.integers(0, 10_000))
def test_every_canonical_text_names_its_own_final_position(seed: int) -> None:
    """Also with its parts in another order, and step by step."""
    rnd = random.Random(seed)
    for position in playout(seed):
        if rnd.random() < 0.9:
            continue
        finals = texts(position)
        assert len(set(finals.values())) == len(finals)
        for final, text in rnd.sample(list(finals.items()), min(20, len(finals))):
            canonical, after = BACKGAMMON.play(position, text)
            assert canonical == text
            assert after.theirs == tuple(final[0])
            parts = text.split()
            rnd.shuffle(parts)
            assert BACKGAMMON.play(position, ",".join(parts)) == (text, after)
            single = " ".join(f"{origin}/{target}" for origin, target, _ in plays(position)[final])
            assert BACKGAMMON.play(position, single) == (text, after)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.text(max_size=100) | st.text("0123456789/*()barof, ", max_size=40))
def test_any_text_is_a_legal_play_or_refused(text: str) -> None:
    """Whatever a client sends."""
    position = thrown(start(), "31")
    try:
        move = BACKGAMMON.play(position, text)[0]
    except (InvalidText, IllegalMove, AmbiguousMove):
        return
    assert move in BACKGAMMON.legal_moves(position)
