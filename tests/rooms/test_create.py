"""Who sits where in a new room, and what is refused at its creation."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mitsuboshi.rooms.commands import METADATA_BYTES_MAX
from mitsuboshi.rooms.refused import Refused
from mitsuboshi.rooms.state import Room
from tests.rooms import positions
from tests.rooms.table import Table, refused, seats

AI = {"ai": "advanced"}


def test_the_creator_has_the_first_seat_unless_it_says_otherwise() -> None:
    """Seats that are not named are open."""
    assert seats(Table()) == {"red": "ann", "yellow": "open"}
    assert seats(Table(seats={"yellow": AI})) == {"red": "ann", "yellow": "advanced"}
    assert seats(Table(seats={"yellow": "me"})) == {"red": "open", "yellow": "ann"}
    assert seats(Table(seats={"red": "open"})) == {"red": "open", "yellow": "open"}
    assert seats(Table(seats={"red": AI})) == {"red": "advanced", "yellow": "open"}


def test_as_many_play_as_the_named_seats_need() -> None:
    """Naming green makes it a room for three, whatever green is."""
    for green in ("me", "open", AI):
        assert list(seats(Table(seats={"green": green}))) == ["red", "yellow", "green"]
    assert list(seats(Table(seats={"yellow": "open"}))) == ["red", "yellow"]


def test_as_many_play_as_the_position_has() -> None:
    """The position decides, and named seats must be in it."""
    assert list(seats(Table(position=positions.nearly_won(players=3)))) == ["red", "yellow", "green"]
    with refused("invalid_body", "seats"):
        Table(position=positions.nearly_won(), seats={"green": "open"})


def test_a_full_room_begins_at_once() -> None:
    """One device for everybody, people and AIs, or AIs alone."""
    for body in ({"red": "me", "yellow": "me"}, {"red": "me", "yellow": AI}, {"red": AI, "yellow": AI}):
        table = Table(seats=body)
        assert table.room.status == "playing"
        assert table.kinds()[-1] == "game_started"
        assert table.room.to_move == "red"


def test_a_room_with_an_open_seat_waits() -> None:
    """Nobody is to move, and there is no position yet."""
    table = Table()
    assert (table.room.status, table.room.to_move, table.room.position) == ("waiting", None, "")
    assert table.kinds() == ["room_created", "seat_taken"]


def test_a_game_begins_from_the_position_given() -> None:
    """Side to move and ply are the position's."""
    table = Table(position=positions.nearly_won("yellow", ply=31), seats={"red": "me", "yellow": "me"})
    assert (table.room.to_move, table.room.ply) == ("yellow", 31)
    assert table.room.position == positions.nearly_won("yellow", ply=31)


@pytest.mark.parametrize("text", ["", "nonsense", positions.text("R0 Y98", "red"), "R/rr r 2 0 0", "x" * 400])
def test_a_position_that_cannot_be_read_is_refused(text: str) -> None:
    """Among them one whose pieces are too few."""
    with pytest.raises(msgspec.ValidationError) if not text else refused("invalid_position", "position"):
        Table(position=text)


def test_a_position_whose_game_is_over_is_refused() -> None:
    """A game at its draw limit, and one that is won."""
    with refused("invalid_position", "position"):
        Table(position=positions.nearly_won(ply=800))
    won = Table(position=positions.nearly_won(), seats={"red": "me", "yellow": "me"})
    won.turn(positions.WINNING_MOVE)
    with refused("invalid_position", "position"):
        Table(position=won.room.position)


def test_options_are_completed_and_checked() -> None:
    """A value of another type, out of range, or of no option at all is refused by its path."""
    assert Table(options={"places": "all"}).room.options["places"] == "all"
    assert Table().room.options["draw_plies_per_seat"] == 400
    for options in (
        {"places": "none"},
        {"places": 1},
        {"king_min_run": True},
        {"draw_plies_per_seat": 10**30},
    ):
        with refused("invalid_option", f"options.{next(iter(options))}"):
            Table(options=options)
    with refused("invalid_option", "options.speed"):
        Table(options={"speed": "fast"})


def test_an_option_decides_who_begins() -> None:
    """With three players green may go first."""
    table = Table(options={"first_seat": "green"}, seats={"red": "me", "yellow": "me", "green": "me"})
    assert table.room.to_move == "green"


def test_there_must_be_such_a_game_and_such_a_seat() -> None:
    """What is at fault is named."""
    with refused("game_not_found", "game"):
        Table(game="go")
    with refused("invalid_body", "seats.blue"):
        Table(seats={"blue": "me"})


def test_a_room_tells_its_end_from_its_beginning() -> None:
    """Its life is counted in service time from the creation."""
    table = Table()
    assert table.room.expires_ms - table.room.created_ms == 86_400_000


def test_metadata_has_a_bound() -> None:
    """It is measured in bytes of JSON, not in characters."""
    most = METADATA_BYTES_MAX - len('{"ref":""}')
    assert Table(metadata={"ref": "x" * most}).room.metadata == {"ref": "x" * most}
    for text in ("x" * (most + 1), "星" * (most // 3 + 1)):
        with refused("invalid_body", "metadata"):
            Table(metadata={"ref": text})


@pytest.mark.parametrize(
    "value", [10**30, 2**64, -(2**63) - 1, float("nan"), float("inf"), {"deep": [1, {"deeper": -(10**40)}]}]
)
def test_metadata_that_could_not_be_given_back_is_refused(value: Any) -> None:
    """Numbers beyond 64 bits, and what is no number in JSON, are refused when they come, not when stored."""
    with refused("invalid_body", "metadata"):
        Table(metadata={"ref": value})


def test_metadata_nested_without_end_is_refused() -> None:
    """Readers of JSON have bounds of their own, so there is a bound here."""
    value: Any = 1
    for _ in range(400):
        value = [value]
    with refused("invalid_body", "metadata"):
        Table(metadata={"ref": value})


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(metadata=st.dictionaries(st.text(max_size=8), _JSON, max_size=4))
def test_metadata_comes_back_as_it_was_given_or_is_refused(metadata: dict[str, Any]) -> None:
    """Through storage and through JSON."""
    try:
        table = Table(metadata=metadata)
    except Refused:
        return
    stored = msgspec.msgpack.decode(msgspec.msgpack.encode(table.room), type=Room)
    assert stored == table.room
    sent = msgspec.json.decode(msgspec.json.encode(table.seen_by(None)))
    assert sent["metadata"] == metadata
