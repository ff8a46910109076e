"""Rooms as series of games over REST: rematches, seats that move on, names, the end of a room."""

from __future__ import annotations

import httpx

from tests.e2e.test_game import START, holders, position
from tests.rest import ask_seat, create, join, ok, refused


def test_seats_move_on_from_game_to_game(http: httpx.Client, other: httpx.Client) -> None:
    """A rematch is each person's vote, which can be taken back; earlier results stay."""
    red = create(http, name="Aya")
    yellow = join(red.at(other), name="Ben")
    red.did("resign")
    assert red.did("rematch")["rematch"] == ["red"]
    assert yellow.see()["rematch"] == ["red"]
    assert red.see()["may"] == ["rematch", "answer", "leave", "rename"]
    assert red.did("answer", to="rematch", accept=False)["rematch"] == []
    refused(red.act("answer", to="rematch", accept=False), 409, "nothing_to_answer")
    yellow.did("rematch")
    second = red.did("rematch")
    assert holders(second) == [("red", "Ben"), ("yellow", "Aya")]
    assert (second["status"], second["game_number"], second["you"]) == ("playing", 2, ["yellow"])
    assert second["games"] == [{"winner": "yellow", "reason": "resignation", "points": 1}]
    assert (second["position"], second["ply"], second["last_moves"]) == (START, 0, [])
    yellow.move("14-26")
    yellow.did("resign")
    refused(red.act("answer", to="rematch", accept=True), 409, "nothing_to_answer")
    yellow.did("rematch")
    third = red.did("answer", to="rematch", accept=True)
    assert third["you"] == ["red"]
    assert holders(third) == [("red", "Aya"), ("yellow", "Ben")]
    assert [game["winner"] for game in third["games"]] == ["yellow", "yellow"]
    assert [move["move"] for move in ok(red.get("/record", params={"game": 2}))["moves"]] == ["14-26"]
    assert ok(red.get("/record", params={"game": 1}))["moves"] == []


def test_three_people_move_on_by_one_seat(http: httpx.Client) -> None:
    """The second gets the first seat, the first the last; each game begins alike."""
    text = position("win_with_foreign_pieces_on_border_3p")
    aya = create(http, position=text, name="Aya")
    ben, eri = join(aya, name="Ben"), join(aya, name="Eri")
    assert aya.move("92-105")["result"]["winner"] == "red"
    aya.did("rematch")
    ben.did("rematch")
    room = eri.did("rematch")
    assert holders(room) == [("red", "Ben"), ("yellow", "Eri"), ("green", "Aya")]
    assert (room["position"], room["you"]) == (text, ["yellow"])


def test_the_last_vote_may_be_cast_by_leaving(http: httpx.Client) -> None:
    """When those who are left have all voted, the next game begins."""
    red = create(http)
    yellow = join(red)
    yellow.did("resign")
    red.did("rematch")
    room = yellow.did("leave")
    assert (room["status"], room["game_number"]) == ("playing", 2)
    assert holders(room) == [("red", "person"), ("yellow", "intermediate")]


def test_the_owner_closes_the_room(http: httpx.Client, other: httpx.Client) -> None:
    """It can still be read; every action finds it closed."""
    red = create(http)
    yellow = join(red.at(other))
    refused(yellow.close(), 403, "not_owner")
    room = ok(red.close())
    assert (room["status"], room["applied_version"], room["may"]) == ("closed", room["version"], [])
    assert red.kinds()[-1] == "room_closed"
    for kind, fields in (("move", {"move": "14-26"}), ("leave", {}), ("rename", {"name": "x"}), ("undo", {})):
        refused(yellow.act(kind, **fields), 410, "room_closed")
    refused(red.close(), 410, "room_closed")
    refused(ask_seat(red), 410, "room_closed")
    refused(red.act("start"), 410, "room_closed")
    assert yellow.see()["status"] == "closed"
    assert ok(yellow.get("/record"))["game_number"] == 1


def test_names_are_cleaned_and_unique(http: httpx.Client) -> None:
    """A rename changes the version and makes no move stale."""
    red = create(http, name="  Aya   K ")
    refused(ask_seat(red, name="aya k"), 409, "name_taken", "name")
    yellow = join(red, name="Ben")
    before = red.see()["version"]
    assert holders(yellow.did("rename", name="Bé"))[1] == ("yellow", "B\u00e9")
    assert holders(red.move("14-26", version=before))[0] == ("red", "Aya K")
    refused(yellow.act("rename", name="AYA\u3000K"), 409, "name_taken", "name")
    refused(yellow.act("rename", name="\u202ea"), 422, "invalid_body", "name")
