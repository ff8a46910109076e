"""A network that is cut without a word: the old connection lives on for a while, beside the new one."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from tests.conftest import ServiceFactory
from tests.processes import wait_until
from tests.rest import Guest, Json, connect, create, join
from tests.sockets import address, hello, wired

PING_S, PRESENCE_S = 1, 5


@contextmanager
def unheard(guest: Guest) -> Iterator[None]:
    """A socket of the guest's that says hello, and from then on nothing, not even that it has been pinged."""
    host, _, path = address(guest).removeprefix("ws://").partition("/")
    name, _, port = host.partition(":")
    lines = [
        f"GET /{path} HTTP/1.1",
        f"Host: {host}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
    ]
    text = msgspec.json.encode(hello(guest))
    with socket.create_connection((name, int(port)), timeout=10) as client:
        client.sendall("\r\n".join(lines).encode() + b"\r\n\r\n")
        assert client.recv(4096).startswith(b"HTTP/1.1 101")
        # A text in one frame, under a mask of zeros.
        client.sendall(bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text)
        assert b"snapshot" in client.recv(65536)
        yield


def seat_of(room: Json, seat: str) -> Json:
    """What the snapshot says of that seat."""
    return next(one for one in room["seats"] if one["seat"] == seat)


def test_who_comes_back_before_the_old_connection_is_known_dead_never_left(service: ServiceFactory) -> None:
    """Nobody sees it go or come, and the old connection's end, long after, takes nobody's seat."""
    running = service(workers=0, MITSUBOSHI_PING_S=str(PING_S), MITSUBOSHI_PRESENCE_S=str(PRESENCE_S))
    with connect(running.urls[0]) as http:
        red = create(http, seats={"red": "me", "yellow": "open"})
        yellow = join(red)

        def connections() -> int:
            metrics = http.get("/metrics").text
            return int(metrics.partition("mitsuboshi_connections ")[2].split()[0])

        with wired(red) as watcher, unheard(yellow), wired(yellow) as again:
            assert connections() == 3
            watcher.receive()
            again.receive()
            begun, seen, moves = time.monotonic(), set(), 0
            while connections() == 3 or time.monotonic() - begun < 2 * PRESENCE_S:
                assert time.monotonic() - begun < 30, "the old connection is taken for alive"
                seen.add(seat_of(red.see(), "yellow")["present"])
                version = red.did("rename", name=f"Aya {moves}")["version"]
                moves += 1
                for wire in (watcher, again):  # Who does not read answers no ping.
                    wire.event(version)
                time.sleep(0.05)
            assert connections() == 2
            assert seen == {True}
            assert {event["type"] for event in watcher.events} == {"snapshot", "renamed"}
            assert again.did("rename", name="Bo") == red.see()["version"]
        wait_until(lambda: not seat_of(red.see(), "yellow")["present"], "yellow is gone")
    logs = running.logs()
    for word in ("Traceback", "[error", "Exception in ASGI", "never retrieved"):
        assert word not in logs
