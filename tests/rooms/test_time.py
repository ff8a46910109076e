"""Clocks: an AI makes the move that comes too late, and every new turn has its full time."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.follow import next_job
from mitsuboshi.rooms.history import SUBSTITUTE_LEVEL
from tests.rooms import positions
from tests.rooms.table import Table, refused, types

AI = {"ai": "master"}
MOVE_MS = 20_000
CLOCK = {"per_move_s": MOVE_MS // 1000}
BOTH = {"red": "me", "yellow": "me"}


def two(**body: Any) -> Table:
    """Ann has red and bob yellow, with a clock; it is red's turn."""
    table = Table(clock=CLOCK, **body)
    table.join("bob")
    return table


def left_ms(table: Table) -> int | None:
    """What remains of the time for the move in hand."""
    clock = table.seen_by(None).clock
    assert clock is not None
    assert clock.per_move_ms == MOVE_MS
    return clock.remaining_ms


def test_every_turn_has_its_full_time() -> None:
    """It runs from the moment that the turn begins, and is the mover's alone."""
    table = two()
    assert left_ms(table) == MOVE_MS
    for ms in (7000, 1, MOVE_MS - 1):
        table.later(ms)
        assert left_ms(table) == MOVE_MS - ms
        table.turn()
        assert left_ms(table) == MOVE_MS


def test_a_room_without_a_clock_has_none() -> None:
    """However long a move takes."""
    table = Table()
    table.join("bob")
    table.later(20 * MOVE_MS)
    assert table.look() == ()
    assert table.seen_by("ann").clock is None


def test_time_is_over_at_its_end_and_not_before() -> None:
    """To the millisecond; and it is over once."""
    table = two()
    table.later(MOVE_MS - 1)
    assert table.look() == ()
    table.later(1)
    (event,) = table.look()
    assert isinstance(event, e.ClockExpired)
    assert event.seat == "red"
    table.later(10 * MOVE_MS)
    assert table.look() == ()


def test_an_ai_makes_the_move_that_was_not_made() -> None:
    """That one alone: the next turn is the next person's, and the one after it the same person's again."""
    table = two()
    table.later(MOVE_MS)
    table.look()
    assert (table.job().level, table.job().position) == (SUBSTITUTE_LEVEL, table.room.position)
    assert left_ms(table) is None
    table.later(500)
    assert types(table.ai()) == ["move_played"]
    assert (table.room.to_move, next_job(table.room), left_ms(table)) == ("yellow", None, MOVE_MS)
    table.act("bob", "move", move=table.any_move())
    assert (table.room.to_move, next_job(table.room), left_ms(table)) == ("red", None, MOVE_MS)
    table.act("ann", "move", move=table.any_move())


def test_meanwhile_the_person_may_not_move() -> None:
    """Neither move nor pass, and ``may`` and the legal moves say so; the rest is as ever."""
    table = two()
    before = table.room.version
    table.later(MOVE_MS)
    table.look()
    view = table.seen_by("ann")
    assert {"move", "pass"} & set(view.may) == set()
    assert view.legal_moves == []
    for kind, fields in (("move", {"move": table.any_move()}), ("pass", {})):
        with refused("not_your_turn"):
            table.act("ann", kind, **fields)
    with refused("stale_version"):
        table.act("ann", "move", move=table.any_move(), version=before)
    assert types(table.act("ann", "rename", name="Ann")) == ["renamed"]
    assert types(table.act("ann", "resign")) == ["game_ended"]
    assert next_job(table.room) is None


def test_where_one_must_pass_the_ai_passes() -> None:
    """The turn goes on like any other."""
    table = two(position=positions.MUST_PASS)
    table.later(MOVE_MS)
    table.look()
    assert not table.seen_by("ann").legal_moves
    assert types(table.ai("pass")) == ["passed"]
    assert left_ms(table) == MOVE_MS


def test_the_time_of_a_single_person_runs_too() -> None:
    """Against an AI, or on one device."""
    for seats in ({"yellow": AI}, BOTH):
        table = Table(clock=CLOCK, seats=seats)
        table.later(MOVE_MS)
        assert types(table.look()) == ["clock_expired"]


def test_an_ai_never_runs_out_of_time() -> None:
    """Not a seat of its own, nor one that it took over."""
    table = Table(clock=CLOCK, seats={"red": "me", "yellow": "open", "green": "open"})
    table.join("bob")
    table.act("ann", "start")
    table.turns(2)
    assert table.room.to_move == "green"
    job = table.job()
    assert left_ms(table) is None
    table.later(10 * MOVE_MS)
    assert table.look() == ()
    assert table.job() == job
    table.ai()
    table.act("ann", "leave")
    assert (table.holder(), left_ms(table)) == (None, None)
    table.later(10 * MOVE_MS)
    assert table.look() == ()


def test_the_time_of_a_turn_that_an_ai_takes_over_is_nobodys() -> None:
    """A person whose clock ran leaves: its AI has all the time."""
    table = Table(clock=CLOCK, seats={"red": "me", "yellow": "open", "green": "open"})
    table.join("bob")
    table.join("cleo")
    table.later(MOVE_MS)
    table.look()
    late = table.job()
    table.act("ann", "leave")
    assert left_ms(table) is None
    with refused("stale_job"):
        table.ai(job_id=late.job_id)
    table.ai()
    assert (table.room.to_move, left_ms(table)) == ("yellow", MOVE_MS)


def test_after_an_undo_the_move_has_its_full_time() -> None:
    """Also where its time had been over, and an AI was thinking about it."""
    table = two(undo="free")
    table.turn()
    table.later(MOVE_MS - 1)
    table.act("ann", "undo")
    assert (table.room.to_move, left_ms(table)) == ("red", MOVE_MS)
    table.turn()
    table.later(MOVE_MS)
    table.look()
    late = table.job()
    table.act("ann", "undo")
    assert (table.room.to_move, left_ms(table), next_job(table.room)) == ("red", MOVE_MS, None)
    with refused("stale_job"):
        table.ai(job_id=late.job_id)
    table.act("ann", "move", move=table.any_move())


def test_an_undo_to_an_ais_turn_runs_no_clock() -> None:
    """A seat that was a person's then, and is an AI's now."""
    table = Table(clock=CLOCK, undo="free", seats={"red": "me", "yellow": "open", "green": "open"})
    table.join("bob")
    table.join("cleo")
    table.turns(2)
    table.act("bob", "leave")
    table.turn()
    table.act("ann", "undo")
    table.turn()
    assert (table.room.to_move, table.holder(), left_ms(table)) == ("yellow", None, None)


def test_the_next_game_begins_with_full_time_for_its_first_mover() -> None:
    """Seats have moved on by then: it is the new holder's clock, or none for an AI."""
    table = two()
    table.later(MOVE_MS - 1)
    table.act("bob", "resign")
    table.later(MOVE_MS)
    assert left_ms(table) is None
    assert table.look() == ()
    table.act("ann", "rematch")
    table.act("bob", "rematch")
    assert (table.room.to_move, table.holder(), left_ms(table)) == ("red", "bob", MOVE_MS)
    table.later(MOVE_MS)
    assert types(table.look()) == ["clock_expired"]
    first_is_an_ai = Table(clock=CLOCK, seats={"red": AI, "yellow": "me"})
    assert left_ms(first_is_an_ai) is None


def test_a_game_that_ends_after_its_clock_waits_for_nothing() -> None:
    """No time is over twice, and no AI thinks on."""
    table = two(position=positions.nearly_won())
    table.later(MOVE_MS)
    table.look()
    assert types(table.ai(positions.WINNING_MOVE)) == ["move_played", "game_ended"]
    table.later(MOVE_MS)
    assert table.look() == ()
    assert left_ms(table) is None


def test_a_pending_offer_stops_no_clock() -> None:
    """The move's time is over as if nobody had asked; the AI's move makes the offer void."""
    table = two(undo="request")
    table.turn()
    table.later(5000)
    table.act("ann", "undo")
    assert left_ms(table) == MOVE_MS - 5000
    table.later(MOVE_MS - 5000)
    assert types(table.look()) == ["clock_expired"]
    assert table.seen_by("bob").offer is not None
    assert types(table.ai()) == ["offer_expired", "move_played"]


@pytest.mark.parametrize("accept", [True, False])
def test_an_answer_after_the_clock_runs_the_clock_of_the_seat_to_move(accept: bool) -> None:
    """Yes: the asker has its full time again, and the AI's move is late. No: the AI goes on."""
    table = two(undo="request")
    table.turn()
    table.act("ann", "undo")
    table.later(MOVE_MS)
    table.look()
    job = table.job()
    table.act("bob", "answer", to="undo", accept=accept)
    if accept:
        assert (table.room.to_move, left_ms(table)) == ("red", MOVE_MS)
        with refused("stale_job"):
            table.ai(job_id=job.job_id)
    else:
        assert (table.room.to_move, table.job(), left_ms(table)) == ("yellow", job, None)


@pytest.mark.parametrize("step_ms", [-30_000, 3_600_000, -13 * 3_600_000])
def test_a_step_of_the_hosts_clock_moves_no_deadline(step_ms: int) -> None:
    """Events tell the new time of day; what remains of a move's time, and of the room's, runs on."""
    table = two()
    table.later(5000)
    before = table.seen_by(None)
    table.now = structs.replace(table.now, wall_ms=table.now.wall_ms + step_ms)
    after = table.seen_by(None)
    assert after.clock == before.clock
    assert after.expires_in_ms == before.expires_in_ms
    assert after.server_now_ms == before.server_now_ms + step_ms
    assert table.look() == ()
    table.turn()
    assert table.events[-1].at_ms == table.now.wall_ms
    assert left_ms(table) == MOVE_MS
    table.later(MOVE_MS - 1)
    assert table.look() == ()
    table.later(1)
    assert types(table.look()) == ["clock_expired"]
