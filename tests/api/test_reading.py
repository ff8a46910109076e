"""What can be read of a room: snapshot, long poll, legal moves, events, record."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from mitsuboshi.games.diamond import DIAMOND
from tests.api.courses import COURSES
from tests.conftest import ServiceFactory
from tests.processes import Service
from tests.rest import Guest, Json, connect, create, join, ok, refused

PROMPT_MS = 100
FOLDED = (
    *("version", "status", "seats", "game_number", "games", "rematch"),
    *("position", "to_move", "ply", "last_moves", "result", "offer"),
)
OF_A_SEAT = ("seat", "kind", "name", "level", "absent", "substituted")
BEGINNINGS = {"room_created", "game_started"}
THERE = {"absent": False, "substituted": False}
BOARD_EVENTS = {
    "room_created",
    "game_started",
    "move_played",
    "passed",
    "undone",
    "game_ended",
    "room_closed",
}


def test_a_known_version_is_not_sent_again(http: httpx.Client) -> None:
    """The ETag is the version; lists and weak tags are read as the standard has it."""
    red = create(http)
    answer = red.get()
    tag = answer.headers["etag"]
    assert tag == f'"{answer.json()["version"]}"'
    assert answer.headers["vary"] == "Authorization"
    for known in (tag, f"W/{tag}", f'"0", {tag}', f'"0",{tag}', "*"):
        same = red.get(headers={"If-None-Match": known})
        assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", tag)
    for unknown in ('"0"', "x", tag.strip('"'), ""):
        assert red.get(headers={"If-None-Match": unknown}).status_code == 200
    join(red)
    assert red.get(headers={"If-None-Match": tag}).status_code == 200


def test_a_waiting_reader_is_answered_when_the_other_process_plays(
    http: httpx.Client, other: httpx.Client
) -> None:
    """Within a tenth of a second, most of the time: the median of many."""
    red = create(http)
    yellow = join(red.at(other))
    delays = []
    with ThreadPoolExecutor(1) as threads:
        for number in range(14):
            mover, watcher = (red, yellow) if number % 2 == 0 else (yellow, red)
            room = mover.see()
            poll = waiting(threads, watcher, room["version"], 10)
            mover.move(room["legal_moves"][0])
            moved = time.monotonic()
            news, answered = poll.result(10)
            delays.append((answered - moved) * 1000)
            assert (news["version"], news["to_move"]) == (room["version"] + 1, watcher.see()["you"][0])
    assert sorted(delays)[len(delays) // 2] < PROMPT_MS, delays


def waiting(
    threads: ThreadPoolExecutor, guest: Guest, after: int, wait_s: float
) -> Future[tuple[Json, float]]:
    """A long poll that has been sent, with the snapshot and the time of its answer."""
    begun = threading.Event()

    def poll() -> tuple[Json, float]:
        request = guest.http.build_request(
            "GET",
            guest.path,
            params={"after": after, "wait_s": wait_s},
            headers={"Authorization": f"Bearer {guest.token}"} if guest.token else {},
            extensions={
                "trace": lambda name, _: begun.set() if name.endswith("request_body.complete") else None
            },
        )
        request.extensions["timeout"] = httpx.Timeout(30).as_dict()
        return ok(guest.http.send(request)), time.monotonic()

    future = threads.submit(poll)
    assert begun.wait(10)
    return future


def test_a_reader_waits_for_its_time_and_then_sees_the_room_as_it_is(http: httpx.Client) -> None:
    """No news is an answer too."""
    red = create(http)
    version = red.see()["version"]
    begun = time.monotonic()
    room = ok(red.get(params={"after": version, "wait_s": 0.5}))
    assert room["version"] == version
    assert 0.4 < time.monotonic() - begun < 5


@pytest.mark.parametrize("query", [{"after": 1, "wait_s": 30}, {"after": 999, "wait_s": 30}, {"wait_s": 30}])
def test_a_reader_who_is_behind_or_ahead_is_answered_at_once(http: httpx.Client, query: Json) -> None:
    """Ahead is one who saw what a crashed store has lost."""
    begun = time.monotonic()
    assert ok(create(http).get(params=query))["version"] == 2
    assert time.monotonic() - begun < 5


def test_waiting_readers_are_answered_when_the_process_is_told_to_end(service: ServiceFactory) -> None:
    """With the room as it is; the process then ends in order."""
    running = service(apis=1, workers=0)
    with connect(running.urls[0]) as http, ThreadPoolExecutor(3) as threads:
        red = create(http)
        version = red.see()["version"]
        polls = [waiting(threads, red, version, 50) for _ in range(3)]
        begun = time.monotonic()
        running.apis[0].process.send_signal(signal.SIGTERM)
        for poll in polls:
            assert poll.result(10)[0]["version"] == version
        assert time.monotonic() - begun < 5
    assert running.apis[0].stop() == 0


def test_legal_moves_tell_path_jumps_and_rows(http: httpx.Client) -> None:
    """For the side to move, whoever asks."""
    red = create(http, seats={"red": "me", "yellow": "open"})
    refused(red.get("/legal-moves"), 409, "not_playing")
    join(red)
    legal = ok(red.stranger().get("/legal-moves"))
    assert (legal["to_move"], legal["must_pass"], legal["outcome"]) == ("red", False, None)
    assert [move["move"] for move in legal["legal_moves"]] == red.see()["legal_moves"]
    assert {"move": "6-26", "path": [6, 26], "jumps": 1, "rows": 2} in legal["legal_moves"]
    assert {"move": "14-26", "path": [14, 26], "jumps": 0, "rows": 1} in legal["legal_moves"]
    red.did("resign")
    over = ok(red.get("/legal-moves"))
    assert (over["to_move"], over["legal_moves"]) == (None, [])
    assert over["outcome"] == {"winner": "yellow", "reason": "resignation", "points": 1}
    ok(red.close())
    refused(red.get("/legal-moves"), 410, "room_closed")


def test_events_come_in_pages(http: httpx.Client) -> None:
    """Numbered without a gap, with nothing after the last."""
    device = create(http, seats={"red": "me", "yellow": "me"})
    for _ in range(10):
        device.move(device.see()["legal_moves"][0])
    everything = device.events()
    assert [event["version"] for event in everything] == list(range(1, device.see()["version"] + 1))
    assert len({event["id"] for event in everything}) == len(everything)
    found: list[Json] = []
    after, more = 0, True
    while more:
        page = ok(device.get("/events", params={"after": after, "limit": 4}))
        found += page["events"]
        assert 1 <= len(page["events"]) <= 4
        after, more = page["next_after"], page["more"]
    assert found == everything
    last = ok(device.get("/events", params={"after": after}))
    assert last == {"events": [], "next_after": after, "more": False}


@pytest.mark.parametrize("after", [5000, 2**53])
def test_a_gap_that_cannot_be_filled_is_a_snapshot(http: httpx.Client, after: int) -> None:
    """One who claims to know more than there is starts anew."""
    red = create(http)
    page = ok(red.get("/events", params={"after": after}))
    assert [event["type"] for event in page["events"]] == ["snapshot"]
    assert (page["next_after"], page["more"]) == (2, False)
    room, seen = page["events"][0]["room"], red.see()
    for moving in ("server_now_ms", "expires_in_ms"):
        room.pop(moving)
        seen.pop(moving)
    assert room == seen


def test_the_fold_of_the_events_is_the_snapshot(http: httpx.Client) -> None:
    """A client that applies each event to what it knows sees what a fresh client sees."""
    red = create(http, undo="free", name="Aya", seats={"green": "open"})
    yellow = join(red, name="Ben")
    green = join(red, name="Eri")
    red.move("14-26")
    yellow.move(yellow.see()["legal_moves"][0])
    refused(green.act("undo"), 409, "nothing_to_undo")
    yellow.did("undo")
    assert_fold(red)
    yellow.move(yellow.see()["legal_moves"][3])
    green.did("rename", name="Emi")
    green.did("leave")
    red.wait_for(lambda room: room["to_move"] == "red", "the AI's move")
    assert_fold(red)
    yellow.did("leave")
    red.did("resign")
    assert_fold(red)
    red.did("rematch")
    assert_fold(red)
    ok(red.close())
    assert_fold(red)


@pytest.mark.parametrize("course", COURSES[:3], ids=lambda course: course.__name__)
def test_whatever_happens_can_be_folded(http: httpx.Client, course: Callable[[httpx.Client], Guest]) -> None:
    """Offers, absence and clocks too."""
    assert_fold(course(http))


def assert_fold(guest: Guest) -> None:
    """Fail unless the events of the guest's room, from the first on, fold to its snapshot."""
    room, folded = guest.see(), Json()
    for event in guest.events():
        if event["version"] <= room["version"]:
            folded = fold(folded, event)
    room["seats"] = [{name: seat[name] for name in OF_A_SEAT} for seat in room["seats"]]
    folded["seats"] = [dict.fromkeys(OF_A_SEAT, False) | seat for seat in folded["seats"]]
    assert {name: folded[name] for name in FOLDED} == {name: room[name] for name in FOLDED}


def fold(room: Json, event: Json) -> Json:
    """The room after the event, by nothing but what the event says."""
    named = ("position", "to_move", "ply", *(["seats"] if event["type"] in BEGINNINGS else []))
    board = {name: event[name] for name in named if name in event}
    return {
        **room,
        **board,
        **of_the_seats(room, event),
        **of_the_game(room, event),
        **of_the_offer(room, event),
        "version": event["version"],
    }


def of_the_seats(room: Json, event: Json) -> Json:
    """What the event changes of who holds which seat, and of their votes."""
    seats: list[Json] = room.get("seats", [])
    match event["type"]:
        case "seat_taken":
            return {"seats": with_seat(seats, event, kind="person", name=event.get("name"), level=None)}
        case "seat_left":
            level = event.get("level")
            votes = [seat for seat in room["rematch"] if seat != event["seat"]]
            holder = {"kind": "ai" if level else "open", "name": None, "level": level, **THERE}
            return {"seats": with_seat(seats, event, **holder), "rematch": votes}
        case "seat_absent":
            return {"seats": with_seat(seats, event, absent=True)}
        case "seat_substituted":
            return {"seats": with_seat(seats, event, substituted=True)}
        case "seat_returned":
            return {"seats": with_seat(seats, event, **THERE)}
        case "game_started" | "game_ended" | "room_closed":
            return {"seats": [seat | THERE for seat in event.get("seats", seats)]}
        case "renamed":
            renamed = event["seats"]
            return {"seats": [s | {"name": event["name"]} if s["seat"] in renamed else s for s in seats]}
        case "rematch_voted":
            changed = set(room["rematch"]) ^ set(event["seats"])
            return {"rematch": [s["seat"] for s in seats if s["seat"] in changed], "seats": seats}
    return {}


def of_the_offer(room: Json, event: Json) -> Json:
    """What the event changes of what is offered."""
    offer, kind = room.get("offer"), event["type"]
    if kind == "offer_made":
        return {"offer": event["offer"]}
    if kind == "offer_answered" and offer and event["accept"]:
        return {
            "offer": offer | {"waiting_for": [s for s in offer["waiting_for"] if s not in event["seats"]]}
        }
    void = kind in BOARD_EVENTS or kind in ("offer_answered", "offer_expired")
    return {"offer": None if void else offer}


def of_the_game(room: Json, event: Json) -> Json:
    """What the event changes of the course of the games."""
    match event["type"]:
        case "room_created":
            begun = {"status": "waiting", "game_number": 0, "games": [], "rematch": [], "last_moves": []}
            return begun | {"position": None, "to_move": None, "ply": 0, "result": None}
        case "game_started":
            past = room["games"] if room["result"] is None else [*room["games"], room["result"]]
            fresh = {"result": None, "rematch": [], "last_moves": []}
            return fresh | {"status": "playing", "game_number": event["game_number"], "games": past}
        case "move_played":
            shown = {name: event[name] for name in ("seat", "ply", "move", "path", "jumps", "rows")}
            return {"last_moves": [*room["last_moves"], shown][1 - len(room["seats"]) :]}
        case "undone":
            return {"last_moves": event["last_moves"]}
        case "game_ended":
            return {"status": "finished", "result": event["result"], "to_move": None}
        case "room_closed":
            return {"status": "closed", "to_move": None}
    return {}


def with_seat(seats: list[Json], event: Json, **holder: Any) -> list[Json]:
    """The seats after one of them has changed hands."""
    return [{**seat, **holder} if seat["seat"] == event["seat"] else seat for seat in seats]


def test_the_record_replays_by_the_rules(http: httpx.Client) -> None:
    """As JSON and as text; the game before it stays readable by its number."""
    device = create(http, seats={"red": "me", "yellow": "me"}, name="Aya")
    refused(create(http).get("/record"), 404, "game_not_found", "game")
    for _ in range(5):
        device.move(device.see()["legal_moves"][-1])
    record = ok(device.get("/record"))
    board = DIAMOND.read(record["start"], record["options"])
    for number, move in enumerate(record["moves"], 1):
        assert (move["ply"], move["seat"]) == (number, DIAMOND.to_move(board))
        assert move["path"][0] == int(move["move"].split("-")[0])
        board = DIAMOND.play(board, move["move"])[1]
    assert DIAMOND.write(board) == record["position"] == device.see()["position"]
    assert [seat["name"] for seat in record["seats"]] == ["Aya", "Aya"]
    assert record["result"] is None
    text = device.get("/record", params={"format": "text"})
    assert text.headers["content-type"].startswith("text/plain")
    lines = text.text.splitlines()
    assert lines[0] == "game diamond"
    assert lines[-1] == f"5 red {record['moves'][-1]['move']}"
    assert f"position {record['start']}" in lines
    device.did("resign")
    device.did("rematch")
    assert ok(device.get("/record"))["moves"] == []
    past = ok(device.get("/record", params={"game": 1}))
    assert (past["moves"], past["result"]["winner"]) == (record["moves"], "red")
    told = device.get("/record", params={"game": 1, "format": "text"}).text
    assert "result red resignation" in told


def test_reading_is_the_same_at_every_process(
    running: Service, http: httpx.Client, other: httpx.Client
) -> None:
    """Nothing of a room is in a process alone."""
    assert len(running.urls) == 2
    red = create(http, name="Aya")
    yellow = join(red.at(other), name="Ben")
    red.move("14-26")
    for part in ("/events", "/record", "/legal-moves"):
        assert yellow.get(part).json() == yellow.at(http).get(part).json()
