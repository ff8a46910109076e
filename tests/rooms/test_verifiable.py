"""Verifiable dice: commitment, nonces, the secret at every end, and the recipe that checks the throws."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms.event_views import event_view
from mitsuboshi.rooms.records import Record, record
from tests.rooms.table import Table, refused, types

NONCE, OTHER = "nonce-of-ann", "nonce-of-bob"
THROWS = [f"{one}{other}" for one in range(1, 7) for other in range(1, 7)]


def room(**body: Any) -> Table:
    """Ann has white; nobody black."""
    return Table(game="backgammon", options={"verifiable": True, "auto_roll": True}, **body)


def full() -> Table:
    """Both have given their nonces."""
    table = room()
    table.act("ann", "nonce", nonce=NONCE)
    table.join("bob", nonce=OTHER)
    return table


def shown(table: Table) -> str:
    """All that anybody sees."""
    views = [table.seen_by(viewer) for viewer in ("ann", "bob", None)]
    return msgspec.json.encode([*views, *map(event_view, table.events)]).decode()


def recorded(table: Table) -> Record:
    """The record of the last game."""
    assert table.line is not None
    return record(table.room, table.room.game_number, table.line)


def expected(record: Record, turn: int) -> str:
    """The throw of a turn by the published recipe."""
    results = [throw for throw in THROWS if turn or throw[0] != throw[1]]
    nonces = [record.nonces.get(seat.seat, "") for seat in record.seats]
    for block in range(9):
        message = ":".join([str(record.game_number), str(turn), *nonces, str(block)])
        key = bytes.fromhex(record.dice_secret or "")
        for byte in hmac.new(key, message.encode(), hashlib.sha256).digest():
            if byte // (256 // len(results)) < len(results):
                return results[byte // (256 // len(results))]
    raise AssertionError("no throw in 288 bytes")


def play_on(table: Table, turns: int) -> None:
    """So many turns, by whoever is to move."""
    table.turns(turns)


def test_the_creation_commits_itself_and_tells_no_secret() -> None:
    """Nor does anything later, until the end."""
    table = full()
    chance = table.room.chance
    assert chance is not None
    assert table.seen_by(None).commitment == chance.commitment
    assert hashlib.sha256(bytes.fromhex(chance.secret)).hexdigest() == chance.commitment
    play_on(table, 5)
    assert chance.secret not in shown(table)
    assert recorded(table).dice_secret is None


def test_every_throw_follows_from_the_record() -> None:
    """The opening and the passes too."""
    table = full()
    play_on(table, 30)
    table.act("ann", "resign")
    played = recorded(table)
    assert played.nonces == {"white": NONCE, "black": OTHER}
    assert hashlib.sha256(bytes.fromhex(played.dice_secret or "")).hexdigest() == played.commitment
    assert [move["throw"] for move in played.moves] == [
        expected(played, turn) for turn in range(len(played.moves))
    ]


def test_a_game_waits_for_nonces() -> None:
    """It begins with the last one."""
    table = room()
    assert "nonce" in table.seen_by("ann").may
    assert types(table.join("bob")) == ["seat_taken", "nonces_awaited"]
    assert table.seen_by("bob").nonces_in_ms == 10_000
    assert types(table.act("bob", "nonce", nonce=OTHER)) == ["nonce_given"]
    with refused("nonce_given"):
        table.act("bob", "nonce", nonce=NONCE)
    assert types(table.act("ann", "nonce", nonce=NONCE))[:3] == ["nonce_given", "game_started", "dice_rolled"]
    assert table.seen_by("ann").nonces_in_ms is None
    with refused("already_started"):
        table.act("ann", "nonce", nonce=OTHER)


def test_it_does_not_wait_for_ever() -> None:
    """Ten seconds, then it begins with what is in."""
    table = room()
    table.join("bob", nonce=OTHER)
    table.later(9_999)
    assert table.look() == ()
    table.later(1)
    assert types(table.look())[0] == "game_started"
    table.act("ann", "resign")
    assert recorded(table).nonces == {"black": OTHER}


def test_an_ai_has_no_nonce_to_give() -> None:
    """The owner's start waits for people alone."""
    table = room()
    assert types(table.act("ann", "start", fill="beginner")) == ["nonces_awaited"]
    assert "start" not in table.seen_by("ann").may
    with refused("already_started"):
        table.act("ann", "start", fill="master")
    assert "game_started" in types(table.act("ann", "nonce", nonce=NONCE))
    assert table.seen_by("ann").seats[1].level == "beginner"


def play_out(table: Table) -> None:
    """To the last checker."""
    while table.room.status == "playing":
        table.turn()


def run_out(table: Table) -> None:
    """The move's time is over."""
    table.later(30_000)
    table.look()


def last(table: Table) -> None:
    """The room's own time is over."""
    table.now = c.Now(table.now.wall_ms, table.room.expires_ms)
    table.look()


@pytest.mark.parametrize(
    "end",
    [
        lambda table: table.act("ann", "resign"),
        lambda table: table.act("bob", "leave"),
        lambda table: table.close("ann"),
        play_out,
        run_out,
        last,
    ],
    ids=["resigned", "left", "closed", "borne off", "out of time", "the room's time"],
)
def test_the_secret_is_told_once_at_every_end(end: Callable[[Table], object]) -> None:
    """In the event that ends the game, and not before."""
    table = room(clock={"per_move_s": 30})
    table.act("ann", "nonce", nonce=NONCE)
    table.join("bob", nonce=OTHER)
    assert table.room.chance is not None
    secret = table.room.chance.secret
    end(table)
    told = [event for event in table.events if event_view(event).get("dice_secret") is not None]
    assert [event_view(event)["dice_secret"] for event in told] == [secret]
    assert told[0] is table.events[-1]
    assert recorded(table).dice_secret == secret


def test_each_game_has_a_secret_of_its_own() -> None:
    """And waits for nonces of its own; the earlier games' records keep theirs."""
    table = full()
    first = table.seen_by("ann").commitment
    table.act("ann", "resign")
    second = table.seen_by("ann").commitment
    assert second not in (first, None)
    table.act("ann", "rematch")
    assert types(table.act("bob", "rematch")) == ["rematch_voted", "nonces_awaited"]
    table.act("bob", "nonce", nonce=NONCE)
    assert "game_started" in types(table.act("ann", "nonce", nonce=OTHER))
    assert table.seen_by("ann").commitment == second
    assert record(table.room, 1, table.lines[1]).commitment == first
    table.act("ann", "resign")
    assert recorded(table).commitment == second


def test_who_takes_its_vote_back_while_nonces_are_awaited_stops_the_next_game() -> None:
    """It begins with another vote."""
    table = full()
    table.act("ann", "resign")
    for person in ("ann", "bob"):
        table.act(person, "rematch")
    table.act("bob", "answer", to="rematch", accept=False)
    table.later(10_000)
    assert table.look() == ()
    assert types(table.act("bob", "rematch")) == ["rematch_voted", "nonces_awaited"]


def test_nobody_who_comes_and_goes_stops_the_owners_start() -> None:
    """An AI takes the seat that is open when the time is up."""
    table = room()
    table.act("ann", "start", fill="master")
    table.join("zoe")
    table.act("zoe", "leave")
    table.later(10_000)
    assert "game_started" in types(table.look())
    assert table.seen_by("ann").seats[1].level == "master"


def test_who_leaves_while_nonces_are_awaited_leaves_an_open_seat() -> None:
    """The game does not begin without it."""
    table = room()
    table.join("bob")
    table.act("bob", "leave")
    table.later(10_000)
    assert table.look() == ()
    assert table.room.status == "waiting"


@pytest.mark.parametrize("nonce", ["short", "12345678\n", "x" * 65, "white space", "nöncenönce"])
def test_a_nonce_is_letters_and_digits(nonce: str) -> None:
    """Nothing else stands in the message from which a throw follows."""
    with pytest.raises(msgspec.ValidationError):
        room().act("ann", "nonce", nonce=nonce)


def test_other_rooms_take_no_nonce() -> None:
    """Their throws could not be checked."""
    table = Table(game="backgammon")
    with refused("not_in_this_game", "nonce"):
        table.act("ann", "nonce", nonce=NONCE)
    assert table.seen_by("ann").commitment is None
