"""The key that signs tokens: the setting's, or one made once and kept in Redis for all processes."""

from __future__ import annotations

import secrets
from typing import Any

from redis.asyncio import Redis

from mitsuboshi.store import keys
from mitsuboshi.store.scripts import answering


async def server_secret(redis: Redis, setting: str) -> bytes:
    """The same key in every process of one service."""
    if setting:
        return setting.encode()
    async with answering():
        await redis.set(keys.SECRET, secrets.token_hex(32), nx=True)
        kept: Any = await redis.get(keys.SECRET)
    return bytes(kept)
