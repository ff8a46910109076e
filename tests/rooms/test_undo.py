"""Taking back: to where, by whom, and that nothing of what was taken back stays."""

from __future__ import annotations

from typing import Any

import pytest

from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.state import Room
from tests.rooms import positions
from tests.rooms.table import Table, refused, seats, types

AI = {"ai": "advanced"}
THREE = {"red": "me", "yellow": "open", "green": "open"}


def board(room: Room) -> tuple[Any, ...]:
    """All that an undo must bring back."""
    return room.position, room.to_move, room.ply, room.movers, room.last_moves


def test_a_person_takes_back_its_last_move_and_all_that_followed() -> None:
    """Position, side to move, ply and shown moves are as they were."""
    table = Table(seats={"yellow": AI})
    table.turns(4)
    before = board(table.room)
    table.turns(2)
    assert types(table.act("ann", "undo")) == ["undone"]
    assert board(table.room) == before
    assert table.room.to_move == "red"


def test_undo_reaches_back_to_the_start() -> None:
    """One after the other; then there is nothing left."""
    table = Table(seats={"yellow": AI})
    start = board(table.room)
    table.turns(7)
    for plies in (6, 4, 2, 0):
        table.act("ann", "undo")
        assert table.room.ply == plies
    assert board(table.room) == start
    with refused("nothing_to_undo"):
        table.act("ann", "undo")


def test_where_the_ai_moved_first_there_is_nothing_to_undo() -> None:
    """Its move is not the person's to take back; after one of its own, that one is."""
    table = Table(seats={"red": AI, "yellow": "me"})
    with refused("nothing_to_undo"):
        table.act("ann", "undo")
    table.turn()
    with refused("nothing_to_undo"):
        table.act("ann", "undo")
    before = board(table.room)
    table.turn()
    table.act("ann", "undo")
    assert board(table.room) == before
    with refused("nothing_to_undo"):
        table.act("ann", "undo")


def test_undo_while_the_ai_thinks_makes_its_answer_late() -> None:
    """The old job's answer is refused, and the ai gets another one when it is its turn again."""
    table = Table(seats={"yellow": AI})
    table.turn("6-26")
    old = table.job()
    table.act("ann", "undo")
    with refused("stale_job"):
        table.ai("99-77", old.job_id)
    table.turn("6-26")
    new = table.job()
    assert (new.position, new.level) == (old.position, old.level)
    assert new.job_id != old.job_id
    with refused("stale_job"):
        table.ai("56-57", old.job_id)
    table.ai()
    assert table.room.ply == 2


def test_on_one_device_it_takes_back_one_move() -> None:
    """The last move of any seat is the holder's own."""
    table = Table(seats={"red": "me", "yellow": "me"})
    table.turns(3)
    table.act("ann", "undo")
    assert (table.room.ply, table.room.to_move) == (2, "red")


def test_on_one_device_for_two_against_an_ai_it_takes_back_to_either_seat() -> None:
    """Red and green are ann's: after the ai's move green's is the last one of hers."""
    table = Table(seats={"red": "me", "yellow": AI, "green": "me"})
    table.turns(3)
    assert table.room.to_move == "red"
    table.act("ann", "undo")
    assert table.room.to_move == "green"
    table.act("ann", "undo")
    assert (table.room.to_move, table.room.ply) == ("red", 0)


def test_a_pass_is_not_what_is_taken_back() -> None:
    """Before the last move, not before the pass: with nothing but passes there is nothing."""
    table = Table(position=positions.MUST_PASS, seats={"yellow": AI})
    table.turn()
    with refused("nothing_to_undo"):
        table.act("ann", "undo")
    device = Table(position=positions.MUST_PASS, seats={"red": "me", "yellow": "me"})
    device.turn()
    before = board(device.room)
    device.turn()
    device.act("ann", "undo")
    assert board(device.room) == before
    assert device.room.movers == "-"


def test_with_others_in_the_room_undo_is_off() -> None:
    """Unless the room says otherwise; whoever asks."""
    table = Table()
    table.join("bob")
    table.turns(2)
    for person in ("ann", "bob"):
        with refused("undo_off"):
            table.act(person, "undo")
        assert "undo" not in table.seen_by(person).may


def test_a_room_may_switch_undo_off_for_one_person_too() -> None:
    """Then it is not offered either."""
    table = Table(seats={"yellow": AI}, undo="off")
    table.turns(2)
    with refused("undo_off"):
        table.act("ann", "undo")


def test_where_undo_is_free_anybody_takes_back_its_own_last_move() -> None:
    """Whatever the others have played since goes too."""
    table = Table(seats=THREE, undo="free")
    table.join("bob")
    table.join("cleo")
    table.turns(1)
    before = board(table.room)
    table.turns(4)
    after_four = board(table.room)
    table.act("cleo", "undo")
    assert board(table.room) != after_four
    assert (table.room.ply, table.room.to_move) == (2, "green")
    table.act("bob", "undo")
    assert board(table.room) == before
    with refused("nothing_to_undo"):
        table.act("bob", "undo")


@pytest.mark.parametrize("turns", [1, 2, 3, 4, 7])
def test_three_seats_are_restored_exactly(turns: int) -> None:
    """Two last moves are shown with three players, and come back from before the undo."""
    table = Table(seats={"red": "me", "yellow": AI, "green": AI})
    history = [board(table.room)]
    for number in range(turns):
        table.turn(table.any_move(number))
        history.append(board(table.room))
    table.act("ann", "undo")
    assert board(table.room) == history[3 * ((turns - 1) // 3)]


def test_undo_goes_back_past_somebodys_leaving() -> None:
    """The moves of who left are taken back like any; the seat stays the ai's."""
    table = Table(seats=THREE)
    table.join("bob")
    table.join("cleo")
    table.turns(2)
    table.act("bob", "leave")
    table.act("cleo", "leave")
    assert table.room.to_move == "green"
    table.act("ann", "undo")
    assert (table.room.ply, table.room.to_move) == (0, "red")
    assert seats(table) == {"red": "ann", "yellow": "intermediate", "green": "intermediate"}
    table.turns(2)
    with refused("not_seated"):
        table.act("bob", "undo")


def test_an_undo_is_told_with_the_board_it_leads_to() -> None:
    """Whose move was taken back, and what is shown again."""
    table = Table(position=positions.nearly_won(ply=40), seats={"red": "me", "yellow": "me"})
    table.turns(2)
    (event,) = table.act("ann", "undo")
    assert isinstance(event, e.Undone)
    assert (event.seat, event.plies, event.ply, event.to_move) == ("yellow", 1, 41, "yellow")
    assert [move.ply for move in event.last_moves] == [41]


def test_undo_after_the_end_is_refused() -> None:
    """A game that is over stays over, and nothing is left pending."""
    table = Table(position=positions.nearly_won(), seats={"red": "me", "yellow": "me"})
    table.turn(positions.WINNING_MOVE)
    with refused("game_over"):
        table.act("ann", "undo")
    assert table.seen_by("ann").offer is None


def test_in_a_new_game_nothing_of_the_old_one_is_taken_back() -> None:
    """Every game has a line of its own."""
    table = Table(seats={"yellow": AI})
    table.turns(4)
    table.act("ann", "resign")
    table.act("ann", "rematch")
    with refused("nothing_to_undo"):
        table.act("ann", "undo")
    assert table.room.movers == ""
    assert len(table.lines[1].turns) == 4
