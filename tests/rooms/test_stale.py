"""An action made for a version is refused once the game has changed since, and only then."""

from __future__ import annotations

import pytest

from tests.rooms.table import Table, refused

THREE = {"red": "me", "yellow": "open", "green": "open"}


def three(**body: object) -> Table:
    """Ann, bob and cleo in turn order; red is to move."""
    table = Table(seats=THREE, undo="free", **body)
    table.join("bob")
    table.join("cleo")
    return table


def test_a_move_for_the_version_seen_is_played() -> None:
    """The ordinary course."""
    table = three()
    table.act("ann", "move", move="6-26", version=table.room.version)
    assert table.room.ply == 1


def test_a_move_makes_older_actions_stale() -> None:
    """Even where the text would still be legal, and whatever the action."""
    table = three()
    old = table.room.version
    table.turn()
    for kind, fields in (("move", {"move": table.any_move()}), ("leave", {}), ("rename", {"name": "B"})):
        with refused("stale_version", "version"):
            table.act("bob", kind, version=old, **fields)
    table.act("bob", "move", move=table.any_move(), version=table.room.version)


def test_an_undo_makes_older_actions_stale() -> None:
    """The board is as it was, but the game is not."""
    table = three()
    table.turns(1)
    seen = table.room.version
    table.act("ann", "undo")
    with refused("stale_version", "version"):
        table.act("ann", "move", move="6-26", version=seen)


def test_a_rename_or_anothers_leaving_makes_nothing_stale() -> None:
    """The version grows; the game is the same."""
    table = three()
    seen = table.room.version
    table.act("cleo", "rename", name="Cleo")
    table.act("bob", "leave")
    assert table.room.version == seen + 2
    table.act("ann", "move", move="6-26", version=seen)


def test_a_vote_makes_nothing_stale_and_the_next_game_does() -> None:
    """What was meant for the game before is refused in the new one."""
    table = Table()
    table.join("bob")
    table.act("ann", "resign")
    over = table.room.version
    table.act("ann", "rematch")
    table.act("bob", "rematch", version=over)
    with refused("stale_version", "version"):
        table.act("bob", "move", move="6-26", version=over)


def test_the_start_makes_older_actions_stale() -> None:
    """A joiner that filled the room, or the owner that began."""
    table = Table()
    seen = table.room.version
    table.join("bob")
    with refused("stale_version", "version"):
        table.act("ann", "leave", version=seen)


def test_another_seats_coming_makes_nothing_stale() -> None:
    """The owner starts with what it saw."""
    table = Table(seats=THREE)
    seen = table.room.version
    table.join("bob")
    table.act("ann", "start", version=seen)
    assert table.room.status == "playing"


@pytest.mark.parametrize("version", [0, 1, 99, 2**62])
def test_a_version_that_was_never_current_is_stale(version: int) -> None:
    """From another history, or from the future."""
    table = three()
    with refused("stale_version", "version"):
        table.act("ann", "move", move="6-26", version=version)


def test_the_checks_come_in_one_order() -> None:
    """Token, status, version, turn, and the move's text last."""
    table = three()
    old = table.room.version
    table.turn()
    bad = {"move": "nonsense", "version": old}
    with refused("not_seated"):
        table.act("zoe", "move", **bad)
    with refused("not_your_seat"):
        table.act("ann", "move", seat="green", **bad)
    with refused("stale_version"):
        table.act("ann", "move", **bad)
    with refused("not_your_turn"):
        table.act("ann", "move", move="nonsense")
    with refused("invalid_move"):
        table.act("bob", "move", move="nonsense")
    table.close("ann")
    with refused("room_closed"):
        table.act("ann", "move", **bad)


def test_service_commands_are_never_stale() -> None:
    """A timer carries no version."""
    table = three()
    table.turn()
    assert table.look() == ()
