"""The key that signs tokens: the setting's, or one made once and kept in Redis for all processes."""

from __future__ import annotations

import secrets
from typing import Any

from redis.asyncio import Redis

from mitsuboshi.store import keys
from mitsuboshi.store.scripts import answering


class ServerSecret:
    """The key of all processes of one service."""

    def __init__(self, redis: Redis, setting: str) -> None:
        self._redis = redis
        self._is_set = bool(setting)
        self.key = setting.encode() or secrets.token_hex(32).encode()

    async def keep(self) -> bytes:
        """The key. Unless it is a setting: this process's, if none is kept in Redis, or that which is.

        So a Redis that has lost all its data has the same key again before a new process makes another."""
        if not self._is_set:
            async with answering():
                await self._redis.set(keys.SECRET, self.key, nx=True)
                kept: Any = await self._redis.get(keys.SECRET)
            self.key = self.key if kept is None else bytes(kept)
        return self.key
