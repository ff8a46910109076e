"""Lists of rooms: the public ones for everybody, one's own for oneself, page by page."""

from __future__ import annotations

import httpx
import pytest

from mitsuboshi.api.lists import PAGE_ROOMS_MAX
from tests.rest import Guest, Json, create, join, ok, refused, send

AI = {"ai": "beginner"}


def pages(http: httpx.Client, path: str, token: str | None = None, **params: str) -> list[list[Json]]:
    """Every page of a list, from the newest room on."""
    found, cursor = [], None
    while True:
        asked = params | ({} if cursor is None else {"cursor": cursor})
        page = ok(send(http, "GET", path, token, params=asked))
        assert page.keys() == {"items", "next_cursor"}
        assert len(page["items"]) <= PAGE_ROOMS_MAX
        found.append(page["items"])
        cursor = page["next_cursor"]
        if cursor is None:
            return found


def public(http: httpx.Client, **params: str) -> list[str]:
    """The ids of all public rooms."""
    return [room["id"] for page in pages(http, "/v1/rooms", **params) for room in page]


def own(guest: Guest) -> list[str]:
    """The ids of all rooms in which the guest's token holds a seat."""
    return [room["id"] for page in pages(guest.http, "/v1/me/rooms", guest.token) for room in page]


def test_only_public_rooms_are_listed(http: httpx.Client, other: httpx.Client) -> None:
    """At every process, until they are closed."""
    listed = create(http, visibility="public")
    hidden = [create(http, visibility="unlisted"), create(http, visibility="private"), create(http)]
    for client in (http, other):
        rooms = public(client)
        assert rooms.count(listed.room) == 1
        assert not {guest.room for guest in hidden} & set(rooms)
    join(listed)
    listed.did("resign")
    assert listed.room in public(other)
    ok(listed.close())
    assert listed.room not in public(http)
    assert listed.room not in public(other)


def test_a_listed_room_is_summed_up(http: httpx.Client) -> None:
    """What a lobby shows: game, status, seats and whose turn it is; and which seats are the caller's."""
    red = create(http, visibility="public", name="Aya", seats={"red": "me", "yellow": "open", "green": AI})
    (before,) = [room for page in pages(http, "/v1/rooms") for room in page if room["id"] == red.room]
    assert before == {
        "id": red.room,
        "game": "diamond",
        "status": "waiting",
        "version": 2,
        "visibility": "public",
        "players": 3,
        "seats": [
            {"seat": "red", "kind": "person", "name": "Aya", "level": None},
            {"seat": "yellow", "kind": "open", "name": None, "level": None},
            {"seat": "green", "kind": "ai", "name": None, "level": "beginner"},
        ],
        "you": [],
        "to_move": None,
        "game_number": 0,
    }
    yellow = join(red)
    for guest, you in ((red, ["red"]), (yellow, ["yellow"])):
        (room,) = [r for page in pages(http, "/v1/rooms", guest.token) for r in page if r["id"] == red.room]
        assert (room["status"], room["to_move"], room["game_number"], room["you"]) == (
            "playing",
            "red",
            1,
            you,
        )


def test_a_long_list_is_read_page_by_page(http: httpx.Client, other: httpx.Client) -> None:
    """The newest first, each room once, also where rooms come meanwhile."""
    rooms = [create(http, visibility="public").room for _ in range(2 * PAGE_ROOMS_MAX + 7)]
    found = [page for page in pages(other, "/v1/rooms") if page]
    ids = [room["id"] for page in found for room in page]
    assert len(found[0]) == len(found[1]) == PAGE_ROOMS_MAX
    assert len(set(ids)) == len(ids)
    assert set(rooms) <= set(ids)
    order = [room_id for room_id in ids if room_id in set(rooms)]
    # Rooms of the same millisecond stand in any order, but always in the same.
    assert sum(a == b for a, b in zip(order, reversed(rooms), strict=True)) > PAGE_ROOMS_MAX
    assert order == [room_id for room_id in public(http) if room_id in set(rooms)]
    first = ok(http.get("/v1/rooms"))
    newer = create(http, visibility="public").room
    second = ok(http.get("/v1/rooms", params={"cursor": first["next_cursor"]}))
    assert newer not in [room["id"] for room in second["items"]]
    assert second["items"] == found[1]


def test_a_list_can_be_of_one_status_and_one_game(http: httpx.Client) -> None:
    """Whatever else there is; a game that nobody plays here has none."""
    waiting, playing, finished = (create(http, visibility="public") for _ in range(3))
    for guest in (playing, finished):
        join(guest)
    finished.did("resign")
    three = {waiting.room, playing.room, finished.room}
    for guest, status in ((waiting, "waiting"), (playing, "playing"), (finished, "finished")):
        assert three & set(public(http, status=status)) == {guest.room}
        assert three & set(public(http, status=status, game="diamond")) == {guest.room}
    assert public(http, game="chess") == []


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"status": "closed"}, "status"),
        ({"status": ""}, "status"),
        ({"game": "x" * 33}, "game"),
        ({"cursor": ""}, "cursor"),
        ({"cursor": "nonsense"}, "cursor"),
        ({"cursor": "-1.abc"}, "cursor"),
        ({"cursor": "1." + "x" * 65}, "cursor"),
        ({"cursor": "9" * 16 + ".abc"}, "cursor"),
        ({"cursor": "\u00b2.abc"}, "cursor"),
        ({"cursor": "1.a\nb"}, "cursor"),
    ],
)
def test_a_list_that_makes_no_sense_is_refused(http: httpx.Client, query: Json, field: str) -> None:
    """By the name of what is wrong."""
    refused(http.get("/v1/rooms", params=query), 422, "invalid_query", field)


def test_a_cursor_of_nowhere_is_a_place_like_any(http: httpx.Client) -> None:
    """Behind everything, or before it."""
    create(http, visibility="public")
    assert ok(http.get("/v1/rooms", params={"cursor": "0.abc"})) == {"items": [], "next_cursor": None}
    assert ok(http.get("/v1/rooms", params={"cursor": "9" * 15 + ".abc"}))["items"]


def test_ones_own_rooms_are_those_with_a_seat_in_them(http: httpx.Client, other: httpx.Client) -> None:
    """Whatever their visibility and status; until one leaves, or they are closed."""
    ann = create(http, name="Ann")
    rooms = [
        create(http, ann.token, visibility=visibility) for visibility in ("public", "private", "unlisted")
    ]
    bob = create(other)
    join(bob, ann.token)
    assert own(ann) == [bob.room, *(guest.room for guest in reversed(rooms)), ann.room]
    assert own(bob) == [bob.room]
    for _ in range(2):
        assert own(ann.at(other)) == own(ann)
    owned = create(http, ann.token, seats={"red": "open"})
    assert owned.room not in own(ann)
    ok(rooms[0].close())
    rooms[1].did("leave")
    Guest(http, bob.room, ann.token).did("resign")
    assert own(ann) == [bob.room, rooms[2].room, ann.room]
    refused(http.get("/v1/me/rooms"), 401, "no_token")
    refused(send(http, "GET", "/v1/me/rooms", "nonsense"), 401, "unknown_token")


def test_a_bot_has_many_rooms(http: httpx.Client) -> None:
    """Page by page, by one token."""
    bot = create(http, seats={"yellow": AI})
    rooms = [create(http, bot.token, seats={"yellow": AI}).room for _ in range(PAGE_ROOMS_MAX + 5)]
    found = pages(http, "/v1/me/rooms", bot.token)
    assert [len(page) for page in found] == [PAGE_ROOMS_MAX, 6]
    assert {room["id"] for page in found for room in page} == {bot.room, *rooms}
    assert all(room["you"] == ["red"] for page in found for room in page)


def test_a_private_room_is_watched_by_its_people_alone(http: httpx.Client) -> None:
    """The invite opens a seat, and nothing else does."""
    made = ok(send(http, "POST", "/v1/rooms", json={"game": "diamond", "visibility": "private"}), 201)
    red = Guest(http, made["room"]["id"], made["token"])
    stranger = red.stranger()
    for part in ("", "/events", "/record", "/legal-moves"):
        refused(stranger.get(part), 403, "private_room")
        refused(Guest(http, red.room, create(http).token).get(part), 403, "private_room")
    for body in ({}, {"invite": None}, {"invite": ""}, {"invite": made["invite"][:-1]}, {"invite": red.room}):
        refused(send(http, "POST", f"{red.path}/seats", json=body), 403, "wrong_invite", "invite")
    yellow = join(red, invite=made["invite"])
    assert yellow.see()["you"] == ["yellow"]
    assert made["invite"] not in yellow.get().text
