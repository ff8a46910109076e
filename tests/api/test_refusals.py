"""What a room refuses, with its state beside the refusal; and the order in which a request is looked at."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from mitsuboshi.rooms.seats import GAMES_MAX
from tests.rest import Guest, Json, ask_seat, create, join, ok, problem_of, refused, send

LONG_KEY, SHORT_KEY = "k" * 20, "k"
MOVE: Json = {"type": "move", "move": "14-26"}
FORBIDDEN = [
    # who acts, what, status, code, field; red and yellow play, red is the owner and to move
    ("stranger", {"type": "move", "move": "14-26"}, 401, "no_token", None),
    ("outsider", {"type": "move", "move": "14-26"}, 403, "not_seated", None),
    ("outsider", {"type": "rename", "name": "x"}, 403, "not_seated", None),
    ("outsider", {"type": "start"}, 403, "not_owner", None),
    ("yellow", {"type": "start"}, 403, "not_owner", None),
    ("yellow", {"type": "move", "move": "14-26"}, 409, "not_your_turn", None),
    ("yellow", {"type": "pass"}, 409, "not_your_turn", None),
    ("yellow", {"type": "move", "move": "14-26", "seat": "red"}, 403, "not_your_seat", "seat"),
    ("red", {"type": "move", "move": "14-26", "seat": "yellow"}, 403, "not_your_seat", "seat"),
    ("red", {"type": "move", "move": "14-26", "seat": "green"}, 403, "not_your_seat", "seat"),
    ("red", {"type": "start"}, 409, "already_started", None),
    ("red", {"type": "rematch"}, 409, "not_finished", None),
    ("red", {"type": "answer", "to": "rematch", "accept": True}, 409, "not_finished", None),
    ("red", {"type": "undo"}, 409, "undo_off", None),
    ("red", {"type": "pass"}, 422, "illegal_move", "move"),
    ("red", {"type": "move", "move": "14-26", "version": 1}, 409, "stale_version", "version"),
    ("red", {"type": "move", "move": "14-26", "version": 999}, 409, "stale_version", "version"),
    ("red", {"type": "move", "move": "14-26", "version": 10**30}, 409, "stale_version", "version"),
    ("red", {"type": "resign", "version": 1}, 409, "stale_version", "version"),
]


@pytest.fixture(scope="module")
def guests(http: httpx.Client) -> dict[str, Guest]:
    """Two people in a game that nothing in this module changes, and two who are not in it."""
    red = create(http, name="Aya")
    outsider = Guest(http, red.room, create(http).token)
    return {"red": red, "yellow": join(red, name="Ben"), "outsider": outsider, "stranger": red.stranger()}


@pytest.mark.parametrize(("who", "body", "told"), [(who, body, told) for who, body, *told in FORBIDDEN])
def test_what_may_not_be_done_is_refused_with_the_state(
    guests: dict[str, Guest], who: str, body: Json, told: tuple[int, str, str | None]
) -> None:
    """A conflict shows the room as the caller sees it, and nothing has happened."""
    guest, (status, code, field) = guests[who], told
    before = guest.see()
    answer = send(guest.http, "POST", f"{guest.path}/actions", guest.token, json=body)
    problem = refused(answer, status, code, field)
    if status == 409:
        assert (problem["version"], problem["room"]["you"], problem["room"]["may"]) == (
            before["version"],
            before["you"],
            before["may"],
        )
    assert guest.see()["version"] == before["version"]


def test_seats_are_refused_by_what_holds_them(http: httpx.Client, guests: dict[str, Guest]) -> None:
    """A person has it, an AI was put there when the game began, or it does not exist."""
    red = guests["red"]
    told = refused(ask_seat(red), 409, "seat_taken")
    assert told["room"]["you"] == []
    refused(ask_seat(red, seat="yellow"), 409, "seat_taken")
    refused(ask_seat(red, seat="green"), 422, "invalid_body", "seat")
    refused(ask_seat(red, seat=""), 422, "invalid_body", "seat")
    started = create(http, seats={"green": "open"})
    started.did("start")
    refused(ask_seat(started, seat="red"), 409, "seat_taken")
    refused(ask_seat(started, seat="green"), 409, "already_started")
    refused(ask_seat(started), 409, "already_started")
    against_ai = create(http, seats={"red": "me", "yellow": {"ai": "beginner"}})
    refused(ask_seat(against_ai, seat="yellow"), 409, "seat_taken")
    refused(send(http, "POST", f"{red.path}/seats", "x.y", json={}), 401, "unknown_token")


def test_before_the_start_there_is_nothing_to_play(http: httpx.Client) -> None:
    """Whoever acts too early is told so."""
    red = create(http)
    for kind, fields in (("move", {"move": "14-26"}), ("pass", {}), ("undo", {}), ("resign", {})):
        refused(red.act(kind, **fields), 409, "not_playing")
    refused(red.act("rematch"), 409, "not_finished")


def test_after_the_end_there_is_nothing_to_play(http: httpx.Client) -> None:
    """Until a rematch; a vote that was never cast cannot be taken back."""
    red = create(http)
    yellow = join(red)
    red.did("resign")
    for kind, fields in (("move", {"move": "14-26"}), ("pass", {}), ("undo", {}), ("resign", {})):
        told = refused(yellow.act(kind, **fields), 409, "game_over")
        assert told["room"]["result"]["winner"] == "yellow"
    refused(red.act("answer", to="rematch", accept=False), 409, "nothing_to_answer")
    refused(red.act("start"), 409, "already_started")


def test_a_private_room_shows_itself_to_its_people_alone(http: httpx.Client) -> None:
    """Not even a refusal tells a stranger its state."""
    red = create(http, visibility="private")
    outsider = Guest(http, red.room, create(http).token)
    for guest in (red.stranger(), outsider):
        for part in ("", "/events", "/record", "/legal-moves"):
            refused(guest.get(part), 403, "private_room")
        refused(ask_seat(guest, guest.token), 403, "wrong_invite", "invite")
        refused(ask_seat(guest, guest.token, invite="x" * 16), 403, "wrong_invite", "invite")
    ok(red.close())
    told = refused(ask_seat(outsider, outsider.token), 410, "room_closed")
    assert "room" not in told
    refused(outsider.close(), 403, "not_owner")
    assert refused(red.close(), 410, "room_closed")["room"]["status"] == "closed"


def test_a_room_holds_a_bounded_number_of_games(http: httpx.Client) -> None:
    """The next rematch is refused, and the room stays as it is."""
    device = create(http, seats={"red": "me", "yellow": "me"})
    for number in range(2, GAMES_MAX + 1):
        device.did("resign")
        assert device.did("rematch")["game_number"] == number
    device.did("resign")
    told = refused(device.act("rematch"), 409, "too_many_games")
    assert len(told["room"]["games"]) == GAMES_MAX - 1


# --- the order ----------------------------------------------------------------------------------------------


def asked(
    http: httpx.Client, room: str, token: str | None, body: Any, key: str | None = None
) -> tuple[int, str]:
    """Status and code of a refused action."""
    answer = send(http, "POST", f"/v1/rooms/{room}/actions", token, key, json=body)
    told = problem_of(answer)
    return told["status"], told["code"]


def test_a_request_is_looked_at_in_one_order(guests: dict[str, Guest]) -> None:
    """Token, room, body, key, status, version, turn, and the move's text at last."""
    red, yellow = guests["red"], guests["yellow"]
    http, room, token = red.http, red.room, yellow.token
    bad_body: Json = {"type": "move", "move": 7}
    bad_move: Json = {"type": "move", "move": "x", "version": 0}
    assert asked(http, "nowhere00000", None, bad_body, SHORT_KEY) == (401, "no_token")
    assert asked(http, "nowhere00000", "x.y", bad_body, SHORT_KEY) == (401, "unknown_token")
    assert asked(http, "nowhere00000", token, bad_body, SHORT_KEY) == (404, "room_not_found")
    assert asked(http, "nowhere00000", token, MOVE, SHORT_KEY) == (404, "room_not_found")
    assert asked(http, room, token, bad_body, SHORT_KEY) == (422, "invalid_body")
    assert asked(http, room, token, bad_move, SHORT_KEY) == (422, "invalid_query")
    assert asked(http, room, token, bad_move | {"type": "nope"}, SHORT_KEY) == (422, "unknown_action")
    assert asked(http, room, token, bad_move, LONG_KEY) == (409, "stale_version")
    assert asked(http, room, token, {"type": "rematch", "version": 0}) == (409, "not_finished")
    assert asked(http, room, token, {"type": "move", "move": "x"}) == (409, "not_your_turn")
    assert asked(http, room, red.token, {"type": "move", "move": "x"}) == (422, "invalid_move")


def test_a_used_key_is_found_before_the_state_is_looked_at(http: httpx.Client) -> None:
    """Another body under it is refused as that, however stale, late or illegal it is."""
    device = create(http, seats={"red": "me", "yellow": "me"})
    device.did("move", move="14-26", key=LONG_KEY)
    device.did("resign")
    body = {"type": "move", "move": "x", "version": 0}
    assert asked(http, device.room, device.token, body, LONG_KEY) == (422, "key_reused")
    ok(device.close())
    assert asked(http, device.room, device.token, body, LONG_KEY) == (422, "key_reused")
    assert asked(http, device.room, device.token, body, LONG_KEY + "2") == (410, "room_closed")


def test_a_creation_is_looked_at_in_the_same_order(http: httpx.Client) -> None:
    """Token, body, key."""
    bad: Json = {"game": 7}
    for token, body, key, code in (
        ("x.y", bad, SHORT_KEY, "unknown_token"),
        (None, bad, SHORT_KEY, "invalid_body"),
        (None, {"game": "diamond"}, SHORT_KEY, "invalid_query"),
        (None, {"game": "chess"}, None, "game_not_found"),
    ):
        assert problem_of(send(http, "POST", "/v1/rooms", token, key, json=body))["code"] == code
