"""Load on HTTP servers: connections that ask again as soon as they are answered, variants by turns."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

import msgspec

from bench import script
from bench.stand import Server, cpu_s
from bench.wire import Misbehaved, Wire, request

PATIENCE_S = 20.0
"""How long a server may take to start, or to answer what is still under way when a round is over."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured."""

    rounds: int = 15
    round_s: float = 0.4
    connections: int = 16
    rooms_each: int = 8


@dataclass(slots=True)
class Lane:
    """One connection and the rooms that it plays in turn, the same ply in all of them."""

    number: int
    wire: Wire
    rooms: list[tuple[str, str]] = field(default_factory=list)
    turn: int = 0
    peer_turn: int = 0

    async def move(self) -> None:
        """The next move of the next room."""
        await self._play("/v1/rooms/{}/actions")

    async def mounted_move(self) -> None:
        """The same past the framework."""
        await self._play("/bench/act/{}")

    async def _play(self, path: str) -> None:
        place = self.turn % len(self.rooms)
        room, token = self.rooms[place]
        move = script.moves(self.number * len(self.rooms) + place)[self.turn // len(self.rooms)]
        self.turn += 1
        body = await self.wire.ask(request("POST", path.format(room), {"type": "move", "move": move}, token))
        if b'"applied_version":' not in body:
            raise Misbehaved(f"no snapshot: {body[:200]!r}")

    async def refill(self, rooms: int) -> None:
        """Fresh rooms where those there are have been played half to the script's end."""
        if self.rooms and self.turn // len(self.rooms) < script.PLIES // 2:
            return
        self.rooms, self.turn = [], 0
        wish = {"game": "diamond", "seats": {"red": "me", "yellow": "me"}}
        for _ in range(rooms):
            made = msgspec.json.decode(await self.wire.ask(request("POST", "/v1/rooms", wish), 201))
            script.moves(self.number * rooms + len(self.rooms))
            self.rooms.append((made["room"]["id"], made["token"]))

    async def trip(self) -> None:
        """One round trip to Redis."""
        await self.wire.ask(request("GET", "/bench/trip"))

    async def write(self) -> None:
        """The write of a move, by the same service."""
        await self._write("/bench/write/peers-room-")

    async def bare(self) -> None:
        """The same write by the bare peer."""
        await self._write("/bare-room-")

    async def _write(self, path: str) -> None:
        self.peer_turn += 1
        action = {"type": "move", "move": "14-26"}
        room = f"{path}{self.number:02}-{self.peer_turn % 8:02}"
        await self.wire.ask(request("POST", room, action, "x" * 39))


@dataclass(frozen=True, slots=True)
class Variant:
    """What is measured: one kind of request to one server."""

    server: str
    ask: Callable[[Lane], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Round:
    """What one variant did in one round."""

    per_s: float
    cpu_us: float
    waits_ms: list[float]


async def load(lanes: list[Lane], ask: Callable[[Lane], Awaitable[None]], pid: int, round_s: float) -> Round:
    """Every connection asks again as soon as it is answered, for so long."""
    waits: list[float] = []
    used, begun = cpu_s(pid), time.perf_counter()
    end = begun + round_s

    async def lane_load(lane: Lane) -> None:
        while (asked := time.perf_counter()) < end:
            await ask(lane)
            waits.append((time.perf_counter() - asked) * 1000)

    async with asyncio.timeout(round_s + PATIENCE_S):
        await asyncio.gather(*map(lane_load, lanes))
    passed = time.perf_counter() - begun
    return Round(len(waits) / passed, (cpu_s(pid) - used) / len(waits) * 1e6, waits)


async def open_lanes(server: Server, connections: int) -> list[Lane]:
    """The connections to a server, which may still be starting."""
    lanes = [Lane(number, await Wire.open(server.port)) for number in range(connections)]
    # The socket is open before the server is, and stays open when it has died: nobody answers then.
    async with asyncio.timeout(PATIENCE_S):
        while (await lanes[0].wire.send(request("GET", "/health/ready")))[0] != 200:  # noqa: ASYNC110 asking is all there is
            await asyncio.sleep(0.05)
    return lanes


async def measure(
    servers: Mapping[str, Server], variants: Mapping[str, Variant], size: Size
) -> dict[str, list[Round]]:
    """The rounds of each variant, by turns: what disturbs the machine disturbs them alike."""
    lanes = {kind: await open_lanes(server, size.connections) for kind, server in servers.items()}
    found: dict[str, list[Round]] = {name: [] for name in variants}
    for turn in range(size.rounds + 1):
        for name, variant in variants.items():
            own, server = lanes[variant.server], servers[variant.server]
            for lane in own:  # Servers hang up on those that were idle for some seconds.
                lane.wire.close()
                lane.wire = await Wire.open(server.port)
            if variant.ask in (Lane.move, Lane.mounted_move):
                await asyncio.gather(*(lane.refill(size.rooms_each) for lane in own))
            done = await load(own, variant.ask, server.pid, size.round_s)
            if turn:  # The first round warms up.
                found[name].append(done)
    for lane in [lane for some in lanes.values() for lane in some]:
        lane.wire.close()
    return found
