"""Service time passes only while the service runs, whatever the clocks of the machines do."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis

from mitsuboshi.host.ports import StoreUnavailable
from mitsuboshi.store import keys
from mitsuboshi.store.connect import connect
from mitsuboshi.store.keys import Keys
from mitsuboshi.store.service_time import GAP_MAX_MS, ServiceTime

NEAR_MS = 400
"""How far off a slow machine may make what is measured here."""


class Kept:
    """The hash in Redis, whose last tick the tests put where they want it."""

    def __init__(self, redis: Redis, names: Keys) -> None:
        self._redis = redis
        self._key = keys.service_time(names.all_tags()[0])

    async def last_tick_was(self, ms_ago: int) -> None:
        """As if the last tick had been so long ago; below zero: the server's clock was put back since."""
        seconds, microseconds = await self._redis.time()
        at_ms = seconds * 1000 + microseconds // 1000 - ms_ago
        await self._redis.hset(self._key, "at_ms", at_ms)

    async def service_ms(self) -> int:
        """The service time that every process shares."""
        return int(await self._redis.hget(self._key, "service_ms"))


@pytest.fixture
async def kept(redis_client: Redis, names: Keys) -> Kept:
    """Service time, begun."""
    await ServiceTime(redis_client, names).tick()
    return Kept(redis_client, names)


@pytest.fixture
def clock(redis_client: Redis, names: Keys) -> ServiceTime:
    """A process's clock."""
    return ServiceTime(redis_client, names)


@pytest.mark.parametrize(
    ("ms_ago", "passed_ms"),
    [
        (1000, 1000),
        (GAP_MAX_MS - NEAR_MS - 1, GAP_MAX_MS - NEAR_MS - 1),
        (GAP_MAX_MS + 1, 0),
        (3_600_000, 0),
        (-1000, 0),
        (-86_400_000, 0),
    ],
)
async def test_a_tick_adds_what_has_passed_unless_it_was_too_much(
    clock: ServiceTime, kept: Kept, ms_ago: int, passed_ms: int
) -> None:
    """A gap means that no process ran; a step back means that a clock was set. Neither counts."""
    before_ms = await kept.service_ms()
    await kept.last_tick_was(ms_ago)
    await clock.tick()
    added_ms = await kept.service_ms() - before_ms
    assert passed_ms <= added_ms <= (passed_ms and passed_ms + NEAR_MS)


async def test_time_goes_on_after_a_gap(clock: ServiceTime, kept: Kept) -> None:
    """The tick that did not count is where the next one counts from."""
    await kept.last_tick_was(10_000)
    await clock.tick()
    stopped_ms = await kept.service_ms()
    await kept.last_tick_was(900)
    await clock.tick()
    assert await kept.service_ms() >= stopped_ms + 900


async def test_many_processes_add_each_moment_once(redis_client: Redis, names: Keys, kept: Kept) -> None:
    """Each counts from the last tick, whoever made it."""
    before_ms = await kept.service_ms()
    await kept.last_tick_was(1000)
    for _ in range(20):
        await ServiceTime(redis_client, names).tick()
    assert 1000 <= await kept.service_ms() - before_ms <= 1000 + NEAR_MS


async def test_a_worker_takes_time_over_without_moving_it(clock: ServiceTime, kept: Kept) -> None:
    """Time stands still for the players when no API process runs."""
    await kept.last_tick_was(1000)
    before_ms = await kept.service_ms()
    for _ in range(3):
        await clock.read()
    assert await kept.service_ms() == before_ms
    # What has passed since the last tick is told, though nobody has added it yet.
    assert before_ms + 1000 <= clock.now().service_ms <= before_ms + 1000 + NEAR_MS


async def test_both_kinds_of_time_are_told(clock: ServiceTime, kept: Kept) -> None:
    """Wall time for people, service time for deadlines; before the first tick it is zero."""
    await clock.tick()
    now = clock.now()
    assert now.wall_ms > 1_700_000_000_000
    assert now.service_ms < 60_000
    assert await kept.service_ms() <= now.service_ms + NEAR_MS


async def test_a_lost_redis_begins_time_anew(redis_client: Redis, clock: ServiceTime, kept: Kept) -> None:
    """Its rooms are lost with it."""
    await kept.last_tick_was(2000)
    await clock.tick()
    await redis_client.flushall()
    await clock.read()
    assert clock.now().service_ms < NEAR_MS
    await clock.tick()
    assert await kept.service_ms() == 0


async def test_without_redis_there_is_no_tick(data_dir: object, names: Keys) -> None:
    """The caller decides what to do about it."""
    redis = connect(f"unix://{data_dir}/nobody.sock")
    for asked in (ServiceTime(redis, names).tick(), ServiceTime(redis, names).read()):
        with pytest.raises(StoreUnavailable):
            await asked
    await redis.aclose()
