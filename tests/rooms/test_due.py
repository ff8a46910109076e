"""When a room is to be looked at: as soon as something can happen of itself, and not before."""

from __future__ import annotations

import pytest

from tests.rooms.table import WAITS, Table
from tests.rooms.test_absence import GONE_MS, due_ms, room, sign, wait


@pytest.mark.parametrize("then", ["substitute", "ask", "lose"])
@pytest.mark.parametrize("clock_ms", [None, 20_000, 40_000, 60_000])
@pytest.mark.parametrize("bob_gone_ms", [0, 7000])
def test_a_room_is_looked_at_when_something_happens_and_not_before(
    then: str, clock_ms: int | None, bob_gone_ms: int
) -> None:
    """At the due time something is due; a millisecond earlier nothing is."""
    table = room(then, clock=None if clock_ms is None else {"per_move_s": clock_ms // 1000})
    table.later(bob_gone_ms)
    sign(table, "ann")
    happened: list[str] = []
    while table.room.status == "playing" and len(happened) < 3:
        due = due_ms(table)
        assert due is not None
        assert due > 0
        assert wait(table, due - 1, "ann") == []
        now_happened = wait(table, 1, "ann")
        if not now_happened:
            # Nothing but ann's own sign can have put it off.
            assert due_ms(table) == WAITS.idle_ms or due_ms(table) == GONE_MS
            break
        happened += now_happened
    assert happened
    expected_ms = [("seat_absent", GONE_MS), ("clock_expired", clock_ms or 10 * GONE_MS)]
    first = min(expected_ms, key=lambda kind: kind[1])[0]
    assert happened[0] == first


def test_a_room_in_which_nobody_is_there_is_looked_at_again_soon() -> None:
    """Somebody may come back at any moment, by any process."""
    table = room()
    table.later(GONE_MS)
    assert table.look(table.seen) == ()
    assert due_ms(table) == WAITS.presence_ms
    sign(table, "ann")
    assert due_ms(table) == 0


def test_nobodys_absence_is_waited_for_where_it_does_not_matter() -> None:
    """Then a look is for the room's own end alone."""
    for table in (
        room("wait"),
        room(people=("ann",)),
        room(people=("ann",), seats={"yellow": {"ai": "beginner"}}),
    ):
        assert due_ms(table) == WAITS.idle_ms
    table = room()
    wait(table, GONE_MS, "ann")
    assert due_ms(table) == GONE_MS, "ann's own"


def test_a_watchers_presence_keeps_no_room() -> None:
    """Only that of those who hold a seat, or of the owner."""
    table = room()
    table.later(WAITS.idle_ms - 1)
    sign(table, "zoe")
    assert table.look(table.seen) == ()
    assert due_ms(table) == 1
    assert wait(table, 1, "zoe") == ["room_closed"]
    owned = Table(seats={"red": "open"})
    assert wait(owned, WAITS.idle_ms - 1, "ann") == []
    assert wait(owned, WAITS.idle_ms - 1, "zoe") == []
    assert wait(owned, 1) == ["room_closed"]
