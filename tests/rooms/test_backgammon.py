"""Backgammon in rooms: throws, steps, empty turns, what can be taken back, and who loses how much."""

from __future__ import annotations

from typing import Any

import pytest

from mitsuboshi.games.game import Transcript
from mitsuboshi.games.registry import GAMES
from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.state import Result
from tests.rooms.table import Table, refused, types

GAME = GAMES["backgammon"]
SHUT_OUT = "XGID=aBBBBBB-----------------A-:0:0:1:00:0:0:0:0:10"
"""Black is on the bar before a closed board: whatever it throws, it passes."""


def room(**body: Any) -> Table:
    """Ann has white, bob black."""
    table = Table(game="backgammon", **body)
    table.join("bob")
    return table


def both(**body: Any) -> Table:
    """Ann has both sides."""
    return Table(game="backgammon", seats={"white": "me", "black": "me"}, **body)


def alone(**body: Any) -> Table:
    """Ann has white, an AI black."""
    return Table(game="backgammon", seats={"black": {"ai": "beginner"}}, **body)


def holder(table: Table) -> str:
    """Who is to move, of the people."""
    person = table.holder()
    assert person is not None
    return person


def make_turn(table: Table) -> None:
    """Whoever is to move throws, and makes the first steps that there are."""
    person = holder(table)
    if "roll" in table.seen_by(person).may:
        table.act(person, "roll")
    if table.room.to_move is None or table.holder() != person:
        return
    while steps := table.seen_by(person).legal_steps:
        table.act(person, "step", step=steps[0])
    if "confirm" in table.seen_by(person).may:
        table.act(person, "confirm")


def until(table: Table, person: str, action: str) -> None:
    """Turns are made until that is open to the person."""
    for _ in range(20):
        if action in table.seen_by(person).may:
            return
        table.turn() if table.holder() is None else make_turn(table)
    raise AssertionError(f"{action} is never open to {person}")


def test_the_opening_throw_tells_who_begins() -> None:
    """One die of each side, never equal; the higher side plays both."""
    begun = set()
    for number in range(200):
        table = Table.of("ann", f"room{number}", game="backgammon", seats={"white": "me", "black": "me"})
        table.sent = number * 1000
        table.act("ann", "resign")
        table.act("ann", "rematch")
        thrown = table.events[-1]
        assert isinstance(thrown, e.DiceRolled)
        white, black = map(int, thrown.throw)
        assert white != black
        assert thrown.to_move == ("white" if white > black else "black")
        assert sorted(table.seen_by("ann").dice or []) == sorted((white, black))
        begun.add(thrown.throw)
    assert len(begun) > 20


def test_the_starts_own_position_begins_with_the_opening_throw() -> None:
    """Whoever writes it out means the game's start."""
    start = GAME.write(GAME.start(2, {}))
    thrown = both(position=start).events[-1]
    assert isinstance(thrown, e.DiceRolled)
    assert thrown.throw[0] != thrown.throw[1]
    assert both(position=start).room.start is None


def test_a_turn_is_thrown_made_step_by_step_and_confirmed() -> None:
    """The position stays at the turn's start until then."""
    table = room()
    make_turn(table)
    person = holder(table)
    view = table.seen_by(person)
    assert (view.dice, view.may[0], view.legal_moves, view.legal_steps) == (None, "roll", [], [])
    with refused("illegal_move"):
        table.act(person, "move", move="13/8")
    with refused("illegal_move"):
        table.act(person, "step", step="13/8")
    assert types(table.act(person, "roll"))[0] == "dice_rolled"
    with refused("nothing_to_roll"):
        table.act(person, "roll")
    view = table.seen_by(person)
    assert view.dice is not None
    with refused("turn_incomplete"):
        table.act(person, "confirm")
    table.act(person, "step", step=view.legal_steps[0])
    after = table.seen_by(person)
    assert (after.position, after.steps) == (view.position, (view.legal_steps[0],))
    assert after.position_now != view.position
    assert "unstep" in after.may
    while steps := table.seen_by(person).legal_steps:
        table.act(person, "step", step=steps[0])
    assert "confirm" in table.seen_by(person).may
    assert types(table.act(person, "confirm"))[0] == "move_played"
    assert table.room.steps == ()


def test_steps_and_the_whole_move_make_the_same_turn() -> None:
    """And the same record."""
    stepped, whole = both(), both()
    while steps := stepped.seen_by("ann").legal_steps:
        stepped.act("ann", "step", step=steps[-1])
    stepped.act("ann", "confirm")
    assert stepped.line is not None
    assert whole.line is not None
    whole.act("ann", "move", move=stepped.line.turns[0].move)
    assert stepped.room.position == whole.room.position
    assert [turn.move for turn in stepped.line.turns] == [turn.move for turn in whole.line.turns]


def test_a_step_is_taken_back_and_the_throw_stays() -> None:
    """One by one, and no further than the turn's start; also when the whole turn has been taken back."""
    table = both()
    dice = table.seen_by("ann").dice
    for _ in range(2):
        table.act("ann", "step", step=table.seen_by("ann").legal_steps[0])
        table.act("ann", "unstep")
        with refused("nothing_to_undo"):
            table.act("ann", "unstep")
        make_turn(table)
        table.act("ann", "undo")
        assert table.seen_by("ann").dice == dice
        assert table.room.movers == ""


def test_turns_that_were_taken_back_have_the_throws_that_they_had() -> None:
    """Those of the AI too, which could not be thrown anew by a person who dislikes them."""
    table = alone()
    until(table, "ann", "roll")
    make_turn(table)
    assert table.holder() is None
    table.turn()
    throws, movers = table.room.throws, table.room.movers
    for _ in range(2):
        table.act("ann", "undo")
        assert len(table.room.movers) < len(movers)
        until(table, "ann", "step")
        make_turn(table)
        table.turn()
        assert (table.room.throws, table.room.movers) == (throws, movers)


def test_nothing_before_a_throw_is_taken_back_until_the_turn_is_over() -> None:
    """Who dislikes its throw cannot go back before it."""
    table = both()
    make_turn(table)
    assert "undo" in table.seen_by("ann").may
    table.act("ann", "roll")
    assert table.seen_by("ann").dice is not None
    assert "undo" not in table.seen_by("ann").may
    with refused("turn_in_hand"):
        table.act("ann", "undo")
    make_turn(table)
    assert "undo" in table.seen_by("ann").may


def test_with_throws_at_once_a_turn_can_be_taken_back_until_the_next_ones_first_step() -> None:
    """Nobody asked for that throw."""
    table = both(options={"auto_roll": True})
    make_turn(table)
    assert table.seen_by("ann").dice is not None
    assert "undo" in table.seen_by("ann").may
    table.act("ann", "step", step=table.seen_by("ann").legal_steps[0])
    with refused("turn_in_hand"):
        table.act("ann", "undo")
    table.act("ann", "unstep")
    table.act("ann", "undo")
    assert table.room.movers == ""


@pytest.mark.parametrize("undo", ["request", "free"])
def test_between_people_nothing_is_taken_back_but_steps(undo: str) -> None:
    """A room cannot be made otherwise."""
    with refused("invalid_body", "undo"):
        room(undo=undo)
    table = room()
    make_turn(table)
    with refused("undo_off"):
        table.act("ann", "undo")


def test_a_turn_without_any_play_passes_by_itself_and_is_recorded() -> None:
    """With its throw."""
    table = both(position=SHUT_OUT)
    table.act("ann", "roll")
    make_turn(table)
    assert table.room.to_move == "black"
    happened = table.act("ann", "roll")
    assert types(happened) == ["dice_rolled", "passed"]
    assert table.line is not None
    assert (table.line.turns[-1].move, table.line.turns[-1].throw) == ("pass", table.room.throws[1])
    assert (table.room.to_move, table.seen_by("ann").dice) == ("white", None)


def test_throws_of_one_command_are_drawn_one_by_one() -> None:
    """Black's empty turns do not tell white's next throws."""
    pairs = []
    for number in range(12):
        table = both(position=SHUT_OUT, options={"auto_roll": True})
        table.sent = number * 1000
        make_turn(table)
        assert types(table.decision.events) == ["move_played", "dice_rolled", "passed", "dice_rolled"]
        pairs.append([event.throw for event in table.decision.events if isinstance(event, e.DiceRolled)])
    assert [blacks for blacks, whites in pairs if blacks != whites]


def test_an_ai_has_its_throw_with_its_turn() -> None:
    """The job's position has the dice in it."""
    table = alone()
    until(table, "ann", "roll")
    for _ in range(6):
        make_turn(table)
        if table.holder() is None:
            position = GAME.load(table.job().position, table.room.options)
            assert GAME.dice(position) is not None
            table.turn()


def test_who_leaves_or_resigns_loses_a_single_game() -> None:
    """One point, whatever stands on the board."""
    left, resigned = room(), room()
    left.act("bob", "leave")
    assert left.room.result == Result("white", "left", 1)
    resigned.act("bob", "resign", seat="black")
    assert resigned.room.result == Result("white", "resignation", 1)


def test_a_gammon_counts_twice() -> None:
    """Black has borne nothing off, and all of it is home."""
    table = both(position="XGID=-A------------------ccccc-:0:0:1:21:0:0:0:0:10")
    table.act("ann", "move", move=table.any_move())
    assert table.room.result == Result("white", "borne_off", 2)


def test_a_substitute_begins_the_turn_anew() -> None:
    """With the throw of the one it plays for, which it makes itself where there was none."""
    table = room()
    make_turn(table)
    gone = holder(table)
    other = "bob" if gone == "ann" else "ann"
    now = table.now.service_ms
    table.later(135_000)
    assert types(table.look({other: table.now.service_ms, gone: now})) == ["seat_absent"]
    happened = types(table.act(other, "substitute", seat=str(table.room.to_move)))
    assert happened[:2] == ["seat_substituted", "dice_rolled"]
    assert table.room.steps == ()


def test_a_clock_loses_a_single_game() -> None:
    """There is none unless the room has one."""
    assert room().seen_by("ann").clock is None
    table = room(clock={"per_move_s": 30})
    table.later(30_000)
    table.look()
    assert table.room.result is not None
    assert (table.room.result.reason, table.room.result.points) == ("timeout", 1)


def test_draws_are_not_offered() -> None:
    """Somebody wins."""
    table = room()
    with refused("not_in_this_game"):
        table.act("ann", "offer_draw")


def test_a_room_goes_on_from_a_match_file() -> None:
    """Throws and all."""
    first = both()
    for _ in range(6):
        make_turn(first)
    assert first.line is not None
    moves = tuple(f"{turn.throw}:{turn.move}" for turn in first.line.turns)
    text = GAME.transcripts["mat"].write(Transcript(moves))
    second = both(record=text)
    assert second.line is not None
    assert [turn.move for turn in second.line.turns] == [turn.move for turn in first.line.turns]
    assert second.room.position == first.room.position


def test_a_record_from_the_usual_board_may_begin_with_a_double() -> None:
    """Where it gives the position, both dice are white's."""
    position = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
    text = GAME.transcripts["mat"].write(Transcript(("44:24/16 13/9(2)",), start=position))
    table = both(record=text)
    assert table.line is not None
    assert [(turn.seat, turn.throw, turn.move) for turn in table.line.turns] == [
        ("white", "44", "24/16 13/9(2)")
    ]
