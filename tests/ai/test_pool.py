"""A worker and its job: whatever the searcher does, the room gets a legal move, once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest
from redis.asyncio import Redis

from mitsuboshi.ai._engine import Engine
from mitsuboshi.ai.pool import TRIES_MAX, Worker
from mitsuboshi.ai.search import Searcher, Thinker
from mitsuboshi.games.diamond import DIAMOND
from mitsuboshi.games.game import complete_options
from mitsuboshi.host.host import Host
from mitsuboshi.host.ports import AnalysisJob, AnalysisLine
from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.state import Room
from mitsuboshi.store import keys
from mitsuboshi.store.bells import Bells
from mitsuboshi.store.jobs import ANALYSES_MAX, Analyses, Jobs
from mitsuboshi.store.keys import Keys
from mitsuboshi.store.room_store import RoomStore
from tests.ai.stand_ins import WRONG_ANSWERS, StandIn, first_legal, raises, until_stopped
from tests.rooms import positions
from tests.rooms.table import BEGUN, LIFE_MS, WAITS
from tests.store.stored import queued
from tests.waiting import eventually

SOON_S = 10.0
LEASE_MS = 3000
NAMES = Keys()
START = "R/rr/rrr/rrrr/4rrrrr4/12/11/10/y8/yy8/yyy8/yyyy8/Yyyyy8/4/3/2/1 r 2 0 0"


class StandingClock:
    """The port ``Clock`` at one moment."""

    def now(self) -> c.Now:
        """Always the same."""
        return BEGUN


def work_bells(redis: Redis) -> Bells:
    """Who tells of new jobs, once it runs."""
    return Bells(redis, [keys.work(tag) for tag in NAMES.all_tags()])


class Pool:
    """Rooms on the real Redis and workers in this process."""

    def __init__(self, redis: Redis) -> None:
        self.redis = redis
        self.store = RoomStore(redis, NAMES)
        self.host = Host(self.store, StandingClock(), WAITS)

    async def create(self, room_id: str = "room-id", level: str = "beginner", **body: Any) -> Room:
        """A room in which an AI is red and ann yellow."""
        asked = {"game": "diamond", "seats": {"red": {"ai": level}, "yellow": "me"}} | body
        command = c.Create(room_id, "ann", "invite", msgspec.convert(asked, c.CreateRoom), LIFE_MS)
        return (await self.host.handle(room_id, command)).room

    @asynccontextmanager
    async def working(self, searcher: Searcher, workers: int = 1) -> AsyncIterator[None]:
        """Inside, so many workers work."""
        bells = work_bells(self.redis)
        tasks = [asyncio.create_task(bells.run())]
        for _ in range(workers):
            queue = Jobs(self.redis, NAMES, bells, LEASE_MS)
            host = Host(RoomStore(self.redis, NAMES), StandingClock(), WAITS)
            tasks.append(asyncio.create_task(Worker(queue, host, Thinker(searcher, queue)).run()))
        yield
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def when(self, true: Callable[[Room], bool], room_id: str = "room-id") -> Room:
        """The room, as soon as that is true of it."""

        async def looked_for() -> Room | None:
            room = await self.host.room(room_id)
            return room if true(room) else None

        found: Room = await eventually(looked_for)
        return found

    async def moved(self, room_id: str = "room-id") -> e.MovePlayed:
        """The AI's move, as soon as it is made."""
        await self.when(lambda room: room.to_move != "red", room_id)
        events = await self.store.events(room_id, 0, 1000)
        moves = [event for event in events if isinstance(event, e.MovePlayed)]
        return moves[-1]

    async def failures(self) -> int:
        """Jobs that have been given up."""
        return int(await self.redis.hget(keys.counters("{p0}"), "jobs_failed") or 0)

    async def nothing_is_left(self) -> None:
        """The queue is empty, nothing is in anybody's hands."""

        async def empty() -> bool:
            return await queued(self.redis) == []

        await eventually(empty)


@pytest.fixture
def pool(redis_client: Redis) -> Pool:
    """A pool on the emptied Redis."""
    return Pool(redis_client)


async def test_a_searchers_move_is_played(pool: Pool) -> None:
    """With the level's limits; then the job is gone."""
    searcher = StandIn(first_legal)
    await pool.create(level="intermediate")
    async with pool.working(searcher):
        event = await pool.moved()
        await pool.nothing_is_left()
    assert (event.seat, event.fallback) == ("red", False)
    (asked,) = searcher.asked
    assert (asked["movetime_ms"], asked["plies"], asked["lines"]) == (300, 3, 1)
    assert await pool.failures() == 0


@pytest.mark.parametrize("kind", list(WRONG_ANSWERS))
async def test_a_searcher_without_a_legal_move_is_tried_so_often_and_then_the_rules_choose(
    pool: Pool, kind: str
) -> None:
    """The event is marked, the failure counted, and nothing is left in the queue."""
    searcher = StandIn(WRONG_ANSWERS[kind])
    room = await pool.create()
    async with pool.working(searcher):
        event = await pool.moved()
        await pool.nothing_is_left()
    assert event.fallback
    assert event.version == room.version + 1
    assert len(searcher.asked) == TRIES_MAX
    assert await pool.failures() == 1


async def test_one_failure_is_forgiven(pool: Pool) -> None:
    """The next try's move is no fallback, and nothing is counted."""
    answers = iter([raises, WRONG_ANSWERS["no line"], first_legal])

    def in_turn(position: str, options: Any, stop: Any) -> Any:
        return next(answers)(position, options, stop)

    searcher = StandIn(in_turn)
    await pool.create()
    async with pool.working(searcher):
        event = await pool.moved()
    assert not event.fallback
    assert await pool.failures() == 0


async def test_a_failing_worker_goes_on_to_the_next_job(pool: Pool) -> None:
    """One room's trouble is not another's."""

    def fails_in_one(position: str, options: Any, stop: Any) -> Any:
        answer = raises if position == positions.ONE_MOVE else first_legal
        return answer(position, options, stop)

    await pool.create("bad", position=positions.ONE_MOVE)
    await pool.create("good")
    async with pool.working(StandIn(fails_in_one)):
        assert not (await pool.moved("good")).fallback
        bad = await pool.moved("bad")
    assert (bad.fallback, bad.move) == (True, "14-26")


async def test_a_pass_is_the_fallback_where_one_must(pool: Pool) -> None:
    """The rules have no other move."""
    await pool.create(position=positions.MUST_PASS)
    async with pool.working(StandIn(raises)):
        room = await pool.when(lambda room: room.to_move == "yellow")
    assert room.movers == "-"
    assert await pool.failures() == 1


@pytest.mark.parametrize(
    ("position", "movers"),
    [(positions.ONE_MOVE, "0"), (positions.MUST_PASS, "-")],
    ids=["one move", "a pass"],
)
async def test_what_is_forced_is_played_at_once(pool: Pool, position: str, movers: str) -> None:
    """The engine has five seconds and does not need them."""
    await pool.create(position=position, level="master")
    async with pool.working(Engine(1)), asyncio.timeout(2):
        room = await pool.when(lambda room: room.to_move == "yellow")
    assert room.movers == movers
    assert await pool.failures() == 0


async def test_an_undo_stops_the_search(pool: Pool) -> None:
    """The worker is free for others at once, and the answer is nobody's."""
    searcher = StandIn(until_stopped)
    await pool.create(seats={"red": "me", "yellow": {"ai": "master"}})
    async with pool.working(searcher):
        await pool.host.handle("room-id", c.Act("ann", c.Move(move="6-26")))
        await eventually(lambda: searcher.asked)
        assert not searcher.stops[0].is_set()
        room = (await pool.host.handle("room-id", c.Act("ann", c.Undo()))).room
        await eventually(searcher.stops[0].is_set, within_s=0.8)
        await pool.nothing_is_left()
        await pool.create("another", level="beginner")
        await pool.moved("another")
    assert await pool.host.room("room-id") == room


async def test_after_an_undo_the_ai_answers_the_same_turn_again(pool: Pool) -> None:
    """Its job has another id than the one before."""
    await pool.create(seats={"red": "me", "yellow": {"ai": "beginner"}})
    async with pool.working(StandIn(first_legal)):
        for _ in range(3):
            await pool.host.handle("room-id", c.Act("ann", c.Move(move="6-26")))
            assert (await pool.when(lambda room: room.ply == 2)).to_move == "red"
            room = (await pool.host.handle("room-id", c.Act("ann", c.Undo()))).room
            assert room.ply == 0
        await pool.nothing_is_left()


async def test_a_cancelled_worker_gives_its_job_back_at_once(pool: Pool) -> None:
    """Another one has it long before the lease is over, and it was no failure."""
    slow = StandIn(until_stopped)
    await pool.create()
    async with pool.working(slow):
        await eventually(lambda: slow.asked)
    assert len(await queued(pool.redis)) == 1
    async with asyncio.timeout(LEASE_MS / 1000):
        delivery = await Jobs(pool.redis, NAMES, work_bells(pool.redis), LEASE_MS).take()
    assert delivery.tries == 1


async def test_a_worker_cancelled_while_redis_is_away_ends(pool: Pool) -> None:
    """It cannot give its job back then; the lease does that."""
    await pool.create()
    slow = StandIn(until_stopped)
    queue = Jobs(pool.redis, NAMES, work_bells(pool.redis), LEASE_MS)
    task = asyncio.create_task(Worker(queue, pool.host, Thinker(slow, queue)).run())
    await eventually(lambda: slow.asked)
    queue._redis = Redis(unix_socket_path="/nowhere/redis.sock")
    task.cancel()
    done, _ = await asyncio.wait({task}, timeout=5)
    assert done
    assert task.cancelled()


async def test_many_workers_play_each_move_once(pool: Pool) -> None:
    """AI against AI, to the end, and every version is there once."""
    both = {"red": {"ai": "beginner"}, "yellow": {"ai": "beginner"}}
    await pool.create(seats=both, options={"draw_plies_per_seat": 50})
    async with pool.working(StandIn(first_legal), workers=4):
        room = await pool.when(lambda room: room.status == "finished")
        await pool.nothing_is_left()
    events = await pool.store.events("room-id", 0, 1000)
    assert [event.version for event in events] == list(range(1, room.version + 1))
    assert room.ply == len(room.movers) == 100
    assert room.result is not None
    assert room.result.reason == "draw_limit"


class Asker:
    """Somebody who wants to know the best lines."""

    def __init__(self, pool: Pool, bells: Bells) -> None:
        self._analyses = Analyses(pool.redis, NAMES, bells)

    async def ask(self, **budget: Any) -> list[AnalysisLine] | None:
        """The lines of the start position, within that budget."""
        options = dict(complete_options(DIAMOND.options, {}))
        fields = {"level": "", "movetime_ms": 0, "nodes": 0, "lines": 2} | budget
        return await self._analyses.ask(AnalysisJob("question", "diamond", options, START, **fields), SOON_S)


@pytest.fixture
async def asker(pool: Pool) -> AsyncIterator[Asker]:
    """An asker whose bell rings."""
    bells = Bells(pool.redis, [keys.bell(tag) for tag in NAMES.all_tags()])
    task = asyncio.create_task(bells.run())
    yield Asker(pool, bells)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


@pytest.mark.parametrize("budget", [{"nodes": 2000}, {"movetime_ms": 50}, {"level": "beginner"}])
async def test_an_analysis_is_answered_within_its_budget(
    pool: Pool, asker: Asker, budget: dict[str, Any]
) -> None:
    """As many lines as asked for, each with the play that it expects."""
    async with pool.working(Engine(1)):
        lines = await asker.ask(**budget)
    assert lines is not None
    assert len(lines) == 2
    assert [line.pv[0] for line in lines] == [line.move for line in lines]
    assert len({line.move for line in lines}) == 2


async def test_an_analysis_that_always_fails_is_answered_with_nothing(pool: Pool, asker: Asker) -> None:
    """The asker does not wait for its time to run out, and the failure is counted."""
    searcher = StandIn(raises)
    async with pool.working(searcher):
        assert await asker.ask(nodes=1000) == []
    assert len(searcher.asked) == TRIES_MAX
    assert await pool.failures() == 1


async def test_analyses_that_wait_are_bounded_and_go_with_their_askers(pool: Pool, asker: Asker) -> None:
    """One too many is refused at once; who stops waiting takes its job along."""
    stream = keys.analyses("{p0}")
    for _ in range(ANALYSES_MAX - 1):
        await pool.redis.xadd(stream, {"job": b"another's"})
    asking = asyncio.create_task(asker.ask(nodes=1000))

    async def all_wait() -> bool:
        return bool(await pool.redis.xlen(stream) == ANALYSES_MAX)

    await eventually(all_wait)
    assert await asker.ask(nodes=1000) is None
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    assert await pool.redis.xlen(stream) == ANALYSES_MAX - 1


async def test_a_move_does_not_wait_for_an_analysis_that_runs(pool: Pool, asker: Asker) -> None:
    """The analysis answers with what it has found so far."""
    slow = StandIn(until_stopped)
    async with pool.working(slow):
        asking = asyncio.create_task(asker.ask(movetime_ms=10_000))
        await eventually(lambda: slow.asked)
        await pool.create()
        await eventually(lambda: len(slow.asked) > 1)
        assert await asking
