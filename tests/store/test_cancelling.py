"""Whoever is told to end ends, also while something is being sent to Redis."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from redis.asyncio import Redis

from mitsuboshi.host.ports import RequestKey
from mitsuboshi.store import keys
from mitsuboshi.store.bells import Bells
from mitsuboshi.store.connect import connect
from mitsuboshi.store.due_times import DueTimes
from mitsuboshi.store.jobs import Analyses, Jobs
from mitsuboshi.store.keys import Keys
from mitsuboshi.store.room_store import RoomStore
from mitsuboshi.store.service_time import ServiceTime
from tests.store.test_jobs import analysis

TURNS = 60
"""How often each is told to end, each time a little later in its course."""
WITHIN_S = 5.0


async def over_and_over(act: Callable[[], Awaitable[object]]) -> None:
    """Do it for ever, as the loops of the programs do."""
    while True:
        await act()


async def ends(work: Callable[[], Awaitable[object]], steps: int) -> bool:
    """Whether the task ends when it is cancelled after so many turns of the event loop."""
    task = asyncio.ensure_future(work())
    for _ in range(steps):
        await asyncio.sleep(0)
    task.cancel()
    done, _ = await asyncio.wait({task}, timeout=WITHIN_S)
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=0.1)
    return bool(done) and task.cancelled()


@pytest.mark.parametrize("loop", ["take", "tick", "load", "due", "bells", "ask"])
async def test_a_cancelled_loop_ends(redis_client: Redis, redis_url: str, loop: str) -> None:
    """At whatever point of its course."""
    redis, names = connect(redis_url), Keys()
    bells = Bells(redis, [keys.bell(tag) for tag in names.all_tags()])
    jobs, clock = Jobs(redis, names, bells, 1000), ServiceTime(redis, names)
    store, times = RoomStore(redis, names), DueTimes(redis, names)
    work: dict[str, Callable[[], Awaitable[object]]] = {
        "take": jobs.take,
        "tick": lambda: over_and_over(clock.tick),
        "load": lambda: over_and_over(lambda: store.load("room", RequestKey("key", "body"))),
        "due": lambda: over_and_over(lambda: times.due(1, 100)),
        "bells": bells.run,
        "ask": lambda: over_and_over(lambda: Analyses(redis, names, bells).ask(analysis("question"), 60)),
    }
    stubborn = [steps for steps in range(TURNS) if not await ends(work[loop], steps)]
    await redis.aclose()
    assert stubborn == []


async def test_a_time_limit_on_the_store_holds(redis_client: Redis, redis_url: str) -> None:
    """However often what it limits asks Redis."""
    redis = connect(redis_url)
    store = RoomStore(redis, Keys())

    async def limited(limit_s: float) -> None:
        async with asyncio.timeout(limit_s):
            await over_and_over(lambda: store.load("room", None))

    for number in range(TURNS):
        done, _ = await asyncio.wait(
            {asyncio.create_task(limited(0.001 + number / 30_000))}, timeout=WITHIN_S
        )
        assert [type(task.exception()) for task in done] == [TimeoutError]
    await redis.aclose()
