"""An AI's answer counts for the turn that it was asked for, and for no other."""

from __future__ import annotations

import pytest

from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.follow import next_job
from tests.rooms import positions
from tests.rooms.table import Table, refused, types

AI = {"ai": "master"}


def test_a_job_says_all_that_a_worker_needs() -> None:
    """Position, complete options and level; an id of its own each turn."""
    table = Table(seats={"yellow": AI}, options={"king_min_run": 2})
    assert next_job(table.room) is None
    table.turn()
    job = table.job()
    assert (job.room, job.game, job.level) == ("room-id", "diamond", "master")
    assert job.position == table.room.position
    assert job.options == table.room.options
    assert job.options["king_min_run"] == 2


def test_the_answer_is_played_like_a_persons_move() -> None:
    """And the turn is the person's again."""
    table = Table(seats={"yellow": AI})
    table.turn()
    assert types(table.ai()) == ["move_played"]
    assert (table.room.to_move, next_job(table.room)) == ("red", None)


def test_an_answer_counts_once() -> None:
    """A second worker's answer to the same job is late."""
    table = Table(seats={"red": AI, "yellow": AI})
    job = table.job()
    table.ai(job_id=job.job_id)
    with refused("stale_job"):
        table.ai(job_id=job.job_id)


def test_an_answer_may_be_a_pass_where_one_must() -> None:
    """And nowhere else."""
    table = Table(seats={"red": AI, "yellow": "me"}, position=positions.MUST_PASS)
    assert types(table.ai("pass")) == ["passed"]
    table = Table(seats={"red": AI, "yellow": "me"})
    with refused("illegal_move"):
        table.ai("pass")


@pytest.mark.parametrize("move", ["6-27", "rubbish", "", "56-57"])
def test_a_wrong_answer_is_refused_and_the_job_still_waits(move: str) -> None:
    """Nobody's rules are weaker for an AI."""
    table = Table(seats={"red": AI, "yellow": "me"})
    job = table.job()
    with refused("illegal_move" if "-" in move else "invalid_move"):
        table.do(c.AiMove(job.job_id, move))
    assert table.job() == job


def test_a_fallback_is_marked() -> None:
    """Whoever watches the service can find it."""
    table = Table(seats={"red": AI, "yellow": "me"})
    (event,) = table.ai(fallback=True)
    assert isinstance(event, e.MovePlayed)
    assert event.fallback


@pytest.mark.parametrize("end", ["resign", "leave", "close"])
def test_after_the_end_the_answer_is_late(end: str) -> None:
    """Whatever ended the game."""
    table = Table(seats={"yellow": AI})
    table.turn()
    job = table.job()
    if end == "close":
        table.close("ann")
    else:
        table.act("ann", end)
    assert next_job(table.room) is None
    with refused("stale_job"):
        table.ai("99-89", job.job_id)


def test_a_persons_turn_waits_for_no_answer() -> None:
    """No id that can be seen makes an answer count there once the seat's own turn has come."""
    table = Table(seats={"yellow": AI})
    with refused("stale_job"):
        table.ai("6-26", "made-up")
    assert next_job(table.room) is None


def test_a_rename_leaves_the_job_as_it_is() -> None:
    """The worker goes on thinking."""
    table = Table(seats={"yellow": AI})
    table.turn()
    job = table.job()
    table.act("ann", "rename", name="Ann")
    assert table.job() == job


def test_anothers_leaving_leaves_the_job_as_it_is() -> None:
    """But who leaves on its own turn makes a new one."""
    table = Table(seats={"red": AI, "yellow": "me", "green": "open"})
    table.join("bob")
    job = table.job()
    table.act("bob", "leave")
    assert table.job() == job
    table.ai()
    assert next_job(table.room) is None
    table.act("ann", "leave")
    assert next_job(table.room) is None, "the last person has left: the game is over"
