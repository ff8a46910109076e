"""Who waits for news of a room is woken, also when the connection was lost meanwhile."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from redis.asyncio import Redis

from mitsuboshi.local.redis_server import EmbeddedRedis
from mitsuboshi.store import keys
from mitsuboshi.store.bells import Bells
from mitsuboshi.store.connect import connect, wait_until_ready
from mitsuboshi.store.keys import Keys
from mitsuboshi.store.room_store import RoomStore
from tests.store.stored import Stored

WITHIN_S = 10.0


@asynccontextmanager
async def ringing(redis: Redis, names: Keys) -> AsyncIterator[Bells]:
    """Bells that ring, from the moment that they are subscribed."""
    bells = Bells(redis, list(map(keys.bell, names.all_tags())))
    task = asyncio.create_task(bells.run())
    async with bells.listening("begun") as begun:
        await _until_woken(begun, lambda: redis.publish(keys.bell(names.tag("begun")), "begun"))
    try:
        yield bells
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _until_woken(event: asyncio.Event, ring: Callable[[], Awaitable[object]]) -> None:
    async with asyncio.timeout(WITHIN_S):
        while not event.is_set():
            await ring()
            await asyncio.sleep(0.02)


async def woken(event: asyncio.Event) -> None:
    """Return when it is; fail when it takes too long."""
    async with asyncio.timeout(WITHIN_S):
        await event.wait()


async def test_a_write_wakes_those_who_wait_for_the_room(
    redis_client: Redis, names: Keys, store: RoomStore
) -> None:
    """All of them, and nobody who waits for another."""
    stored = await Stored.new(store, "room-1", seats={"red": "me", "yellow": "me"})
    async with (
        ringing(redis_client, names) as bells,
        bells.listening("room-1") as one,
        bells.listening("room-1") as two,
        bells.listening("room-2") as other,
    ):
        for event in (one, two, other):
            event.clear()
        await stored.turn()
        await woken(one)
        await woken(two)
        assert not other.is_set()
        one.clear()
        await stored.turn()
        await woken(one)


async def test_every_partition_is_heard(redis_client: Redis, names: Keys, store: RoomStore) -> None:
    """One subscription for all."""
    async with ringing(redis_client, names) as bells:
        for number in range(6):
            async with bells.listening(f"room-{number}") as event:
                event.clear()
                await Stored.new(store, f"room-{number}")
                await woken(event)


async def test_a_lost_connection_wakes_everybody(redis_client: Redis, names: Keys, redis_url: str) -> None:
    """A ring may have been missed: whoever waits must look. Then rings are heard again."""
    redis = connect(redis_url)
    async with ringing(redis, names) as bells, bells.listening("room-1") as event:
        event.clear()
        assert await redis_client.client_kill_filter(_type="pubsub") >= 1
        await woken(event)
        await _until_woken_anew(event, redis_client, names)
    await redis.aclose()


async def _until_woken_anew(event: asyncio.Event, redis: Redis, names: Keys) -> None:
    event.clear()
    await _until_woken(event, lambda: redis.publish(keys.bell(names.tag("room-1")), "room-1"))


async def test_a_restarted_redis_wakes_everybody(data_dir: Path, names: Keys) -> None:
    """Killed and started again from its file."""
    with EmbeddedRedis(data_dir) as server:
        redis = connect(server.url)
        async with ringing(redis, names) as bells, bells.listening("room-1") as event:
            event.clear()
            assert server.pid is not None
            os.kill(server.pid, signal.SIGKILL)
            await woken(event)
            await wait_until_ready(redis)
            await _until_woken_anew(event, redis, names)
        await redis.aclose()


async def test_who_no_longer_waits_is_forgotten(redis_client: Redis, names: Keys) -> None:
    """A ring for nobody is no fault."""
    async with ringing(redis_client, names) as bells:
        async with bells.listening("room-1") as gone:
            pass
        gone.clear()
        await redis_client.publish(keys.bell(names.tag("room-1")), "room-1")
        async with bells.listening("room-1") as event:
            await _until_woken_anew(event, redis_client, names)
        assert not gone.is_set()
