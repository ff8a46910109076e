"""The owner begins."""

from __future__ import annotations

from tests.rooms.table import Table, refused, seats, types

THREE = {"red": "me", "yellow": "open", "green": "open"}


def test_open_seats_get_an_ai_of_the_level_asked_for() -> None:
    """Intermediate where none is named."""
    table = Table(seats=THREE)
    table.join("bob", seat="green")
    assert types(table.act("ann", "start", fill="master")) == ["game_started"]
    assert seats(table) == {"red": "ann", "yellow": "master", "green": "bob"}
    table = Table()
    table.act("ann", "start")
    assert seats(table) == {"red": "ann", "yellow": "intermediate"}


def test_only_the_owner_starts() -> None:
    """A person with a seat may not, an owner without one may."""
    table = Table(seats=THREE)
    table.join("bob")
    for person in ("bob", "stranger"):
        with refused("not_owner"):
            table.act(person, "start")
    empty = Table(seats={"red": "open"})
    empty.act("ann", "start", fill="beginner")
    assert seats(empty) == {"red": "beginner", "yellow": "beginner"}
    assert empty.room.status == "playing"


def test_a_game_starts_once() -> None:
    """Also where the last join has started it, and when it is over."""
    table = Table()
    table.join("bob")
    with refused("already_started"):
        table.act("ann", "start")
    table.act("bob", "resign")
    with refused("already_started"):
        table.act("ann", "start")
    table.close("ann")
    with refused("room_closed"):
        table.act("ann", "start")
