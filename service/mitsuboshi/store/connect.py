"""How every process connects to Redis: one server, a Sentinel's master, or a cluster."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import unquote, urlsplit

import structlog
from redis.asyncio import Redis
from redis.asyncio.cluster import ClusterNode, RedisCluster
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel
from redis.backoff import ConstantBackoff
from redis.driver_info import DriverInfo

from mitsuboshi.host.ports import StoreUnavailable
from mitsuboshi.store.scripts import answering

CONNECT_S = 1.0
ANSWER_S = 3.0
RETRY_S = 0.5
CLUSTER, SENTINEL = "redis+cluster", "redis+sentinel"
PORTS = {CLUSTER: 6379, SENTINEL: 26379}
_log = structlog.get_logger()


def connect(url: str) -> Redis:
    """A client for that URL; nothing is sent before its first use.

    ``redis+cluster://HOST:PORT,…`` names some nodes of a cluster, ``redis+sentinel://HOST:PORT,…/NAME`` the
    sentinels of a master. A command whose connection breaks is sent once more: every script here may safely
    come twice."""
    options: dict[str, Any] = {
        "protocol": 2,
        "socket_connect_timeout": CONNECT_S,
        "socket_timeout": ANSWER_S,
        "retry": Retry(ConstantBackoff(0.05), 1),
        "max_connections": 1000,
        # Made once: for each connection of its own, it would read the client's metadata from disk.
        "driver_info": DriverInfo(),
    }
    scheme = urlsplit(url).scheme
    if scheme == CLUSTER:
        nodes = [ClusterNode(host, port) for host, port in _hosts(url)]
        # It has the same commands; the type's name alone differs.
        return RedisCluster(startup_nodes=nodes, **_login(url), **options)  # type: ignore[return-value]
    if scheme == SENTINEL:
        name = urlsplit(url).path.strip("/") or "mymaster"
        sentinel: Any = Sentinel(_hosts(url), sentinel_kwargs=options, **options)  # type: ignore[no-untyped-call]
        master: Redis = sentinel.master_for(name, **_login(url), **options)
        return master
    return Redis.from_url(url, **options)


def _hosts(url: str) -> list[tuple[str, int]]:
    parts = urlsplit(url)
    hosts = [urlsplit(f"//{host}") for host in parts.netloc.rpartition("@")[2].split(",")]
    return [(host.hostname or "localhost", host.port or PORTS[parts.scheme]) for host in hosts]


def _login(url: str) -> dict[str, Any]:
    user, colon, password = urlsplit(url).netloc.rpartition("@")[0].partition(":")
    return {"username": unquote(user) or "default", "password": unquote(password)} if colon else {}


async def wait_until_ready(redis: Redis) -> None:
    """Return once Redis answers, however long that takes."""
    while True:
        try:
            async with answering():
                await redis.ping()
        except StoreUnavailable as fault:
            _log.warning("waiting_for_redis", reason=str(fault))
            await asyncio.sleep(RETRY_S)
        else:
            return
