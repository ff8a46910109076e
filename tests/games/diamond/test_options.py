"""What each rule option changes, on positions made by hand."""

from __future__ import annotations

import pytest

from mitsuboshi.games.diamond import DIAMOND
from mitsuboshi.games.diamond.position import Position
from mitsuboshi.games.game import IllegalMove, InvalidOption, Outcome
from tests.games.diamond.literals import after, case, destinations, options, pieces

RED_HOME = "R120 " + " ".join(f"r{point}" for point in (103, 104, 105, 106, *range(111, 120)))
"""Red's king and 13 men at home; 102 is the last empty point of its target."""


def jumps(position: Position, origin: int) -> dict[int, int]:
    """The destinations by jumps of the piece on ``origin``."""
    return {end: count for end, count in destinations(position, origin).items() if count}


def test_a_king_with_a_least_run_of_two_jumps_no_single_piece() -> None:
    """One man right, two men left; men jump single pieces as ever."""
    board = "R60 r61 r59 y58"
    assert jumps(pieces(board), 60) == {62: 1, 57: 1}
    assert jumps(pieces(board, king_min_run=2), 60) == {57: 1}
    assert jumps(pieces(board, king_min_run=2), 59) == {57: 1}


def test_with_closed_border_lines_no_foreign_piece_steps_there() -> None:
    """77 and 89 lie on the border of yellow's start camp, 102 on that of red's own target too."""
    assert destinations(pieces("r78"), 78).keys() == {67, 68, 77, 79, 89, 90}
    assert destinations(pieces("r78", border_stop=False), 78).keys() == {67, 68, 79, 90}
    assert 102 in destinations(pieces("r90", border_stop=False), 90)
    assert {77, 89} <= destinations(pieces("y78", "yellow", border_stop=False), 78).keys()


def test_with_closed_border_lines_a_chain_still_lands_there() -> None:
    """79 over 78 to 77 and over 67 to 58: only the landing in between is no destination."""
    board = "r79 y78 y67"
    assert jumps(pieces(board), 79) == {77: 1, 58: 2}
    position = pieces(board, border_stop=False)
    assert jumps(position, 79) == {58: 2}
    assert DIAMOND.details(position, "79-58")["path"] == [79, 77, 58]
    with pytest.raises(IllegalMove, match="77 is on the border line of another camp"):
        DIAMOND.play(position, "79-77")


def test_with_closed_border_lines_green_camps_count_with_two_players() -> None:
    """83 lies on the border of green's start camp, which nobody uses."""
    assert 83 not in destinations(pieces("r82", border_stop=False), 82)


def test_the_first_seat_may_be_green_with_three_players_only() -> None:
    """Green, red, yellow; with two players red begins whatever the option says."""
    three = DIAMOND.start(3, options(first_seat="green"))
    assert [DIAMOND.to_move(p) for p in (three, after(three, "64-63"), after(three, "64-63", "14-26"))] == [
        "green",
        "red",
        "yellow",
    ]
    assert DIAMOND.to_move(DIAMOND.start(2, options(first_seat="green"))) == "red"


def test_a_piece_that_may_not_leave_its_target_may_move_within() -> None:
    """104 steps within the target only; pieces from outside, and of others, are free."""
    board = "r104 r91 y106"
    assert {92, 103} <= destinations(pieces(board), 104).keys()
    position = pieces(board, leave_target=False)
    assert destinations(position, 104).keys() == {103, 105, 112, 113}
    assert {90, 103} <= destinations(position, 91).keys()
    assert 94 in destinations(pieces(board, "yellow", leave_target=False), 106)
    with pytest.raises(IllegalMove, match="a piece in red's target may not leave it"):
        DIAMOND.play(position, "104-92")


def test_a_piece_that_may_not_leave_its_target_may_go_out_and_in_again() -> None:
    """103 over 91 to 80 and over 92 to 105: only where the chain ends counts."""
    position = pieces("r103 y91 y92", leave_target=False)
    assert jumps(position, 103) == {105: 2}
    assert jumps(pieces("r103 y91 y92"), 103) == {80: 1, 105: 2}


def test_the_draw_limit_counts_plies_of_each_seat() -> None:
    """50 a seat: 100 plies with two players, 150 with three."""
    for players in (2, 3):
        assert DIAMOND.draw_limit(DIAMOND.start(players, options())) == (400 * players, 400 * players)
        limit = 50 * players
        position = pieces("r60 y61", players=players, ply=limit - 1, draw_plies_per_seat=50)
        assert DIAMOND.draw_limit(position) == (limit, 1)
        assert DIAMOND.outcome(position) is None
        assert DIAMOND.outcome(after(position, "60-70")) == Outcome(None, "draw_limit", points=0)


def test_playing_for_all_places_goes_on_without_the_finished_seat() -> None:
    """Red's goal ends nothing; its turns are skipped and its pieces stay and are jumped."""
    position = after(pieces(f"{RED_HOME} r90 y60 g54", players=3, places="all"), "90-102")
    assert (position.finished, position.to_move, DIAMOND.outcome(position)) == (("red",), "yellow", None)
    position = after(position, "60-61", "54-53")
    assert (position.to_move, position.ply) == ("yellow", 3)


def test_playing_for_one_place_ends_with_the_first_goal() -> None:
    """The first win ends the game, with three players too."""
    position = after(pieces(f"{RED_HOME} r90 y60 g54", players=3), "90-102")
    assert DIAMOND.outcome(position) == Outcome("red", "goal")
    assert DIAMOND.legal_moves(position) == []
    with pytest.raises(IllegalMove, match="the game is over"):
        DIAMOND.play(position, "60-61")
    with pytest.raises(IllegalMove, match="the game is over"):
        DIAMOND.play(position, "pass")


def test_the_last_seat_but_one_to_finish_ends_the_game() -> None:
    """Yellow has finished; red's goal leaves green, which is third."""
    position = pieces(f"{RED_HOME} r90 g54", players=3, places="all", finished=("yellow",))
    position = after(position, "90-102")
    assert DIAMOND.outcome(position) == Outcome("yellow", "goal", places=("yellow", "red", "green"))
    assert DIAMOND.to_move(position) == "green"


def test_with_two_players_the_first_goal_gives_both_places() -> None:
    """Nobody is left to play for the second."""
    position = after(pieces(f"{RED_HOME} r90 y60", places="all"), "90-102")
    assert DIAMOND.outcome(position) == Outcome("red", "goal", places=("red", "yellow"))


def test_a_finished_seats_target_may_be_completed_again() -> None:
    """A foreign piece that left a finished seat's border line may come back; to one in play it may not."""
    board = f"{RED_HOME} r60 y90 g54"
    in_play = pieces(board, "yellow", players=3, places="all")
    assert "90-102" not in DIAMOND.legal_moves(in_play)
    position = after(pieces(board, "yellow", players=3, places="all", finished=("red",)), "90-102")
    assert (position.finished, DIAMOND.outcome(position)) == (("red",), None)


def test_a_finished_seats_camps_stay_closed() -> None:
    """Its pieces stay, and so do its camps."""
    position = pieces("y105 g54", "yellow", players=3, places="all", finished=("red",))
    assert not destinations(position, 105).keys() & set(range(111, 121))


def test_passes_are_counted_among_the_seats_in_play() -> None:
    """With green finished two passes in succession end the game; green's place is its own."""
    shut_in = case("pass_third_of_three_draw", places="all", passes=0)
    position = Position(shut_in.board, "red", 3, ply=300, passes=1, finished=("green",), rules=shut_in.rules)
    assert DIAMOND.outcome(position) is None
    passed = after(position, "pass")
    assert (passed.to_move, passed.passes) == ("yellow", 2)
    outcome = DIAMOND.outcome(passed)
    assert outcome is not None
    assert (outcome.winner, outcome.reason, outcome.places[0]) == ("green", "all_passed", "green")
    assert sorted(outcome.places) == ["green", "red", "yellow"]


def test_a_draw_before_anybody_has_finished_gives_no_places() -> None:
    """Three equals are no ranking."""
    position = pieces("r60 y61 g62", players=3, ply=1200, places="all")
    assert DIAMOND.outcome(position) == Outcome(None, "draw_limit", points=0)


def test_at_the_draw_limit_a_finished_seat_has_won_and_the_others_are_ranked_by_distance() -> None:
    """The nearer of the two in play is second; equal ones in turn order from the side to move."""
    nearer = pieces("Y45 y60 G11 R120", "yellow", players=3, ply=1200, places="all", finished=("red",))
    assert DIAMOND.outcome(nearer) == Outcome("red", "draw_limit", places=("red", "green", "yellow"))
    for mover, other in (("yellow", "green"), ("green", "yellow")):
        equal = pieces("Y22 G10 R120", mover, players=3, ply=1200, places="all", finished=("red",))
        assert DIAMOND.outcome(equal) == Outcome("red", "draw_limit", places=("red", mover, other))


def test_resigning_takes_the_last_free_place() -> None:
    """Nobody finished: third. One finished: third of the two left. Two players: second."""
    board = "r104 y60 g61"
    three = pieces(board, players=3, places="all")
    assert DIAMOND.resigned(three, "red") == Outcome(
        "yellow", "resignation", places=("yellow", "green", "red")
    )
    assert DIAMOND.resigned(three, "green").places == ("red", "yellow", "green")
    one_home = pieces(board, players=3, places="all", finished=("yellow",))
    assert DIAMOND.resigned(one_home, "red") == Outcome(
        "yellow", "resignation", places=("yellow", "green", "red")
    )
    two = pieces("r104 y60", places="all")
    assert DIAMOND.resigned(two, "red") == Outcome("yellow", "resignation", places=("yellow", "red"))


def test_a_finished_seat_that_gives_up_keeps_its_place() -> None:
    """It only ends the game: the others stand by their distances."""
    position = pieces("R120 y60 g46", "yellow", players=3, places="all", finished=("red",))
    assert DIAMOND.resigned(position, "red").places == ("red", "green", "yellow")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("king_min_run", 3),
        ("king_min_run", True),
        ("border_stop", 1),
        ("first_seat", "yellow"),
        ("places", "last"),
        ("leave_target", "false"),
        ("draw_plies_per_seat", 49),
        ("draw_plies_per_seat", 2001),
        ("draw_plies_per_seat", 400.0),
    ],
)
def test_a_value_outside_an_options_range_is_refused(name: str, value: object) -> None:
    """Also one that only Python takes for the same, as True for 1."""
    with pytest.raises(InvalidOption, match=name):
        options(**{name: value})
