"""Moves and passes: whose turn, which move, and what follows."""

from __future__ import annotations

import pytest

from mitsuboshi.rooms import events as e
from tests.rooms import positions
from tests.rooms.table import Table, refused, types

AI = {"ai": "advanced"}
BOTH = {"red": "me", "yellow": "me"}


def two() -> Table:
    """Ann is red, bob is yellow, red is to move."""
    table = Table()
    table.join("bob")
    return table


def test_a_move_is_told_with_its_path() -> None:
    """The event and the last moves have the game's details."""
    table = two()
    (event,) = table.act("ann", "move", move="6-26")
    assert isinstance(event, e.MovePlayed)
    assert (event.seat, event.ply, event.to_move) == ("red", 1, "yellow")
    assert event.details == {"path": [6, 26], "jumps": 1, "rows": 2}
    assert table.seen_by(None).last_moves == [
        {"seat": "red", "ply": 1, "move": "6-26", "path": [6, 26], "jumps": 1, "rows": 2}
    ]


def test_only_the_side_to_move_moves() -> None:
    """The other person, a watcher, one who names a seat of another, or a seat not to move."""
    table = two()
    with refused("not_your_turn"):
        table.act("bob", "move", move="6-26")
    with refused("not_seated"):
        table.act("zoe", "move", move="6-26")
    with refused("not_your_seat", "seat"):
        table.act("bob", "move", move="6-26", seat="red")
    with refused("not_your_turn"):
        table.act("bob", "move", move="6-26", seat="yellow")
    assert table.room.ply == 0


def test_on_one_device_the_seat_to_move_is_meant() -> None:
    """It may be named; another one that the person holds is not to move."""
    table = Table(seats=BOTH)
    with refused("not_your_turn"):
        table.act("ann", "move", move="6-26", seat="yellow")
    table.act("ann", "move", move="6-26", seat="red")
    table.turn()
    assert table.room.to_move == "red"


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("6-27", "illegal_move"),
        ("60-61", "illegal_move"),
        ("pass", "illegal_move"),
        ("6", "invalid_move"),
        ("6-26 ", "invalid_move"),
        ("6-999", "invalid_move"),
        ("\u0666-26", "invalid_move"),
        ("x" * 200, "invalid_move"),
    ],
)
def test_a_wrong_move_is_refused_and_changes_nothing(move: str, code: str) -> None:
    """What cannot be read is told from what the rules forbid."""
    table = two()
    with refused(code, "move"):  # type: ignore[arg-type]
        table.act("ann", "move", move=move)
    assert (table.room.version, table.room.ply) == (4, 0)


def test_a_pass_is_for_a_seat_without_a_legal_move() -> None:
    """It then must pass, its text is no move, and the turn goes on."""
    table = Table(position=positions.MUST_PASS, seats=BOTH)
    assert table.seen_by("ann").must_pass
    assert table.seen_by("zoe").must_pass
    assert table.seen_by("ann").legal_moves == []
    assert types(table.act("ann", "pass")) == ["passed"]
    assert (table.room.to_move, table.room.ply, table.room.movers) == ("yellow", 101, "-")
    with refused("illegal_move"):
        table.act("ann", "pass")


def test_a_pass_shows_no_move() -> None:
    """The last moves stay as they are, and the pass is in the line."""
    table = Table(position=positions.MUST_PASS, seats=BOTH)
    table.turn()
    assert table.room.last_moves == ()
    assert table.line is not None
    assert [turn.move for turn in table.line.turns] == ["pass"]


def test_the_winning_move_ends_the_game() -> None:
    """The move and the end are two events of one command, and nobody is to move."""
    table = Table(position=positions.nearly_won(), seats=BOTH)
    version = table.room.version
    assert types(table.turn(positions.WINNING_MOVE)) == ["move_played", "game_ended"]
    assert table.room.version == version + 2
    assert (table.room.status, table.room.to_move) == ("finished", None)
    view = table.seen_by("ann")
    assert view.result is not None
    assert (view.result.winner, view.result.reason, view.result.points) == ("red", "goal", 1)
    assert (view.legal_moves, view.must_pass) == ([], False)


def test_after_the_end_nobody_plays() -> None:
    """Each action of a game in play is told that it is over."""
    table = Table(position=positions.nearly_won(), seats=BOTH)
    table.turn(positions.WINNING_MOVE)
    for kind, fields in (("move", {"move": "6-26"}), ("pass", {}), ("undo", {}), ("resign", {})):
        with refused("game_over"):
            table.act("ann", kind, **fields)


def test_before_the_start_nobody_plays() -> None:
    """The room waits for people."""
    table = Table()
    for kind, fields in (("move", {"move": "6-26"}), ("pass", {}), ("undo", {}), ("resign", {})):
        with refused("not_playing"):
            table.act("ann", kind, **fields)
    with refused("not_finished"):
        table.act("ann", "rematch")


def test_the_draw_limit_ends_the_game() -> None:
    """What is left of it is in the snapshot; a win on the last ply would still be a win."""
    table = Table(position=positions.nearly_won(ply=99), seats=BOTH, options={"draw_plies_per_seat": 50})
    limit = table.seen_by(None).draw_limit
    assert limit is not None
    assert (limit.plies, limit.left) == (100, 1)
    win = positions.WINNING_MOVE
    table.turn(next(move for move in table.legal() if move != win))
    assert table.room.result is not None
    assert (table.room.result.winner, table.room.result.reason) == (None, "draw_limit")
    assert table.seen_by(None).draw_limit is not None
    table = Table(position=positions.nearly_won(ply=99), seats=BOTH, options={"draw_plies_per_seat": 50})
    table.turn(win)
    assert table.room.result is not None
    assert table.room.result.reason == "goal"


def test_each_shows_the_moves_that_it_has_not_seen() -> None:
    """One with two players, two with three."""
    table = two()
    table.turns(5)
    assert [move.ply for move in table.room.last_moves] == [5]
    table = Table(seats={"red": "me", "yellow": AI, "green": AI})
    table.turns(5)
    assert [move.ply for move in table.room.last_moves] == [4, 5]


def test_legal_moves_are_those_of_who_is_to_move() -> None:
    """A watcher and the others get none, and must_pass is everybody's."""
    table = two()
    assert len(table.seen_by("ann").legal_moves) == 20
    for person in ("bob", "zoe", None):
        assert table.seen_by(person).legal_moves == []
        assert not table.seen_by(person).must_pass
