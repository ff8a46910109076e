"""How soon there is a good move again after a part of `mitsuboshi up` was killed, with its own help alone."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import uvloop

from bench import stand
from bench.figures import spread, table
from bench.wire import Misbehaved, Wire, request

POLL_S = 0.005
PATIENCE_S = 60.0
ANSWER_S = 5.0
PARTS = {"API": "mitsuboshi serve", "worker, in mid-search": "mitsuboshi worker", "Redis": "redis.sock"}
KEY = "the-only-move-here"
MINE = {"game": "diamond", "seats": {"red": "me", "yellow": "me"}}
SLOW = {"game": "checkers", "seats": {"red": "me", "white": {"ai": "advanced"}}}
"""In which the AI thinks for a second: nothing else bounds it."""


@dataclass
class Place:
    """Where `up` runs."""

    pid: int
    port: int

    def part(self, command: str) -> int:
        """The process with that in its command line."""
        for pid in _descendants(self.pid):
            with suppress(OSError):
                if command in Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " "):
                    return pid
        raise Misbehaved(f"no process runs {command}")


def _descendants(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            found += [child, *_descendants(child)]
    return found


@contextmanager
def whole() -> Iterator[Place]:
    """Everything on this machine, with one worker."""
    with tempfile.TemporaryDirectory(prefix="mb-", dir="/tmp") as folder:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        environ = {"MITSUBOSHI_DATA_DIR": folder, "MITSUBOSHI_PORT": str(port), "MITSUBOSHI_WORKERS": "1"}
        with (
            open(os.devnull, "wb") as nowhere,
            stand.process(["mitsuboshi", "up"], environ, output=nowhere) as pid,
        ):
            yield Place(pid, port)


async def wait_for(port: int) -> None:
    """Return when the API there is ready."""
    await _patiently(port, request("GET", "/health/ready"))


async def _patiently(port: int, asked: bytes) -> dict[str, Any]:
    """The first answer of 200 to a request that is sent again and again."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            with suppress(OSError, Misbehaved, TimeoutError):
                async with asyncio.timeout(ANSWER_S):
                    wire = await Wire.open(port)
                    try:
                        status, body = await wire.send(asked)
                    finally:
                        wire.close()
                if status == 200:
                    found: dict[str, Any] = msgspec.json.decode(body)
                    return found
            await asyncio.sleep(POLL_S)


async def _room(port: int, wish: dict[str, Any]) -> tuple[str, str, dict[str, Any]]:
    wire = await Wire.open(port)
    made = msgspec.json.decode(await wire.ask(request("POST", "/v1/rooms", wish), 201))
    wire.close()
    return f"/v1/rooms/{made['room']['id']}", made["token"], made["room"]


async def _kill_and_move(place: Place, command: str) -> float:
    """Seconds until a move is played by a client that asks until it is."""
    path, token, room = await _room(place.port, MINE)
    os.kill(place.part(command), signal.SIGKILL)
    killed = time.perf_counter()
    move = {"type": "move", "move": room["legal_moves"][0]}
    await _patiently(place.port, request("POST", f"{path}/actions", move, token, KEY))
    return time.perf_counter() - killed


async def _kill_in_search(place: Place, command: str) -> float:
    """Seconds until the AI's move, its worker being killed while it thinks."""
    path, token, room = await _room(place.port, SLOW)
    move = {"type": "move", "move": room["legal_moves"][0]}
    moved = await _patiently(place.port, request("POST", f"{path}/actions", move, token, KEY))
    await asyncio.sleep(0.3)
    os.kill(place.part(command), signal.SIGKILL)
    killed = time.perf_counter()
    while moved["to_move"] != "red":
        moved = await _patiently(place.port, request("GET", path, token=token))
    return time.perf_counter() - killed


async def _once(place: Place) -> dict[str, float]:
    await wait_for(place.port)
    found = {}
    for part, command in PARTS.items():
        kill = _kill_in_search if "search" in part else _kill_and_move
        found[part] = await kill(place, command)
        await wait_for(place.port)
    return found


def recoveries(times: int) -> str:
    """Kill each part so often, each time in a fresh house; the report."""
    found = []
    for _ in range(times):
        with whole() as place:
            found.append(uvloop.run(_once(place)))
    rows = [(part, spread([one[part] for one in found])) for part in PARTS]
    return table(("killed by SIGKILL", "seconds to the next good move"), rows)
