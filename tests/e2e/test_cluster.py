"""The service on a Redis Cluster and on a master with sentinels: the same, also while a master is killed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from mitsuboshi.store.keys import Keys
from tests.conftest import SERVICES
from tests.processes import Program, Service, free_port, wait_until
from tests.redis_nodes import Nodes, cluster, free_ports, sentinels
from tests.rest import Guest, Json, ask_seat, connect, create, join, ok, refused, send, together
from tests.sockets import wired

PARTITIONS = 5
NAMES = Keys(PARTITIONS)
KINDS = {"cluster": cluster, "sentinel": sentinels}


@dataclass
class Place:
    """A service of two API processes and a worker, and the Redis servers behind it."""

    nodes: Nodes
    running: Service
    http: httpx.Client
    other: httpx.Client


@pytest.fixture(scope="module", params=KINDS)
def place(request: pytest.FixtureRequest, short_dir: Path) -> Iterator[Place]:
    """Each kind of Redis in turn."""
    folder = short_dir / request.param
    folder.mkdir()
    with ExitStack() as stack:
        nodes = stack.enter_context(KINDS[request.param](folder))
        running = Service(nodes.url, folder)
        stack.callback(running.stop)
        request.config.stash.setdefault(SERVICES, []).append(running)
        settings = {"MITSUBOSHI_PARTITIONS": str(PARTITIONS), "MITSUBOSHI_REQUESTS_PER_TOKEN_S": "0"}
        running.add_worker(**settings)
        for _ in range(2):
            running.add_api(**settings)
        http, other = (stack.enter_context(connect(url)) for url in running.urls)
        yield Place(nodes, running, http, other)
        assert "Traceback" not in running.logs(), running.logs()[-5000:]


def in_every_partition(place: Place, **body: Any) -> list[Guest]:
    """Rooms of one token, at least one in each partition."""
    guests = [create(place.http, **body)]
    while len({NAMES.tag(guest.room) for guest in guests}) < PARTITIONS:
        guests.append(create(place.http, guests[0].token, **body))
        assert len(guests) < 100
    return guests


def test_rooms_of_all_partitions_are_played_and_listed(place: Place) -> None:
    """Made, found in both lists page by page, moved in, and closed, from both processes."""
    guests = in_every_partition(place, visibility="public", seats={"red": "me", "yellow": "me"})
    rooms = {guest.room for guest in guests}
    assert rooms <= {item["id"] for item in everything(place.other, "/v1/rooms")}
    assert rooms == {item["id"] for item in everything(place.other, "/v1/me/rooms", guests[0].token)}
    for guest in guests:
        room = guest.move("14-26")
        assert guest.at(place.other).move(room["legal_moves"][0])["ply"] == 2
        assert len(ok(guest.get("/record"))["moves"]) == 2
        assert len(guest.events()) == guest.see()["version"]
        ok(guest.at(place.other).close())
    assert not rooms & {item["id"] for item in everything(place.http, "/v1/rooms")}
    assert not everything(place.http, "/v1/me/rooms", guests[0].token)
    assert "mitsuboshi_rooms_open" in place.http.get("/metrics").text


def everything(http: httpx.Client, path: str, token: str | None = None) -> list[Json]:
    """All items of a list."""
    items: list[Json] = []
    cursor: str | None = None
    while True:
        page = ok(send(http, "GET", path, token, params={"cursor": cursor} if cursor else {}))
        items += page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            return items


def test_a_whole_game_against_the_ai_is_told_to_everybody(place: Place) -> None:
    """By sockets at both processes, and by the record, to the end."""
    red = create(place.http, seats={"red": "me", "yellow": {"ai": "beginner"}})
    with wired(red) as here, wired(red.at(place.other).stranger()) as there:
        for wire in (here, there):
            wire.told("snapshot")
        for _ in range(10):
            room = red.wait_for(lambda room: room["to_move"] == "red", "the AI's answer")
            red.move(room["legal_moves"][0], version=room["version"])
        red.wait_for(lambda room: room["to_move"] == "red", "the AI's answer")
        last = red.did("resign")["version"]
        for wire in (here, there):
            assert wire.event(last)["type"] == "game_ended"
            assert unbroken(wire.versions())
    assert len(ok(red.get("/record"))["moves"]) == 20


def unbroken(versions: list[int]) -> bool:
    """Whether each version follows the one before."""
    return versions == list(range(versions[0], versions[-1] + 1))


def test_streams_and_long_polls_are_told_at_once(place: Place) -> None:
    """Whichever process and partition the change is made in."""
    for red in in_every_partition(place):
        version = red.see()["version"]
        with ThreadPoolExecutor(1) as threads:
            away = red.at(place.other)
            asked = threads.submit(away.get, params={"after": version, "wait_s": 20})
            with away.http.stream(
                "GET", f"{red.path}/events", headers={"Accept": "application/x-ndjson"}
            ) as lines:
                told = lines.iter_lines()
                assert '"type":"snapshot"' in next(told)
                join(red)
                assert '"type":"seat_taken"' in next(told)
                assert '"type":"game_started"' in next(told)
            assert ok(asked.result())["version"] > version


def test_undo_keys_and_analyses_work(place: Place) -> None:
    """What needs more keys than one: the line, receipts, the queue's second stream."""
    for device in in_every_partition(place, seats={"red": "me", "yellow": "me"}):
        start = device.see()
        told = [
            ok(device.at(c).act("move", key="one-and-the-same", move="14-26"))
            for c in (place.http, place.other)
        ]
        assert {answer["applied_version"] for answer in told} == {start["version"] + 1}
        refused(device.act("move", key="one-and-the-same", move="15-27"), 422, "key_reused")
        assert device.did("undo")["position"] == start["position"]
    made = [create(place.http, key="a-room-but-once-only", game="diamond") for _ in range(2)]
    assert made[0] == made[1]
    for _ in range(PARTITIONS):
        body = {"position": start["position"], "nodes": 1000, "lines": 2}
        assert len(ok(place.http.post("/v1/games/diamond/analysis", json=body))["lines"]) == 2


def test_races_have_one_winner(place: Place) -> None:
    """A seat, and a move, at two processes in the same instant."""
    for red in in_every_partition(place):
        calls = [partial(ask_seat, red.at(client), seat="yellow") for client in (place.http, place.other)]
        assert sorted(answer.status_code for answer in together(*calls)) == [201, 409]
        moves = red.see()["legal_moves"]
        acts = [
            partial(red.at(c).act, "move", move=m)
            for c, m in zip((place.http, place.other), moves, strict=False)
        ]
        assert Counter(answer.status_code for answer in together(*acts)) == {200: 1, 409: 1}
        assert len(red.events()) == red.see()["version"]


def test_a_killed_master_is_followed_by_its_replica(place: Place) -> None:
    """503 meanwhile and nothing else; then games, AI, sockets, queue and time go on by themselves."""
    red = create(place.http, seats={"red": "me", "yellow": {"ai": "beginner"}}, clock={"per_move_s": 600})
    with wired(red) as here, wired(red.at(place.other)) as there:
        for wire in (here, there):
            wire.told("snapshot")
        red.move("14-26")
        before = red.wait_for(lambda room: room["to_move"] == "red", "the AI's answer")
        here.event(before["version"])
        place.nodes.kill_master(f"{NAMES.tag(red.room)}:test")
        told: list[httpx.Response] = []

        def moved() -> bool:
            told.append(red.act("move", key="through-the-failover", move=before["legal_moves"][0]))
            if told[-1].status_code == 503:
                refused(told[-1], 503, "store_unavailable")
                return False
            return True

        wait_until(moved, "the move is taken", 45)
        assert len(told) > 1
        assert ok(told[-1])["applied_version"] == before["version"] + 1
        for http in (place.http, place.other):
            wait_until(lambda http=http: http.get("/health/ready").status_code == 200, "ready again", 30)  # type: ignore[misc]
        at = red.wait_for(lambda room: room["to_move"] == "red", "the AI goes on")
        for wire in (here, there):
            wire.event(at["version"])
            assert unbroken(wire.versions())
    for guest in in_every_partition(place):
        guest.at(place.other).see()
    clock = red.wait_for(
        lambda room: room["clock"]["remaining_ms"] < at["clock"]["remaining_ms"] - 1500, "time goes on"
    )
    assert clock["clock"]["remaining_ms"] > 500_000
    test_streams_and_long_polls_are_told_at_once(place)
    test_undo_keys_and_analyses_work(place)


@pytest.mark.parametrize("kind", KINDS)
def test_servers_that_are_not_there_yet_are_waited_for(kind: str, data_dir: Path) -> None:
    """The process lives, says so plainly, and ends when told."""
    url = f"redis+{kind}://127.0.0.1:{free_ports(1)[0]},127.0.0.1:{free_ports(1)[0]}/mymaster"
    port = free_port()
    environ = {"MITSUBOSHI_REDIS_URL": url, "MITSUBOSHI_PORT": str(port)}
    program = Program.start(["serve"], environ, data_dir / "early.log")
    try:
        program.wait_for(f"http://127.0.0.1:{port}/health/live")
        program.wait_for_word("waiting_for_redis")
        with connect(f"http://127.0.0.1:{port}") as http:
            refused(http.get("/health/ready"), 503, "store_unavailable")
        assert program.stop() == 0
        assert "Traceback" not in program.said()
    finally:
        program.kill()
