"""One API process: everything behind the endpoints is put together here, and nowhere else."""

from __future__ import annotations

import asyncio
import gc
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import structlog
import uvicorn

from mitsuboshi import logs
from mitsuboshi.api.app import create_app
from mitsuboshi.api.auth import Tokens
from mitsuboshi.api.connections import Connections
from mitsuboshi.api.heads import BoundedHeads
from mitsuboshi.api.hub import Hub
from mitsuboshi.api.limits import RateLimit
from mitsuboshi.api.service import Service
from mitsuboshi.api.socket import FRAME_BYTES_MAX
from mitsuboshi.host.host import Host
from mitsuboshi.host.ports import StoreUnavailable
from mitsuboshi.host.timers import look_at_due_rooms
from mitsuboshi.rooms.commands import Waits
from mitsuboshi.settings import Settings
from mitsuboshi.store import keys
from mitsuboshi.store.bells import Bells
from mitsuboshi.store.connect import connect, wait_until_ready
from mitsuboshi.store.counts import Counts
from mitsuboshi.store.due_times import DueTimes
from mitsuboshi.store.jobs import Analyses
from mitsuboshi.store.keys import Keys
from mitsuboshi.store.lists import RoomLists
from mitsuboshi.store.presence import NOTED_MS, Presence
from mitsuboshi.store.room_store import RoomStore
from mitsuboshi.store.secret import ServerSecret
from mitsuboshi.store.service_time import TICK_S, ServiceTime

GRACE_S = 10
"""How long requests in flight may take once the process has been told to end."""
SECURITY_HEADERS = [
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"),
]
_log = structlog.get_logger()


@asynccontextmanager
async def open_service(settings: Settings, url: str) -> AsyncIterator[Service]:
    """The service on the Redis of that URL, from the moment that it answers."""
    redis = connect(url)
    names = Keys(settings.partitions)
    waits = Waits(settings.room_idle_s * 1000, settings.presence_s * 1000 + NOTED_MS)
    try:
        await wait_until_ready(redis)
        clock, times, bells = (
            ServiceTime(redis, names),
            DueTimes(redis, names),
            Bells(redis, list(map(keys.bell, names.all_tags()))),
        )
        store, presence = RoomStore(redis, names), Presence(redis, names, clock, settings.room_life_s * 1000)
        secret = ServerSecret(redis, settings.secret)
        tokens = Tokens(await secret.keep())

        async def keep_secret() -> None:
            tokens.use(await secret.keep())

        await clock.tick()
        service = Service(
            host=Host(store, clock, waits),
            log=store,
            bells=bells,
            analyst=Analyses(redis, names, bells),
            presence=presence,
            lists=RoomLists(redis, names),
            hub=Hub(store, bells),
            connections=Connections(),
            counts=Counts(redis, names),
            per_token=RateLimit("requests_per_token", settings.requests_per_token_s),
            per_address=RateLimit("requests_per_address", settings.requests_per_address_s),
            api_key=settings.api_key,
            tokens=tokens,
            life_ms=settings.room_life_s * 1000,
            lease_ms=settings.lease_ms,
            ping=store.ping,
            stopping=asyncio.Event(),
        )
        tasks = [
            asyncio.create_task(bells.run()),
            asyncio.create_task(_each_second(clock.tick)),
            asyncio.create_task(_each_second(keep_secret)),
            asyncio.create_task(_each_second(presence.write_down)),
            asyncio.create_task(_each_second(lambda: look_at_due_rooms(service.host, times))),
        ]
        _log.info("api_ready")
        try:
            yield service
        finally:
            _log.info("api_ends")
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
    finally:
        await redis.aclose()


async def _each_second(work: Callable[[], Awaitable[object]]) -> None:
    """Do it every second, whatever came of it the last time.

    Each work has a task of its own: looking at many rooms must not hold time up."""
    while True:
        try:
            await work()
        except StoreUnavailable as fault:
            _log.warning("store_unavailable", reason=str(fault))
        except Exception:
            _log.exception("periodic_work_failed")
        await asyncio.sleep(TICK_S)


def collect_seldom() -> None:
    """Let Python look for cyclic garbage seldom, and never among what there is now: modules, routes, classes.

    A collection stops everybody, and a full one among a thousand sockets takes 50 to 250 ms. Nearly all that
    is made here goes by its reference count alone; what does not, waits until it is 50,000 objects."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


class _Server(uvicorn.Server):
    """Tells the service that the end has begun, so that those who wait for news are answered at once."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        collect_seldom()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        service: Service | None = self.config.app.state.service  # type: ignore[union-attr]
        if service is not None:
            service.stop()
        await super().shutdown(sockets)


def serve(settings: Settings, url: str, listener: socket.socket) -> int:
    """Serve the API on the listening socket until the process is told to end; the exit code."""
    logs.set_up(settings.log_level, "serve")
    origins = [origin for origin in settings.cors_origins.split(",") if origin]
    app = create_app(lambda: open_service(settings, url), settings.max_body_bytes, origins)
    config = uvicorn.Config(
        app,
        loop="uvloop",
        http=BoundedHeads,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=GRACE_S,
        server_header=False,
        headers=SECURITY_HEADERS,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=settings.trusted_proxies,
        ws_max_size=FRAME_BYTES_MAX,
        ws_ping_interval=settings.ping_s,
        ws_ping_timeout=settings.ping_s,
        # Compression doubles the memory of a socket, and the messages are small.
        ws_per_message_deflate=False,
        lifespan="on",
    )
    _Server(config).run(sockets=[listener])
    return 0
