"""The socket of a room: a hello, then actions in and events out."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack

import httpx
import pytest

from mitsuboshi.api.socket import HELLO_S
from tests.processes import Service
from tests.rest import Guest, Json, create, join, ok, together
from tests.sockets import new_id, raw, wired
from tests.streams import always_renaming, pair

FOREIGN = "abcdefghijklmnop.ABCDEFGHIJKLMNOPQRSTUV"


@pytest.fixture(scope="module", autouse=True)
def silent_socket(running: Service, http: httpx.Client) -> Iterator[Future[tuple[int, float]]]:
    """A socket on which nobody ever says hello: its close code and how long that took."""
    guest = create(http)

    def wait() -> tuple[int, float]:
        begun = time.monotonic()
        with raw(guest) as wire:
            return wire.close_code(), time.monotonic() - begun

    with ThreadPoolExecutor(1) as threads:
        yield threads.submit(wait)


def test_it_begins_with_the_room_as_its_viewer_sees_it(http: httpx.Client) -> None:
    """For a person, for somebody with another token, for a stranger: as the same snapshot over REST."""
    red, yellow = pair(http, name="Aya")
    for guest in (red, yellow, red.stranger(), Guest(http, red.room, create(http).token)):
        with wired(guest) as wire:
            first = wire.receive()
            assert first["type"] == "snapshot"
            room = guest.see()
            for name in set(room) - {"server_now_ms", "expires_in_ms", "seats"}:
                assert first["room"][name] == room[name], name
            assert wire.silent()


@pytest.mark.parametrize(
    "message",
    [
        "",
        "null",
        "[]",
        '"hello"',
        "{}",
        "nonsense",
        '{"type": "move", "move": "6-26"}',
        '{"type": "hello", "token": 7}',
        '{"type": "hello", "token": "' + "x" * 129 + '"}',
        '{"type": "hello", "after": -1}',
        '{"type": "hello", "after": "3"}',
        '{"type": "hello", "after": 1.5}',
        '{"type": "hello", "after": ' + "9" * 400 + "}",
        '{"type": "hello", "more": 1}',
        '{"more": ' + "[" * 5000 + "]" * 5000 + ', "type": "hello"}',
        '{"type": "hello"} {"type": "hello"}',
        '\ufeff{"type": "hello"}',
        b'{"type": "hello"}',
        b"\xff\xfe",
    ],
    ids=lambda message: str(message)[:40],
)
def test_what_is_no_hello_closes_it(http: httpx.Client, message: str | bytes) -> None:
    """With the code for a message that cannot be read."""
    with raw(create(http)) as wire:
        wire.send(message)
        assert wire.close_code() == 4400
        assert wire.events == []


@pytest.mark.parametrize("token", ["", "x", FOREIGN, "\u2603", FOREIGN + "=" * 80])
def test_an_unknown_token_closes_it(http: httpx.Client, token: str) -> None:
    """Never taken for a stranger's silence."""
    with raw(create(http)) as wire:
        wire.send({"type": "hello", "token": token})
        assert wire.close_code() == 4401


def test_a_changed_token_closes_it(http: httpx.Client) -> None:
    """One character is enough."""
    guest = create(http)
    assert guest.token is not None
    last = "A" if guest.token[-1] != "A" else "B"
    with wired(Guest(http, guest.room, guest.token[:-1] + last)) as wire:
        assert wire.close_code() == 4401


def test_a_room_that_there_is_not_closes_it(http: httpx.Client) -> None:
    """With a good token and without; and no room is made by it."""
    token = create(http).token
    for ghost in (Guest(http, "nowhere000000000"), Guest(http, "nowhere000000000", token)):
        with wired(ghost) as wire:
            assert wire.close_code() == 4404
        assert ghost.get().status_code == 404


def test_a_private_room_is_closed_to_strangers(http: httpx.Client) -> None:
    """A token of another room does not open it; its own people's do."""
    made = ok(http.post("/v1/rooms", json={"game": "diamond", "visibility": "private"}), 201)
    red = Guest(http, made["room"]["id"], made["token"])
    yellow = join(red, invite=made["invite"])
    for stranger in (red.stranger(), Guest(http, red.room, create(http).token)):
        with wired(stranger) as wire:
            assert wire.close_code() == 4403
            assert wire.events == []
    for guest in (red, yellow):
        with wired(guest) as wire:
            assert wire.receive()["room"]["you"] == guest.see()["you"]


def test_a_closed_room_is_told_and_then_closes_it(http: httpx.Client, other: httpx.Client) -> None:
    """Whoever listens hears the last event first; whoever comes later sees the room as it was."""
    red, yellow = pair(http)
    with wired(red) as one, wired(yellow.at(other)) as two:
        one.receive()
        two.receive()
        ok(red.close())
        for wire in (one, two):
            assert wire.close_code() == 4410
            assert wire.events[-1]["type"] == "room_closed"
    with wired(yellow) as late:
        assert late.close_code() == 4410
        assert [event["type"] for event in late.events] == ["snapshot"]
        assert late.events[0]["room"]["status"] == "closed"
    with wired(yellow, after=late.versions()[-1]) as wire:
        assert wire.close_code() == 4410
        assert wire.events == []


def test_no_hello_closes_it(silent_socket: Future[tuple[int, float]]) -> None:
    """After a while, not sooner."""
    code, after_s = silent_socket.result()
    assert code == 4408
    assert HELLO_S - 0.5 < after_s < HELLO_S + 5


DEEP = '{"type": ' + "[" * 8000
NO_OBJECTS = ["nonsense", "", "[]", "7", b"{}", '{"type": "move"', "\x00", DEEP, '{"type": "\\ud800"}']


@pytest.mark.parametrize("message", NO_OBJECTS, ids=lambda message: str(message)[:20])
def test_a_message_that_is_no_object_closes_it(http: httpx.Client, message: str | bytes) -> None:
    """There is no id to answer to."""
    with wired(create(http)) as wire:
        wire.receive()
        wire.send(message)
        assert wire.close_code() == 4400


@pytest.mark.parametrize(
    ("message", "code", "field"),
    [
        ({}, "invalid_body", "type"),
        ({"type": "nonsense"}, "unknown_action", "type"),
        ({"type": "hello"}, "unknown_action", "type"),
        ({"type": 7}, "invalid_body", "type"),
        ({"type": "move"}, "invalid_body", "move"),
        ({"type": "move", "move": 7}, "invalid_body", "move"),
        ({"type": "move", "move": "x"}, "invalid_move", "move"),
        ({"type": "move", "move": "6-27"}, "illegal_move", "move"),
        ({"type": "move", "move": "6-26", "more": []}, "invalid_body", "more"),
        ({"type": "move", "move": "6-26", "version": -1}, "invalid_body", "version"),
        ({"type": "move", "move": "6-26", "version": 10**30}, "stale_version", "version"),
        ({"type": "move", "move": "6-26", "version": 0}, "stale_version", "version"),
        ({"type": "move", "move": "6-26", "seat": "yellow"}, "not_your_seat", "seat"),
        ({"type": "start"}, "already_started", None),
        ({"type": "answer", "to": "undo", "accept": True}, "nothing_to_answer", None),
    ],
    ids=str,
)
def test_an_action_that_cannot_be_done_is_refused_with_its_id(
    http: httpx.Client, message: Json, code: str, field: str | None
) -> None:
    """By the same problem as over REST, with the room where its state is the reason; and life goes on."""
    red, _ = pair(http)
    with wired(red) as wire:
        wire.receive()
        action_id = new_id()
        wire.send({**message, "id": action_id})
        answer = wire.receive()
        assert (answer["type"], answer["id"]) == ("refused", action_id)
        problem = answer["problem"]
        assert (problem["code"], problem.get("field")) == (code, field)
        assert ("room" in problem) == (problem["status"] in (409, 410))
        rest = http.post(
            f"{red.path}/actions", json=message, headers={"Authorization": f"Bearer {red.token}"}
        )
        over_rest = rest.json()
        assert {name: problem.get(name) for name in ("type", "status", "title", "detail", "version")} == {
            name: over_rest.get(name) for name in ("type", "status", "title", "detail", "version")
        }
        assert wire.did("move", move="6-26") == red.see()["version"]


@pytest.mark.parametrize(
    "bad", ["short", "x" * 65, "with a space in it", "snow\u2603man" * 3, 7, None, [], {}]
)
def test_an_id_is_a_key_or_is_refused(http: httpx.Client, bad: object) -> None:
    """Without one an action is answered too."""
    red, _ = pair(http)
    with wired(red) as wire:
        wire.receive()
        wire.send({"type": "rename", "name": "Aya", "id": bad})
        answer = wire.until(lambda message: message["type"] in ("ok", "refused"))
        if bad is None:
            assert (answer["type"], answer["id"]) == ("ok", None)
        else:
            assert answer["id"] == (bad if isinstance(bad, str) else None)
            assert (answer["problem"]["code"], answer["problem"]["field"]) == ("invalid_query", "id")


def test_a_watcher_acts_in_nothing(http: httpx.Client) -> None:
    """Without a token, or with one that holds no seat here, it is told why."""
    red, _ = pair(http)
    with wired(red.stranger()) as wire:
        wire.receive()
        assert wire.ask("move", move="6-26")["problem"]["code"] == "no_token"
    with wired(Guest(http, red.room, create(http).token)) as wire:
        wire.receive()
        assert wire.ask("move", move="6-26")["problem"]["code"] == "not_seated"
        assert red.see()["ply"] == 0


def test_everybody_is_told_what_happens(http: httpx.Client, other: httpx.Client) -> None:
    """At both processes, the mover too, whether it moved over a socket or over REST."""
    red, yellow = pair(http)
    with wired(red) as one, wired(yellow.at(other)) as two, wired(red.stranger().at(other)) as watcher:
        wires = (one, two, watcher)
        for wire in wires:
            wire.receive()
        version = one.did("move", move="6-26")
        for wire in wires:
            told = wire.event(version) if wire.versions()[-1] < version else wire.events[-1]
            assert (told["type"], told["move"]) == ("move_played", "6-26")
        reply = yellow.see()["legal_moves"][0]
        played = yellow.move(reply)
        for wire in wires:
            assert wire.event(played["applied_version"])["move"] == reply
    assert red.events(version - 1)[0] == next(
        event for event in watcher.events if event.get("version") == version
    )


def test_an_action_may_name_the_version_that_it_was_made_for(http: httpx.Client) -> None:
    """A stale one is refused with the room as it is now."""
    red, _ = pair(http)
    with wired(red) as wire:
        version = wire.receive()["room"]["version"]
        assert wire.ask("move", new_id(), move="6-26", version=version)["type"] == "ok"
        problem = wire.ask("move", new_id(), move="14-26", version=version)["problem"]
        assert (problem["code"], problem["version"]) == ("stale_version", version + 1)
        assert problem["room"]["last_moves"][0]["move"] == "6-26"


def test_an_action_sent_thrice_with_one_id_is_done_once(http: httpx.Client, other: httpx.Client) -> None:
    """Over one socket, over a new one at another process, and over REST; though the move were legal again."""
    device = create(http, seats={"red": "me", "yellow": "me"}, undo="free")
    action_id = new_id()
    move: Json = {"type": "move", "move": "6-26"}
    with wired(device) as wire:
        wire.receive()
        wire.send({**move, "id": action_id})
        version = wire.told("ok")["version"]
    device.did("undo")
    with wired(device.at(other)) as wire:
        wire.receive()
        for _ in range(2):
            answer = wire.ask("move", action_id, move="6-26")
            assert (answer["type"], answer["version"]) == ("ok", version)
        assert wire.ask("move", action_id, move="14-26")["problem"]["code"] == "key_reused"
    assert ok(device.act("move", key=action_id, move="6-26"))["applied_version"] == version
    assert device.kinds().count("move_played") == 1


@pytest.mark.parametrize("missed", [0, 1, 5, 100])
def test_who_comes_back_is_sent_exactly_what_it_missed(http: httpx.Client, missed: int) -> None:
    """And then what happens, without a snapshot in between."""
    device = create(http, seats={"red": "me", "yellow": "me"})
    with wired(device) as wire:
        known = wire.receive()["room"]["version"]
    for number in range(missed):
        device.did("rename", name=f"Aya {number}")
    with wired(device, after=known) as wire:
        device.did("rename", name="Last")
        while not wire.events or wire.events[-1]["version"] < known + missed + 1:
            wire.receive()
        assert wire.versions() == list(range(known + 1, known + missed + 2))
        assert wire.events == device.events(known)


@pytest.mark.parametrize("with_version", [True, False])
def test_who_comes_back_names_the_event_that_it_knows(http: httpx.Client, with_version: bool) -> None:
    """By its id, with the version or alone; what is told first has one too."""
    device = create(http, seats={"red": "me", "yellow": "me"})
    with wired(device) as wire:
        first = wire.receive()
    assert first["id"] == device.events()[-1]["id"]
    version = first["room"]["version"]
    device.did("rename", name="Aya")
    after = version if with_version else None
    with wired(device, after, first["id"]) as wire:
        assert [wire.receive()["type"], *wire.versions()] == ["renamed", version + 1]
    for foreign in (f"{version}-1", "nonsense", ""):
        with wired(device, after, foreign) as wire:
            assert wire.receive()["type"] == "snapshot"


@pytest.mark.parametrize("after", [10_000, 2**53])
def test_a_version_that_is_yet_to_come_gets_a_snapshot(http: httpx.Client, after: int) -> None:
    """It was of another history, or of nobody's."""
    with wired(create(http), after=after) as wire:
        assert wire.receive()["type"] == "snapshot"


def test_who_missed_too_much_gets_a_snapshot(http: httpx.Client) -> None:
    """More than would wait for a reader that is there."""
    device = create(http, seats={"red": "me", "yellow": "me"})
    for number in range(260):
        device.did("rename", name=f"Aya {number}")
    with wired(device, after=1) as wire:
        first = wire.receive()
        assert (first["type"], first["room"]["version"]) == ("snapshot", device.see()["version"])


def test_five_sockets_are_told_the_same_in_the_same_order(http: httpx.Client, other: httpx.Client) -> None:
    """While two processes write as fast as they can, and some of them come late or come back."""
    red, yellow = pair(http)
    guests = (red, yellow.at(other), red.stranger(), red.stranger().at(other), yellow)
    before = red.see()["version"]
    with ExitStack() as stack:
        wires = [stack.enter_context(wired(guest, after=before)) for guest in guests]

        def write(guest: Guest) -> None:
            for number in range(60):
                guest.did("rename", name=f"{guest.http is http} {number}")

        together(lambda: write(red), lambda: write(yellow.at(other)))
        last = red.see()["version"]
        assert last == before + 120
        for wire in wires:
            while len(wire.events) < 120:
                wire.receive()
            assert wire.versions() == list(range(before + 1, last + 1))
        assert all(wire.events == red.events(before) for wire in wires)


@pytest.mark.parametrize("known", [True, False], ids=["after a version", "from a snapshot"])
def test_nothing_is_lost_as_somebody_begins_to_listen(
    http: httpx.Client, other: httpx.Client, known: bool
) -> None:
    """Whatever comes between reading the room and listening to it: no gap, nothing twice."""
    red, yellow = pair(http)
    with always_renaming(red, least=40):
        for number in range(40):
            listener = yellow.at(other) if number % 2 else yellow
            after = listener.see()["version"] if known else None
            with wired(listener, after) as wire:
                while len(wire.events) < 6:
                    wire.receive()
            versions = wire.versions()
            first = versions[0] if after is None else after + 1
            assert versions == list(range(first, first + len(versions)))
            assert (wire.events[0]["type"] == "snapshot") is (after is None)
