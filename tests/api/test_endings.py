"""How sockets and streams end when it is not their clients' wish: a restart, a reader that reads nothing."""

from __future__ import annotations

import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import httpx
import pytest

from tests.conftest import ServiceFactory
from tests.processes import Service, wait_until
from tests.rest import Guest, connect, create, join, ok
from tests.sockets import raw, wired
from tests.streams import NDJSON, SSE, streaming

SOCKETS = 60
UNLIMITED = {"MITSUBOSHI_REQUESTS_PER_TOKEN_S": "0", "MITSUBOSHI_REQUESTS_PER_ADDRESS_S": "0"}


UPGRADE = [
    *("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"),
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
]


def faults(service: Service) -> list[str]:
    """The lines of the logs that tell of an error."""
    words = ("Traceback", "[error", "ERROR", "Exception in ASGI", "Task exception", "never retrieved")
    return [line for line in service.logs().splitlines() if any(word in line for word in words)]


def test_a_process_that_is_told_to_end_sends_everybody_elsewhere(service: ServiceFactory) -> None:
    """Sockets by their code, streams by their end, within its grace; at the other process nothing is lost."""
    house = service(apis=2, workers=0, **UNLIMITED)
    with connect(house.urls[0]) as ending, connect(house.urls[1]) as staying, ExitStack() as stack:
        red = create(ending)
        yellow = join(red)
        known = red.see()["version"]
        watcher = red.stranger()
        wires = [stack.enter_context(wired(watcher)) for _ in range(SOCKETS)]
        own = stack.enter_context(wired(red))
        unspoken = stack.enter_context(raw(watcher))
        streams = [stack.enter_context(streaming(watcher, accept)) for accept in (SSE, NDJSON)]
        for reader in (*wires, own, *streams):
            assert reader.receive()["type"] == "snapshot"
        house.apis[0].process.send_signal(signal.SIGTERM)
        begun = time.monotonic()
        with ThreadPoolExecutor(SOCKETS) as threads:
            codes = set(threads.map(lambda wire: wire.close_code(), [*wires, own, unspoken]))
        assert codes == {1012}
        assert [stream.rest() for stream in streams] == [[], []]
        assert house.apis[0].process.wait(10) == 0
        assert time.monotonic() - begun < 10
        for wire in (*wires, own):
            assert [event["type"] for event in wire.events] == ["snapshot"], "no game ended by it"
        red.at(staying).move("6-26")
        reply = yellow.at(staying).see()["legal_moves"][0]
        yellow.at(staying).move(reply)
        for guest in (red, watcher):
            with wired(guest.at(staying), after=known) as wire:
                assert [wire.receive()["move"] for _ in range(2)] == ["6-26", reply]
        with streaming(watcher.at(staying), last_id=streams[0].ids[-1]) as stream:
            assert [stream.receive()["move"] for _ in range(2)] == ["6-26", reply]
    assert faults(house) == []


def test_a_process_that_is_killed_loses_nothing_but_its_connections(service: ServiceFactory) -> None:
    """Clients that come back elsewhere see an unbroken history; an action sent again is done once."""
    house = service(apis=2, workers=0, **UNLIMITED)
    with connect(house.urls[0]) as ending, connect(house.urls[1]) as staying:
        red = create(ending, visibility="public")
        yellow = join(red.at(staying))
        with wired(red) as wire:
            known = wire.receive()["room"]["version"]
            wire.send({"type": "move", "move": "6-26", "id": "the-id-of-this-move"})
            house.apis[0].kill()
            assert wire.close_code() == 1006
        with wired(red.at(staying), after=known) as wire:
            answer = wire.ask("move", "the-id-of-this-move", move="6-26")
            assert (answer["type"], answer["version"]) == ("ok", known + 1)
            moved = wire.events[-1] if wire.events else wire.event(known + 1)
            assert moved["move"] == "6-26"
            yellow.move(yellow.see()["legal_moves"][0])
            wire.event(known + 2)
        assert yellow.kinds().count("move_played") == 2
        assert red.room in [room["id"] for room in ok(staying.get("/v1/rooms"))["items"]]


def stalled(guest: Guest, kind: str) -> socket.socket:
    """A connection of the guest that follows the room in that way, but takes hardly anything."""
    url = guest.http.base_url
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    connection.settimeout(20)
    connection.connect((url.host, url.port))
    part, headers = ("socket", UPGRADE) if kind == "socket" else ("events", [f"Accept: {kind}"])
    lines = [f"GET {guest.path}/{part} HTTP/1.1", "Host: service", *headers, "", ""]
    connection.sendall("\r\n".join(lines).encode())
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += connection.recv(1)
    assert head.startswith(b"HTTP/1.1 101 " if kind == "socket" else b"HTTP/1.1 200 "), head
    if kind == "socket":
        text = b'{"type": "hello"}'
        connection.sendall(bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text)
    return connection


def code_in_the_end(connection: socket.socket) -> int:
    """The code with which the service closes a stalled socket, behind everything that was sent before."""
    frames = connection.makefile("rb")
    while True:
        kind, length = frames.read(2)
        if length == 126:
            length = int.from_bytes(frames.read(2), "big")
        payload = frames.read(length)
        if kind & 0x0F == 8:
            return int.from_bytes(payload[:2], "big")


def connections(http: httpx.Client) -> int:
    """How many streams and sockets the process has open."""
    lines = http.get("/metrics").text.splitlines()
    return int(next(line for line in lines if line.startswith("mitsuboshi_connections ")).split()[1])


@pytest.mark.parametrize("kind", ["socket", SSE, NDJSON])
def test_a_reader_that_reads_nothing_is_cut_off(service: ServiceFactory, kind: str) -> None:
    """Others are told everything meanwhile, without delay; and no error is logged."""
    house = service(apis=1, workers=0, **UNLIMITED)
    with connect(house.urls[0]) as http, ExitStack() as stack:
        device = create(http, seats={"red": "me", "yellow": "me"}, undo="free")
        idle = [stack.enter_context(stalled(device, kind)) for _ in range(5)]
        reader = stack.enter_context(wired(device))
        reader.receive()
        wait_until(lambda: connections(http) == 6, "all six are connected")
        delays_s, deadline, version = [], time.monotonic() + 60, 0
        while connections(http) > 1:
            assert time.monotonic() < deadline, (
                f"{connections(http)} are still connected at version {version}"
            )
            for _ in range(100):
                begun = time.monotonic()
                version = device.move("6-26")["version"]
                reader.event(version)
                delays_s.append(time.monotonic() - begun)
                reader.event(device.did("undo")["version"])
        assert sorted(delays_s)[len(delays_s) // 2] < 0.1
        assert max(delays_s) < 2
        assert reader.did("rename", name="Aya") == version + 2
        if kind == "socket":
            assert {code_in_the_end(connection) for connection in idle} == {4429}
        assert faults(house) == []
