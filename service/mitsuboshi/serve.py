"""One API process: everything behind the endpoints is put together here, and nowhere else."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog
import uvicorn

from mitsuboshi import logs
from mitsuboshi.api.app import create_app
from mitsuboshi.api.auth import Tokens
from mitsuboshi.api.service import Service
from mitsuboshi.host.host import Host
from mitsuboshi.host.ports import StoreUnavailable
from mitsuboshi.host.timers import look_at_due_rooms
from mitsuboshi.settings import Settings
from mitsuboshi.store.bells import Bells
from mitsuboshi.store.connect import connect, wait_until_ready
from mitsuboshi.store.due_times import DueTimes
from mitsuboshi.store.jobs import Analyses
from mitsuboshi.store.keys import Keys
from mitsuboshi.store.room_store import RoomStore
from mitsuboshi.store.secret import server_secret
from mitsuboshi.store.service_time import TICK_S, ServiceTime

GRACE_S = 10
"""How long requests in flight may take once the process has been told to end."""
_log = structlog.get_logger()


@asynccontextmanager
async def open_service(settings: Settings, url: str) -> AsyncIterator[Service]:
    """The service on the Redis of that URL, from the moment that it answers."""
    redis = connect(url)
    names = Keys(settings.partitions)
    try:
        await wait_until_ready(redis)
        clock, times, bells = ServiceTime(redis, names), DueTimes(redis, names), Bells(redis, names)
        store = RoomStore(redis, names)
        await clock.tick()
        service = Service(
            host=Host(store, clock, settings.room_idle_s * 1000),
            log=store,
            bells=bells,
            analyst=Analyses(redis, names, bells),
            presence=set(),
            tokens=Tokens(await server_secret(redis, settings.secret)),
            life_ms=settings.room_life_s * 1000,
            lease_ms=settings.lease_ms,
            ping=store.ping,
            stopping=asyncio.Event(),
        )
        tasks = [
            asyncio.create_task(bells.run()),
            asyncio.create_task(_tick(service, clock, times)),
        ]
        try:
            yield service
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
    finally:
        await redis.aclose()


async def _tick(service: Service, clock: ServiceTime, times: DueTimes) -> None:
    """Each second: service time moves on, presence is written down, rooms that are due are looked at."""
    while True:
        try:
            await clock.tick()
            seen = service.presence.copy()
            service.presence.clear()
            if seen:
                await times.note_presence(seen, clock.now().service_ms)
            await look_at_due_rooms(service.host, times)
        except StoreUnavailable as fault:
            _log.warning("tick_missed", reason=str(fault))
        except Exception:
            _log.exception("tick_failed")
        await asyncio.sleep(TICK_S)


class _Server(uvicorn.Server):
    """Tells the service that the end has begun, so that those who wait for news are answered at once."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        service: Service | None = self.config.app.state.service  # type: ignore[union-attr]
        if service is not None:
            service.stopping.set()
        await super().shutdown(sockets)


def serve(settings: Settings, url: str, listener: socket.socket) -> int:
    """Serve the API on the listening socket until the process is told to end; the exit code."""
    logs.set_up(settings.log_level)
    app = create_app(lambda: open_service(settings, url), settings.max_body_bytes)
    config = uvicorn.Config(
        app,
        loop="uvloop",
        http="httptools",
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=GRACE_S,
        server_header=False,
        lifespan="on",
    )
    _Server(config).run(sockets=[listener])
    return 0
