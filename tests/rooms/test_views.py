"""What a viewer sees of a room and of its events, and what nobody sees."""

from __future__ import annotations

import msgspec
import pytest

from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.event_views import event_view
from mitsuboshi.rooms.refused import Refused
from mitsuboshi.rooms.views import require_watcher
from tests.rooms.table import INVITE, LIFE_MS, WAITS, Table, refused

AI = {"ai": "advanced"}


NOT_SEEN = {"present": False, "absent_in_ms": None, "absent": False, "substituted": False}


def test_a_snapshot_holds_what_a_fresh_client_needs() -> None:
    """Two players, just started: every field of it."""
    table = Table(seats={"yellow": AI}, name="Ayumi", metadata={"ref": "42"})
    table.later(1000)
    view = msgspec.to_builtins(table.seen_by("ann"))
    assert view.pop("options") == table.room.options
    assert len(view.pop("legal_moves")) == 20
    assert view == {
        "id": "room-id",
        "game": "diamond",
        "status": "playing",
        "version": 3,
        "server_now_ms": table.now.wall_ms,
        "expires_in_ms": WAITS.idle_ms,
        "visibility": "unlisted",
        "undo": "default",
        "players": 2,
        "game_number": 1,
        "games": (),
        "rematch": (),
        "seats": (
            {"seat": "red", "kind": "person", "name": "Ayumi", "level": None, **NOT_SEEN},
            {"seat": "yellow", "kind": "ai", "name": None, "level": "advanced", **NOT_SEEN},
        ),
        "you": ("red",),
        "owner": True,
        "may": ("move", "resign", "leave", "rename"),
        "position": "R/rr/rrr/rrrr/4rrrrr4/12/11/10/y8/yy8/yyy8/yyyy8/Yyyyy8/4/3/2/1 r 2 0 0",
        "to_move": "red",
        "ply": 0,
        "dice": None,
        "steps": (),
        "position_now": None,
        "legal_steps": [],
        "must_pass": False,
        "last_moves": [],
        "clock": None,
        "absence": {"after_ms": 45_000, "then": "substitute"},
        "offer": None,
        "draw_limit": {"plies": 800, "left": 800},
        "facts": {"in_target": {"red": 0, "yellow": 0}, "king_to_apex": []},
        "result": None,
        "commitment": None,
        "nonces_in_ms": None,
        "metadata": {"ref": "42"},
    }


def test_a_room_ends_for_its_viewers_no_later_than_its_life() -> None:
    """What remains is never below zero."""
    table = Table()
    assert table.seen_by("ann").expires_in_ms == WAITS.idle_ms
    table.later(LIFE_MS - 5)
    assert table.seen_by("ann").expires_in_ms == 5
    table.later(1000)
    assert table.seen_by("ann").expires_in_ms == 0


def test_a_private_room_is_for_those_inside() -> None:
    """Owner and seats watch; strangers and those without a token do not."""
    table = Table(visibility="private", seats={"red": "open"})
    table.join("bob", invite=INVITE)
    require_watcher(table.room, "ann")
    require_watcher(table.room, "bob")
    for person in ("zoe", None):
        with refused("private_room"):
            require_watcher(table.room, person)
    for visibility in ("public", "unlisted"):
        require_watcher(Table(visibility=visibility).room, None)


def test_events_name_nobody_by_id() -> None:
    """Neither a person, nor the owner, nor the invite, in any event of a room's whole life."""
    table = Table.of("ann-person-id", visibility="private", name="Ann", seats={"red": "me"}, undo="free")
    table.join("bob-person-id", invite=INVITE, name="Bob")
    table.turns(2)
    table.act("ann-person-id", "undo")
    table.act("bob-person-id", "rename", name="Bobby")
    table.act("bob-person-id", "resign")
    table.act("ann-person-id", "rematch")
    table.act("bob-person-id", "leave")
    table.act("ann-person-id", "leave")
    table.close("ann-person-id")
    text = msgspec.json.encode([event_view(event) for event in table.events]).decode()
    for secret in ("person-id", INVITE, '"person":', '"owner":', '"invite":'):
        assert secret not in text
    for name in ("Ann", "Bob", "Bobby"):
        assert f'"{name}"' in text


def test_a_move_is_told_with_its_details_beside_it() -> None:
    """The same words as in the snapshot's last moves."""
    table = Table(seats={"yellow": AI})
    (event,) = table.turn("6-26")
    view = event_view(event)
    assert view == {
        "type": "move_played",
        "id": event.id,
        "version": 4,
        "at_ms": table.now.wall_ms,
        "seat": "red",
        "ply": 1,
        "move": "6-26",
        "path": [6, 26],
        "jumps": 1,
        "rows": 2,
        "position": table.room.position,
        "to_move": "yellow",
    }
    (fallen_back,) = table.ai(fallback=True)
    assert event_view(fallen_back)["fallback"] is True


def test_an_undo_tells_the_shown_moves_as_the_snapshot_does() -> None:
    """One vocabulary, wherever a move is told."""
    table = Table(seats={"red": "me", "yellow": AI, "green": AI})
    table.turns(4)
    (event,) = table.act("ann", "undo")
    assert event_view(event)["last_moves"] == table.seen_by(None).last_moves
    assert len(table.seen_by(None).last_moves) == 2


def test_a_refusal_says_what_and_where() -> None:
    """A code for programs, a sentence for people."""
    table = Table(seats={"yellow": AI})
    with pytest.raises(Refused) as caught:
        table.act("ann", "move", move="6-27")
    assert caught.value.detail == str(caught.value)
    assert (caught.value.code, caught.value.field) == ("illegal_move", "move")


def test_ids_of_events_order_and_tell_histories_apart() -> None:
    """The version first, then what no other history has."""
    table = Table(seats={"yellow": AI})
    table.turns(3)
    assert [event.version for event in table.events] == list(range(1, len(table.events) + 1))
    assert all(event.id.partition("-")[0] == str(event.version) for event in table.events)
    assert isinstance(table.events[0], e.RoomCreated)


def test_who_has_left_a_private_room_may_go_on_watching() -> None:
    """The seat is an AI's, the token only watches."""
    table = Table(visibility="private", seats={"red": "me", "yellow": "open", "green": "open"})
    table.join("bob", invite=INVITE)
    table.join("cleo", invite=INVITE)
    table.act("bob", "leave")
    require_watcher(table.room, "bob")
    assert table.seen_by("bob").may == ()
    with refused("private_room"):
        require_watcher(table.room, "zoe")


def test_a_watcher_sees_when_the_room_ends_unless_its_people_come_back() -> None:
    """Its own presence keeps no room; that of its people does."""
    table = Table()
    table.later(1000)
    table.seen = {"ann": table.now.service_ms}
    table.later(5000)
    assert table.seen_by(None).expires_in_ms == WAITS.idle_ms - 5000
    assert table.seen_by("ann").expires_in_ms == WAITS.idle_ms
