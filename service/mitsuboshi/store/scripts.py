"""Lua scripts beside this file, sent by digest."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import NoScriptError, RedisError

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
    """Inside, a Redis that is away or refuses to serve raises StoreUnavailable."""
    try:
        yield
    except (RedisError, OSError) as fault:
        raise StoreUnavailable(f"Redis does not answer: {fault}") from fault
