"""A turn jump by jump: what may follow, what the board looks like, and that it is the same turn."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mitsuboshi.games.checkers import CHECKERS
from mitsuboshi.games.checkers.position import Position
from mitsuboshi.games.game import IllegalMove, InvalidText
from tests.games.checkers.literals import board, random_game, read

STEPS = CHECKERS.stepwise
CHAIN = board("W", white="22 32", red="18 11")
KINGS = "W:WK21,K22,K23,K24,K25,K26:BK5,K6,K7,K8,K9,K10,K14,K15,K16"


def turns(position: Position, made: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every way to make a whole turn, step by step."""
    assert STEPS
    following = STEPS.steps(position, made)
    if not following:
        yield made
    for step in following:
        yield from turns(position, (*made, STEPS.step(position, made, step)))


def check(position: Position) -> None:
    """The turns by steps are the legal moves, and end on the same board."""
    assert STEPS
    if CHECKERS.outcome(position):
        assert STEPS.steps(position, ()) == []
        return
    by_move = {STEPS.move(position, made): made for made in turns(position)}
    assert sorted(by_move, key=str) == sorted(CHECKERS.legal_moves(position))
    for move, made in by_move.items():
        assert move
        played = CHECKERS.play(position, move)[1]
        stepped = STEPS.after(position, made)
        assert (stepped.red, stepped.white, stepped.kings) == (played.red, played.white, played.kings)
        assert stepped.to_move == position.to_move
        for count in range(1, len(made)):
            assert STEPS.move(position, made[:count]) is None


def test_a_whole_path_and_its_jumps_are_one_turn() -> None:
    """The piece stands where its last jump ended; what was jumped is gone."""
    assert STEPS
    assert STEPS.steps(CHAIN, ()) == ["22x15"]
    assert STEPS.steps(CHAIN, ("22x15",)) == ["15x8"]
    assert CHECKERS.write(STEPS.after(CHAIN, ("22x15",))) == "W:W15,32:B11"
    assert STEPS.move(CHAIN, ("22x15",)) is None
    assert STEPS.steps(CHAIN, ("22x15", "15x8")) == []
    assert STEPS.move(CHAIN, ("22x15", "15x8")) == "22x15x8"
    assert STEPS.after(CHAIN, ()) == CHAIN


def test_a_simple_move_is_one_step() -> None:
    """The first steps are listed before anything is made."""
    assert STEPS
    start = CHECKERS.start(2, {})
    assert STEPS.steps(start, ()) == CHECKERS.legal_moves(start)
    assert STEPS.move(start, ("11-15",)) == "11-15"
    assert STEPS.move(start, ()) is None
    assert (STEPS.confirmed, STEPS.lists_moves) == (False, True)


def test_two_captures_that_begin_alike_have_one_first_step() -> None:
    """They part where they part."""
    assert STEPS
    position = board("B", white="18 26 25", red="15")
    assert STEPS.steps(position, ()) == ["15x22"]
    assert sorted(STEPS.steps(position, ("15x22",))) == ["22x29", "22x31"]


@pytest.mark.parametrize(
    ("made", "step", "why"),
    [
        ((), "32-28", "a capture is compulsory: the piece on 22 can make one"),
        ((), "18x25", "the piece on 18 is red's"),
        ((), "22x13", "there is no piece of red's on 17 to capture"),
        (("22x15",), "32-28", "the capture goes on with the piece on 15"),
        (("22x15",), "15-10", "the capture must go on from 15"),
        (("22x15",), "15x6", "there is no piece of red's on 10 to capture"),
        (("22x15",), "15x22", "a man captures forward only, not from 15 to 22"),
        (("22x15", "15x8"), "8-3", "the turn is complete"),
    ],
)
def test_a_step_that_is_refused_has_its_reason(made: tuple[str, ...], step: str, why: str) -> None:
    """As whole moves have."""
    assert STEPS
    with pytest.raises(IllegalMove) as refused:
        STEPS.step(CHAIN, made, step)
    assert str(refused.value) == why


def test_what_is_no_step_is_told_from_an_illegal_one() -> None:
    """A whole path is a move; over is over."""
    assert STEPS
    for text in ("22x15x8", "22", "22x99"):
        with pytest.raises(InvalidText):
            STEPS.step(CHAIN, (), text)
    with pytest.raises(IllegalMove, match="the game is over"):
        STEPS.step(board("W", white="21", red="17 14"), (), "21-17")


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 2**32), st.integers(0, 150))
def test_steps_agree_with_moves_in_random_games(seed: int, plies: int) -> None:
    """From the start on."""
    *_, position = random_game(seed, plies=plies)
    check(position)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 2**32), st.integers(0, 12))
def test_steps_agree_with_moves_where_kings_capture(seed: int, plies: int) -> None:
    """Long captures that branch."""
    *_, position = random_game(seed, read(KINGS), plies)
    check(position)
