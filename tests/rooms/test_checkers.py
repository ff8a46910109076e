"""Checkers in rooms: jumps one by one, draws by offer and by repetition, and the clock that loses."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms.follow import next_question
from mitsuboshi.rooms.state import Result
from mitsuboshi.rooms.views import DrawLimit
from tests.rooms.table import Table, refused, types

CHAIN = "W:W22,32:B11,18"
KINGS = "B:WK32:BK1"
LATE = "B:WK32,K31:BK1,K2"


def room(**body: Any) -> Table:
    """Ann has red, bob white."""
    table = Table(game="checkers", **body)
    table.join("bob")
    return table


def alone(**body: Any) -> Table:
    """Ann has red, an AI white."""
    return Table(game="checkers", seats={"white": {"ai": "beginner"}}, **body)


def both(**body: Any) -> Table:
    """Ann has both sides."""
    return Table(game="checkers", seats={"red": "me", "white": "me"}, **body)


def played(table: Table) -> tuple[str, str | None, list[str]]:
    """What a way of playing leaves: the position, whose turn it is, and the moves."""
    line = table.line
    assert line is not None
    return table.room.position, table.room.to_move, [turn.move for turn in line.turns]


def test_a_whole_path_and_its_jumps_one_by_one_are_the_same_turn() -> None:
    """Also for who watches: one move is played, with its full path."""
    whole, stepped = both(position=CHAIN), both(position=CHAIN)
    whole.act("ann", "move", move="22x15x8")
    assert types(stepped.act("ann", "step", step="22x15")) == ["step_made"]
    view = stepped.seen_by("ann")
    assert (view.steps, view.legal_steps, view.position) == (("22x15",), ["15x8"], CHAIN)
    assert view.position_now != CHAIN
    assert types(stepped.act("ann", "step", step="15x8")) == ["step_made", "move_played", "game_ended"]
    assert played(whole) == played(stepped)
    assert stepped.room.steps == ()


def test_a_simple_move_is_a_step_of_its_own() -> None:
    """It ends the turn."""
    table = room()
    table.act("ann", "step", step="11-15")
    assert (table.room.to_move, table.room.movers) == ("white", "0")


def test_a_jump_can_be_taken_back_until_the_last_one() -> None:
    """Then it is an undo's matter."""
    table = both(position="W:W22,32:B18,11,1")
    table.act("ann", "step", step="22x15")
    assert "unstep" in table.seen_by("ann").may
    assert types(table.act("ann", "unstep")) == ["step_undone"]
    assert table.seen_by("ann").position_now == table.seen_by("ann").position
    with refused("nothing_to_undo"):
        table.act("ann", "unstep")
    for action in ("confirm", "roll"):
        with refused("not_in_this_game"):
            table.act("ann", action)
    with refused("illegal_move", "step"):
        table.act("ann", "step", step="32-28")
    with refused("invalid_move", "step"):
        table.act("ann", "step", step="to the left")


def test_a_step_makes_what_was_asked_before_it_stale() -> None:
    """The board has changed."""
    table = both(position=CHAIN)
    version = table.room.version
    table.act("ann", "step", step="22x15")
    with refused("stale_version"):
        table.act("ann", "move", move="22x15x8", version=version)


def test_a_capture_must_be_made_and_ended() -> None:
    """Its text says so."""
    table = both(position=CHAIN)
    for move in ("32-27", "32-28", "22x15"):
        with refused("illegal_move"):
            table.act("ann", "move", move=move)


def test_a_short_form_that_stands_for_two_paths_is_ambiguous() -> None:
    """The record names the path that was taken."""
    table = both(position="W:W31:B26,27,18,19,1")
    with refused("ambiguous_move", "move"):
        table.act("ann", "move", move="31x15")
    table.act("ann", "move", move="31x22x15")
    assert played(table)[2] == ["31x22x15"]


def test_an_offer_lives_through_the_offerers_move_and_dies_with_the_other_sides() -> None:
    """The other side declines by playing on."""
    table = room()
    table.act("ann", "offer_draw")
    view = table.seen_by("bob")
    assert view.offer is not None
    assert (view.offer.kind, view.offer.by, view.offer.to_version, view.offer.waiting_for) == (
        *("draw", "red", None),
        ("white",),
    )
    assert "answer" in view.may
    assert "offer_draw" not in view.may
    with refused("offer_pending"):
        table.act("bob", "offer_draw")
    table.act("ann", "move", move="11-15")
    assert table.room.offer is not None
    assert types(table.act("bob", "move", move="22-18")) == ["offer_expired", "move_played"]
    assert table.seen_by("ann").offer is None


def test_an_accepted_draw_ends_the_game() -> None:
    """And nothing can be played after it."""
    table = room()
    table.act("ann", "offer_draw")
    with refused("nothing_to_answer"):
        table.act("ann", "answer", to="draw", accept=True)
    assert types(table.act("bob", "answer", to="draw", accept=True)) == ["offer_answered", "game_ended"]
    assert table.room.result == Result(None, "agreement", 0)
    with refused("game_over"):
        table.act("ann", "move", move="11-15")


@pytest.mark.parametrize(("person", "event"), [("bob", "offer_answered"), ("ann", "offer_expired")])
def test_an_offer_is_declined_or_taken_back(person: str, event: str) -> None:
    """The game goes on."""
    table = room()
    table.act("ann", "offer_draw")
    assert types(table.act(person, "answer", to="draw", accept=False)) == [event]
    assert (table.room.offer, table.room.status) == (None, "playing")


def test_who_plays_both_sides_agrees_at_once() -> None:
    """There is nobody to ask."""
    table = both()
    assert types(table.act("ann", "offer_draw")) == ["game_ended"]


def test_an_ai_takes_no_draw_in_the_opening() -> None:
    """It says so at once."""
    table = alone()
    assert types(table.act("ann", "offer_draw")) == ["offer_made", "offer_answered"]
    assert (table.room.offer, table.room.status) == (None, "playing")


def test_only_what_waits_is_answered() -> None:
    """An AI's answer names its job."""
    table = alone(position="B:WK32,29,30:BK1,4,3")
    while table.room.ply < 20:
        table.turn(table.any_move(table.room.ply))
        assert table.room.status == "playing"
    table.act("ann", "offer_draw")
    question = next_question(table.room)
    assert question is not None
    assert (question.seat, question.level, question.position) == ("white", "beginner", table.room.position)
    with refused("stale_job"):
        table.do(c.AiAnswer("another", accept=True))
    assert types(table.do(c.AiAnswer(question.job_id, accept=True))) == ["offer_answered", "game_ended"]
    with refused("stale_job"):
        table.do(c.AiAnswer(question.job_id, accept=True))


def shuffle(table: Table, times: int) -> None:
    """Both kings go out and home so often."""
    for _ in range(times):
        for move in ("1-6", "32-28", "6-1", "28-32"):
            table.turn(move)


def test_the_third_repetition_is_a_draw_and_an_undo_takes_one_back() -> None:
    """The position of the start counts."""
    table = both(position=KINGS)
    shuffle(table, 1)
    for move in ("1-6", "32-28", "6-1"):
        table.turn(move)
    table.act("ann", "undo")
    table.turn("6-1")
    assert table.room.status == "playing"
    table.turn("28-32")
    assert table.room.result == Result(None, "repetition", 0)
    assert table.room.ply == 8


def test_a_clock_between_people_loses_and_one_alone_has_none() -> None:
    """60 s a move, unless the room says otherwise."""
    table = room()
    assert table.seen_by("ann").clock is not None
    table.later(60_000)
    assert types(table.look()) == ["clock_expired", "game_ended"]
    assert table.room.result == Result("white", "timeout", 1)
    assert alone().seen_by("ann").clock is None
    off = room(clock=None)
    assert off.seen_by("ann").clock is None
    off.later(600_000)
    assert off.look() == ()


def test_who_is_absent_has_the_time_of_its_move() -> None:
    """Without a clock it loses two minutes after it was last present."""
    timed, untimed = room(), room(clock=None)
    for table in (timed, untimed):
        table.act("ann", "move", move="11-15")
        seen = {"ann": table.now.service_ms + 134_999, "bob": table.now.service_ms}
        table.later(59_999)
        assert table.look(seen | {"ann": table.now.service_ms}) == ()
    timed.later(1)
    assert types(timed.look({"ann": timed.now.service_ms})) == ["clock_expired", "game_ended"]
    untimed.later(75_001)
    happened = untimed.look({"ann": untimed.now.service_ms, "bob": untimed.now.service_ms - 135_000})
    assert types(happened) == ["seat_absent", "game_ended"]
    assert untimed.room.result == Result("red", "timeout", 1)


def test_who_leaves_loses() -> None:
    """The other wins."""
    table = room()
    table.act("bob", "leave")
    assert table.room.result == Result("red", "left", 1)


def test_a_room_goes_on_from_a_record() -> None:
    """The moves are events like any, and can be taken back."""
    table = both(record='[GameType "21"]\n\n1. 11-15 22-18 2. 15x22 25x18 *')
    assert [turn.move for turn in table.line.turns] == ["11-15", "22-18", "15x22", "25x18"]  # type: ignore[union-attr]
    assert (table.room.status, table.room.to_move, table.room.ply) == ("playing", "red", 4)
    table.act("ann", "undo")
    assert table.room.ply == 3
    table.act("ann", "resign")
    table.act("ann", "rematch")
    assert table.room.ply == 0


def test_a_record_that_cannot_be_read_names_its_fault() -> None:
    """Line and column, or that there is nothing left to play."""
    with refused("invalid_record", "record"):
        both(record="1. 11-15 22-19 2. 11-16 *")
    with refused("invalid_record", "record"):
        both(record=f'[SetUp "1"]\n[FEN "{CHAIN}"]\n\n1. 22x15x8 *')
    with refused("invalid_body", "record"):
        both(record="1. 11-15 *", position=KINGS)
    with refused("invalid_record", "record"):
        Table(record="1. 11-15 *")


def test_the_memory_of_a_position_is_nobodys_to_see() -> None:
    """Snapshots, events and records have plain FEN."""
    table = both(position=KINGS)
    table.turn("1-6")
    assert "|" in table.room.position
    assert table.seen_by("ann").position == "W:WK32:BK6"
    assert "|" not in msgspec.json.encode(table.seen_by("ann")).decode()


def test_the_draw_limit_counts_kings_moves() -> None:
    """80 plies without a capture or a man's move."""
    table = both(position="B:WK32,K31:BK1,5")
    assert table.seen_by("ann").draw_limit == DrawLimit(80, 80)
    table.turn("1-6")
    assert table.seen_by("ann").draw_limit == DrawLimit(80, 79)
