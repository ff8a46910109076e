"""Rooms that are watched by sockets while moves are played in them at a steady pace, through one API process.

From a move's request to its event at each socket; the same beside sockets that never read; what it takes of
memory and processor; and how soon there is a good move again after a part was killed.
"""

from __future__ import annotations

import asyncio
import gc
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import redis
import uvloop

from bench import script, stand
from bench.figures import number, quantile, spread, table
from bench.load import open_lanes
from bench.recovery import recoveries, wait_for
from bench.sockets import Socket
from bench.wire import Misbehaved, Wire, request
from mitsuboshi.local.redis_server import EmbeddedRedis

GAMES = 16
CONNECTIONS = 32
UNLIMITED = {"MITSUBOSHI_REQUESTS_PER_TOKEN_S": "0", "MITSUBOSHI_REQUESTS_PER_ADDRESS_S": "0"}
PATIENCE_S = 30.0
AT_ONCE = 50
"""Sockets that are opened at the same time."""
FLOOD_EVENTS, FLOOD_EVENTS_MAX = 250, 20_000
SOAK_ROUND_S = 10.0
DUE_MAX = 100
"""Moves of a room whose events may be under way."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured."""

    sockets: int = 1000
    rooms: int = 200
    moves_per_s: int = 200
    deaf: int = 50
    rounds: int = 5
    round_s: float = 5.0
    kills: int = 5
    flood: bool = True


QUICK = Size(sockets=20, rooms=4, moves_per_s=20, deaf=2, rounds=1, round_s=0.5, kills=1, flood=False)


class Told(msgspec.Struct):
    """What is looked at of a message, or of a room."""

    version: int = 0
    status: str = ""


_decode = msgspec.json.Decoder(Told).decode


@dataclass(slots=True)
class Table:
    """One room, both seats in one hand, and when its last moves were due."""

    moves: tuple[str, ...]
    room: str
    token: str
    now: Told
    ply: int = 0
    due: dict[int, float] = field(default_factory=dict)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass(slots=True)
class Round:
    """What happened in one round; times in milliseconds, processor time in seconds a second."""

    waits_ms: list[float] = field(default_factory=list)
    moves: int = 0
    api_cpu: float = 0.0
    redis_cpu: float = 0.0


def rss_bytes(pid: int) -> int:
    """Memory of the process that is its own."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) * 1024


class House:
    """A running API process, its Redis, and what listens and plays there."""

    def __init__(self, server: stand.Server, store: EmbeddedRedis, size: Size) -> None:
        assert store.pid is not None
        self.server = server
        self.redis_pid = store.pid
        self.size = size
        self.tables: list[Table] = []
        self.sockets: list[Socket] = []
        self.round = Round()
        self._free: asyncio.Queue[Wire] = asyncio.Queue()
        self._redis = redis.Redis.from_url(store.url)

    def redis_bytes(self) -> int:
        """What Redis says that it uses for data."""
        about: Any = self._redis.info("memory")
        return int(about["used_memory_dataset"])

    async def furnish(self) -> None:
        """Connections and rooms."""
        for lane in await open_lanes(self.server, CONNECTIONS):
            self._free.put_nowait(lane.wire)
        wish = {"game": "diamond", "seats": {"red": "me", "yellow": "me"}}
        for place in range(self.size.rooms):
            made = msgspec.json.decode(await self._ask("POST", "/v1/rooms", wish, None, 201))
            now = Told(made["room"]["version"], made["room"]["status"])
            moves = script.moves(place % GAMES)
            self.tables.append(Table(moves, made["room"]["id"], made["token"], now))

    async def listen(self, count: int) -> list[Socket]:
        """So many sockets, spread over the rooms."""
        opened: list[Socket] = []
        for start in range(0, count, AT_ONCE):
            places = range(start, min(start + AT_ONCE, count))
            tables = [self.tables[place % len(self.tables)] for place in places]
            opened += await asyncio.gather(*(self._socket(one, deaf=False) for one in tables))
        return opened

    async def stall(self, count: int) -> list[Socket]:
        """So many sockets of the first room that never read."""
        return await asyncio.gather(*(self._socket(self.tables[0], deaf=True) for _ in range(count)))

    async def _socket(self, one: Table, deaf: bool) -> Socket:
        def heard(text: bytes) -> None:
            due = one.due.get(_decode(text).version)
            if due is not None:
                self.round.waits_ms.append((time.perf_counter() - due) * 1000)

        return await Socket.open(self.server.port, one.room, heard, deaf)

    async def play(self, moves_per_s: float, for_s: float) -> Round:
        """One move after the other, each at its time, in room after room."""
        self.round = found = Round(moves=int(moves_per_s * for_s))
        api_cpu, redis_cpu = stand.cpu_s(self.server.pid), stand.cpu_s(self.redis_pid)
        begun = time.perf_counter()
        async with asyncio.timeout(for_s + PATIENCE_S), asyncio.TaskGroup() as tasks:
            for turn in range(found.moves):
                due = begun + turn / moves_per_s
                await asyncio.sleep(due - time.perf_counter())
                tasks.create_task(self._move(self.tables[turn % len(self.tables)], due))
        passed = time.perf_counter() - begun
        found.api_cpu = (stand.cpu_s(self.server.pid) - api_cpu) / passed
        found.redis_cpu = (stand.cpu_s(self.redis_pid) - redis_cpu) / passed
        expected = found.moves * len(self.sockets) // self.size.rooms
        async with asyncio.timeout(PATIENCE_S):
            while len(found.waits_ms) < expected:
                if lost := sum(one.lost for one in self.sockets):
                    raise Misbehaved(f"{lost} sockets were closed")
                await asyncio.sleep(0.01)
        return found

    async def _move(self, one: Table, due: float) -> None:
        async with one.turn:
            if one.ply == len(one.moves):
                await self._begin_anew(one)
            one.due.pop(one.now.version + 1 - DUE_MAX, None)
            one.due[one.now.version + 1] = due
            one.ply += 1
            await self._act(one, {"type": "move", "move": one.moves[one.ply - 1]})

    async def _begin_anew(self, one: Table) -> None:
        if one.now.status == "playing":
            await self._act(one, {"type": "resign"})
        await self._act(one, {"type": "rematch"})
        one.ply = 0

    async def _act(self, one: Table, action: dict[str, str]) -> None:
        body = await self._ask("POST", f"/v1/rooms/{one.room}/actions", action, one.token)
        one.now = _decode(body)

    async def _ask(
        self, method: str, path: str, body: object, token: str | None, expected: int = 200
    ) -> bytes:
        wire = await self._free.get()
        if not wire.is_open:  # Servers hang up on those that were idle for some seconds.
            wire = await Wire.open(self.server.port)
        try:
            return await wire.ask(request(method, path, body, token), expected)
        finally:
            self._free.put_nowait(wire)

    async def flood(self, until_connections: int) -> int:
        """Events in the first room, as fast as they go, until so few connections are left; their number."""
        one = self.tables[0]
        for count in range(0, FLOOD_EVENTS_MAX, FLOOD_EVENTS):
            for turn in range(FLOOD_EVENTS):
                await self._act(one, {"type": "rename", "name": f"name {turn}"})
            metrics = await self._ask("GET", "/metrics", None, None)
            left = int(metrics.partition(b"\nmitsuboshi_connections ")[2].split()[0])
            if left <= until_connections:
                return count + FLOOD_EVENTS
        raise Misbehaved(f"after {FLOOD_EVENTS_MAX} events {left} connections are open")


@contextmanager
def serving() -> Iterator[tuple[stand.Server, EmbeddedRedis]]:
    """One API process, as ``mitsuboshi serve`` is run, and its Redis."""
    with stand.redis() as store, ExitStack() as stack:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        environ = {**UNLIMITED, "MITSUBOSHI_REDIS_URL": store.url, "MITSUBOSHI_PORT": str(port)}
        pid = stack.enter_context(stand.process(["mitsuboshi", "serve"], environ))
        yield stand.Server(port, pid), store


async def furnished(server: stand.Server, store: EmbeddedRedis, size: Size) -> tuple[House, dict[str, str]]:
    """The house with all its sockets, and what they and the rooms take."""
    await wait_for(server.port)
    house = House(server, store, size)
    empty = house.redis_bytes()
    await house.furnish()
    await house.play(size.moves_per_s, size.rooms / size.moves_per_s)
    room_bytes = (house.redis_bytes() - empty) / size.rooms
    api_bytes = rss_bytes(server.pid)
    house.sockets = await house.listen(size.sockets)
    # The load's own pauses are none of the service's.
    gc.collect()
    gc.freeze()
    gc.disable()
    socket_bytes = (rss_bytes(server.pid) - api_bytes) / size.sockets
    return house, {
        "API process without sockets, MB": number(api_bytes / 1e6),
        "a socket in the API process, kB": number(socket_bytes / 1e3),
        "a room after its first move in Redis, kB": number(room_bytes / 1e3),
    }


async def measure(size: Size) -> str:
    """The report of the rounds, without deaf sockets and with them."""
    with serving() as (server, store):
        house, facts = await furnished(server, store, size)
        plain = [await house.play(size.moves_per_s, size.round_s) for _ in range(size.rounds)]
        before = rss_bytes(server.pid)
        deaf = await house.stall(size.deaf)
        beside = [await house.play(size.moves_per_s, size.round_s) for _ in range(size.rounds)]
        grown = rss_bytes(server.pid) - before
        facts[f"growth with {size.deaf} that never read, while moves are played, MB"] = number(grown / 1e6)
        if size.flood:
            facts["events until all of them were cut off"] = number(await house.flood(size.sockets))
            facts["growth after that, MB"] = number((rss_bytes(server.pid) - before) / 1e6)
        for one in [*house.sockets, *deaf]:
            one.close()
    head = ("", f"{number(size.sockets)} sockets", f"and {size.deaf} that never read")
    return f"{table(head, _rows(plain, beside))}\n\n{table(('', 'figure'), list(facts.items()))}"


def _rows(*columns: Sequence[Round]) -> list[tuple[str, ...]]:
    def row(name: str, of: Callable[[Round], float]) -> tuple[str, ...]:
        return (name, *(spread([of(one) for one in rounds]) for rounds in columns))

    return [
        row("request to event, p50, ms", lambda one: quantile(one.waits_ms, 0.5)),
        row("request to event, p99, ms", lambda one: quantile(one.waits_ms, 0.99)),
        row("API, % of a core", lambda one: one.api_cpu * 100),
        row("Redis, % of a core", lambda one: one.redis_cpu * 100),
    ]


async def soak(minutes: float, size: Size) -> str:
    """Half the load for so long: memory and times at the start, in the middle and at the end."""
    rounds = max(3, round(minutes * 60 / SOAK_ROUND_S))
    rows = []
    with serving() as (server, store):
        house, _ = await furnished(server, store, size)
        for turn in range(rounds):
            one = await house.play(size.moves_per_s / 2, min(SOAK_ROUND_S, minutes * 60 / rounds))
            if turn in (0, rounds // 2, rounds - 1):
                times = [number(quantile(one.waits_ms, share)) for share in (0.5, 0.99)]
                sizes = [number(size / 1e6) for size in (rss_bytes(server.pid), house.redis_bytes())]
                rows.append((f"{(turn + 1) * minutes / rounds:.1f} min", *times, *sizes))
        for socket_ in house.sockets:
            socket_.close()
    return table(("after", "p50, ms", "p99, ms", "API process, MB", "Redis's data, MB"), rows)


def run(quick: bool, soak_minutes: float = 0.0) -> str:
    """Measure, and answer the report."""
    size = QUICK if quick else Size()
    if soak_minutes:
        return uvloop.run(soak(soak_minutes, size))
    return f"{uvloop.run(measure(size))}\n\n{recoveries(size.kills)}"
