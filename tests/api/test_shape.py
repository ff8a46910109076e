"""The shape of what clients rely on: a creation, a snapshot, every kind of event; and no secret in them."""

from __future__ import annotations

import socket
from typing import Any

import httpx
import msgspec
import pytest
from redis import Redis

from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.state import Room
from tests.api.courses import COURSES, throwing
from tests.processes import Service, wait_until
from tests.rest import Guest, Json, ask_seat, create, join, ok, send

CREATION: Json = {
    "game": "diamond",
    "seats": {"red": "me", "yellow": {"ai": "advanced"}, "green": "open"},
    "options": {},
    "visibility": "unlisted",
    "name": "Ayumi",
    "undo": "default",
    "metadata": {"ref": "up to 1 kB, the integrator's"},
}
SNAPSHOT: Json = {
    "game": "diamond",
    "status": "playing",
    "version": 3,
    "visibility": "unlisted",
    "options": {
        "king_min_run": 1,
        "border_stop": True,
        "first_seat": "red",
        "places": "first",
        "leave_target": True,
        "draw_plies_per_seat": 400,
    },
    "players": 2,
    "game_number": 1,
    "games": [],
    "rematch": [],
    "you": ["red"],
    "may": ["move", "resign", "leave", "rename"],
    "position": "R/rr/rrr/rrrr/4rrrrr4/12/11/10/y8/yy8/yyy8/yyyy8/Yyyyy8/4/3/2/1 r 2 0 0",
    "to_move": "red",
    "ply": 0,
    "dice": None,
    "must_pass": False,
    "last_moves": [],
    "offer": None,
    "draw_limit": {"plies": 800, "left": 800},
    "facts": {"in_target": {"red": 0, "yellow": 0}, "king_to_apex": []},
    "result": None,
    "metadata": {},
}
BOARD = {"position", "to_move", "ply"}
EVENTS = {
    "room_created": {
        *("room", "game", "visibility", "options", "seats", "undo", "metadata"),
        *("clock_ms", "absence_ms", "absence_then", "commitment"),
    },
    "seat_taken": {"seat", "name"},
    "seat_left": {"seat", "level"},
    "nonces_awaited": {"fill"},
    "nonce_given": {"seats", "nonce"},
    "game_started": {"game_number", "seats", "nonces", "commitment", *BOARD},
    "dice_rolled": {"seat", "dice", "throw", *BOARD},
    "step_made": {"seat", "step", "steps", "position", "position_now", "to_move"},
    "step_undone": {"seat", "step", "steps", "position", "position_now", "to_move"},
    "move_played": {"seat", "move", "path", "jumps", "rows", "throw", "dice", "parts", *BOARD},
    "undone": {"seat", "plies", "last_moves", *BOARD},
    "clock_expired": {"seat"},
    "seat_absent": {"seat"},
    "seat_substituted": {"seat", "level"},
    "seat_returned": {"seat"},
    "offer_made": {"offer"},
    "offer_answered": {"kind", "seats", "accept"},
    "offer_expired": {"kind"},
    "game_ended": {"result", "dice_secret", "commitment"},
    "rematch_voted": {"seats", "accept"},
    "renamed": {"seats", "name"},
    "room_closed": {"by", "dice_secret"},
}


def test_a_creation_says_what_the_contract_says(http: httpx.Client) -> None:
    """Token, seats, invite, version and room, and nothing else."""
    made = ok(send(http, "POST", "/v1/rooms", json=CREATION), 201)
    assert made.keys() == {"token", "seats", "invite", "applied_version", "room"}
    assert (made["seats"], made["invite"], made["applied_version"]) == (["red"], None, 2)
    assert made["room"]["metadata"] == CREATION["metadata"]
    assert [seat["kind"] for seat in made["room"]["seats"]] == ["person", "ai", "open"]
    private = ok(send(http, "POST", "/v1/rooms", json={**CREATION, "visibility": "private"}), 201)
    for opaque in (private["token"], private["invite"], private["room"]["id"]):
        assert len(opaque) >= 12
        assert set(opaque) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~")


def test_a_snapshot_says_what_the_contract_says(http: httpx.Client) -> None:
    """Two players, just started: every value, or its kind where it is not the same each time."""
    body = {"game": "diamond", "seats": {"red": "me", "yellow": {"ai": "advanced"}}, "name": "Ayumi"}
    room = ok(send(http, "POST", "/v1/rooms", json=body), 201)["room"]
    assert {name: room[name] for name in SNAPSHOT} == SNAPSHOT
    assert {"0-26", "6-26"} <= set(room["legal_moves"])
    red, yellow = room["seats"]
    assert (red["seat"], red["kind"], red["name"]) == ("red", "person", "Ayumi")
    assert (yellow["seat"], yellow["kind"], yellow["level"]) == ("yellow", "ai", "advanced")
    assert isinstance(room["server_now_ms"], int)
    assert 0 < room["expires_in_ms"] <= 86_400_000


def test_a_last_move_and_a_result_say_what_the_contract_says(http: httpx.Client) -> None:
    """Seat, ply, move, path and jumps; winner, reason and points."""
    device = create(http, seats={"red": "me", "yellow": "me"})
    room = device.move("6-26")
    (move,) = room["last_moves"]
    assert move == {"seat": "red", "ply": 1, "move": "6-26", "path": [6, 26], "jumps": 1, "rows": 2}
    assert room["applied_version"] == room["version"]
    assert device.did("resign")["result"] == {"winner": "red", "reason": "resignation", "points": 1}


def test_every_kind_of_event_has_its_fields(http: httpx.Client) -> None:
    """Type, id, version and time, and what the kind is about; those that change the board carry it."""
    assert set(EVENTS) | {"passed"} == {str(kind.__struct_config__.tag) for kind in e.AnyEvent.__args__}
    seen: dict[str, set[str]] = {}
    for event in (event for course in COURSES for event in course(http).events()):
        assert {"type", "id", "version", "at_ms"} <= event.keys()
        assert isinstance(event["at_ms"], int)
        fields = event.keys() - {"type", "id", "version", "at_ms"}
        if event["type"] == "passed":  # Only in some games.
            continue
        assert fields <= EVENTS[event["type"]], event
        seen[event["type"]] = seen.get(event["type"], set()) | fields
    assert seen == EVENTS


@pytest.fixture
def secrets(running: Service, http: httpx.Client) -> tuple[Guest, Guest, set[str]]:
    """Two people of a private room, and everything that nobody but one of them may learn."""
    made = ok(send(http, "POST", "/v1/rooms", json={"game": "diamond", "visibility": "private"}), 201)
    red = Guest(http, made["room"]["id"], made["token"])
    yellow = join(red, invite=made["invite"])
    with Redis.from_url(running.redis_url, protocol=2) as redis:
        value: Any = redis.get(f"{{p0}}:room:{red.room}")
        secret: Any = redis.get("mitsuboshi:secret")
    room = msgspec.msgpack.decode(value[value.index(b" ") + 1 :], type=Room)
    people = {room.owner, *room.people()}
    assert len(people) == 2
    assert room.invite == made["invite"]
    tokens = {str(guest.token) for guest in (red, yellow)}
    assert all(any(token.startswith(person) for token in tokens) for person in people)
    return red, yellow, {*tokens, *people, room.invite, secret.decode()}


def test_no_secret_is_in_anything_that_is_read(secrets: tuple[Guest, Guest, set[str]]) -> None:
    """Not in a snapshot, an event, a record or a refusal, whoever asks for it."""
    red, yellow, hidden = secrets
    red.move("14-26")
    texts = []
    parts = ("", "/events", "/record", "/record?format=text", "/legal-moves")
    for guest in (red, yellow, red.stranger(), Guest(red.http, red.room, create(red.http).token)):
        texts += [guest.get(part).text for part in parts]
        texts += [
            guest.act(kind, **fields).text
            for kind, fields in (
                ("move", {"move": "14-27", "version": 1}),
                ("move", {"move": "x", "seat": "green"}),
                ("undo", {}),
                ("start", {}),
                ("rename", {"name": "\u200b"}),
            )
        ]
        texts += [ask_seat(guest, guest.token, invite="x").text, guest.close().text]
    texts += [guest.get(part).text for guest in (red, yellow) for part in parts]
    assert len(texts) > 40
    for text in texts:
        assert not [secret for secret in hidden if secret in text], text


def unreadable(guest: Guest) -> None:
    """Send what is no HTTP, with the guest's token in it."""
    url = guest.http.base_url
    with socket.create_connection((url.host, url.port), timeout=10) as connection:
        connection.sendall(
            f"GET {guest.path} HTTP/1.1\r\nAuthorization Bearer {guest.token}\r\n\r\n".encode()
        )
        while connection.recv(4096):
            pass


def test_a_token_is_in_no_log(running: Service, secrets: tuple[Guest, Guest, set[str]]) -> None:
    """Whatever is done with it, rightly or wrongly."""
    red, yellow, hidden = secrets
    for guest in (red, yellow):
        guest.get(params={"token": guest.token})
        guest.act("move", move="14-26")
        guest.act("nonsense")
        guest.http.get(f"/v1/rooms/{guest.room}", headers={"Authorization": f"Basic {guest.token}"})
        guest.http.get(f"/v1/rooms/{guest.token}")
        guest.http.post("/v1/rooms", content=b"\xff", headers={"Authorization": f"Bearer {guest.token}"})
        unreadable(guest)
    wait_until(lambda: "Invalid HTTP request" in running.logs(), "a word about what cannot be read")
    logs = running.logs()
    assert not [secret for secret in hidden if secret in logs]


def test_a_text_record_holds_what_its_dice_are_checked_by(http: httpx.Client) -> None:
    """The commitment and the nonces, as in JSON, and the secret once the game is over."""
    device = throwing(http)
    record = ok(device.get("/record"))
    text = device.get("/record?format=text").text
    tags = text.partition("\n\n")[0].splitlines()
    assert f"commitment {record['commitment']}" in tags
    assert f"dice_secret {record['dice_secret']}" in tags
    assert [f"nonce {seat} {nonce}" for seat, nonce in record["nonces"].items()] == [
        tag for tag in tags if tag.startswith("nonce ")
    ]
    assert record["nonces"]
