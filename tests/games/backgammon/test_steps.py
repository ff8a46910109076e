"""Turns made step by step."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mitsuboshi.games.backgammon import BACKGAMMON
from mitsuboshi.games.backgammon.board import OFF
from mitsuboshi.games.backgammon.position import Position
from mitsuboshi.games.backgammon.steps import Steps
from mitsuboshi.games.game import IllegalMove, InvalidText
from tests.games.backgammon.literals import board, played, playout, start, thrown

STEPS = Steps()
ONE_ORDER = board("12:1", "16:2", dice=(5, 3), rest=(OFF, 1))


def test_a_turn_grows_step_by_step() -> None:
    """The board in between, and the move once no step is left."""
    position = thrown(start(), "31")
    assert STEPS.move(position, []) is None
    first = STEPS.step(position, [], "6/5")
    assert STEPS.move(position, [first]) is None
    between = STEPS.after(position, [first])
    assert (between.to_move, between.dice, between.white[5], between.white[6]) == ("white", (3, 1), 1, 4)
    assert "8/5" in STEPS.steps(position, [first])
    made = [first, STEPS.step(position, [first], "8/5")]
    assert STEPS.steps(position, made) == []
    assert STEPS.move(position, made) == "8/5 6/5"


def test_only_steps_that_use_as_many_numbers_as_possible_are_offered() -> None:
    """The 3 first would block the 5."""
    assert STEPS.steps(ONE_ORDER, []) == ["12/7"]
    assert STEPS.steps(ONE_ORDER, ["12/7"]) == ["7/4"]
    with pytest.raises(IllegalMove, match="point 9 is blocked"):
        STEPS.step(ONE_ORDER, [], "12/9")


def test_only_the_larger_number_is_offered_where_one_can_be_played() -> None:
    """And with it the turn is complete."""
    position = board("12:1", "21:2", dice=(5, 3), rest=(OFF, 1))
    assert STEPS.steps(position, []) == ["12/7"]
    assert STEPS.move(position, ["12/7"]) == "12/7"
    with pytest.raises(IllegalMove, match="after it fewer numbers could be played, or only the smaller"):
        STEPS.step(position, [], "12/9")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("8/4", "a step moves one checker by one number"),
        ("8/5 6/5", "a step moves one checker by one number"),
        ("8/5*", "hits nothing"),
        ("7/6", "there is no checker on point 7"),
        ("6/off", "once all are in the home board"),
    ],
)
def test_what_is_no_step_is_refused_with_the_reason(text: str, reason: str) -> None:
    """In an opening 3-1."""
    with pytest.raises(IllegalMove) as refused:
        STEPS.step(thrown(start(), "31"), [], text)
    assert reason in str(refused.value)


def test_a_step_after_the_last_is_refused() -> None:
    """Every number has been used."""
    position = thrown(start(), "31")
    with pytest.raises(IllegalMove, match="every number has been used"):
        STEPS.step(position, ["8/5", "6/5"], "6/5")


def test_a_step_that_cannot_be_read_is_refused() -> None:
    """As any move text is."""
    with pytest.raises(InvalidText, match="part 1"):
        STEPS.step(thrown(start(), "31"), [], "8-5")


def test_a_hit_is_told_by_the_step_that_makes_it() -> None:
    """The star may be left out by who asks; the answer has it."""
    position = board("8:1 6:1", "20:1", dice=(3, 1), rest=(1, 1))
    assert STEPS.step(position, [], "8/5") == "8/5*"
    assert STEPS.step(position, ["8/5*"], "6/5") == "6/5"
    assert STEPS.move(position, ["6/5*", "8/5"]) == "8/5* 6/5"


def test_there_are_no_steps_before_the_throw_nor_where_nothing_can_be_played() -> None:
    """A throw that allows nothing makes a pass by itself."""
    for position in (start(), played(thrown(start(), "31"), "8/5 6/5")):
        assert (STEPS.steps(position, []), STEPS.move(position, [])) == ([], None)
        with pytest.raises(IllegalMove, match="the dice have to be thrown first"):
            STEPS.step(position, [], "8/5")
    stuck = board("bar:1", "2:2 4:2", dice=(4, 2), rest=(6, 6))
    assert (STEPS.steps(stuck, []), STEPS.move(stuck, [])) == ([], "pass")


def test_the_last_checker_off_completes_a_turn() -> None:
    """Whatever numbers are left."""
    position = board("2:1 1:1", "1:1", dice=(6, 6), rest=(OFF, OFF))
    assert STEPS.steps(position, ["2/off", "1/off"]) == []
    assert STEPS.move(position, ["2/off", "1/off"]) == "2/off 1/off"


def _turns(position: Position, made: list[str]) -> set[str]:
    """Every move that steps can make."""
    following = STEPS.steps(position, made)
    if not following:
        move = STEPS.move(position, made)
        assert move is not None
        assert BACKGAMMON.play(position, move)[1].theirs == STEPS.after(position, made).mine
        return {move}
    assert STEPS.move(position, made) is None
    assert len(following) == len(set(following))
    return {move for step in following for move in _turns(position, [*made, step])}


@settings(max_examples=12, deadline=None, derandomize=True)
@given(st.integers(0, 10_000))
def test_steps_make_the_legal_moves_and_no_others(seed: int) -> None:
    """In random games; of doubles those with few plays, for their steps can be made in very many orders."""
    rnd = random.Random(seed)
    for position in playout(seed):
        legal = BACKGAMMON.legal_moves(position)
        if len(set(position.dice or ())) == 2 or len(legal) < 8:
            if rnd.random() < 0.1:
                assert _turns(position, []) == set(legal or ["pass"])
        elif rnd.random() < 0.3:
            assert _walk(position, rnd) in legal


def _walk(position: Position, rnd: random.Random) -> str | None:
    """The move that some steps make."""
    made: list[str] = []
    while following := STEPS.steps(position, made):
        made.append(STEPS.step(position, made, rnd.choice(following)))
    return STEPS.move(position, made)
