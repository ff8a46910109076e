"""The event streams of a room: as server-sent events, as lines of JSON, and as pages, by Accept."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack

import httpx
import pytest

from mitsuboshi.api.connections import PER_TOKEN_MAX
from mitsuboshi.api.following import HEARTBEAT_S
from tests.processes import Service, wait_until
from tests.rest import Guest, create, ok, refused, together
from tests.sockets import wired
from tests.streams import NDJSON, SSE, always_renaming, asked, no_stream, pair, streaming

JSON = "application/json"
both = pytest.mark.parametrize("accept", [SSE, NDJSON])


@pytest.fixture(scope="module", autouse=True)
def heartbeats(http: httpx.Client) -> Iterator[list[Future[float]]]:
    """How long after its beginning a stream in which nothing happens shows that it lives, in either form."""
    guest = create(http)

    def wait(accept: str) -> float:
        with streaming(guest, accept) as stream:
            stream.receive()
            begun = time.monotonic()
            assert stream.part() is None
            return time.monotonic() - begun

    with ThreadPoolExecutor(2) as threads:
        yield [threads.submit(wait, accept) for accept in (SSE, NDJSON)]


@both
def test_a_stream_begins_with_the_room_and_goes_on_with_its_events(
    http: httpx.Client, other: httpx.Client, accept: str
) -> None:
    """As its viewer sees it; what happens at the other process is told as soon."""
    red, yellow = pair(http)
    with streaming(red, accept) as stream:
        assert stream.response.headers["content-type"].partition(";")[0] == accept
        assert stream.response.headers["cache-control"] == "no-store"
        first = stream.receive()
        assert (first["type"], first["room"]["you"], first["room"]["version"]) == ("snapshot", ["red"], 4)
        red.move("6-26")
        assert stream.receive()["move"] == "6-26"
        reply = yellow.see()["legal_moves"][0]
        yellow.at(other).move(reply)
        assert stream.receive()["move"] == reply
        assert stream.messages[1:] == red.events(4)


def test_an_event_is_told_with_its_id(http: httpx.Client) -> None:
    """A snapshot with that of the last event in it."""
    red, _ = pair(http)
    with streaming(red) as stream:
        stream.receive()
        red.move("6-26")
        stream.receive()
        ids = [event["id"] for event in red.events()]
        assert stream.ids == ids[-2:]


@both
def test_a_stream_goes_on_after_a_version(http: httpx.Client, accept: str) -> None:
    """With exactly what was missed; with nothing but a sign of life where that is nothing."""
    device = create(http, seats={"red": "me", "yellow": "me"})
    versions = [device.did("rename", name=f"Aya {number}")["version"] for number in range(5)]
    with streaming(device, accept, after=versions[1]) as stream:
        assert [stream.receive()["version"] for _ in range(3)] == versions[2:]
    with streaming(device, accept, after=versions[-1]) as stream:
        assert stream.part() is None
        device.did("rename", name="Last")
        assert stream.receive()["version"] == versions[-1] + 1
    for unknown in (versions[-1] + 1000, 2**53):
        with streaming(device, accept, after=unknown) as stream:
            assert stream.receive()["type"] == "snapshot"


@both
def test_a_stream_goes_on_after_an_event(http: httpx.Client, other: httpx.Client, accept: str) -> None:
    """By its id, at any process; the id is stronger than a version in the address."""
    red, yellow = pair(http)
    with streaming(red, accept) as stream:
        stream.receive()
        red.move("6-26")
        last = stream.receive()["id"]
    played = yellow.move(yellow.see()["legal_moves"][0])["version"]
    red.did("rename", name="Aya")
    with streaming(red.at(other), accept, after=0, last_id=last) as stream:
        assert [stream.receive()["version"] for _ in range(2)] == [played, played + 1]


@pytest.mark.parametrize(
    "last_id",
    [
        "{version}-1",
        "{version}-",
        "{version}",
        "nonsense",
        "",
        "-7",
        "1_0-7",
        "9" * 400 + "-1",
        "99-1",
        "-1-1",
    ],
)
def test_an_id_of_another_history_gets_a_snapshot(http: httpx.Client, last_id: str) -> None:
    """Redis may have lost its last second: the same version is then another event."""
    red, _ = pair(http)
    version = red.see()["version"]
    with streaming(red, NDJSON, last_id=last_id.format(version=version)) as stream:
        assert stream.receive()["type"] == "snapshot"


@pytest.mark.parametrize(
    ("accept", "served"),
    [
        ("", JSON),
        ("*/*", JSON),
        ("application/*", JSON),
        (JSON, JSON),
        ("text/html, application/json;q=0.9", JSON),
        (SSE, SSE),
        ("text/event-stream;q=0.9", SSE),
        ("TEXT/EVENT-STREAM", SSE),
        (NDJSON, NDJSON),
        ("text/plain, application/x-ndjson", NDJSON),
    ],
)
def test_accept_chooses_the_form(http: httpx.Client, accept: str, served: str) -> None:
    """A page of JSON unless somebody asks for more."""
    guest = create(http)
    with http.stream("GET", f"{guest.path}/events", headers={"Accept": accept}) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].partition(";")[0] == served


@pytest.mark.parametrize("accept", ["text/html", "image/png", "text/event", "application/xml, text/plain"])
def test_what_is_not_served_is_not_acceptable(http: httpx.Client, accept: str) -> None:
    """With the forms that are."""
    answer = create(http).get("/events", headers={"Accept": accept})
    document = refused(answer, 406, "not_acceptable")
    assert all(form in document["detail"] for form in (JSON, NDJSON, SSE))


@both
def test_a_stream_is_refused_before_it_begins(http: httpx.Client, accept: str) -> None:
    """With the status and the problem of any request."""
    made = ok(http.post("/v1/rooms", json={"game": "diamond", "visibility": "private"}), 201)
    owner = Guest(http, made["room"]["id"], made["token"])
    refused(no_stream(owner.stranger(), accept), 403, "private_room")
    refused(no_stream(Guest(http, owner.room, create(http).token), accept), 403, "private_room")
    refused(no_stream(Guest(http, owner.room, "nonsense"), accept), 401, "unknown_token")
    refused(no_stream(Guest(http, "nowhere000000000"), accept), 404, "room_not_found")
    for after in ("-1", "x", "1.5"):
        refused(no_stream(owner, accept, after), 422, "invalid_query", "after")
    with streaming(owner, accept) as stream:
        assert stream.receive()["room"]["owner"] is True


@both
def test_a_closed_room_ends_its_streams(http: httpx.Client, other: httpx.Client, accept: str) -> None:
    """With its last event; a stream that begins later ends with the snapshot, or with what was missed."""
    red, yellow = pair(http)
    version = red.see()["version"]
    with streaming(red, accept) as one, streaming(yellow.at(other), accept) as two:
        for stream in (one, two):
            stream.receive()
        ok(red.close())
        for stream in (one, two):
            assert [message["type"] for message in stream.rest()] == ["room_closed"]
    for after, types in ((None, ["snapshot"]), (version, ["room_closed"])):
        with streaming(red, accept, after=after) as stream:
            assert [message["type"] for message in stream.rest()] == types


@both
def test_who_has_seen_a_rooms_end_is_told_to_stay_away(http: httpx.Client, accept: str) -> None:
    """A browser's EventSource would come back for ever, but not after 204."""
    red, _ = pair(http)
    ok(red.close())
    end = red.events()[-1]
    for place in ({"after": end["version"]}, {"last_id": end["id"]}):
        with asked(red, accept, **place) as response:
            assert (response.status_code, response.read()) == (204, b"")
    with streaming(red, accept, last_id=f"{end['version']}-1") as stream:
        assert [message["type"] for message in stream.rest()] == ["snapshot"]


def test_a_stream_with_nothing_to_tell_shows_that_it_lives(heartbeats: list[Future[float]]) -> None:
    """In either form, every so often."""
    for future in heartbeats:
        assert HEARTBEAT_S - 1 < future.result() < HEARTBEAT_S + 8


def test_streams_and_sockets_are_counted_together(http: httpx.Client) -> None:
    """One too many is refused; whoever hangs up makes room."""
    red, _ = pair(http)
    with ExitStack() as stack:
        streams = [stack.enter_context(streaming(red)) for _ in range(PER_TOKEN_MAX - 1)]
        with wired(red) as wire:
            wire.receive()
            refused(no_stream(red, NDJSON), 429, "too_many_connections", "connections_per_token")
            version = wire.did("move", move="6-26")
        assert {stream.event(version)["move"] for stream in streams} == {"6-26"}
        red.wait_for(lambda _: can_stream(red), "room for another")
    for _ in range(2 * PER_TOKEN_MAX):
        red.wait_for(lambda _: can_stream(red), "room for another")


def can_stream(guest: Guest) -> bool:
    """Whether the guest gets a stream now."""
    with asked(guest, SSE) as answer:
        return answer.status_code == 200


@both
def test_nothing_is_lost_as_a_stream_begins(http: httpx.Client, other: httpx.Client, accept: str) -> None:
    """While somebody writes without a pause."""
    red, yellow = pair(http)
    with always_renaming(red, least=20):
        for number in range(20):
            with streaming(yellow.at(other) if number % 2 else yellow, accept) as stream:
                for _ in range(6):
                    stream.receive()
            first = stream.versions()[0]
            assert stream.versions() == list(range(first, first + 6))


def test_sockets_streams_and_pages_tell_the_same(http: httpx.Client, other: httpx.Client) -> None:
    """In the same order, whatever two people do at two processes."""
    red, yellow = pair(http, undo="request")
    before = red.see()["version"]
    with (
        streaming(red, SSE, after=before) as one,
        streaming(yellow.at(other), NDJSON, after=before) as two,
        wired(red.stranger().at(other), after=before) as wire,
    ):
        red.move("6-26")
        red.did("undo")
        yellow.at(other).did("answer", to="undo", accept=True)
        together(
            lambda: [red.did("rename", name=f"Aya {number}") for number in range(20)],
            lambda: [yellow.at(other).did("rename", name=f"Ben {number}") for number in range(20)],
        )
        last = yellow.did("leave")["applied_version"]
        expected = red.events(before)
        assert [event["version"] for event in expected] == list(range(before + 1, last + 1))
        for stream in (one, two):
            stream.event(last)
            assert stream.messages == expected
        wire.event(last)
        assert wire.events == expected


def test_who_has_a_stream_open_or_waits_for_news_is_present(http: httpx.Client, other: httpx.Client) -> None:
    """Much longer than one request would last, at both processes; and who made one request for that long."""
    red, yellow = pair(http)
    for guest in (red, yellow):
        guest.see()
    watcher = red.stranger()
    with streaming(yellow.at(other)) as stream, ThreadPoolExecutor(1) as threads:
        stream.receive()
        version = watcher.see()["version"]
        waiting = threads.submit(red.get, params={"after": version, "wait_s": 8})
        # The other process learns of it within two seconds.
        wait_until(lambda: present(watcher, other) == (True, True), "both are present everywhere", 4)
        seen = set()
        while not waiting.done():
            seen.add(present(watcher, other))
            time.sleep(0.1)
        assert seen == {(True, True)}
        watcher.wait_for(lambda room: not room["seats"][0]["present"], "red's absence")
        assert present(watcher, other)[1]
    watcher.wait_for(lambda room: not room["seats"][1]["present"], "yellow's absence")
    red.see()
    assert watcher.wait_for(lambda room: room["seats"][0]["present"], "red's presence")


def present(watcher: Guest, other: httpx.Client) -> tuple[bool, ...]:
    """Whether each seat's person is there, as both processes say."""
    here, there = (guest.see()["seats"] for guest in (watcher, watcher.at(other)))
    return tuple(one["present"] and two["present"] for one, two in zip(here, there, strict=True))


@both
def test_streams_end_without_a_word_in_the_log(running: Service, http: httpx.Client, accept: str) -> None:
    """Readers hang up while they are told things; nothing of it is an error."""
    red, yellow = pair(http)
    for number in range(20):
        with streaming(red, accept) as one, streaming(yellow, accept) as two:
            one.receive()
            if number % 2:
                two.receive()
            red.did("rename", name=f"Aya {number}")
    red.wait_for(lambda _: can_stream(red), "all ended")
    assert faults(running) == []


def faults(service: Service) -> list[str]:
    """The lines of the logs that tell of an error."""
    words = ("Traceback", "[error", "ERROR", "Exception in ASGI", "Task exception", "never retrieved")
    return [line for line in service.logs().splitlines() if any(word in line for word in words)]
