"""The words beside the board say whose turn it is, what was played, and how things ended."""

from typing import Any

import pytest

from mitsuboshi_play.geometry import Geometry
from mitsuboshi_play.paint import plain
from mitsuboshi_play.snapshot import BadAnswer, Legal, read_legal, read_snapshot
from mitsuboshi_play.status import describe, list_moves, list_picks
from mitsuboshi_play.texts import Texts

from .conftest import snapshot_json


def words(geometry: Geometry, texts: Texts, view: str = "red", **changes: Any) -> str:
    room = read_snapshot(snapshot_json(**changes))
    return "\n".join(plain(line) for line in describe(room, geometry, view, texts))


def test_the_turn_the_seats_and_the_draw_limit_are_told(geometry: Geometry, texts: Texts) -> None:
    facts = {"in_target": {"red": 14, "yellow": 3}, "king_to_apex": []}
    assert words(geometry, texts, facts=facts) == (
        "Room k7Qm2wXzP4sD, game 1, ply 0, version 3\n"
        " > red     Ayumi (you) - 14 home\n"
        "   yellow  AI, advanced - 3 home\n"
        "Turn: red (you) - 800 plies to the draw limit"
    )


def test_the_last_move_is_in_the_viewers_rows_and_numbers(geometry: Geometry, texts: Texts) -> None:
    moves = [{"seat": "red", "ply": 0, "move": "6-26", "path": [6, 14, 26], "jumps": 2}]
    assert "Last: red 4.1-5.5-6.4" in words(geometry, texts, last_moves=moves)
    assert "Last: red 10.10-9.9-8.9" in words(geometry, texts, "yellow", last_moves=moves)


def test_a_long_path_is_cut_in_the_middle(geometry: Geometry, texts: Texts) -> None:
    moves = [{"seat": "red", "ply": 0, "move": "0-20", "path": list(range(20)), "jumps": 19}]
    assert words(geometry, texts, last_moves=moves).split("\n")[3] == (
        "Last: red 1.1-2.1-2.2-3.1-3.2-3.3-…-5.10"
    )


def test_a_pass_is_told(geometry: Geometry, texts: Texts) -> None:
    moves = [{"seat": "yellow", "ply": 1, "move": "pass", "path": [], "jumps": 0}]
    assert "Last: yellow pass" in words(geometry, texts, last_moves=moves)


def test_what_is_due_is_told(geometry: Geometry, texts: Texts) -> None:
    facts = {"in_target": {}, "king_to_apex": ["red"]}
    assert "King to the apex: the target of red is full" in words(geometry, texts, facts=facts)
    assert "type pass" in words(geometry, texts, must_pass=True)
    assert "58 s left" in words(geometry, texts, clock={"per_move_ms": 60000, "remaining_ms": 58211})
    offer = {"kind": "undo", "by": "yellow", "version": 7, "to_version": 5, "waiting_for": ["red"]}
    assert "yellow asks to take moves back" in words(geometry, texts, offer=offer)
    assert "waiting for yellow" in words(
        geometry, texts, offer=offer | {"by": "red", "waiting_for": ["yellow"]}
    )
    assert "An offer of yellow is open" in words(geometry, texts, offer=offer | {"waiting_for": ["green"]})


def test_a_waiting_room_says_for_whom_and_what_its_owner_may_do(geometry: Geometry, texts: Texts) -> None:
    seats = [{"seat": "red", "kind": "person", "name": None}, {"seat": "yellow", "kind": "open"}]
    waiting: dict[str, Any] = {"status": "waiting", "seats": seats, "position": None, "to_move": None}
    told = words(geometry, texts, **waiting, may=["start"])
    assert "Waiting for players: yellow open." in told
    assert "Type start" in told
    assert "(no name)" in told
    assert "Type start" not in words(geometry, texts, **waiting, may=[])


@pytest.mark.parametrize(
    ("result", "told"),
    [
        ({"winner": "red", "reason": "goal", "points": 1}, "Result: red wins (goal)."),
        ({"winner": None, "reason": "draw_limit", "points": 0}, "Result: no winner (draw limit)."),
        ({"winner": "red", "reason": "goal", "places": ["red", "yellow"]}, "Places: red, yellow."),
    ],
)
def test_the_result_is_told(geometry: Geometry, texts: Texts, result: dict[str, Any], told: str) -> None:
    text = words(geometry, texts, status="finished", result=result, may=["rematch"])
    assert told in text
    assert "Type rematch" in text
    assert "Turn:" not in text


def test_a_vote_and_an_absence_show_at_the_seat(geometry: Geometry, texts: Texts) -> None:
    seats = [{"seat": "red", "kind": "person", "name": "Ayumi", "present": False}]
    told = words(geometry, texts, seats=seats, rematch=["red"], status="finished")
    assert "Ayumi (you) (away) - 0 home - votes for a rematch" in told


def test_a_long_name_leaves_the_line_within_80_columns(geometry: Geometry, texts: Texts) -> None:
    seats = [{"seat": "red", "kind": "person", "name": "n" * 200, "present": False}]
    told = words(geometry, texts, seats=seats, rematch=["red"], status="finished")
    assert max(map(len, told.split("\n"))) <= 80


def test_legal_moves_are_listed_one_a_line(geometry: Geometry, texts: Texts) -> None:
    moves = [Legal("14-26", (14, 26), 0, 1), Legal("6-26", (6, 14, 26), 2, -2)]
    assert list_moves(moves, geometry, "red", texts) == [
        "  14-26    5.5-6.4      step     +1 row",
        "  6-26     4.1-6.4      2 jumps  -2 rows",
        "Legal moves: 2",
    ]


def test_destinations_are_numbered_in_two_columns_when_many(geometry: Geometry, texts: Texts) -> None:
    few = [Legal("14-26", (14, 26), 0, 1), Legal("14-27", (14, 27), 1, 1)]
    assert list_picks(few, geometry, "red", texts) == [
        "  1  6.4    step     +1 row",
        "  2  6.5    1 jump   +1 row",
    ]
    assert len(list_picks(few * 5, geometry, "red", texts)) == 5


@pytest.mark.parametrize("missing", ["id", "version", "seats", "position", "facts"])
def test_a_snapshot_without_what_is_promised_is_a_bad_answer(missing: str) -> None:
    data = snapshot_json()
    del data[missing]
    with pytest.raises(BadAnswer):
        read_snapshot(data)


def test_legal_moves_of_another_shape_are_a_bad_answer() -> None:
    with pytest.raises(BadAnswer):
        read_legal({"legal_moves": ["14-26"]})
