"""One AI worker process: queue, host and engine are put together here, and nowhere else."""

from __future__ import annotations

import asyncio
import faulthandler
import signal
from contextlib import suppress

import structlog
from redis.asyncio import Redis

from mitsuboshi import logs
from mitsuboshi.ai import _engine
from mitsuboshi.ai._engine import Engine
from mitsuboshi.ai.pool import Worker
from mitsuboshi.ai.search import Searcher, Thinker
from mitsuboshi.games.registry import GAMES
from mitsuboshi.host.host import Host
from mitsuboshi.host.ports import StoreUnavailable
from mitsuboshi.rooms.commands import Waits
from mitsuboshi.settings import Settings
from mitsuboshi.store import keys
from mitsuboshi.store.bells import Bells
from mitsuboshi.store.connect import connect, wait_until_ready
from mitsuboshi.store.jobs import Jobs
from mitsuboshi.store.keys import Keys
from mitsuboshi.store.presence import NOTED_MS
from mitsuboshi.store.room_store import RoomStore
from mitsuboshi.store.service_time import TICK_S, ServiceTime

STUCK_S = 10
"""A process whose loop stands still for so long ends itself, wherever it hangs."""
END_S = 2
"""How long a process that is told to end waits for a search that does not stop."""

_log = structlog.get_logger()


def run(settings: Settings, url: str) -> int:
    """Work until the process is told to end; the exit code."""
    logs.set_up(settings.log_level, "worker")
    make_tables()
    with suppress(asyncio.CancelledError):
        asyncio.run(work(settings, url, Engine(settings.table_mb)))
    return 0


def make_tables() -> None:
    """Make the tables of every game, for which its first search would hold the interpreter up to 1 s."""
    for game in GAMES.values():
        _engine.start(game.key, min(game.player_counts), {})


async def work(settings: Settings, url: str, searcher: Searcher) -> None:
    """Take jobs from the Redis of that URL, as soon as it answers, and let the searcher think about them."""
    task = asyncio.current_task()
    if task is not None:
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    redis = connect(url)
    try:
        names = Keys(settings.partitions)
        waits = Waits(settings.room_idle_s * 1000, settings.presence_s * 1000 + NOTED_MS)
        bells = Bells(redis, list(map(keys.work, names.all_tags())))
        queue = Jobs(redis, names, bells, settings.lease_ms)
        clock = ServiceTime(redis, names)
        await _begin(redis, queue, clock)
        host = Host(RoomStore(redis, names), clock, waits)
        _log.info("worker_ready")
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(bells.run())
            tasks.create_task(_follow_time(clock))
            tasks.create_task(Worker(queue, host, Thinker(searcher, queue)).run())
    finally:
        _log.info("worker_ends")
        # At its end the interpreter waits for the search's thread, unless this comes first.
        faulthandler.dump_traceback_later(END_S, exit=True)
        await redis.aclose()


async def _begin(redis: Redis, queue: Jobs, clock: ServiceTime) -> None:
    """Return once Redis has answered all that a worker asks at first; it may go away in between."""
    while True:
        await wait_until_ready(redis)
        try:
            await queue.forget_dead_workers()
            await clock.read()
        except StoreUnavailable as fault:
            _log.warning("store_unavailable", reason=str(fault))
        else:
            return


async def _follow_time(clock: ServiceTime) -> None:
    """Each second: take over the service time, and show the watchdog that the loop still turns."""
    while True:
        # The watchdog is a thread of its own, and ends the process even where the interpreter is held.
        faulthandler.dump_traceback_later(STUCK_S, exit=True)
        with suppress(StoreUnavailable):
            await clock.read()
        await asyncio.sleep(TICK_S)
