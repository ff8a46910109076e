"""Resigning, leaving, closing, and a room's time."""

from __future__ import annotations

import pytest

from mitsuboshi.games.diamond import DIAMOND
from mitsuboshi.rooms.follow import next_due, next_job
from mitsuboshi.rooms.state import Result
from tests.rooms import positions
from tests.rooms.table import LIFE_MS, WAITS, Table, refused, seats, types

AI = {"ai": "advanced"}
BOTH = {"red": "me", "yellow": "me"}
THREE = {"red": "me", "yellow": "open", "green": "open"}


def two(**body: object) -> Table:
    """Ann is red, bob is yellow."""
    table = Table(**body)
    table.join("bob")
    return table


def three() -> Table:
    """Ann, bob and cleo in turn order."""
    table = Table(seats=THREE)
    table.join("bob")
    table.join("cleo")
    return table


def test_with_two_players_a_resignation_is_the_others_win() -> None:
    """On either turn."""
    for person, winner in (("ann", "yellow"), ("bob", "red")):
        table = two()
        assert types(table.act(person, "resign")) == ["game_ended"]
        assert table.room.result == Result(winner, "resignation", 1)
        assert (table.room.status, table.room.to_move) == ("finished", None)


def test_a_resignation_counts_once() -> None:
    """The second is told that the game is over."""
    table = two()
    table.act("ann", "resign")
    for person in ("ann", "bob"):
        with refused("game_over"):
            table.act(person, "resign")
    assert table.kinds().count("game_ended") == 1


def test_on_one_device_the_seat_to_move_resigns_unless_another_is_named() -> None:
    """Both are the person's."""
    table = Table(seats=BOTH)
    table.act("ann", "resign")
    assert table.room.result == Result("yellow", "resignation", 1)
    table = Table(seats=BOTH)
    table.act("ann", "resign", seat="yellow")
    assert table.room.result == Result("red", "resignation", 1)


def test_with_three_players_the_nearest_of_the_others_wins() -> None:
    """By the sum of distances; equal ones in turn order after the one that resigned."""
    table = Table(seats={"red": "me", "yellow": AI, "green": AI})
    table.act("ann", "resign")
    assert table.room.result == Result("yellow", "resignation", 1)
    ahead = Table(seats={"red": "me", "yellow": AI, "green": AI})
    ahead.turns(2)
    ahead.turn(max(ahead.legal(), key=lambda move: rows_gained(ahead, move)))
    ahead.act("ann", "resign")
    assert ahead.room.result == Result("green", "resignation", 1)


def rows_gained(table: Table, move: str) -> int:
    """How far forward the move leads the side to move."""
    rows: int = DIAMOND.details(DIAMOND.read(table.room.position, table.room.options), move)["rows"]
    return rows


def test_with_others_at_a_table_for_three_one_leaves_instead_of_resigning() -> None:
    """The others want to play on."""
    table = three()
    with refused("leave_instead"):
        table.act("ann", "resign")
    assert "resign" not in table.seen_by("ann").may
    table.act("bob", "leave")
    with refused("leave_instead"):
        table.act("ann", "resign")
    table.act("cleo", "leave")
    table.act("ann", "resign")
    assert table.room.status == "finished"


def test_with_two_players_who_leaves_loses() -> None:
    """Against a person and against an AI; its seat is an AI's from then on."""
    table = two()
    assert types(table.act("ann", "leave")) == ["seat_left", "game_ended"]
    assert table.room.result == Result("yellow", "left", 1)
    assert seats(table) == {"red": "intermediate", "yellow": "bob"}
    alone = Table(seats={"yellow": AI})
    alone.act("ann", "leave")
    assert alone.room.result == Result("yellow", "left", 1)


def test_who_leaves_with_both_seats_leaves_no_winner() -> None:
    """Nobody is there to have won."""
    table = Table(seats=BOTH)
    assert types(table.act("ann", "leave")) == ["seat_left", "seat_left", "game_ended"]
    assert table.room.result == Result(None, "left", 0)


def test_with_three_players_an_ai_plays_on_at_once_for_who_leaves() -> None:
    """Also when it was its turn; the token only watches from then on."""
    table = three()
    assert types(table.act("ann", "leave")) == ["seat_left"]
    assert seats(table) == {"red": "intermediate", "yellow": "bob", "green": "cleo"}
    job = table.job()
    assert (job.level, job.position) == ("intermediate", table.room.position)
    for kind, fields in (
        ("move", {"move": "6-26"}),
        ("leave", {}),
        ("rename", {"name": "A"}),
        ("resign", {}),
    ):
        with refused("not_seated"):
            table.act("ann", kind, **fields)
    table.ai("6-26")
    assert table.room.to_move == "yellow"
    table.act("cleo", "leave")
    assert next_job(table.room) is None
    table.turn()
    assert table.job().level == "intermediate"


def test_when_the_last_of_three_leaves_the_game_ends_for_nobody() -> None:
    """With AIs or not."""
    table = three()
    table.act("ann", "leave")
    table.act("bob", "leave")
    assert types(table.act("cleo", "leave")) == ["seat_left", "game_ended"]
    assert table.room.result == Result(None, "left", 0)
    alone = Table(seats={"red": "me", "yellow": AI, "green": AI})
    alone.act("ann", "leave")
    assert alone.room.result == Result(None, "left", 0)
    assert next_job(alone.room) is None


def test_a_leavers_pieces_play_on_to_the_end() -> None:
    """B leaves, then A wins: the order of seats has not changed, and the AI's turns were taken."""
    table = Table(position=positions.nearly_won("yellow", players=3), seats=THREE)
    table.join("bob")
    table.join("cleo")
    table.act("bob", "leave")
    order = []
    for _ in range(2):
        order.append(table.room.to_move)
        table.turn(next(move for move in table.legal() if move != positions.WINNING_MOVE))
    order.append(table.room.to_move)
    assert order == ["yellow", "green", "red"]
    table.turn(positions.WINNING_MOVE)
    assert table.room.result == Result("red", "goal", 1)


def test_where_all_places_count_the_others_play_on() -> None:
    """The winner's turns are skipped; a leaver's AI plays for the second place."""
    table = Table(position=positions.nearly_won(players=3), seats=THREE, options={"places": "all"})
    table.join("bob")
    table.join("cleo")
    table.act("bob", "leave")
    assert types(table.turn(positions.WINNING_MOVE)) == ["move_played"]
    turns = []
    for number in range(5):
        turns.append(table.room.to_move)
        table.turn(table.any_move(number))
    assert turns == ["yellow", "green", "yellow", "green", "yellow"]
    with refused("not_your_turn"):
        table.act("ann", "move", move="120-119")
    table.act("cleo", "leave")
    assert "resign" not in table.seen_by("ann").may
    with refused("game_over"):
        table.act("ann", "resign")
    table.act("ann", "leave")
    result = table.room.result
    assert result is not None
    assert (result.winner, result.reason, result.points) == ("red", "left", 1)
    assert result.places[0] == "red"
    assert sorted(result.places) == ["green", "red", "yellow"]


def test_who_leaves_last_is_ranked_last_of_those_who_had_not_finished() -> None:
    """As one who gives up is; a seat of the same person that has finished keeps its place."""
    at_once = {"red": "me", "yellow": "me", "green": {"ai": "beginner"}}
    for leaver in ("ann", "bob"):
        seats = at_once if leaver == "ann" else {**at_once, "yellow": "open"}
        table = Table(position=positions.nearly_won(players=3), seats=seats, options={"places": "all"})
        if leaver == "bob":
            table.join("bob")
        table.turn(positions.WINNING_MOVE)
        if leaver == "bob":
            table.act("ann", "leave")
            table.act("bob", "leave")
            assert table.room.result == Result("red", "left", 1, ("red", "green", "yellow"))
        else:
            with refused("game_over"):
                table.act("ann", "resign", seat="red")
            assert "resign" in table.seen_by("ann").may
            table.act("ann", "resign")
            assert table.room.result == Result("red", "resignation", 1, ("red", "green", "yellow"))


def test_leaving_after_the_end_hands_the_seat_to_an_ai() -> None:
    """The result stays."""
    table = two()
    table.act("ann", "resign")
    assert types(table.act("ann", "leave")) == ["seat_left"]
    assert seats(table) == {"red": "intermediate", "yellow": "bob"}
    assert table.room.result == Result("yellow", "resignation", 1)
    assert types(table.act("bob", "leave")) == ["seat_left"]
    assert table.room.status == "finished"


def test_leaving_before_the_start_opens_every_seat_that_one_held() -> None:
    """The owner stays the owner, and may sit down again."""
    table = Table(seats={"red": "me", "yellow": "me", "green": "open"})
    assert types(table.act("ann", "leave")) == ["seat_left", "seat_left"]
    assert seats(table) == {"red": "open", "yellow": "open", "green": "open"}
    table.act("ann", "start", fill="beginner")
    assert table.room.status == "playing"


def test_only_the_owner_closes() -> None:
    """In any status, once; then nothing is open to anybody."""
    for table in (Table(), two(), three()):
        for person in ("bob", "zoe"):
            with refused("not_owner"):
                table.close(person)
        assert types(table.close("ann")) == ["room_closed"]
        with refused("room_closed"):
            table.close("ann")
        for kind, fields in (("move", {"move": "6-26"}), ("leave", {}), ("rename", {"name": "A"})):
            with refused("room_closed"):
                table.act("ann", kind, **fields)
        view = table.seen_by("ann")
        assert (view.may, view.legal_moves, view.to_move, view.expires_in_ms) == ((), [], None, None)


@pytest.mark.parametrize(
    ("waited_ms", "seen_ms_ago", "goes"),
    [
        (WAITS.idle_ms - 1, WAITS.idle_ms - 1, False),
        (WAITS.idle_ms, WAITS.idle_ms, True),
        (WAITS.idle_ms + 5, 10, False),
        (LIFE_MS - 1, 10, False),
        (LIFE_MS, 10, True),
    ],
)
def test_a_room_goes_when_nobody_was_there_or_its_life_is_over(
    waited_ms: int, seen_ms_ago: int, goes: bool
) -> None:
    """Neither a moment earlier nor a moment later."""
    table = two(absence={"then": "wait"})
    table.later(waited_ms)
    seen_ms = table.now.service_ms - seen_ms_ago
    due_ms = next_due(table.room, {"ann": seen_ms}, WAITS, table.now)
    assert due_ms is not None
    assert (due_ms <= table.now.service_ms) is goes
    events = table.look({"ann": seen_ms})
    assert types(events) == (["room_closed"] if goes else [])
    assert (table.room.status == "closed") is goes


def test_a_room_expires_once() -> None:
    """A timer that comes late finds it closed and does nothing."""
    table = two()
    table.later(LIFE_MS)
    table.look({})
    assert table.look({}) == ()
    assert next_due(table.room, {}, WAITS, table.now) is None
    assert next_job(table.room) is None
