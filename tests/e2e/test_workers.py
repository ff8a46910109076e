"""Real worker processes that are killed, stopped, told to end or that crash: no room waits for ever."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mitsuboshi.ai.pool import TRIES_MAX
from mitsuboshi.ai.search import HUNG
from mitsuboshi.games.diamond import DIAMOND
from mitsuboshi.games.game import complete_options
from mitsuboshi.host.host import Host
from mitsuboshi.host.ports import AnalysisJob
from mitsuboshi.local.redis_server import EmbeddedRedis
from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.state import Room
from mitsuboshi.store import keys
from mitsuboshi.store.connect import connect, wait_until_ready
from mitsuboshi.store.keys import Keys
from mitsuboshi.store.room_store import RoomStore
from mitsuboshi.store.service_time import ServiceTime
from mitsuboshi.worker import END_S, STUCK_S
from tests.processes import Program, answers, free_port
from tests.rooms import positions
from tests.rooms.table import LIFE_MS, WAITS
from tests.waiting import eventually

LEASE_S = 0.6
MASTER_S = 5.0
SLOW: dict[str, Any] = {"game": "checkers", "seats": {"red": {"ai": "advanced"}, "white": "me"}}
"""A room in which an AI thinks for a second: nothing else bounds it."""
BOTH_AI = {"red": {"ai": "beginner"}, "yellow": {"ai": "beginner"}}
TABLE_MB = "1"


class Pool:
    """A Redis of its own, rooms on it, and worker processes of any kind."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url
        self.folder = folder
        self.programs: list[Program] = []
        self.redis = connect(url)
        self.store = RoomStore(self.redis, Keys())
        self.host = Host(self.store, ServiceTime(self.redis, Keys()), WAITS)

    def environ(self, **more: str) -> dict[str, str]:
        """The settings of a process."""
        return {
            "MITSUBOSHI_REDIS_URL": self.url,
            "MITSUBOSHI_LEASE_MS": str(int(LEASE_S * 1000)),
            "MITSUBOSHI_TABLE_MB": TABLE_MB,
            **more,
        }

    def worker(self, **settings: str) -> Program:
        """One more worker."""
        return self._start(["worker"], **settings)

    def strange_worker(self, kind: str) -> Program:
        """One more worker, whose searcher misbehaves."""
        return self._start([kind], "tests.e2e.strange_worker")

    def api(self, port: int) -> Program:
        """One API process."""
        return self._start(["serve"], MITSUBOSHI_PORT=str(port))

    def _start(self, arguments: list[str], module: str = "mitsuboshi", **more: str) -> Program:
        log = self.folder / f"program-{len(self.programs)}.log"
        self.programs.append(Program.start(arguments, self.environ(**more), log, module))
        return self.programs[-1]

    async def create(self, room_id: str = "room-id", level: str = "beginner", **body: Any) -> Room:
        """A room in which an AI is red and ann yellow."""
        asked = {"game": "diamond", "seats": {"red": {"ai": level}, "yellow": "me"}} | body
        command = c.Create(room_id, "ann", "invite", msgspec.convert(asked, c.CreateRoom), LIFE_MS)
        return (await self.host.handle(room_id, command)).room

    async def act(self, kind: str, room_id: str = "room-id", **fields: Any) -> Room:
        """Ann's action."""
        action = msgspec.convert({"type": kind} | fields, c.AnyAction)  # type: ignore[arg-type]
        return (await self.host.handle(room_id, c.Act("ann", action))).room

    async def turned(self, room_id: str = "room-id", within_s: float = 20.0) -> Room:
        """The room, as soon as no AI is to move."""

        async def over() -> Room | None:
            room = await self.host.room(room_id)
            return room if room.to_move in room.held_by("ann") or room.to_move is None else None

        room: Room = await eventually(over, within_s)
        return room

    async def moves(self, room_id: str = "room-id") -> list[e.MovePlayed]:
        """All moves of the room, in order."""
        events = await self.store.events(room_id, 0, 10_000)
        assert [event.version for event in events] == list(range(1, len(events) + 1))
        return [event for event in events if isinstance(event, e.MovePlayed)]

    async def in_hand(self, count: int = 1, within_s: float = 20.0) -> None:
        """Return when that many jobs are in workers' hands."""

        async def right() -> bool:
            if not await self.redis.exists(keys.moves("{p0}")):
                return False
            groups = await self.redis.xinfo_groups(keys.moves("{p0}"))
            return sum(group["pending"] for group in groups) == count

        await eventually(right, within_s)

    async def idle(self, count: int) -> None:
        """Return when that many workers listen for work, busy ones too."""

        async def all_there() -> bool:
            listening = await self.redis.pubsub_numsub(keys.work("{p0}"))
            return bool(listening[0][1] == count)

        await eventually(all_there, 30)

    async def failures(self) -> int:
        """Jobs that have been given up."""
        return int(await self.redis.hget(keys.counters("{p0}"), "jobs_failed") or 0)


@pytest.fixture
def redis_server(data_dir: Path) -> Iterator[EmbeddedRedis]:
    """A Redis of this test's own."""
    with EmbeddedRedis(data_dir) as server:
        yield server


@pytest.fixture
async def pool(redis_server: EmbeddedRedis, data_dir: Path) -> AsyncIterator[Pool]:
    """A pool without workers; all that are started end with the test."""
    one = Pool(redis_server.url, data_dir)
    yield one
    await _end(one)


async def _end(pool: Pool) -> None:
    for program in pool.programs:
        program.kill()
    await pool.redis.aclose()


async def test_a_worker_killed_in_mid_search_costs_its_lease_and_no_more(pool: Pool) -> None:
    """Another one plays the move, once."""
    first = pool.worker()
    await pool.idle(1)
    await pool.create(level="master")
    await pool.in_hand()
    pool.worker()
    await pool.idle(2)
    first.kill()
    killed_at = time.monotonic()
    await pool.turned()
    assert time.monotonic() - killed_at < LEASE_S + MASTER_S + 1
    (move,) = await pool.moves()
    assert not move.fallback
    await pool.in_hand(0)


async def test_a_worker_that_comes_back_late_finds_its_answer_unwanted(pool: Pool) -> None:
    """It was suspended for longer than its lease and its budget; then it works on like any."""
    late = pool.worker()
    await pool.idle(1)
    await pool.create(**SLOW)
    await pool.in_hand()
    late.process.send_signal(signal.SIGSTOP)
    other = pool.worker()
    await pool.turned()
    other.kill()
    late.process.send_signal(signal.SIGCONT)
    await pool.create("another")
    await pool.turned("another")
    assert late.process.poll() is None, late.said()
    assert [move.seat for move in await pool.moves()] == ["red"]
    assert [move.seat for move in await pool.moves("another")] == ["red"]
    assert await pool.failures() == 0


@pytest.mark.parametrize(("kind", "code"), [("crash", -signal.SIGSEGV), ("hang", HUNG)])
async def test_a_searcher_that_takes_its_process_with_it_costs_three_tries(
    pool: Pool, kind: str, code: int
) -> None:
    """Then the rules choose a move. Nobody else notices."""
    await pool.create()
    worker, exits = pool.strange_worker(kind), []

    async def over() -> bool:
        nonlocal worker
        if worker.process.poll() is not None:
            exits.append(worker.process.returncode)
            worker = pool.strange_worker(kind)
        return (await pool.host.room("room-id")).to_move == "yellow"

    await eventually(over, 40)
    assert exits == [code] * TRIES_MAX
    (move,) = await pool.moves()
    assert move.fallback
    assert await pool.failures() == 1
    assert worker.process.poll() is None


async def test_a_searcher_that_fails_costs_its_process_nothing(pool: Pool) -> None:
    """Three tries in one process, the fallback, and the next job."""
    worker = pool.strange_worker("an illegal move")
    await pool.create()
    await pool.turned()
    await pool.act("move", move=positions.YELLOW_FIRST)
    await pool.turned()
    assert [move.fallback for move in await pool.moves()] == [True, False, True]
    assert worker.process.poll() is None
    assert worker.said().count("job_given_up") == 2
    assert "position=" in worker.said(), "whoever looks for the fault finds the job"


async def test_a_search_that_holds_the_interpreter_ends_its_process(pool: Pool) -> None:
    """No loop turns there any more; the watchdog needs none."""
    worker = pool.strange_worker("hold")
    await pool.create()
    await pool.in_hand()
    code = await asyncio.to_thread(worker.process.wait, STUCK_S + 5)
    assert code == 1
    assert "Timeout" in worker.said()


async def test_an_undo_frees_the_worker(pool: Pool) -> None:
    """Its five seconds are not used up, and the next room is served."""
    worker = pool.worker()
    await pool.idle(1)
    start = await pool.create(seats={"red": "me", "yellow": {"ai": "master"}})
    await pool.act("move", move="6-26")
    await pool.in_hand()
    await pool.act("undo")
    undone_at = time.monotonic()
    await pool.in_hand(0)
    await pool.create("another", level="beginner")
    await pool.turned("another")
    assert time.monotonic() - undone_at < 2
    room = await pool.host.room("room-id")
    assert (room.position, room.ply) == (start.position, 0)
    assert worker.process.poll() is None


async def test_after_an_undo_the_ai_moves_again_on_the_same_turn(pool: Pool) -> None:
    """Over and over."""
    pool.worker()
    await pool.create(seats={"red": "me", "yellow": {"ai": "beginner"}})
    for _ in range(4):
        await pool.act("move", move="6-26")
        assert (await pool.turned()).ply == 2
        await pool.act("undo")
    assert (await pool.host.room("room-id")).ply == 0


async def test_a_worker_told_to_end_gives_its_job_back(pool: Pool) -> None:
    """At once, and ends at once: with a lease of a minute nobody would have the job for long."""
    minute = {"MITSUBOSHI_LEASE_MS": "60000"}
    first = pool.worker(**minute)
    await pool.idle(1)
    await pool.create(level="master")
    await pool.in_hand()
    second = pool.worker(**minute)
    told_at = time.monotonic()
    assert await asyncio.to_thread(first.stop) == 0
    assert time.monotonic() - told_at < 2
    assert "Traceback" not in first.said()
    await pool.turned()
    (move,) = await pool.moves()
    assert not move.fallback
    assert await asyncio.to_thread(second.stop) == 0
    assert "Traceback" not in second.said()


async def test_a_worker_told_to_end_does_not_wait_for_a_search_that_hangs(pool: Pool) -> None:
    """Its supervisor need not kill it."""
    worker = pool.strange_worker("hang")
    await pool.create(level="master")
    await pool.in_hand()
    told_at = time.monotonic()
    await asyncio.to_thread(worker.stop)
    assert time.monotonic() - told_at < END_S + 2


async def test_an_idle_worker_told_to_end_ends(pool: Pool) -> None:
    """With exit code 0, at whatever moment it is told."""
    workers = [pool.worker() for _ in range(3)]
    await pool.idle(3)
    for worker in workers:
        assert await asyncio.to_thread(worker.stop) == 0
        assert "Traceback" not in worker.said()


async def test_a_game_of_ais_is_played_to_its_end_while_workers_are_killed(pool: Pool) -> None:
    """Every turn is taken once, whoever dies."""
    workers = [pool.worker(), pool.worker()]
    await pool.idle(2)
    await pool.create(seats=BOTH_AI, options={"draw_plies_per_seat": 60})
    killed = 0

    async def finished() -> bool:
        nonlocal killed
        room = await pool.host.room("room-id")
        if room.ply > 15 * (killed + 1) and room.status == "playing":
            workers.pop(0).kill()
            workers.append(pool.worker())
            killed += 1
        return room.status == "finished"

    await eventually(finished, 60)
    room = await pool.host.room("room-id")
    assert killed >= 3
    moves = await pool.moves()
    assert [move.ply for move in moves] == list(range(1, room.ply + 1))
    assert [move.seat for move in moves] == (["red", "yellow"] * len(moves))[: len(moves)]
    assert room.result is not None
    assert room.result.reason in ("goal", "draw_limit")


async def test_a_long_queue_is_served_faster(pool: Pool) -> None:
    """Ten moves of a second each, by one worker, in far less than ten seconds."""
    rooms = [f"room-{number}" for number in range(10)]
    for room in rooms:
        await pool.create(room, **SLOW)
    pool.worker()
    await pool.in_hand()
    begun = time.monotonic()
    for room in rooms:
        await pool.turned(room)
    assert 1 < time.monotonic() - begun < 6


async def test_analyses_go_behind_moves(pool: Pool) -> None:
    """Those that were asked for earlier too."""
    options = dict(complete_options(DIAMOND.options, {}))
    start = DIAMOND.write(DIAMOND.start(2, options))
    for number in range(2):
        name = f"question-{number}"
        job = AnalysisJob(name, "diamond", options, start, "", 500, 0, 1)
        await pool.redis.set(keys.analysis("{p0}", name), b"", px=keys.ANALYSIS_MS)
        await pool.redis.xadd(keys.analyses("{p0}"), {"job": msgspec.msgpack.encode(job)})
    await pool.create()
    pool.worker()
    await pool.turned()
    assert await pool.redis.get(keys.analysis("{p0}", "question-1")) == b"", "not answered yet"

    async def answered() -> bool:
        return await pool.redis.xlen(keys.analyses("{p0}")) == 0

    await eventually(answered)


async def test_whoever_starts_before_redis_waits_for_it(data_dir: Path) -> None:
    """API and worker say so, stay alive, and serve once it is there."""
    pool = Pool(f"unix://{data_dir}/redis.sock", data_dir)
    port = free_port()
    api, worker = pool.api(port), pool.worker()
    try:
        for program in (api, worker):
            await asyncio.to_thread(program.wait_for_word, "waiting_for_redis")
        url = f"http://127.0.0.1:{port}"
        assert await asyncio.to_thread(answers, f"{url}/health/live")
        assert not await asyncio.to_thread(answers, f"{url}/health/ready")
        with EmbeddedRedis(data_dir):
            await asyncio.to_thread(api.wait_for, f"{url}/health/ready")
            await pool.create()
            await pool.turned()
            assert [program.process.poll() for program in (api, worker)] == [None, None]
            for program in (worker, api):
                assert await asyncio.to_thread(program.stop) == 0
    finally:
        await _end(pool)


async def test_a_worker_goes_on_when_redis_was_away(pool: Pool, redis_server: EmbeddedRedis) -> None:
    """Killed and started again from its file, with a job in hand."""
    worker = pool.worker()
    await pool.idle(1)
    await pool.create(level="master")
    await pool.in_hand()
    assert redis_server.pid is not None
    os.kill(redis_server.pid, signal.SIGKILL)
    await wait_until_ready(pool.redis)
    await pool.turned()
    assert worker.process.poll() is None, worker.said()
    assert len(await pool.moves()) == 1
