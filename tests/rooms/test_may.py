"""``may`` is the truth: what it lists is accepted in some form, what it leaves out in none."""

from __future__ import annotations

import random
from typing import Any

import pytest

from mitsuboshi.rooms.refused import Refused
from tests.rooms import positions
from tests.rooms.table import Table

AI = {"ai": "beginner"}
PEOPLE = ("ann", "bob", "cleo", "zoe")
OPEN_THREE = {"red": "me", "yellow": "open", "green": "open"}
ROOMS: list[dict[str, Any]] = [
    {},
    {"seats": {"yellow": AI}},
    {"seats": {"red": AI, "yellow": "me"}, "undo": "off"},
    {"seats": {"red": "me", "yellow": "me"}},
    {"seats": OPEN_THREE},
    {"seats": OPEN_THREE, "undo": "free"},
    {"undo": "request"},
    {"seats": OPEN_THREE, "undo": "request"},
    {"seats": OPEN_THREE, "undo": "request", "absence": {"then": "ask"}},
    {"clock": {"per_move_s": 30}, "absence": {"then": "ask"}},
    {"seats": {"red": "open", "yellow": "open"}},
    {"seats": {"red": "me", "yellow": AI, "green": "me"}},
    {"position": positions.MUST_PASS},
    {"position": positions.nearly_won(players=3), "options": {"places": "all"}, "undo": "free"},
]


def forms(table: Table, kind: str) -> list[dict[str, Any]]:
    """Every argument worth trying for an action of that type."""
    if kind == "move":
        playing = table.room.status == "playing"
        moves = table.legal()[:3] if playing else []
        return [{"move": move} for move in [*moves, "6-26", "rubbish"]]
    if kind == "answer":
        return [{"to": to, "accept": accept} for to in ("rematch", "undo") for accept in (True, False)]
    if kind == "substitute":
        return [{"seat": seat.seat} for seat in table.room.seats]
    return [{"name": f"Name {table.sent}"}] if kind == "rename" else [{}]


KINDS = (
    *("start", "move", "pass", "undo", "resign", "leave"),
    *("rematch", "answer", "rename", "substitute"),
)


def accepted(table: Table, person: str) -> set[str]:
    """The types of action of which some form is accepted from this person now."""
    return {
        kind for kind in KINDS for fields in forms(table, kind) if is_accepted(table, person, kind, fields)
    }


def is_accepted(table: Table, person: str, kind: str, fields: dict[str, Any]) -> bool:
    """Whether the room would take it; the room stays as it is."""
    kept = table.room, table.before, list(table.events), dict(table.lines)
    try:
        table.act(person, kind, **fields)
    except Refused:
        return False
    finally:
        table.room, table.before, table.events, table.lines = kept
    return True


def do_something(table: Table, dice: random.Random) -> None:
    """One random step of anybody, moves more often than the rest."""
    if table.room.status == "playing" and dice.random() < 0.7:
        table.turn(table.any_move(dice.randrange(100)))
        return
    person, kind = dice.choice(PEOPLE), dice.choice((*KINDS, "undo", "join", "join", "look", "look"))
    try:
        if kind == "join":
            table.join(person)
        elif kind == "look":
            table.later(60_000)
            table.look({someone: table.now.service_ms for someone in PEOPLE if someone != person})
        else:
            table.act(person, kind, **dice.choice(forms(table, kind)))
    except Refused:
        pass


@pytest.mark.parametrize("number", range(len(ROOMS)))
def test_what_may_be_done_is_what_is_accepted(number: int) -> None:
    """For everybody, at every step of a random course of the room."""
    seen = set()
    for seed in range(3):
        dice = random.Random(100 * number + seed)
        table = Table(**ROOMS[number])
        for _ in range(40):
            for person in PEOPLE:
                may = set(table.seen_by(person).may)
                assert may == accepted(table, person), f"{person} in {table.kinds()}"
                seen |= may
            do_something(table, dice)
    assert {"leave", "rename", "move"} <= seen
    assert len(seen) > 4, seen


def test_a_stranger_may_nothing() -> None:
    """Without a token there is nothing to do but watch."""
    assert Table().seen_by(None).may == ()
