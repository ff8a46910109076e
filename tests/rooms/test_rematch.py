"""Another game: votes, seats that move on, and what is kept of the games before."""

from __future__ import annotations

from mitsuboshi.rooms.records import record
from mitsuboshi.rooms.seats import GAMES_MAX
from mitsuboshi.rooms.state import Result
from tests.rooms import positions
from tests.rooms.table import Table, refused, seats, types

AI = {"ai": "advanced"}


def ended() -> Table:
    """Ann as red has lost to bob."""
    table = Table(name="Ann")
    table.join("bob", name="Bob")
    table.act("ann", "resign")
    return table


def test_a_single_person_keeps_its_seat() -> None:
    """Its vote is all there is to wait for."""
    table = Table(seats={"yellow": AI})
    table.turns(3)
    table.act("ann", "resign")
    assert types(table.act("ann", "rematch")) == ["rematch_voted", "game_started"]
    assert seats(table) == {"red": "ann", "yellow": "advanced"}
    assert (table.room.status, table.room.game_number, table.room.ply) == ("playing", 2, 0)
    assert (table.room.movers, table.room.last_moves, table.room.result) == ("", (), None)


def test_two_people_change_seats_once_both_have_voted() -> None:
    """Names go with their people."""
    table = ended()
    assert types(table.act("ann", "rematch")) == ["rematch_voted"]
    assert table.seen_by("bob").rematch == ("red",)
    assert types(table.act("bob", "rematch")) == ["rematch_voted", "game_started"]
    assert seats(table) == {"red": "bob", "yellow": "ann"}
    assert [seat.name for seat in table.room.seats] == ["Bob", "Ann"]
    assert table.seen_by("bob").rematch == ()


def test_three_seats_move_on_by_one() -> None:
    """The second's holder gets the first, the first's the last; an AI moves on with them."""
    table = Table(
        seats={"red": "me", "yellow": AI, "green": "open"}, position=positions.nearly_won(players=3)
    )
    table.join("bob")
    for _ in range(2):
        order = list(seats(table).values())
        table.turn(positions.WINNING_MOVE)
        table.act("ann", "rematch")
        table.act("bob", "rematch")
        assert list(seats(table).values()) == [*order[1:], order[0]]


def test_a_vote_can_be_taken_back() -> None:
    """Once; then there is none to take back."""
    table = ended()
    with refused("nothing_to_answer"):
        table.act("ann", "answer", to="rematch", accept=False)
    table.act("ann", "rematch")
    with refused("nothing_to_answer"):
        table.act("bob", "answer", to="rematch", accept=False)
    assert types(table.act("ann", "answer", to="rematch", accept=False)) == ["rematch_voted"]
    assert table.seen_by("ann").rematch == ()
    assert types(table.act("bob", "rematch")) == ["rematch_voted"]


def test_yes_to_somebodys_vote_is_a_vote() -> None:
    """Without one there is nothing to say yes to."""
    table = ended()
    with refused("nothing_to_answer"):
        table.act("bob", "answer", to="rematch", accept=True)
    assert "answer" not in table.seen_by("bob").may
    table.act("ann", "rematch")
    assert "answer" in table.seen_by("bob").may
    assert types(table.act("bob", "answer", to="rematch", accept=True)) == ["rematch_voted", "game_started"]


def test_who_left_has_no_vote() -> None:
    """Neither pending nor needed; its seat stays the ai's."""
    table = ended()
    table.act("bob", "rematch")
    table.act("bob", "leave")
    assert table.seen_by("ann").rematch == ()
    assert table.room.status == "finished"
    with refused("not_seated"):
        table.act("bob", "rematch")
    assert types(table.act("ann", "rematch")) == ["rematch_voted", "game_started"]
    assert seats(table) == {"red": "ann", "yellow": "intermediate"}


def test_the_game_begins_when_the_last_who_had_not_voted_leaves() -> None:
    """All that are left have voted: they need not vote again."""
    table = ended()
    table.act("ann", "rematch")
    assert types(table.act("bob", "leave")) == ["seat_left", "game_started"]
    assert seats(table) == {"red": "ann", "yellow": "intermediate"}
    assert table.room.status == "playing"


def test_no_game_begins_when_everybody_leaves() -> None:
    """Nobody's votes are not everybody's."""
    table = ended()
    table.act("ann", "rematch")
    table.act("ann", "leave")
    assert types(table.act("bob", "leave")) == ["seat_left"]
    assert table.room.status == "finished"


def test_earlier_results_are_kept_in_order() -> None:
    """The one that has just ended is the result, those before it the games."""
    table = ended()
    for number in (2, 3):
        table.act("ann", "rematch")
        table.act("bob", "rematch")
        assert table.room.game_number == number
        table.act("ann", "resign")
    # Ann was red, then yellow, then red again.
    won_by = [result.winner for result in table.seen_by(None).games]
    assert won_by == ["yellow", "red"]
    assert table.room.result == Result("yellow", "resignation", 1)


def test_every_game_has_a_record() -> None:
    """With who held the seats then, the moves, and the result of that game."""
    table = Table(name="Ann", options={"draw_plies_per_seat": 60})
    table.join("bob", name="Bob")
    table.turns(2)
    table.act("ann", "resign")
    table.act("ann", "rematch")
    table.act("bob", "rematch")
    table.turns(3)
    first, second = (record(table.room, number, table.lines[number]) for number in (1, 2))
    assert [seat.name for seat in first.seats] == ["Ann", "Bob"]
    assert [seat.name for seat in second.seats] == ["Bob", "Ann"]
    assert (len(first.moves), len(second.moves)) == (2, 3)
    assert first.result == Result("yellow", "resignation", 1)
    assert second.result is None
    assert second.position == table.room.position
    assert all({"seat", "ply", "move", "path", "jumps", "rows"} == set(move) for move in first.moves)


def test_every_game_begins_from_the_rooms_position() -> None:
    """As the first one did."""
    table = Table(position=positions.nearly_won(), seats={"yellow": AI})
    table.turn(positions.WINNING_MOVE)
    table.act("ann", "rematch")
    assert table.room.position == positions.nearly_won()


def test_a_room_holds_so_many_games() -> None:
    """Then a vote is refused, and no longer offered."""
    table = Table(position=positions.nearly_won(), seats={"yellow": AI})
    for _ in range(GAMES_MAX - 1):
        table.turn(positions.WINNING_MOVE)
        table.act("ann", "rematch")
    table.turn(positions.WINNING_MOVE)
    assert len(table.seen_by("ann").games) == GAMES_MAX - 1
    with refused("too_many_games"):
        table.act("ann", "rematch")
    assert not {"rematch", "answer"} & set(table.seen_by("ann").may)
