"""Lua scripts beside this file, sent by digest."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import NoScriptError, RedisClusterException, RedisError

from mitsuboshi.host.ports import StoreUnavailable


class Script:
    """One script; the server is sent its text when it does not know it yet."""

    def __init__(self, redis: Redis, name: str) -> None:
        self._redis = redis
        self._text = Path(__file__).with_name(f"{name}.lua").read_text(encoding="utf-8")
        self._digest = hashlib.sha1(self._text.encode()).hexdigest()  # noqa: S324 - Redis names scripts so

    async def __call__(self, keys: Sequence[str], args: Sequence[Any]) -> Any:
        """The script's answer."""
        try:
            return await self._redis.evalsha(self._digest, len(keys), *keys, *args)
        except NoScriptError:
            return await self._redis.eval(self._text, len(keys), *keys, *args)


@asynccontextmanager
async def answering() -> AsyncIterator[None]:
    """Inside, a Redis that is away or refuses to serve raises StoreUnavailable.

    Under Python 3.11 the client may lose a cancellation that comes while it sends (``asyncio.wait_for``
    did so before 3.12): it then takes effect here, at the end."""
    task = asyncio.current_task()
    cancellations = task.cancelling() if task else 0
    try:
        yield
    except (RedisError, RedisClusterException, OSError) as fault:
        raise StoreUnavailable(f"Redis does not answer: {fault}") from fault
    except Exception as fault:
        if not _is_the_clients_own(fault):
            raise
        # A cluster's client trips over a node that has just gone, with whatever error comes of that.
        raise StoreUnavailable(f"Redis's client fails: {fault!r}") from fault
    finally:
        if task and task.cancelling() > cancellations:
            raise asyncio.CancelledError


def _is_the_clients_own(fault: BaseException) -> bool:
    """Whether it was raised in the client's library or below it, where nothing of ours runs."""
    at = fault.__traceback__
    while at is not None:
        if str(at.tb_frame.f_globals.get("__name__")).startswith("redis."):
            return True
        at = at.tb_next
    return False
