"""Redis and API processes that are away for a while: told plainly, and gone on from without help."""

from __future__ import annotations

import os
import re
import signal
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from mitsuboshi.local.redis_server import EmbeddedRedis
from tests.conftest import ServiceFactory
from tests.processes import Program, Service, answers, free_port, wait_until
from tests.rest import Guest, Json, ask_seat, connect, create, join, ok, problem_of, refused, send, together

START = "R/rr/rrr/rrrr/4rrrrr4/12/11/10/y8/yy8/yyy8/yyyy8/Yyyyy8/4/3/2/1 r 2 0 0"
Asked = tuple[httpx.Client, str, str | None, str | None, Any]


@contextmanager
def house(folder: Path, apis: int = 1, workers: int = 0) -> Iterator[tuple[Service, list[EmbeddedRedis]]]:
    """A service whose Redis, the one element of the list, the test may end and replace."""
    servers = [EmbeddedRedis(folder)]
    servers[0].__enter__()
    running = Service(servers[0].url, folder)
    try:
        for _ in range(workers):
            running.add_worker()
        for _ in range(apis):
            running.add_api()
        yield running, servers
    finally:
        running.stop()
        servers[-1].close()


def ready(running: Service) -> None:
    """Return once every API process is ready again."""
    for url in running.urls:
        wait_until(lambda url=url: answers(f"{url}/health/ready"), f"{url} is ready again")  # type: ignore[misc]


def test_without_redis_everything_says_try_again(data_dir: Path) -> None:
    """503 with Retry-After, never 500, nothing half written; with Redis back the game goes on by itself."""
    with house(data_dir, workers=1) as (running, servers), connect(running.urls[0]) as http:
        red = create(http, seats={"red": "me", "yellow": {"ai": "beginner"}})
        red.move("14-26")
        before = red.wait_for(lambda room: room["to_move"] == "red", "the AI's answer")
        events = red.events()
        servers[0].close()
        assert answers(f"{running.urls[0]}/health/live")
        move = {"type": "move", "move": before["legal_moves"][0]}
        for method, path, body in (
            ("GET", "/health/ready", None),
            ("GET", red.path, None),
            ("GET", f"{red.path}/events", None),
            ("GET", f"{red.path}/record", None),
            ("GET", f"{red.path}/legal-moves", None),
            ("POST", "/v1/rooms", {"game": "diamond"}),
            ("POST", f"{red.path}/seats", {}),
            ("POST", f"{red.path}/actions", move),
            ("DELETE", red.path, None),
            ("POST", "/v1/games/diamond/analysis", {"position": START, "nodes": 100}),
        ):
            answer = send(http, method, path, red.token, json=body)
            refused(answer, 503, "store_unavailable")
        assert ok(http.post("/v1/games/diamond/legal-moves", json={"position": START}))["to_move"] == "red"
        assert ok(http.get("/v1/games"))["items"]
        servers.append(EmbeddedRedis(data_dir).__enter__())
        ready(running)
        after = red.see()
        assert {**after, "server_now_ms": 0, "expires_in_ms": 0} == {
            **before,
            "server_now_ms": 0,
            "expires_in_ms": 0,
        }
        assert red.events() == events
        red.move(before["legal_moves"][0])
        red.wait_for(lambda room: room["to_move"] == "red", "the AI answers again")
        assert "Traceback" not in running.logs()


def test_a_redis_that_hangs_is_away_like_one_that_is_gone(data_dir: Path) -> None:
    """Nobody waits for it without end, and it is used again when it answers."""
    with house(data_dir) as (running, servers), connect(running.urls[0]) as http:
        device = create(http, seats={"red": "me", "yellow": "me"})
        version = device.see()["version"]
        pid = servers[0].pid
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        try:
            told = together(
                device.get, device.close, partial(device.act, "resign"), partial(http.get, "/health/ready")
            )
        finally:
            os.kill(pid, signal.SIGCONT)
        for answer in told:
            refused(answer, 503, "store_unavailable")
        ready(running)
        # What was sent before the silence may still be done: closing and resigning, each once at most.
        kinds = device.kinds(version)
        assert kinds in ([], ["game_ended"], ["room_closed"], ["game_ended", "room_closed"])
        assert "Traceback" not in running.logs()


def test_a_redis_that_is_killed_in_mid_play_costs_nothing_but_a_repeat(data_dir: Path) -> None:
    """A client that repeats each move under its key until it is told plays on; every version is there."""
    with (
        house(data_dir, apis=2) as (running, servers),
        connect(running.urls[0]) as http,
        connect(running.urls[1]) as other,
    ):
        device = create(http, seats={"red": "me", "yellow": "me"})
        killed = False
        for number in range(60):
            room = patient(device.get)
            if number == 20:
                pid = servers[0].pid
                assert pid is not None
                threading.Timer(0.005, os.kill, (pid, signal.SIGKILL)).start()
                killed = True
            guest = device.at(other if number % 2 else http)
            key, move = f"a-move-number-{number:04}", room["legal_moves"][0]
            told = patient(
                lambda g=guest, k=key, m=move, v=room["version"]: g.act(  # type: ignore[misc]
                    "move", move=m, version=v, key=k
                )
            )
            assert told["applied_version"] >= told["ply"] + 4
        assert killed
        events = device.events()
        assert [event["version"] for event in events] == list(range(1, len(events) + 1))
        assert {event["type"] for event in events[4:]} == {"move_played"}
        assert device.see()["version"] == len(events)


def patient(ask: Any) -> Json:
    """The body of the first answer that is not 503, all the others being as they should."""
    found: list[Json] = []

    def answered() -> bool:
        answer = ask()
        if answer.status_code == 503:
            assert problem_of(answer)["code"] in {"store_unavailable", "busy"}
            return False
        found.append(ok(answer))
        return True

    wait_until(answered, "an answer other than 503")
    return found[0]


def test_a_process_killed_before_it_answers_is_replaced_by_another(data_dir: Path) -> None:
    """The client sends the same request, under the same key, to another process: applied once.

    The first process is killed before it can have read the request, the second as soon as it may have."""
    with house(data_dir, apis=3) as (running, _), connect(running.urls[2]) as other:
        for number in range(2):
            api, key = running.apis[number], f"killed-in-between-{number}"
            device = create(other, seats={"red": "me", "yellow": "me"})
            body = b'{"type":"move","move":"14-26"}'
            head = (
                f"POST {device.path}/actions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                f"Authorization: Bearer {device.token}\r\nIdempotency-Key: {key}\r\n"
                f"Content-Length: {len(body)}\r\n\r\n"
            ).encode()
            with to(running.urls[number]) as client:
                if number == 0:
                    api.process.send_signal(signal.SIGSTOP)
                client.sendall(head + body)
                api.process.kill()
                received = received_before_the_end(client)
            assert received == b"" or (number and received.startswith(b"HTTP/1.1 200 "))
            assert number or device.see()["ply"] == 0
            told = ok(device.act("move", move="14-26", key=key))
            assert (told["applied_version"], told["ply"]) == (5, 1)
            assert device.kinds().count("move_played") == 1
            api.process.wait()


def to(url: str) -> socket.socket:
    """A plain connection to the process of that URL."""
    host, _, port = url.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), timeout=10)


def received_before_the_end(client: socket.socket) -> bytes:
    """What comes until the other side is gone."""
    received = b""
    try:
        while part := client.recv(65536):
            received += part
    except ConnectionResetError:
        pass
    return received


def test_an_api_started_before_its_redis_waits_for_it(data_dir: Path) -> None:
    """It lives, is not ready, and then is; no crash, no loop."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    server = EmbeddedRedis(data_dir)
    environ = {"MITSUBOSHI_REDIS_URL": server.url, "MITSUBOSHI_PORT": str(port)}
    program = Program.start(["serve"], environ, data_dir / "early.log")
    try:
        program.wait_for(f"{url}/health/live")
        with connect(url) as http:
            refused(http.get("/health/ready"), 503, "store_unavailable")
            refused(send(http, "POST", "/v1/rooms", json={"game": "diamond"}), 503, "store_unavailable")
            refused(http.get("/v1/rooms/nowhere00000"), 503, "store_unavailable")
            assert ok(http.get("/v1/games"))["items"]
            refused(http.get("/v1/nope"), 404, "not_found")
            server.__enter__()
            wait_until(lambda: answers(f"{url}/health/ready"), "the API is ready")
            assert create(http).see()["version"] == 2
        assert "waiting_for_redis" in program.said()
        assert "Traceback" not in program.said()
        assert program.stop() == 0
    finally:
        program.process.kill()
        server.close()


def test_an_api_without_a_redis_ends_when_told(data_dir: Path) -> None:
    """It does not wait for what may never come."""
    port = free_port()
    environ = {"MITSUBOSHI_REDIS_URL": f"unix://{data_dir}/none.sock", "MITSUBOSHI_PORT": str(port)}
    program = Program.start(["serve"], environ, data_dir / "alone.log")
    program.wait_for(f"http://127.0.0.1:{port}/health/live")
    assert program.stop() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_requests_in_flight_are_answered_before_the_end(data_dir: Path, number: signal.Signals) -> None:
    """Each is answered or never begun, what was answered is there, and the other process goes on."""
    with house(data_dir, apis=2) as (running, _), connect(running.urls[1]) as other:
        with connect(running.urls[0]) as http, ThreadPoolExecutor(8) as threads:
            guests = [create(http, seats={"red": "me", "yellow": "me"}) for _ in range(8)]
            begun = threading.Barrier(9)
            played = [threads.submit(play_until_away, guest, begun) for guest in guests]
            begun.wait()
            assert running.apis[0].stop(number) in {0, 128 + number, -number}
            counts = [future.result() for future in played]
        for guest, count in zip(guests, counts, strict=True):
            room = guest.at(other).see()
            assert room["ply"] in {count, count + 1}
            guest.at(other).move(room["legal_moves"][0])
        assert "Traceback" not in running.apis[0].said()


def play_until_away(guest: Guest, begun: threading.Barrier) -> int:
    """Moves played at a process until it is away; the number of those that were answered."""
    room = guest.see()
    begun.wait()
    for count in range(5000):
        try:
            answer = guest.act("move", move=room["legal_moves"][0])
        except httpx.TransportError:
            return count
        if answer.status_code == 503:
            return count
        room = ok(answer)
        if room["status"] != "playing":
            return count + 1
    raise AssertionError("the process never went away")


def test_an_analysis_that_no_worker_takes_is_refused(service: ServiceFactory) -> None:
    """With a time to come back, once it has waited; moves of people need no worker."""
    running = service(apis=1, workers=0, MITSUBOSHI_LEASE_MS="100")
    with connect(running.urls[0]) as http, ThreadPoolExecutor(1) as threads:
        asked = threads.submit(
            http.post, "/v1/games/diamond/analysis", json={"position": START, "movetime_ms": 1}
        )
        red = create(http)
        yellow = join(red)
        red.move("14-26")
        yellow.move(yellow.see()["legal_moves"][0])
        refused(ask_seat(red), 409, "seat_taken")
        refused(asked.result(60), 503, "pool_unavailable")
        ai = create(http, seats={"red": "me", "yellow": {"ai": "beginner"}})
        ai.move("14-26")
        running.add_worker()
        ai.wait_for(lambda room: room["to_move"] == "red", "a worker that comes late still answers")
    assert not re.search("Traceback", running.logs())
