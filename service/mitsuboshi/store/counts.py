"""What those who watch the service want counted."""

from __future__ import annotations

from typing import Any

from redis.asyncio import Redis
from redis.exceptions import ResponseError

from mitsuboshi.store import keys
from mitsuboshi.store.jobs import GROUP
from mitsuboshi.store.keys import Keys
from mitsuboshi.store.scripts import answering


class Counts:
    """The port ``Counts`` on Redis."""

    def __init__(self, redis: Redis, names: Keys, lease_ms: int) -> None:
        self._redis = redis
        self._keys = names
        self._lease_ms = lease_ms

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
            totals["workers"] = len(await self._workers())
        return totals

    async def _workers(self) -> set[bytes]:
        """Those that have asked for work, or renewed a lease, within the time of one."""
        found: set[bytes] = set()
        for tag in self._keys.all_tags():
            for stream in (keys.moves(tag), keys.analyses(tag)):
                try:
                    consumers: Any = await self._redis.xinfo_consumers(stream, GROUP)
                except ResponseError:
                    continue  # No worker has been there yet, so there is no group.
                found |= {each["name"] for each in consumers if each["idle"] < self._lease_ms}
        return found
