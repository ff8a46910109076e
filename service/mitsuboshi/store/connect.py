"""How every process connects to Redis."""

from __future__ import annotations

import asyncio

import structlog
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import ConstantBackoff

from mitsuboshi.host.ports import StoreUnavailable
from mitsuboshi.store.scripts import answering

CONNECT_S = 1.0
ANSWER_S = 3.0
RETRY_S = 0.5
_log = structlog.get_logger()


def connect(url: str) -> Redis:
    """A client for that URL; nothing is sent before its first use.

    A command whose connection breaks is sent once more: every script here may safely come twice."""
    return Redis.from_url(
        url,
        protocol=2,
        socket_connect_timeout=CONNECT_S,
        socket_timeout=ANSWER_S,
        retry=Retry(ConstantBackoff(0.05), 1),
        max_connections=1000,
    )


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
