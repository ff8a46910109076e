"""The queue of AI jobs: who gets what, for how long, and that no job is lost or done twice."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import msgspec
import pytest
from redis.asyncio import Redis

from mitsuboshi.host.ports import AnalysisJob, AnalysisLine, Delivery, StoreUnavailable
from mitsuboshi.rooms.follow import MoveJob
from mitsuboshi.store import keys
from mitsuboshi.store.bells import Bells
from mitsuboshi.store.counts import Counts
from mitsuboshi.store.jobs import WAIT_S, Analyses, Jobs
from mitsuboshi.store.keys import Keys
from mitsuboshi.store.room_store import RoomStore
from tests.store.stored import AI, Stored, queued
from tests.waiting import eventually

LEASE_MS = 400
SOON_S = 5.0
LINE = AnalysisLine("6-26", 12, 3, 400, 5, ["6-26", "98-78"])


class Workers:
    """Workers of one service, each with a queue of its own."""

    def __init__(self, redis: Redis, names: Keys) -> None:
        self._redis = redis
        self._names = names
        self.bells = Bells(redis, list(map(keys.work, names.all_tags())))
        self.one, self.two, self.three = self.another(), self.another(), self.another()

    def another(self, lease_ms: int = LEASE_MS) -> Jobs:
        """One more worker."""
        return Jobs(self._redis, self._names, self.bells, lease_ms)


@pytest.fixture
def workers(redis_client: Redis, names: Keys) -> Workers:
    """Workers on the emptied Redis."""
    return Workers(redis_client, names)


async def soon(job: Awaitable[Delivery]) -> Delivery:
    """The job, which must come soon."""
    return await asyncio.wait_for(job, SOON_S)


async def nothing_for(jobs: Jobs, s: float = 0.3) -> bool:
    """Whether that worker gets nothing for a while."""
    try:
        await asyncio.wait_for(jobs.take(), s)
    except TimeoutError:
        return True
    return False


def analysis(job_id: str) -> AnalysisJob:
    """Somebody's question."""
    return AnalysisJob(job_id, "diamond", {}, "position", "master", 0, 0, 1)


async def ask(redis: Redis, names: Keys, job_id: str) -> None:
    """Queue an analysis that somebody waits for."""
    tag = names.tag(job_id)
    await redis.set(keys.analysis(tag, job_id), b"", px=keys.ANALYSIS_MS)
    await redis.xadd(keys.analyses(tag), {"job": msgspec.msgpack.encode(analysis(job_id))})


@asynccontextmanager
async def ringing(bells: Bells) -> AsyncIterator[Bells]:
    """Inside, they ring."""
    task = asyncio.create_task(bells.run())
    async with bells.listening("anything") as begun, asyncio.timeout(SOON_S):
        await begun.wait()
    yield bells
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def answering_bells(redis: Redis, names: Keys) -> AbstractAsyncContextManager[Bells]:
    """Those by which answers come, ringing."""
    return ringing(Bells(redis, list(map(keys.bell, names.all_tags()))))


async def test_a_job_is_given_to_one_worker(store: RoomStore, workers: Workers) -> None:
    """With all that it needs; the others get nothing."""
    stored = await Stored.new(store, seats={"red": AI, "yellow": "me"})
    delivery = await soon(workers.one.take())
    assert delivery.job == stored.table.job()
    assert (delivery.tries, delivery.waiting) == (1, 0)
    assert await nothing_for(workers.two, 0.2)


async def test_workers_are_counted_while_they_wait_and_work(
    store: RoomStore, workers: Workers, redis_client: Redis, names: Keys
) -> None:
    """However long there is nothing to do; one that is gone no longer counts after a lease."""
    counts = Counts(redis_client, names)
    waiting = [asyncio.create_task(jobs.take()) for jobs in (workers.one, workers.two)]

    async def there(number: int) -> bool:
        return (await counts.counts())["workers"] == number

    await eventually(lambda: there(2))
    done, _ = await asyncio.wait(waiting, timeout=2 * LEASE_MS / 1000)
    assert not done
    assert await there(2)
    waiting[0].cancel()
    await eventually(lambda: there(1))
    await Stored.new(store, seats={"red": AI, "yellow": "me"})
    assert await workers.two.keep(await soon(waiting[1]))
    assert await there(1)
    await eventually(lambda: there(0))


async def test_a_waiting_worker_gets_a_job_at_once(store: RoomStore, workers: Workers) -> None:
    """The bell wakes it, long before it would ask again."""
    async with ringing(workers.bells):
        quickest_s = min([await taken_after_s(store, workers, number) for number in range(5)])
    assert quickest_s < WAIT_S / 2


async def taken_after_s(store: RoomStore, workers: Workers, number: int) -> float:
    """How long after it was queued a waiting worker has a job."""
    waiting = asyncio.create_task(workers.another(60_000).take())
    await asyncio.wait({waiting}, timeout=WAIT_S / 4)  # It finds nothing at first.
    begun = time.monotonic()
    await Stored.new(store, f"room-{number}", seats={"red": AI, "yellow": "me"})
    await soon(waiting)
    return time.monotonic() - begun


async def test_each_of_many_workers_gets_another_job(store: RoomStore, workers: Workers) -> None:
    """And how many more wait does not count those in other hands."""
    for number in range(6):
        await Stored.new(store, f"room-{number}", seats={"red": AI, "yellow": "me"})
    taken = [await soon(workers.another(60_000).take()) for _ in range(6)]
    assert {delivery.job.room for delivery in taken} == {f"room-{number}" for number in range(6)}
    assert taken[-1].waiting == 0


async def test_the_queue_behind_a_job_is_counted(redis_client: Redis) -> None:
    """So that budgets can shrink: first five more wait, then four."""
    names = Keys()
    workers, store = Workers(redis_client, names), RoomStore(redis_client, names)
    for number in range(6):
        await Stored.new(store, f"room-{number}", seats={"red": AI, "yellow": "me"})
    waiting = [(await soon(workers.another(60_000).take())).waiting for _ in range(6)]
    assert waiting == [5, 4, 3, 2, 1, 0]


async def test_moves_come_before_analyses(
    store: RoomStore, workers: Workers, redis_client: Redis, names: Keys
) -> None:
    """Whichever was first, in whichever partition."""
    for number in range(6):
        await ask(redis_client, names, f"question-{number}")
    for number in range(6):
        await Stored.new(store, f"room-{number}", seats={"red": AI, "yellow": "me"})
    kinds = [type((await soon(workers.another(60_000).take())).job) for _ in range(12)]
    assert kinds == [MoveJob] * 6 + [AnalysisJob] * 6


async def test_a_dead_workers_job_comes_before_new_ones(store: RoomStore, workers: Workers) -> None:
    """As soon as its lease is over, as a second try."""
    stored = await Stored.new(store, seats={"red": AI, "yellow": "me"})
    await soon(workers.one.take())
    begun = time.monotonic()
    again = await soon(workers.two.take())
    assert LEASE_MS / 1000 - 0.05 <= time.monotonic() - begun < LEASE_MS / 1000 + 1.5
    assert (again.job, again.tries) == (stored.table.job(), 2)


async def test_an_abandoned_job_is_older_than_a_new_one(redis_client: Redis) -> None:
    """Of the same partition: who has waited longest is served first."""
    store, workers = RoomStore(redis_client, Keys()), Workers(redis_client, Keys())
    await Stored.new(store, "room-old", seats={"red": AI, "yellow": "me"})
    first = await soon(workers.one.take())
    await workers.one.give_back(first)
    await Stored.new(store, "room-new", seats={"red": AI, "yellow": "me"})
    assert (await soon(workers.two.take())).job.room == "room-old"
    assert (await soon(workers.two.take())).job.room == "room-new"


async def test_a_lease_that_is_kept_is_not_taken(store: RoomStore, workers: Workers) -> None:
    """However long the search."""
    await Stored.new(store, seats={"red": AI, "yellow": "me"})
    delivery = await soon(workers.one.take())
    other = asyncio.create_task(nothing_for(workers.two, 3 * LEASE_MS / 1000))
    while not other.done():
        assert await workers.one.keep(delivery)
        await asyncio.sleep(LEASE_MS / 4000)
    assert other.result()
    again = await soon(workers.two.take())
    assert again.tries == 2, "keeping is no try"


async def test_who_lost_a_job_is_told_so(store: RoomStore, workers: Workers) -> None:
    """It neither keeps it, nor gives it back: it is in other hands."""
    await Stored.new(store, seats={"red": AI, "yellow": "me"})
    late = await soon(workers.one.take())
    current = await soon(workers.two.take())
    assert not await workers.one.keep(late)
    await workers.one.give_back(late)
    assert await workers.two.keep(current)
    assert await nothing_for(workers.three, LEASE_MS / 2000)


async def test_a_job_that_nobody_waits_for_leaves_the_queue(
    store: RoomStore, workers: Workers, redis_client: Redis
) -> None:
    """An undo, or the game's end, drops it; whoever has it is told."""
    stored = await Stored.new(store, seats={"yellow": AI})
    await stored.turn()
    delivery = await soon(workers.one.take())
    assert await workers.one.keep(delivery)
    await stored.act("ann", "undo")
    assert not await workers.one.keep(delivery)
    assert await queued(redis_client) == []
    await workers.one.finish(delivery)
    await stored.turn()
    assert (await soon(workers.two.take())).job == stored.table.job()


async def test_a_finished_job_is_gone(store: RoomStore, workers: Workers, redis_client: Redis) -> None:
    """From the queue, and for good."""
    await Stored.new(store, seats={"red": AI, "yellow": "me"})
    delivery = await soon(workers.one.take())
    await workers.one.finish(delivery)
    assert await queued(redis_client) == []
    assert not await workers.one.keep(delivery)
    assert await nothing_for(workers.two, 2 * LEASE_MS / 1000)


async def test_a_job_that_failed_is_given_out_at_once_and_counted(store: RoomStore, workers: Workers) -> None:
    """No lease need run out."""
    await Stored.new(store, seats={"red": AI, "yellow": "me"})
    patient = workers.another(60_000)
    for tries in (1, 2, 3, 4):
        delivery = await soon(patient.take())
        assert delivery.tries == tries
        await patient.give_back(delivery)


async def test_a_job_put_down_unfinished_is_given_out_at_once_and_not_counted(
    store: RoomStore, workers: Workers
) -> None:
    """A worker that is told to end has not failed."""
    await Stored.new(store, seats={"red": AI, "yellow": "me"})
    patient = workers.another(60_000)
    for _ in range(5):
        delivery = await soon(patient.take())
        assert delivery.tries == 1
        await patient.give_back(delivery, failed=False)
    await patient.give_back(await soon(patient.take()))
    assert (await soon(patient.take())).tries == 2


async def test_a_flushed_redis_gets_its_queue_again(
    store: RoomStore, workers: Workers, redis_client: Redis, names: Keys
) -> None:
    """Whoever waits goes on waiting; whoever had a job is told that it is gone."""
    await Stored.new(store, seats={"red": AI, "yellow": "me"})
    delivery = await soon(workers.one.take())
    waiting = asyncio.create_task(workers.two.take())

    async def all_asked() -> bool:
        return len(await redis_client.keys("*:analyses")) == names.partitions

    await eventually(all_asked)
    await redis_client.flushall()
    await workers.one.finish(delivery)
    stored = await Stored.new(store, "another-room", seats={"red": AI, "yellow": "me"})
    assert (await soon(waiting)).job == stored.table.job()


async def test_failures_are_counted(
    store: RoomStore, workers: Workers, redis_client: Redis, names: Keys
) -> None:
    """In the partition of the job."""
    await Stored.new(store, seats={"red": AI, "yellow": "me"})
    delivery = await soon(workers.one.take())
    for _ in range(2):
        await workers.one.count_fallback(delivery)
    assert await redis_client.hget(keys.counters(names.tag("room-id")), "jobs_failed") == b"2"


async def test_an_analysis_is_answered(redis_client: Redis, names: Keys, workers: Workers) -> None:
    """By whichever worker takes it; then nothing of it stays."""
    async with answering_bells(redis_client, names) as bells:
        asked = asyncio.create_task(Analyses(redis_client, names, bells).ask(analysis("question"), SOON_S))
        delivery = await soon(workers.one.take())
        assert delivery.job == analysis("question")
        assert await workers.one.keep(delivery)
        await workers.one.finish(delivery, [LINE])
        assert await asyncio.wait_for(asked, SOON_S) == [LINE]
    assert await queued(redis_client, "analyses") == []
    assert await redis_client.keys("*question*") == []


async def test_an_analysis_without_lines_is_an_answer(
    redis_client: Redis, names: Keys, workers: Workers
) -> None:
    """The game was over, or every try failed: the asker is not left waiting."""
    async with answering_bells(redis_client, names) as bells:
        asked = asyncio.create_task(Analyses(redis_client, names, bells).ask(analysis("question"), 60))
        await workers.one.finish(await soon(workers.one.take()), [])
        assert await asyncio.wait_for(asked, SOON_S) == []


async def test_an_analysis_that_nobody_waits_for_any_more_is_dropped(
    redis_client: Redis, names: Keys, workers: Workers
) -> None:
    """The asker's time was up: the worker is told, and its answer is kept nowhere."""
    async with answering_bells(redis_client, names) as bells:
        asking = asyncio.create_task(Analyses(redis_client, names, bells).ask(analysis("question"), 60))
        delivery = await soon(workers.one.take())
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
    await workers.one.finish(delivery, [LINE])
    assert await redis_client.keys("*question*") == []
    await ask(redis_client, names, "another")
    delivery = await soon(workers.one.take())
    await redis_client.delete(keys.analysis(names.tag("another"), "another"))
    assert not await workers.one.keep(delivery)
    assert await queued(redis_client, "analyses") == []


@pytest.mark.parametrize(
    "text", [b"", b"\xc1garbage", b"\x94\xa5later\x01\x02\x03"], ids=["", "garbage", "later"]
)
async def test_a_job_that_cannot_be_read_does_not_stop_the_others(redis_client: Redis, text: bytes) -> None:
    """A newer process may have queued it: it is left in the queue for newer workers."""
    store, workers = RoomStore(redis_client, Keys()), Workers(redis_client, Keys())
    await redis_client.xadd(keys.moves("{p0}"), {"job": text})
    stored = await Stored.new(store, seats={"red": AI, "yellow": "me"})
    with pytest.raises(StoreUnavailable, match="cannot read"):
        await workers.one.take()
    assert (await soon(workers.one.take())).job == stored.table.job()
    assert len(await queued(redis_client)) == 2
