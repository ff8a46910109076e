"""Requests sent again under one Idempotency-Key: one effect, one answer, on any process."""

from __future__ import annotations

import socket
from typing import Any

import httpx

from tests.processes import Service
from tests.rest import Guest, Json, ask_seat, create, join, ok, refused, send, together

KEY = "0123456789abcdef-{}".format


def test_a_move_whose_answer_was_lost_is_sent_again(
    running: Service, http: httpx.Client, other: httpx.Client
) -> None:
    """The second answer is the first one's, and there is one event; another body is refused."""
    red = create(http)
    yellow = join(red)
    body = b'{"type":"move","move":"14-26"}'
    head = (
        f"POST {red.path}/actions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        f"Authorization: Bearer {red.token}\r\nIdempotency-Key: {KEY(1)}\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    ).encode()
    address, _, port = running.urls[0].removeprefix("http://").partition(":")
    with socket.create_connection((address, int(port))) as lost:
        lost.sendall(head + body)
    applied = red.wait_for(lambda room: room["to_move"] == "yellow", "the move is applied")["version"]
    again = ok(red.at(other).act("move", move="14-26", key=KEY(1)))
    assert (again["applied_version"], again["version"]) == (applied, applied)
    assert red.kinds().count("move_played") == 1
    refused(red.act("move", move="14-27", key=KEY(1)), 422, "key_reused")
    refused(red.act("pass", key=KEY(1)), 422, "key_reused")
    yellow.move(yellow.see()["legal_moves"][0])
    later = ok(red.act("move", move="14-26", key=KEY(1)))
    assert (later["applied_version"], later["version"]) == (applied, applied + 1)


def test_white_space_and_the_order_of_fields_make_no_other_body(http: httpx.Client) -> None:
    """A client may write its JSON anew."""
    device = create(http, seats={"red": "me", "yellow": "me"})
    path, kind = f"{device.path}/actions", {"Content-Type": "application/json"}
    first = b'{"type":"move","move":"14-26"}'
    second = b' {"move" : "14-26", "seat": null, "type": "move"} '
    answers = [
        ok(send(device.http, "POST", path, device.token, KEY(2), content=text, headers=kind))
        for text in (first, second)
    ]
    assert answers[0]["applied_version"] == answers[1]["applied_version"]
    assert device.see()["ply"] == 1


def test_a_creation_sent_many_times_at_once_makes_one_room(http: httpx.Client, other: httpx.Client) -> None:
    """The same room and the same token from both processes, every time."""
    for number in range(15):
        key = KEY(100 + number)
        answers = together(
            *(lambda c=c, k=key: new_room(c, k, name="Aya") for c in (http, other, http, other, http))
        )
        assert {answer.status_code for answer in answers} == {201}
        bodies = [answer.json() for answer in answers]
        assert len({(body["room"]["id"], body["token"]) for body in bodies}) == 1
        assert {body["applied_version"] for body in bodies} == {2}
        assert all(body["seats"] == ["red"] for body in bodies)
        refused(new_room(http, key, name="Ben"), 422, "key_reused")
        guest = Guest(other, bodies[0]["room"]["id"], bodies[0]["token"])
        assert guest.kinds() == ["room_created", "seat_taken"]


def test_the_same_key_of_another_token_makes_another_room(http: httpx.Client) -> None:
    """A key is its sender's own."""
    red = create(http)
    rooms = {create(http, key=KEY(3)).room, create(http, token=red.token, key=KEY(3)).room}
    assert len(rooms) == 2
    assert create(http, token=red.token, key=KEY(3)).room in rooms


def test_a_join_sent_again_gets_the_same_seat_and_token(http: httpx.Client, other: httpx.Client) -> None:
    """Also in the same instant; another key gets another seat."""
    for number in range(10):
        red = create(http, seats={"green": "open"})
        key = KEY(200 + number)
        answers = [
            ok(answer, 201)
            for answer in together(
                *(lambda c=c, r=red, k=key: ask_seat(r.at(c), key=k) for c in (http, other, other))
            )
        ]
        assert len({(answer["token"], tuple(answer["seats"])) for answer in answers}) == 1
        assert answers[0]["seats"] == ["yellow"]
        refused(ask_seat(red, key=key, seat="green"), 422, "key_reused")
        assert ok(ask_seat(red, key=KEY(300 + number)), 201)["seats"] == ["green"]


def test_a_resignation_sent_three_times_at_once_counts_once(http: httpx.Client, other: httpx.Client) -> None:
    """Without a key the repeats find the game over, with its final snapshot."""
    for _ in range(10):
        red = create(http)
        yellow = join(red)
        answers = together(*(lambda c=c, y=yellow: y.at(c).act("resign") for c in (http, other, http)))
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409]
        for answer in answers:
            if answer.status_code == 409:
                final = refused(answer, 409, "game_over")["room"]
                assert final["result"] == {"winner": "red", "reason": "resignation", "points": 1}
        assert red.kinds().count("game_ended") == 1


def test_the_key_is_looked_at_before_the_version_and_the_turn(http: httpx.Client) -> None:
    """What was applied is told again, although the game has moved on, and even when it is over."""
    red = create(http)
    yellow = join(red)
    version = red.see()["version"]
    first = ok(red.act("move", move="14-26", version=version, key=KEY(4)))
    again = ok(red.act("move", move="14-26", version=version, key=KEY(4)))
    assert again["applied_version"] == first["applied_version"] == version + 1
    refused(red.act("move", move="14-26", version=version), 409, "stale_version", "version")
    yellow.did("resign")
    after = ok(red.act("move", move="14-26", version=version, key=KEY(4)))
    assert (after["applied_version"], after["status"]) == (version + 1, "finished")
    refused(red.act("move", move="14-26", version=version, key=KEY(5)), 409, "game_over")


def test_a_refusal_is_not_remembered(http: httpx.Client) -> None:
    """What could not be done then may be done now, under the same key."""
    red = create(http)
    body: dict[str, Any] = {"kind": "move", "move": "14-26", "key": KEY(6)}
    refused(red.act(**body), 409, "not_playing")
    refused(red.act(**{**body, "move": "0-120"}), 409, "not_playing")
    join(red)
    assert ok(red.act(**body))["ply"] == 1
    other_room = create(http, seats={"red": "me", "yellow": "me"})
    refused(other_room.act("move", move="0-120", key=KEY(6)), 422, "illegal_move", "move")
    assert other_room.did("move", move="14-26", key=KEY(6))["ply"] == 1


def test_a_key_outlives_the_rooms_end(http: httpx.Client) -> None:
    """While a closed room can be read, its repeats are answered as before."""
    red = create(http, seats={"red": "me", "yellow": "me"}, key=KEY(7))
    applied = ok(red.act("move", move="14-26", key=KEY(8)))["applied_version"]
    ok(red.close())
    again: Json = ok(red.act("move", move="14-26", key=KEY(8)))
    assert (again["applied_version"], again["status"]) == (applied, "closed")
    assert create(http, seats={"red": "me", "yellow": "me"}, key=KEY(7)).room == red.room


def new_room(http: httpx.Client, key: str, **body: Any) -> httpx.Response:
    """The answer to a creation."""
    return send(http, "POST", "/v1/rooms", key=key, json={"game": "diamond", **body})
