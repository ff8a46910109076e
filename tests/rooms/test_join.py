"""Taking a seat: which one, and why not."""

from __future__ import annotations

from tests.rooms.table import INVITE, Table, refused, seats, types

THREE = {"red": "me", "yellow": "open", "green": "open"}
AI = {"ai": "beginner"}


def test_any_open_seat_is_given_in_turn_order() -> None:
    """Without a wish the first open one."""
    table = Table(seats=THREE)
    table.join("bob")
    assert seats(table) == {"red": "ann", "yellow": "bob", "green": "open"}


def test_the_wished_seat_is_given() -> None:
    """Whatever else is open."""
    table = Table(seats=THREE)
    table.join("bob", seat="green")
    assert seats(table) == {"red": "ann", "yellow": "open", "green": "bob"}


def test_the_last_seat_begins_the_game() -> None:
    """In the same command, with everybody's names."""
    table = Table()
    assert types(table.join("bob", name="Bob")) == ["seat_taken", "game_started"]
    assert table.room.status == "playing"


def test_one_person_may_take_more_seats() -> None:
    """A token holds them all."""
    table = Table(seats=THREE)
    table.join("ann", seat="green")
    assert table.room.held_by("ann") == ("red", "green")


def test_a_seat_that_a_person_has_is_taken() -> None:
    """Before the start and after it."""
    table = Table(seats=THREE)
    with refused("seat_taken"):
        table.join("bob", seat="red")
    table.join("bob")
    table.join("cleo")
    for seat in ("red", "yellow", "green", None):
        with refused("seat_taken"):
            table.join("dora", seat=seat)


def test_a_seat_that_an_ai_was_put_into_tells_that_the_game_has_begun() -> None:
    """By the start, or for one who left."""
    table = Table(seats=THREE)
    table.join("bob")
    table.act("ann", "start")
    for seat in ("green", None):
        with refused("already_started"):
            table.join("cleo", seat=seat)
    with refused("seat_taken"):
        table.join("cleo", seat="yellow")
    table.act("bob", "leave")
    with refused("already_started"):
        table.join("cleo", seat="yellow")


def test_a_seat_that_was_an_ais_from_the_beginning_is_taken() -> None:
    """Nobody could ever have had it."""
    table = Table(seats={"red": "open", "yellow": AI})
    with refused("seat_taken"):
        table.join("bob", seat="yellow")


def test_there_must_be_such_a_seat() -> None:
    """A room for two has no green."""
    with refused("invalid_body", "seat"):
        Table().join("bob", seat="green")


def test_a_private_room_wants_its_invite() -> None:
    """A wrong one and none are refused alike, and nothing changes."""
    table = Table(visibility="private")
    for body in ({}, {"invite": "guessed"}, {"invite": ""}):
        with refused("wrong_invite", "invite"):
            table.join("bob", **body)
    assert table.room.version == 2
    table.join("bob", invite=INVITE)
    assert seats(table)["yellow"] == "bob"


def test_nobody_joins_a_closed_room() -> None:
    """Whoever asks."""
    table = Table()
    table.close("ann")
    with refused("room_closed"):
        table.join("bob")


def test_a_seat_given_up_before_the_start_is_open_again() -> None:
    """And the room still waits."""
    table = Table(seats=THREE)
    table.join("bob")
    assert types(table.act("bob", "leave")) == ["seat_left"]
    assert seats(table) == {"red": "ann", "yellow": "open", "green": "open"}
    table.join("cleo")
    assert seats(table)["yellow"] == "cleo"
