"""What those who watch the service want counted."""

from __future__ import annotations

from typing import Any

from redis.asyncio import Redis

from mitsuboshi.store import keys
from mitsuboshi.store.keys import Keys
from mitsuboshi.store.scripts import answering


class Counts:
    """The port ``Counts`` on Redis."""

    def __init__(self, redis: Redis, names: Keys) -> None:
        self._redis = redis
        self._keys = names

    async def counts(self) -> dict[str, int]:
        """Numbers by name, over all partitions."""
        totals = {"rooms_open": 0, "rooms_public": 0, "jobs_moves": 0, "jobs_analyses": 0, "jobs_failed": 0}
        async with answering():
            for tag in self._keys.all_tags():
                totals["rooms_open"] += await self._redis.zcard(keys.due(tag))
                totals["rooms_public"] += await self._redis.zcard(keys.public(tag))
                totals["jobs_moves"] += await self._redis.xlen(keys.moves(tag))
                totals["jobs_analyses"] += await self._redis.xlen(keys.analyses(tag))
                failed: Any = await self._redis.hget(keys.counters(tag), "jobs_failed")
                totals["jobs_failed"] += int(failed or 0)
            totals["workers"] = await self._redis.zcard(keys.workers(self._keys.all_tags()[0]))
        return totals
