"""The course of a game: the opening throw, turns, and its ends."""

from __future__ import annotations

import pytest

from mitsuboshi.games.backgammon import BACKGAMMON
from mitsuboshi.games.backgammon.board import OFF
from mitsuboshi.games.game import IllegalMove
from tests.games.backgammon.literals import board, played, start, thrown


def test_the_opening_is_never_a_double_and_the_higher_die_begins_with_both() -> None:
    """30 equally likely throws, white's die first."""
    throws = BACKGAMMON.chance(start())
    assert len(throws) == len(set(throws)) == 30
    for throw in throws:
        position = thrown(start(), throw)
        white, black = map(int, throw)
        assert white != black
        assert BACKGAMMON.to_move(position) == ("white" if white > black else "black")
        assert BACKGAMMON.dice(position) == sorted((white, black), reverse=True)
        assert (BACKGAMMON.ply(position), BACKGAMMON.chance(position)) == (0, ())


def test_the_dice_come_before_the_move() -> None:
    """In the opening as later there is nothing to move, and nothing to pass."""
    for position in (start(), played(thrown(start(), "31"), "8/5 6/5")):
        assert (BACKGAMMON.legal_moves(position), BACKGAMMON.must_pass(position)) == ([], False)
        assert BACKGAMMON.dice(position) is None
        for move in ("8/5 6/5", "pass"):
            with pytest.raises(IllegalMove, match="the dice have to be thrown first"):
                BACKGAMMON.play(position, move)


def test_after_a_move_the_other_side_throws_two_dice() -> None:
    """36 ordered throws; a turn is a ply."""
    position = played(thrown(start(), "31"), "8/5 6/5")
    assert (BACKGAMMON.to_move(position), BACKGAMMON.ply(position)) == ("black", 1)
    throws = BACKGAMMON.chance(position)
    assert len(throws) == len(set(throws)) == 36
    assert "44" in throws
    assert BACKGAMMON.dice(thrown(position, "26")) == [6, 2]


@pytest.mark.parametrize("throw", ["11", "", "3", "07", "311", "3-1"])
def test_a_throw_that_chance_does_not_offer_is_no_throw(throw: str) -> None:
    """A fault of the caller."""
    with pytest.raises(ValueError, match="is not a throw that this position waits for"):
        BACKGAMMON.after_chance(start(), throw)


@pytest.mark.parametrize(
    ("loser", "points"),
    [
        ("off:1 24:14", 1),
        ("18:15", 2),
        ("1:15", 2),
        ("bar:1 1:14", 3),
        ("19:1 1:14", 3),
        ("24:15", 3),
        ("bar:1 off:1 1:13", 1),
    ],
)
def test_the_first_to_bear_off_all_wins_by_what_the_loser_has_left(loser: str, points: int) -> None:
    """Single, gammon, and backgammon with a checker on the bar or in the winner's home board."""
    for seat in BACKGAMMON.seats:
        position = board("1:1", loser, dice=(2, 1), to_move=seat)
        over = played(position, "1/off")
        outcome = BACKGAMMON.outcome(over)
        assert outcome is not None
        assert (outcome.winner, outcome.reason, outcome.points) == (seat, "borne_off", points)
        assert (BACKGAMMON.legal_moves(over), BACKGAMMON.chance(over)) == ([], ())
        with pytest.raises(IllegalMove, match="the game is over"):
            BACKGAMMON.play(over, "1/off")


def test_a_game_goes_on_until_the_last_checker_is_off() -> None:
    """One left."""
    assert BACKGAMMON.outcome(board("1:1", "1:1", dice=(2, 1))) is None
    assert BACKGAMMON.outcome(start()) is None


def test_a_resignation_is_a_single_game_for_the_other() -> None:
    """Whatever the board says."""
    outcome = BACKGAMMON.resigned(board("bar:15", "1:1", rest=(OFF, OFF)), "white")
    assert (outcome.winner, outcome.reason, outcome.points) == ("black", "resignation", 1)


def test_two_play() -> None:
    """And no other number."""
    with pytest.raises(ValueError, match="two play backgammon, not 3"):
        BACKGAMMON.start(3, {})
