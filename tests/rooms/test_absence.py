"""Absence: what the others may expect when somebody is away, and what who comes back finds."""

from __future__ import annotations

from typing import Any

import pytest

from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.follow import next_due, next_job
from mitsuboshi.rooms.history import SUBSTITUTE_LEVEL
from mitsuboshi.rooms.state import Result
from mitsuboshi.rooms.views import SeatView
from tests.rooms.table import WAITS, Table, refused, seats, types

AFTER_MS = 30_000
GONE_MS = WAITS.presence_ms + AFTER_MS
"""How long after its last sign a person is absent."""
THREE = {"red": "me", "yellow": "open", "green": "open"}
TAKEN_OVER = ["seat_absent", "seat_substituted"]


def room(then: str | None = None, people: tuple[str, ...] = ("ann", "bob"), **body: Any) -> Table:
    """Ann's room with these people, all just seen; it is red's turn."""
    absence = {"after_s": AFTER_MS // 1000} | ({} if then is None else {"then": then})
    table = Table(absence=absence, **({"seats": THREE} if len(people) == 3 else {}) | body)
    for person in people[1:]:
        table.join(person)
    sign(table, *people)
    return table


def sign(table: Table, *people: str) -> None:
    """These people show themselves, by whatever they do."""
    table.seen |= dict.fromkeys(people, table.now.service_ms)


def wait(table: Table, ms: int, *there: str) -> list[str]:
    """What happens as so much time passes, while only these people stay."""
    table.later(ms)
    sign(table, *there)
    return types(table.look(table.seen))


def due_ms(table: Table) -> int | None:
    """In how long the room is to be looked at again."""
    at_ms = next_due(table.room, table.seen, WAITS, table.now)
    return None if at_ms is None else at_ms - table.now.service_ms


def seat(table: Table, name: str) -> SeatView:
    """The seat as everybody sees it."""
    return next(view for view in table.seen_by(None).seats if view.seat == name)


def test_somebody_away_is_absent_at_its_time_and_not_before() -> None:
    """Presence lasts a while; then the wait begins. It happens once."""
    table = room()
    assert wait(table, GONE_MS - 1, "ann") == []
    assert wait(table, 1, "ann") == TAKEN_OVER
    assert wait(table, 5 * GONE_MS, "ann") == []


def test_a_snapshot_tells_who_is_there_and_how_long_the_others_wait() -> None:
    """Present, then what remains, then absent with a substitute."""
    table = room()
    assert seat(table, "yellow") == SeatView("yellow", "person", None, None, True, None, False, False)
    wait(table, WAITS.presence_ms, "ann")
    assert (seat(table, "yellow").present, seat(table, "yellow").absent_in_ms) == (False, AFTER_MS)
    assert (seat(table, "red").present, seat(table, "red").absent_in_ms) == (True, None)
    wait(table, AFTER_MS - 1, "ann")
    assert (seat(table, "yellow").absent_in_ms, seat(table, "yellow").absent) == (1, False)
    wait(table, 1, "ann")
    assert seat(table, "yellow") == SeatView("yellow", "person", None, None, False, 0, True, True)
    table.later(1000)
    assert seat(table, "yellow").absent_in_ms == 0


def test_presence_ends_to_the_millisecond() -> None:
    """And one sign is enough for the whole time again."""
    table = room()
    table.later(WAITS.presence_ms - 1)
    assert seat(table, "yellow").present
    table.later(1)
    assert not seat(table, "yellow").present
    sign(table, "bob")
    assert (seat(table, "yellow").present, seat(table, "yellow").absent_in_ms) == (True, None)


def test_a_substitute_plays_the_absent_seats_turns_and_no_others() -> None:
    """The seat stays its person's; the AI is the house's own."""
    table = room()
    wait(table, GONE_MS, "ann")
    assert next_job(table.room) is None, "it is ann's turn"
    for _ in range(3):
        table.act("ann", "move", move=table.any_move())
        assert (table.room.to_move, table.job().level) == ("yellow", SUBSTITUTE_LEVEL)
        assert types(table.ai()) == ["move_played"]
    assert (seats(table), seat(table, "yellow").kind) == ({"red": "ann", "yellow": "bob"}, "person")


def test_a_substitute_begins_at_once_where_the_absent_seat_is_to_move() -> None:
    """And its person's clock stops."""
    table = room(clock={"per_move_s": 600})
    table.turn()
    assert wait(table, GONE_MS, "ann") == TAKEN_OVER
    assert table.job().level == SUBSTITUTE_LEVEL
    assert table.room.turn_due_ms is None
    assert wait(table, 600_000, "ann") == []


@pytest.mark.parametrize("how", ["request", "look", "action"])
def test_who_comes_back_has_its_seat_again(how: str) -> None:
    """By any sign at all: what the AI was thinking about is late, and the clock is full."""
    table = room(clock={"per_move_s": 600})
    table.turn()
    wait(table, GONE_MS, "ann")
    late = table.job()
    table.later(50)
    sign(table, "bob")
    if how == "request":
        assert types(table.do(c.Return("bob"))) == ["seat_returned"]
    elif how == "look":
        assert types(table.look(table.seen)) == ["seat_returned"]
    else:
        assert types(table.act("bob", "rename", name="Bob")) == ["seat_returned", "renamed"]
    assert table.room.turn_due_ms == table.now.service_ms + 600_000
    assert (table.room.absent, table.room.substituted, next_job(table.room)) == ((), (), None)
    with refused("stale_job"):
        table.ai(job_id=late.job_id)
    assert types(table.act("bob", "move", move=table.any_move())) == ["move_played"]


def test_a_move_is_a_return() -> None:
    """Who plays while its substitute thinks is simply there again."""
    table = room()
    table.turn()
    wait(table, GONE_MS, "ann")
    late = table.job()
    assert types(table.act("bob", "move", move=table.any_move())) == ["seat_returned", "move_played"]
    with refused("stale_job"):
        table.ai(job_id=late.job_id)


def test_a_return_on_anothers_turn_leaves_that_turn_alone() -> None:
    """Neither its clock nor its AI begins anew."""
    table = room(people=("ann", "bob", "cleo"), clock={"per_move_s": 600})
    wait(table, GONE_MS, "ann")
    assert table.room.substituted == ("yellow", "green")
    table.turn()
    job = table.job()
    assert types(table.do(c.Return("cleo"))) == ["seat_returned"]
    assert table.job() == job
    table.ai()
    assert (table.room.to_move, table.holder()) == ("green", "cleo")
    due = table.room.turn_due_ms
    table.later(1000)
    assert types(table.do(c.Return("bob"))) == ["seat_returned"]
    assert table.room.turn_due_ms == due


def test_a_return_of_somebody_who_was_never_away_is_nothing() -> None:
    """Nor is that of a stranger."""
    table = room()
    assert [types(table.do(c.Return(person))) for person in ("ann", "bob", "zoe")] == [[], [], []]


def test_who_returns_can_be_absent_again() -> None:
    """Each time after the whole wait."""
    table = room()
    wait(table, GONE_MS, "ann")
    for _ in range(2):
        sign(table, "bob")
        table.do(c.Return("bob"))
        assert wait(table, GONE_MS - 1, "ann") == []
        assert wait(table, 1, "ann") == TAKEN_OVER


def test_a_move_in_time_out_of_which_somebody_ran_stays_the_ais() -> None:
    """Absence and return between the clock's end and the AI's answer change nothing about that move."""
    table = room(clock={"per_move_s": GONE_MS // 1000 - 5})
    table.turn()
    assert wait(table, GONE_MS - 5000, "ann") == ["clock_expired"]
    job = table.job()
    assert wait(table, 5000, "ann") == TAKEN_OVER
    assert table.job() == job
    assert types(table.do(c.Return("bob"))) == ["seat_returned"]
    assert (table.job(), table.room.turn_due_ms) == (job, None)
    assert wait(table, 600_000, "ann", "bob") == []
    assert types(table.ai()) == ["move_played"]


def test_where_nobody_is_there_nobody_is_absent() -> None:
    """But as soon as one is back, the other is."""
    table = room()
    for _ in range(3):
        assert wait(table, GONE_MS) == []
    sign(table, "ann")
    assert types(table.look(table.seen)) == TAKEN_OVER
    assert table.room.absent == ("yellow",)


def test_alone_nobody_is_absent() -> None:
    """Against AIs, on one device, and after all the others have left."""
    left = room(people=("ann", "bob", "cleo"))
    left.act("bob", "leave")
    left.act("cleo", "leave")
    both = {"red": "me", "yellow": "me"}
    for table in (
        left,
        room(people=("ann",), seats={"yellow": {"ai": "beginner"}}),
        room("lose", ("ann",), seats=both),
    ):
        assert wait(table, GONE_MS) == []
        assert wait(table, GONE_MS, "zoe") == []
        assert table.seen_by(None).seats[0].absent_in_ms is None


def test_absence_is_of_a_game_in_play() -> None:
    """In the lobby and after the end nobody waits for a move."""
    table = room(people=("ann", "bob", "cleo"), seats=THREE)
    lobby = Table(absence={"after_s": 30}, seats=THREE)
    lobby.join("bob")
    sign(lobby, "ann", "bob")
    table.close("ann")
    over = room()
    over.act("ann", "resign")
    for one in (lobby, over):
        assert wait(one, GONE_MS, "ann") == []
        assert seat(one, "yellow").absent_in_ms is None
        assert not seat(one, "yellow").present


def test_a_new_game_begins_with_nobody_absent() -> None:
    """What was in the last one is past."""
    table = room("ask")
    wait(table, GONE_MS, "ann")
    assert types(table.act("ann", "resign")) == ["game_ended"]
    assert (table.room.absent, table.room.substituted) == ((), ())
    sign(table, "bob")
    table.act("ann", "rematch")
    table.act("bob", "rematch")
    assert wait(table, GONE_MS - 1, "ann") == []
    assert wait(table, 1, "ann") == ["seat_absent"]


def test_where_one_asks_the_others_decide_on_a_substitute() -> None:
    """Until then everybody waits; the one who is back takes over from it as ever."""
    table = room("ask")
    table.turn()
    with refused("not_absent", "seat"):
        table.act("ann", "substitute", seat="yellow")
    assert "substitute" not in table.seen_by("ann").may
    assert wait(table, GONE_MS, "ann") == ["seat_absent"]
    assert (seat(table, "yellow").absent, seat(table, "yellow").substituted) == (True, False)
    assert next_job(table.room) is None
    assert "substitute" in table.seen_by("ann").may
    assert "substitute" not in table.seen_by("bob").may
    (event,) = table.act("ann", "substitute", seat="yellow")
    assert isinstance(event, e.SeatSubstituted)
    assert (event.seat, event.level, table.job().level) == ("yellow", SUBSTITUTE_LEVEL, SUBSTITUTE_LEVEL)
    assert "substitute" not in table.seen_by("ann").may
    with refused("not_absent", "seat"):
        table.act("ann", "substitute", seat="yellow")
    assert types(table.act("bob", "move", move=table.any_move())) == ["seat_returned", "move_played"]


def test_a_substitute_is_for_seats_of_this_room_and_asked_for_by_its_people() -> None:
    """And one's own seat is one's own by the very asking."""
    table = room("ask")
    wait(table, GONE_MS, "ann")
    with refused("invalid_body", "seat"):
        table.act("ann", "substitute", seat="green")
    with refused("not_seated"):
        table.act("zoe", "substitute", seat="yellow")
    with refused("not_absent", "seat"):
        table.act("ann", "substitute", seat="red")
    with refused("not_absent", "seat"):
        table.act("bob", "substitute", seat="yellow")
    table.act("ann", "resign")
    with refused("game_over"):
        table.act("ann", "substitute", seat="yellow")


def test_without_a_substitute_the_clock_of_the_absent_runs_on() -> None:
    """Its return brings no time back that it had lost."""
    table = room("ask", clock={"per_move_s": 60})
    table.turn()
    assert wait(table, GONE_MS, "ann") == ["seat_absent"]
    due = table.room.turn_due_ms
    table.do(c.Return("bob"))
    assert table.room.turn_due_ms == due
    assert wait(table, 60_000 - GONE_MS, "ann", "bob") == ["clock_expired"]


def test_where_absence_loses_the_other_of_two_wins() -> None:
    """By time."""
    table = room("lose")
    assert wait(table, GONE_MS - 1, "ann") == []
    assert wait(table, 1, "ann") == ["seat_absent", "game_ended"]
    assert table.room.result == Result("red", "timeout", 1)
    assert next_job(table.room) is None


def test_where_absence_loses_the_others_of_three_play_on() -> None:
    """An AI has the seat for the rest of the game; its person has lost it, as if it had left."""
    table = room("lose", ("ann", "bob", "cleo"))
    assert wait(table, GONE_MS, "ann", "cleo") == ["seat_absent", "seat_left"]
    assert seats(table) == {"red": "ann", "yellow": SUBSTITUTE_LEVEL, "green": "cleo"}
    assert types(table.do(c.Return("bob"))) == []
    with refused("not_seated"):
        table.act("bob", "move", move="6-26")
    table.turn()
    assert table.job().level == SUBSTITUTE_LEVEL
    assert wait(table, GONE_MS, "ann") == ["seat_absent", "seat_left"]
    assert (table.room.status, table.room.people()) == ("playing", {"ann"})
    assert wait(table, GONE_MS, "ann") == []


def test_who_holds_two_of_three_seats_loses_both() -> None:
    """The one seat that is left wins."""
    table = Table(
        absence={"after_s": AFTER_MS // 1000, "then": "lose"},
        seats={"red": "open", "yellow": "me", "green": "me"},
    )
    table.join("bob")
    sign(table, "ann", "bob")
    assert wait(table, GONE_MS, "bob") == ["seat_absent", "seat_absent", "game_ended"]
    assert table.room.result == Result("red", "timeout", 1)


def test_where_absence_waits_nothing_ever_happens() -> None:
    """Until the room itself is over."""
    table = room("wait")
    for _ in range(10):
        assert wait(table, GONE_MS, "ann") == []
    assert seat(table, "yellow").absent_in_ms is None
    assert wait(table, WAITS.idle_ms) == ["room_closed"]


def test_the_absent_one_may_leave() -> None:
    """With two seats it loses; with three its substitute stays for good."""
    table = room()
    wait(table, GONE_MS, "ann")
    assert types(table.act("bob", "leave")) == ["seat_returned", "seat_left", "game_ended"]
    table = room(people=("ann", "bob", "cleo"))
    table.turn()
    wait(table, GONE_MS, "ann", "cleo")
    assert types(table.act("bob", "leave")) == ["seat_returned", "seat_left"]
    assert (table.room.absent, table.room.substituted) == ((), ())
    assert table.job().level == SUBSTITUTE_LEVEL
    assert types(table.ai()) == ["move_played"]
    assert table.do(c.Return("bob")) == ()


def test_undo_and_absence_go_together() -> None:
    """A turn given back to an absent seat is its substitute's."""
    table = room(undo="free", clock={"per_move_s": 600})
    table.turns(2)
    wait(table, GONE_MS, "ann")
    table.turn()
    table.ai()
    table.act("ann", "undo")
    table.turn()
    assert (table.room.to_move, table.room.turn_due_ms) == ("yellow", None)
    late = table.job()
    table.act("ann", "undo")
    with refused("stale_job"):
        table.ai(job_id=late.job_id)
