"""Processes that are killed, paused, told to end or set back in mid-play: nobody loses more than a moment.

A step of the Redis server's own clock cannot be made here; but service time is what lies between two readings
of it, so the reading before can be put elsewhere.
"""

from __future__ import annotations

import asyncio
import shutil
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

import httpx
import msgspec
import pytest
import redis
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_socket
from websockets.exceptions import ConnectionClosed

from mitsuboshi.serve import GRACE_S
from mitsuboshi.store.keys import Keys, service_time
from tests.e2e.test_outage import house, patient, ready
from tests.processes import Service, wait_until
from tests.redis_nodes import Node, started
from tests.rest import Guest, Json, connect, create, join, ok, refused, send
from tests.sockets import address, hello, wired

UNLIMITED = {"MITSUBOSHI_REQUESTS_PER_TOKEN_S": "0", "MITSUBOSHI_REQUESTS_PER_ADDRESS_S": "0"}
SOCKETS, ROOMS = 500, 100
DURABLE = ("--appendonly", "yes", "--appendfsync", "everysec")
CLOCK_S = 5


@dataclass
class Stage:
    """A service of two API processes on a Redis server that the test may kill, and start again."""

    store: Node
    running: Service
    http: httpx.Client
    other: httpx.Client

    def kill_store(self) -> None:
        """The Redis server is gone from one instant to the next."""
        self.store.kill()

    def start_store(self) -> None:
        """It is there again, on the file that it has; return when both processes are ready."""
        self.store.start()
        ready(self.running)


@pytest.fixture
def stage(data_dir: Path) -> Iterator[Stage]:
    """The service and its Redis, without AI workers."""
    with ExitStack() as stack:
        (store,) = stack.enter_context(started(data_dir, 1, *DURABLE))
        running = Service(f"redis://127.0.0.1:{store.port}", data_dir)
        stack.callback(running.stop)
        for _ in range(2):
            running.add_api(**UNLIMITED)
        http, other = (stack.enter_context(connect(url)) for url in running.urls)
        yield Stage(store, running, http, other)
        assert "Traceback" not in running.logs()


def first_move(guest: Guest) -> Json:
    """The first move of the list, played with patience; the snapshot after it."""
    room = patient(guest.get)
    key = f"move-of-{room['ply']}-after-{room['version']}"
    return patient(partial(guest.act, "move", move=room["legal_moves"][0], key=key))


def follows(versions: list[int], version: int) -> bool:
    """Whether the versions are those after ``version``, each once and in order."""
    return versions == list(range(version + 1, version + 1 + len(versions)))


def test_a_killed_process_is_followed_by_the_other(data_dir: Path) -> None:
    """Sockets go on there with exactly what they missed, listed rooms can be joined, AIs go on."""
    with (
        house(data_dir, apis=2, workers=2) as (running, _),
        connect(running.urls[0]) as http,
        connect(running.urls[1]) as other,
        ExitStack() as stack,
    ):
        listed = [create(http, visibility="public", seats={"green": "open"}) for _ in range(3)]
        red = create(http, visibility="public")
        yellow = join(red)
        ai = create(http, seats={"red": "me", "yellow": {"ai": "intermediate"}})
        ai.move("14-26")
        wires = [(guest, stack.enter_context(wired(guest))) for guest in (red, yellow, red.stranger())]
        for _, wire in wires:
            wire.told("snapshot")
        version = first_move(red)["version"]
        for _, wire in wires:
            wire.event(version)
        running.apis[0].kill()
        for _, wire in wires:
            assert wire.close_code() == 1006
        for guest in (yellow, red, yellow):
            first_move(guest.at(other))
        for number, (guest, wire) in enumerate(wires):
            assert wire.versions()[-1] == version
            with wired(guest.at(other), after=version) as again:
                again.event(version + 3 + number)
                last = first_move((yellow if number % 2 else red).at(other))["version"]
                assert again.event(last)
                assert again.versions() == list(range(version + 1, last + 1))
        found = ok(send(other, "GET", "/v1/rooms"))["items"]
        assert {item["id"] for item in found} == {guest.room for guest in (*listed, red)}
        for guest in listed:
            join(guest.at(other))
            join(guest.at(other))
            assert first_move(guest.at(other))["ply"] == 1
        ai.at(other).wait_for(lambda room: room["to_move"] == "red", "the AI's answer")
        assert "Traceback" not in running.logs()


@pytest.mark.parametrize("down_s", [0.3, 25.0], ids=["a moment", "half a minute"])
def test_a_killed_redis_costs_nobody_a_game(stage: Stage, down_s: float) -> None:
    """What was acknowledged is there, sockets stay and go on, AIs too, and no clock has run meanwhile."""
    stage.running.add_worker()
    device = create(stage.http, seats={"red": "me", "yellow": "me"})
    timed = create(stage.http, clock={"per_move_s": 10}, absence={"after_s": 5})
    opponent = join(timed)
    ai = create(stage.http, seats={"red": "me", "yellow": {"ai": "master"}})
    with (
        wired(device) as here,
        wired(device.at(stage.other).stranger()) as there,
        wired(opponent),
        wired(timed),
    ):
        for wire in (here, there):
            wire.told("snapshot")
        for _ in range(20):
            written = first_move(device)["version"]
        wait_until(stage.store.has_written, "the file has it all")
        first_move(device)
        ai.move("14-26")
        left_ms = timed.see()["clock"]["remaining_ms"]
        stage.kill_store()
        killed = time.monotonic()
        refused(device.get(), 503, "store_unavailable")
        wait_until(lambda: time.monotonic() - killed >= down_s, "the time is over", down_s + 5)
        stage.start_store()
        assert device.see()["version"] in {written, written + 1}
        assert timed.see()["clock"]["remaining_ms"] > left_ms - 5000
        assert [event["type"] for event in timed.events()[4:]] == []
        last = first_move(device.at(stage.other))["version"]
        for wire in (here, there):
            wire.until(lambda message: last == message.get("version", message.get("room", {}).get("version")))
            snapshots = [n for n, event in enumerate(wire.events) if event["type"] == "snapshot"]
            versions = wire.versions()[snapshots[-1] :]
            assert follows(versions[1:], versions[0])
        ai.wait_for(lambda room: room["to_move"] == "red", "the AI's answer")
        assert [event["version"] for event in device.events()] == list(range(1, last + 1))


def test_a_history_that_was_lost_is_told_by_a_snapshot(stage: Stage) -> None:
    """An older file is put back: nobody's board diverges, and a version issued twice is told apart."""
    device = create(stage.http, seats={"red": "me", "yellow": "me"})
    ai = create(stage.http, seats={"red": "me", "yellow": {"ai": "beginner"}})
    kept = first_move(device)
    ai.move("14-26")
    saved = stage.store.folder / "saved"
    stage.kill_store()
    shutil.copytree(stage.store.folder / "appendonlydir", saved)
    stage.start_store()
    with (
        wired(device) as here,
        wired(device.at(stage.other).stranger()) as there,
        wired(create(stage.http)) as gone,
    ):
        for wire in (here, there, gone):
            wire.told("snapshot")
        lost = [first_move(device.at(c)) for c in (stage.http, stage.other, stage.http)][-1]
        for wire in (here, there):
            wire.event(lost["version"])
        lost_id = here.events[-1]["id"]
        stage.kill_store()
        shutil.rmtree(stage.store.folder / "appendonlydir")
        shutil.copytree(saved, stage.store.folder / "appendonlydir")
        stage.start_store()
        assert gone.close_code() == 4404
        for wire in (here, there):
            assert wire.told("snapshot")["room"]["position"] == kept["position"]
            assert wire.versions()[-1] == kept["version"]
        told = refused(
            device.act("move", move=lost["legal_moves"][0], version=lost["version"]),
            409,
            "stale_version",
            "version",
        )
        assert told["version"] == kept["version"]
        moved = [other_move(device.at(c)) for c in (stage.other, stage.http, stage.other)][-1]
        assert moved["version"] == lost["version"]
        for wire in (here, there):
            new_id = wire.event(moved["version"])["id"]
            assert new_id != lost_id
            assert follows(wire.versions()[-3:], kept["version"])
    with wired(device, after=lost["version"] + 1) as ahead:
        assert ahead.receive()["room"]["position"] == moved["position"]
    headers = {"Accept": "text/event-stream", "Last-Event-ID": lost_id}
    with stage.other.stream("GET", f"{device.path}/events", headers=headers) as stream:
        data = next(line for line in stream.iter_lines() if line.startswith("data: "))
        assert msgspec.json.decode(data.removeprefix("data: "))["type"] == "snapshot"
    with wired(device.at(stage.other), lost["version"], lost_id) as late:
        assert late.receive()["room"]["position"] == moved["position"]
    with wired(device.at(stage.other), lost["version"], new_id) as in_time:
        assert in_time.did("rename", name="Aya") == in_time.told("renamed")["version"]
        assert in_time.versions() == [lost["version"] + 1]
    stage.running.add_worker()
    ai.wait_for(lambda room: room["to_move"] == "red", "the AI's answer to what is on the board")


def other_move(guest: Guest) -> Json:
    """The last move of the list."""
    return patient(partial(guest.act, "move", move=guest.see()["legal_moves"][-1]))


def test_a_paused_process_comes_back_to_what_has_happened(stage: Stage) -> None:
    """What it was asked before is refused where the game has gone on, else done; its sockets are told all."""
    moved, still = (create(stage.http, clock={"per_move_s": 600}) for _ in range(2))
    rival = join(moved)
    join(still)
    with wired(moved) as wire, ThreadPoolExecutor(2) as threads:
        wire.told("snapshot")
        process = stage.running.apis[0].process
        process.send_signal(signal.SIGSTOP)
        paused = time.monotonic()
        try:
            late = threads.submit(moved.act, "move", move="15-27", seat="red")
            right = threads.submit(still.act, "move", move="15-27")
            version = moved.at(stage.other).move("14-26")["version"]
            first_move(rival.at(stage.other))
            first_move(moved.at(stage.other))
            wait_until(lambda: time.monotonic() - paused > 4, "it has been paused for long")
        finally:
            process.send_signal(signal.SIGCONT)
        refused(late.result(), 409, "not_your_turn")
        assert ok(right.result())["ply"] == 1
        wire.event(version + 2)
        assert follows(wire.versions()[-3:], version - 1)
        clocks = [guest.see()["clock"]["remaining_ms"] for guest in (moved, moved.at(stage.other))]
        assert abs(clocks[0] - clocks[1]) < 2000
        assert first_move(rival)["ply"] == 4
        assert first_move(moved.at(stage.other))["ply"] == 5


async def test_a_process_told_to_end_sends_all_its_sockets_to_the_other(stage: Stage) -> None:
    """Each of 500 is closed with 1012 within the grace, and goes on at the other with nothing missing."""
    devices = [create(stage.http, seats={"red": "me", "yellow": "me"}) for _ in range(ROOMS)]
    watchers = [device.stranger() for device in devices for _ in range(SOCKETS // ROOMS)]
    sockets = await asyncio.gather(*map(opened, watchers))
    before = [int((await heard(socket))["room"]["version"]) for socket in sockets]
    begun = time.monotonic()
    stage.running.apis[0].process.terminate()
    codes = await asyncio.gather(*map(code_of, sockets))
    assert set(codes) == {1012}
    assert await asyncio.to_thread(stage.running.apis[0].process.wait, GRACE_S) in {0, -15, 143}
    assert time.monotonic() - begun < GRACE_S
    for device in devices:
        await asyncio.to_thread(first_move, device.at(stage.other))
    again = await asyncio.gather(
        *(opened(watcher.at(stage.other), after) for watcher, after in zip(watchers, before, strict=True))
    )
    for device in devices:
        await asyncio.to_thread(first_move, device.at(stage.other))
    for socket, after in zip(again, before, strict=True):
        versions = [(await heard(socket))["version"] for _ in range(2)]
        assert versions == [after + 1, after + 2]
        await socket.close()


async def opened(guest: Guest, after: int | None = None) -> ClientConnection:
    """A socket on which the guest has said hello."""
    socket = await open_socket(address(guest), compression=None, open_timeout=30)
    await socket.send(msgspec.json.encode(hello(guest, after)).decode())
    return socket


async def heard(socket: ClientConnection) -> Json:
    """The next message."""
    async with asyncio.timeout(30):
        message: Json = msgspec.json.decode(await socket.recv())
    return message


async def code_of(socket: ClientConnection) -> int | None:
    """The code that it is closed with."""
    try:
        while True:
            await heard(socket)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


def test_time_stands_still_while_no_api_runs(stage: Stage) -> None:
    """Longer than a move may take, and than anybody may be away: all goes on from where it was."""
    red = create(stage.http, clock={"per_move_s": CLOCK_S}, absence={"after_s": 5})
    join(red)
    left_ms = red.see()["clock"]["remaining_ms"]
    # What a process saw pass since its last tick of a second goes with it: let one tick count all up to here.
    wait_until(lambda: red.see()["clock"]["remaining_ms"] < left_ms - 1000, "a tick has passed")
    before_ms = red.see()["clock"]["remaining_ms"]
    for api in stage.running.apis:
        api.stop()
    ended = time.monotonic()
    wait_until(lambda: time.monotonic() - ended > 2 * CLOCK_S, "nobody plays for long", 3 * CLOCK_S)
    with connect(stage.running.add_api()) as http:
        room = red.at(http).see()
        assert before_ms - 2500 < room["clock"]["remaining_ms"] <= left_ms
        assert red.at(http).kinds()[4:] == []
        red.at(http).wait_for(
            lambda room: room["may"] == [] or room["clock"]["remaining_ms"] == 0, "time goes on"
        )
        wait_until(lambda: "clock_expired" in red.at(http).kinds(), "the clock has run out")


@pytest.mark.parametrize("step_s", [-30, 3600])
def test_a_step_of_the_stores_clock_flags_nobody(stage: Stage, step_s: int) -> None:
    """Backwards or forwards, by much more than a move may take: time stands for a moment, and goes on."""
    red = create(stage.http, clock={"per_move_s": 20})
    join(red)
    left_ms, begun = red.see()["clock"]["remaining_ms"], time.monotonic()
    key = service_time(Keys().all_tags()[0])
    with redis.Redis.from_url(stage.running.redis_url) as store:
        # Between two ticks: the last one is so far off now as if the clock had been put on, or back.
        store.hincrby(key, "at_ms", -1000 * step_s)
        for guest in (red, red.at(stage.other)):
            wait_until(
                lambda guest=guest: guest.see()["clock"]["remaining_ms"] < left_ms - 3000, "time goes on"
            )
    passed_ms = (time.monotonic() - begun) * 1000
    assert left_ms - passed_ms - 500 < red.see()["clock"]["remaining_ms"] <= left_ms - 3000
    assert "clock_expired" not in red.kinds()


def test_who_vanishes_is_stood_in_for_and_comes_back(data_dir: Path) -> None:
    """With two processes that watch the time, everything happens once."""
    quick = {"MITSUBOSHI_PRESENCE_S": "5"}
    with ExitStack() as stack:
        running, _ = stack.enter_context(house(data_dir, apis=0))
        running.add_worker(**quick)
        urls = [running.add_api(**quick) for _ in range(2)]
        http, other = (stack.enter_context(connect(url)) for url in urls)
        red = create(http, clock={"per_move_s": 60}, absence={"after_s": 5})
        yellow = join(red.at(other))
        stack.enter_context(wired(red))
        with wired(yellow):
            wait_until(lambda: bool(red.see()["seats"][1]["present"]), "both are there")
        version = red.move("14-26")["version"]
        room = red.wait_for(lambda room: room["ply"] == 2, "an AI plays for who is away")
        assert red.kinds(version) == ["seat_absent", "seat_substituted", "move_played"]
        assert room["to_move"] == "red"
        with wired(yellow, after=version) as back:
            back.told("seat_returned")
            version = red.move(room["legal_moves"][0])["version"]
            back.event(version)
            room = yellow.see()
            assert room["you"] == ["yellow"]
            assert room["to_move"] == "yellow"
            assert room["clock"]["remaining_ms"] > 57_000
            assert yellow.move(room["legal_moves"][0])["ply"] == 4
        kinds = red.kinds()
        assert [kinds.count(kind) for kind in ("seat_absent", "seat_substituted", "seat_returned")] == [
            1,
            1,
            1,
        ]


def test_two_processes_that_watch_the_time_do_nothing_twice(stage: Stage) -> None:
    """Many clocks run out in the same second: each once, in rooms whose history has no gap."""
    guests = [create(stage.http, clock={"per_move_s": CLOCK_S}) for _ in range(40)]
    for guest in guests:
        join(guest)
    for guest in guests:
        guest.wait_for(lambda room: "move" not in room["may"], "the clock has run out")
    for guest in chain(guests, reversed(guests)):
        assert guest.kinds()[3:].count("clock_expired") == 1
