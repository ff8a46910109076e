"""The turns and the end of a game: goals, passes, the draw limit, resignation, and the facts to show."""

from __future__ import annotations

import pytest

from mitsuboshi.games.diamond import DIAMOND
from mitsuboshi.games.game import IllegalMove, Outcome
from tests.games.diamond.literals import after, case, options, pieces

RED_TARGET = (102, 103, 104, 105, 106, *range(111, 121))


def men(*points: int) -> str:
    """Red men on these points, as ``pieces`` reads them."""
    return " ".join(f"r{point}" for point in points)


def test_fourteen_men_at_home_win_when_the_king_moves_in() -> None:
    """With the king off its mark nothing is over; it jumps along the edge to the apex: over at once."""
    position = pieces(f"R94 {men(*RED_TARGET[:-1])} y60")
    assert DIAMOND.outcome(position) is None
    assert DIAMOND.outcome(after(position, "94-93")) is None
    assert DIAMOND.outcome(after(position, "94-120")) == Outcome("red", "goal")


def test_the_king_on_the_apex_wins_when_the_last_man_is_home() -> None:
    """The king's own step to the apex leaves a hole where it came from; the man that fills it wins."""
    position = pieces(f"R119 {men(*(point for point in RED_TARGET if point not in (119, 120)))} r107 y60")
    position = after(position, "119-120", "60-61", "102-90", "61-60")
    assert DIAMOND.outcome(position) is None
    position = pieces(f"R120 {men(*RED_TARGET[1:-1])} r90 y60")
    assert DIAMOND.outcome(after(position, "90-102")) == Outcome("red", "goal")


def test_foreign_pieces_on_the_border_line_fill_the_target_as_well() -> None:
    """Yellow on 102: red needs only the other 14 points."""
    position = pieces(f"R120 y102 {men(*RED_TARGET[2:-1])} r91 r60")
    assert DIAMOND.outcome(after(position, "91-103")) == Outcome("red", "goal")


def test_a_full_target_without_the_king_is_a_hint_and_no_win() -> None:
    """King to the apex: of each seat that is so far, and of no other."""
    position = pieces(f"R60 {men(*RED_TARGET)} y61")
    assert DIAMOND.outcome(position) is None
    assert DIAMOND.facts(position) == {
        "in_target": {"red": 15, "yellow": 0},
        "king_to_apex": ["red"],
    }
    won = pieces(f"R120 {men(*RED_TARGET[:-1])} y61", "yellow")
    assert DIAMOND.facts(won)["king_to_apex"] == []
    assert DIAMOND.facts(pieces("r60", players=3))["in_target"] == {"red": 0, "yellow": 0, "green": 0}


def test_a_win_comes_before_the_draw_limit_on_the_same_ply() -> None:
    """The 800th ply reaches the goal."""
    position = pieces(f"R120 {men(*RED_TARGET[1:-1])} r90 y61", ply=799)
    assert DIAMOND.outcome(after(position, "90-102")) == Outcome("red", "goal")
    assert DIAMOND.outcome(after(position, "90-91")) == Outcome(None, "draw_limit", points=0)


def test_two_seats_that_shuffle_for_ever_draw_at_the_limit() -> None:
    """400 plies each, no repetition rule before, and the ply counts up in every position."""
    position = DIAMOND.start(2, options())
    moves = ["14-26", "56-57", "26-14", "57-56"]
    for ply in range(800):
        assert (DIAMOND.ply(position), DIAMOND.outcome(position)) == (ply, None)
        position = after(position, moves[ply % 4])
    assert DIAMOND.outcome(position) == Outcome(None, "draw_limit", points=0)
    assert DIAMOND.legal_moves(position) == []
    assert not DIAMOND.must_pass(position)
    assert DIAMOND.write(position).endswith(" r 2 800 0")


def test_whoever_has_no_move_must_pass() -> None:
    """A pass is a ply, and the next move ends the succession."""
    position = case("pass_because_only_moves_complete_another_target")
    assert DIAMOND.must_pass(position)
    assert DIAMOND.legal_moves(position) == []
    text, passed = DIAMOND.play(position, "pass")
    assert (text, passed.ply, passed.passes, passed.to_move) == ("pass", 301, 1, "yellow")
    assert after(passed, DIAMOND.legal_moves(passed)[0]).passes == 0


def test_when_every_seat_passes_in_succession_it_is_a_draw() -> None:
    """The counter of the position says that yellow has just passed."""
    position = case("pass_all_seats_draw_2p")
    assert DIAMOND.outcome(position) is None
    assert DIAMOND.outcome(after(position, "pass")) == Outcome(None, "all_passed", points=0)


def test_the_pass_of_every_seat_is_told_from_the_draw_limit() -> None:
    """Both on one ply: the position on the board is the reason."""
    position = case("pass_all_seats_draw_2p", ply=799)
    assert DIAMOND.outcome(after(position, "pass")) == Outcome(None, "all_passed", points=0)


def test_with_two_players_the_other_wins_a_resignation() -> None:
    """However far it is."""
    position = pieces("r119 y98")
    assert DIAMOND.resigned(position, "red") == Outcome("yellow", "resignation")
    assert DIAMOND.resigned(position, "yellow") == Outcome("red", "resignation")


def test_with_three_players_the_nearer_of_the_others_wins_a_resignation() -> None:
    """The smaller distance sum, whatever the turn order."""
    position = pieces("r90 y60 g23", players=3)
    assert DIAMOND.resigned(position, "red") == Outcome("green", "resignation")
    assert DIAMOND.resigned(position, "green") == Outcome("red", "resignation")
    assert DIAMOND.resigned(position, "yellow") == Outcome("green", "resignation")


def test_a_seat_that_does_not_play_cannot_resign() -> None:
    """There is no green with two players."""
    with pytest.raises(ValueError, match="green"):
        DIAMOND.resigned(DIAMOND.start(2, options()), "green")


@pytest.mark.parametrize("players", [1, 4])
def test_two_or_three_play(players: int) -> None:
    """Other numbers are the caller's mistake."""
    with pytest.raises(ValueError, match="two or three"):
        DIAMOND.start(players, options())


def test_what_rooms_ask_of_a_position() -> None:
    """Seats, side to move and ply."""
    position = after(DIAMOND.start(3, options()), "14-26")
    assert (DIAMOND.players(position), DIAMOND.to_move(position), DIAMOND.ply(position)) == (3, "yellow", 1)
    with pytest.raises(IllegalMove, match="no piece of yours"):
        DIAMOND.play(position, "26-27")


def test_what_rooms_do_when_somebody_leaves() -> None:
    """Two seats: it loses. Three: an AI plays on, in the same turn order; only somebody alone resigns."""
    policy = DIAMOND.policy
    assert policy.leave == {2: "loses", 3: "substitute"}
    assert policy.resign_alone == {2: False, 3: True}
    assert policy.winner_when_left == {2: True, 3: False}
