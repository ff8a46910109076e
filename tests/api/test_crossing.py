"""What meets in the same moment, over sockets and requests; and who drops out and comes back."""

from __future__ import annotations

import time
from contextlib import ExitStack
from functools import partial

import httpx
import pytest

from tests.rest import Guest, Json, create, join, ok, send, together
from tests.sockets import hello, new_id, raw, wired
from tests.streams import SSE, pair, streaming

ROUNDS = 10


def drop(guest: Guest) -> None:
    """The guest's connection breaks off."""
    with wired(guest) as wire:
        wire.receive()
        wire.connection.socket.shutdown(2)


@pytest.mark.parametrize("when", ["waiting", "undo pending", "finished"])
def test_who_drops_out_comes_back_at_once(http: httpx.Client, other: httpx.Client, when: str) -> None:
    """Before the start, while an undo waits for an answer, and after the end; and the room goes on."""
    red = create(http, seats={"red": "me", "yellow": "open"}, undo="request")
    yellow = red
    if when != "waiting":
        yellow = join(red)
        red.move("6-26")
    if when == "undo pending":
        red.did("undo")
    if when == "finished":
        red.did("resign")
    drop(red)
    begun = time.monotonic()
    with wired(red.at(other)) as wire:
        room = wire.receive()["room"]
        assert time.monotonic() - begun < 1
        assert room["you"] == ["red"]
        if when == "waiting":
            join(red)
            assert wire.told("game_started")
        elif when == "undo pending":
            assert room["offer"]["waiting_for"] == ["yellow"]
            yellow.did("answer", to="undo", accept=True)
            assert wire.told("undone")["ply"] == 0
        else:
            yellow.did("rematch")
            wire.did("rematch")
            assert wire.told("game_started")["game_number"] == 2


def test_a_room_that_is_looked_at_often_is_one_room_and_starts_once(http: httpx.Client) -> None:
    """However often it is listed and its stream taken up again, each stream is told of one start."""
    red = create(http, seats={"red": "me", "yellow": "open"}, visibility="public")
    for _ in range(5):
        with streaming(red, SSE) as stream:
            stream.receive()
        listed = ok(send(http, "GET", "/v1/rooms", params={"status": "waiting"}))["items"]
        assert [room["id"] for room in listed].count(red.room) == 1
    with ExitStack() as stack:
        streams = [stack.enter_context(streaming(red, SSE)) for _ in range(3)]
        for stream in streams:
            stream.receive()
        join(red)
        red.did("rename", name="Last")
        last = red.see()["version"]
        for stream in streams:
            stream.event(last)
            assert [message["type"] for message in stream.messages].count("game_started") == 1


def test_a_resignation_over_every_transport_at_once_counts_once(
    http: httpx.Client, other: httpx.Client
) -> None:
    """One is done; the others are told that the game is over, with its result."""
    for _ in range(ROUNDS):
        red, _yellow = pair(http)
        with wired(red) as one, wired(red.at(other)) as two:
            one.receive()
            two.receive()

            def by_request(guest: Guest) -> Json:
                answer: Json = guest.act("resign").json()
                return answer

            answers = together(
                partial(one.ask, "resign", new_id()),
                partial(two.ask, "resign", new_id()),
                partial(by_request, red),
                partial(by_request, red.at(other)),
            )
        problems = [answer.get("problem", answer) for answer in answers]
        refusals = [problem for problem in problems if "code" in problem]
        assert [problem["code"] for problem in refusals] == ["game_over"] * 3
        assert {problem["room"]["result"]["winner"] for problem in refusals} == {"yellow"}
        assert red.kinds().count("game_ended") == 1


@pytest.mark.parametrize("what", ["a move", "taking it back"])
def test_consent_and_what_crosses_it_never_mix(http: httpx.Client, other: httpx.Client, what: str) -> None:
    """One of both comes first: the other is refused, and the board is that of the first alone."""
    for _ in range(ROUNDS):
        red, yellow = pair(http, undo="request")
        before = red.see()["position"]
        red.move("6-26")
        version = red.did("undo")["version"]
        crossing = (
            partial(yellow.at(other).act, "move", move="98-47", version=version)
            if what == "a move"
            else partial(red.at(other).act, "answer", to="undo", accept=False)
        )
        agreed, crossed = together(partial(yellow.act, "answer", to="undo", accept=True), crossing)
        assert sorted((agreed.status_code, crossed.status_code)) == [200, 409]
        after = red.see()
        assert after["offer"] is None
        assert (after["position"] == before) == (agreed.status_code == 200)
        kinds = red.kinds(version)
        assert ("undone" in kinds) == (agreed.status_code == 200)
        assert after["version"] == version + len(kinds)


def test_who_connects_as_the_next_game_begins_sees_it(http: httpx.Client, other: httpx.Client) -> None:
    """In its first snapshot, or as an event right after it."""
    for _ in range(ROUNDS):
        red, yellow = pair(http)
        red.did("resign")
        red.did("rematch")
        with raw(red.at(other)) as wire:
            together(partial(wire.send, hello(red)), partial(yellow.did, "rematch"))
            first = wire.receive()["room"]
            number = first["game_number"]
            if number == 1:
                number = wire.told("game_started")["game_number"]
            assert number == 2
