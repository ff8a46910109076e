"""From a person's move to the AI's event: what queue, worker and room cost beside the search.

A real API process and a real worker; the level is the one that searches a single ply, and the time that the
engine needs for that on the same positions is measured by itself and subtracted.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import msgspec
import uvloop
from redis.asyncio import Redis

from bench import stand
from bench.figures import number, quantile, table
from bench.load import open_lanes
from bench.script import GAME, OPTIONS
from bench.wire import Misbehaved, Wire, request
from mitsuboshi.ai._engine import Engine
from mitsuboshi.ai.levels import LEVELS
from mitsuboshi.store import keys
from mitsuboshi.store.keys import Keys

AIMS_MS = {0.5: 5.0, 0.99: 20.0}
LEVEL = "beginner"
PLIES_EACH = 20
PATIENCE_S = 10.0


@dataclass(slots=True)
class Found:
    """Milliseconds, a value for each move."""

    event_ms: list[float] = field(default_factory=list)
    """From the ring for the person's event to the ring for the AI's."""
    answer_ms: list[float] = field(default_factory=list)
    """From the sending of the person's request to a waiting client's snapshot with the AI's move."""
    positions: list[str] = field(default_factory=list)
    """What the AI had to think about."""


@asynccontextmanager
async def rings(url: str) -> AsyncIterator[asyncio.Queue[tuple[str, float]]]:
    """Every ring of the doorbell, with its time."""
    heard: asyncio.Queue[tuple[str, float]] = asyncio.Queue()
    async with Redis.from_url(url, protocol=2) as redis, redis.pubsub(ignore_subscribe_messages=True) as bell:
        await bell.subscribe(*map(keys.bell, Keys().all_tags()))

        async def listen() -> None:
            while True:
                message = await bell.get_message(timeout=PATIENCE_S)
                if message is not None:
                    heard.put_nowait((message["data"].decode(), time.perf_counter()))

        task = asyncio.create_task(listen())
        try:
            yield heard
        finally:
            task.cancel()


async def play(wires: tuple[Wire, Wire], heard: asyncio.Queue[Any], moves: int, found: Found) -> None:
    """One room: a person's moves by lot, each answered by the AI."""
    actor, watcher = wires
    lot = random.Random(len(found.event_ms))
    wish = {"game": "diamond", "seats": {"red": "me", "yellow": {"ai": LEVEL}}}
    made = msgspec.json.decode(await actor.ask(request("POST", "/v1/rooms", wish), 201))
    room, token = made["room"], made["token"]
    path = f"/v1/rooms/{room['id']}"
    await next_ring(heard, room["id"])
    for _ in range(moves):
        action = {"type": "move", "move": lot.choice(room["legal_moves"])}
        version = room["version"]
        waiting = watcher.send(request("GET", f"{path}?after={version + 1}&wait_s=10", token=token))
        begun = time.perf_counter()
        room = msgspec.json.decode(await actor.ask(request("POST", f"{path}/actions", action, token)))
        found.positions.append(room["position"])
        status, body = await waiting
        while status == 200 and msgspec.json.decode(body)["version"] < version + 2:
            again = request("GET", f"{path}?after={version + 1}&wait_s=10", token=token)
            status, body = await watcher.send(again)
        found.answer_ms.append((time.perf_counter() - begun) * 1000)
        asked = await next_ring(heard, room["id"])
        found.event_ms.append((await next_ring(heard, room["id"]) - asked) * 1000)
        room = msgspec.json.decode(body)
        if status != 200 or room["version"] != version + 2 or room["status"] != "playing":
            raise Misbehaved(f"no answer of the AI: {status} {body[:200]!r}")


async def next_ring(heard: asyncio.Queue[tuple[str, float]], room: str) -> float:
    """When the room's next event was told."""
    while True:
        subject, at = await asyncio.wait_for(heard.get(), PATIENCE_S)
        if subject == room:
            return at


async def measure(url: str, server: stand.Server, moves: int) -> Found:
    """So many answers of the AI."""
    found = Found()
    lanes = await open_lanes(server, 2)
    wires = (lanes[0].wire, lanes[1].wire)
    async with rings(url) as heard:
        await play(wires, heard, 2, Found())  # The worker may still be starting.
        while len(found.event_ms) < moves:
            await play(wires, heard, min(PLIES_EACH, moves), found)
    for wire in wires:
        wire.close()
    return found


def search_ms(positions: list[str]) -> list[float]:
    """What the engine alone needs for them."""
    engine, limits, spent = Engine(64), LEVELS[LEVEL].limits, []
    for position in positions:
        begun = time.perf_counter()
        engine.search(
            GAME.key,
            position,
            OPTIONS,
            movetime_ms=limits.movetime_ms,
            plies=limits.plies,
            noise=limits.noise,
            race_width=limits.race_width,
        )
        spent.append((time.perf_counter() - begun) * 1000)
    return spent


def run(quick: bool) -> str:
    """Measure, and answer the report."""
    with ExitStack() as stack:
        url = stack.enter_context(stand.redis()).url
        server = stack.enter_context(stand.server("service", url, stand.cores()[0]))
        stack.enter_context(stand.process(["mitsuboshi", "worker"], {"MITSUBOSHI_REDIS_URL": url}))
        found = uvloop.run(measure(url, server, 4 if quick else 300))
    search = search_ms(found.positions)
    less = [max(0.0, value - median(search)) for value in found.event_ms]
    named = {
        "search alone": search,
        "person's event to AI's event": found.event_ms,
        "less the search": less,
        "request to the waiting client's answer": found.answer_ms,
    }
    rows = [
        (name, *(number(quantile(values, share)) for share in (0.5, 0.9, 0.99)), number(max(values)))
        for name, values in named.items()
    ]
    aims = ", ".join(
        f"p{share * 100:.0f} {quantile(less, share):.1f} of {aim:.0f} ms" for share, aim in AIMS_MS.items()
    )
    head = (f"ms, {len(less)} moves", "p50", "p90", "p99", "max")
    return f"{table(head, rows)}\n\nless the search: {aims}"
