"""The words beside the board say whose turn it is, what was played, and how things ended."""

from typing import Any

import pytest

from mitsuboshi_play.boards.board import Board
from mitsuboshi_play.paint import plain
from mitsuboshi_play.snapshot import BadAnswer, Described, read_legal, read_snapshot
from mitsuboshi_play.status import describe, list_moves, list_picks
from mitsuboshi_play.texts import Texts

from .conftest import snapshot_json


def words(board: Board, texts: Texts, view: str = "red", **changes: Any) -> str:
    room = read_snapshot(snapshot_json(**changes))
    return "\n".join(plain(line) for line in describe(room, board, view, texts))


def test_the_turn_the_seats_and_the_draw_limit_are_told(board: Board, texts: Texts) -> None:
    facts = {"in_target": {"red": 14, "yellow": 3}, "king_to_apex": []}
    assert words(board, texts, facts=facts) == (
        "Room k7Qm2wXzP4sD, game 1, ply 0, version 3\n"
        " > red     Ayumi (you) - 14 home\n"
        "   yellow  AI, advanced - 3 home\n"
        "Turn: red (you) - 800 plies to the draw limit"
    )


def test_the_last_move_is_in_the_viewers_rows_and_numbers(board: Board, texts: Texts) -> None:
    moves = [{"seat": "red", "ply": 0, "move": "6-26", "path": [6, 14, 26], "jumps": 2}]
    assert "Last: red 4.1-5.5-6.4" in words(board, texts, last_moves=moves)
    assert "Last: red 10.10-9.9-8.9" in words(board, texts, "yellow", last_moves=moves)


def test_a_long_path_is_cut_in_the_middle(board: Board, texts: Texts) -> None:
    moves = [{"seat": "red", "ply": 0, "move": "0-20", "path": list(range(20)), "jumps": 19}]
    assert words(board, texts, last_moves=moves).split("\n")[3] == (
        "Last: red 1.1-2.1-2.2-3.1-3.2-3.3-…-5.10"
    )


def test_a_pass_is_told(board: Board, texts: Texts) -> None:
    moves = [{"seat": "yellow", "ply": 1, "move": "pass", "path": [], "jumps": 0}]
    assert "Last: yellow pass" in words(board, texts, last_moves=moves)


def test_what_is_due_is_told(board: Board, texts: Texts) -> None:
    facts = {"in_target": {}, "king_to_apex": ["red"]}
    assert "King to the apex: the target of red is full" in words(board, texts, facts=facts)
    assert "type pass" in words(board, texts, must_pass=True)
    assert "58 s left" in words(board, texts, clock={"per_move_ms": 60000, "remaining_ms": 58211})
    offer = {"kind": "undo", "by": "yellow", "version": 7, "to_version": 5, "waiting_for": ["red"]}
    assert "yellow asks to take moves back" in words(board, texts, offer=offer)
    assert "waiting for yellow" in words(board, texts, offer=offer | {"by": "red", "waiting_for": ["yellow"]})
    assert "An offer of yellow is open" in words(board, texts, offer=offer | {"waiting_for": ["green"]})


def test_a_waiting_room_says_for_whom_and_what_its_owner_may_do(board: Board, texts: Texts) -> None:
    seats = [{"seat": "red", "kind": "person", "name": None}, {"seat": "yellow", "kind": "open"}]
    waiting: dict[str, Any] = {"status": "waiting", "seats": seats, "position": None, "to_move": None}
    told = words(board, texts, **waiting, may=["start"])
    assert "Waiting for players: yellow open." in told
    assert "Type start" in told
    assert "(no name)" in told
    assert "Type start" not in words(board, texts, **waiting, may=[])


@pytest.mark.parametrize(
    ("result", "told"),
    [
        ({"winner": "red", "reason": "goal", "points": 1}, "Result: red wins (goal)."),
        ({"winner": None, "reason": "draw_limit", "points": 0}, "Result: no winner (draw limit)."),
        ({"winner": "red", "reason": "goal", "places": ["red", "yellow"]}, "Places: red, yellow."),
    ],
)
def test_the_result_is_told(board: Board, texts: Texts, result: dict[str, Any], told: str) -> None:
    text = words(board, texts, status="finished", result=result, may=["rematch"])
    assert told in text
    assert "Type rematch" in text
    assert "Turn:" not in text


def test_a_vote_and_an_absence_show_at_the_seat(board: Board, texts: Texts) -> None:
    seats = [{"seat": "red", "kind": "person", "name": "Ayumi", "present": False}]
    told = words(board, texts, seats=seats, rematch=["red"], status="finished")
    assert "Ayumi (you) (away) - 0 home - votes for a rematch" in told


def test_a_long_name_leaves_the_line_within_80_columns(board: Board, texts: Texts) -> None:
    seats = [{"seat": "red", "kind": "person", "name": "n" * 200, "present": False}]
    told = words(board, texts, seats=seats, rematch=["red"], status="finished")
    assert max(map(len, told.split("\n"))) <= 80


def legal(text: str, *path: int, jumps: int, rows: int) -> Described:
    return Described(text, {"path": list(path), "jumps": jumps, "rows": rows})


def test_legal_moves_are_listed_one_a_line(board: Board, texts: Texts) -> None:
    moves = [legal("14-26", 14, 26, jumps=0, rows=1), legal("6-26", 6, 14, 26, jumps=2, rows=-2)]
    assert list_moves(moves, board, "red", texts) == [
        "  14-26    5.5-6.4      step     +1 row",
        "  6-26     4.1-6.4      2 jumps  -2 rows",
        "Legal moves: 2",
    ]


def test_destinations_are_numbered_in_two_columns_when_many(board: Board) -> None:
    few = [legal("14-26", 14, 26, jumps=0, rows=1), legal("14-27", 14, 27, jumps=1, rows=1)]
    assert list_picks(few, board, "red") == [
        "  1  6.4    step     +1 row",
        "  2  6.5    1 jump   +1 row",
    ]
    assert len(list_picks(few * 5, board, "red")) == 5


def test_a_move_without_its_details_is_a_bad_answer(board: Board, texts: Texts) -> None:
    for details in ({}, {"path": [14]}, {"path": "14-26"}, {"path": [14, 26]}):
        with pytest.raises(BadAnswer):
            list_moves([Described("14-26", details)], board, "red", texts)


@pytest.mark.parametrize("missing", ["id", "version", "seats", "position", "facts"])
def test_a_snapshot_without_what_is_promised_is_a_bad_answer(missing: str) -> None:
    data = snapshot_json()
    del data[missing]
    with pytest.raises(BadAnswer):
        read_snapshot(data)


def test_legal_moves_of_another_shape_are_a_bad_answer() -> None:
    with pytest.raises(BadAnswer):
        read_legal({"legal_moves": [["14-26"]]})
