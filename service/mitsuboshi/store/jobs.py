"""The queue of AI jobs: two streams a partition, with a lease on every job that is given out.

A job for a move is queued by ``append.lua`` with the move before it. A worker that stops renewing
its lease loses the job to the next one that asks; ``tries`` counts how often that has happened.
"""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from typing import Any

import msgspec
from redis.asyncio import Redis
from redis.exceptions import ResponseError

from mitsuboshi.host.ports import AnalysisJob, AnalysisLine, Delivery, Job, StoreUnavailable
from mitsuboshi.rooms.follow import DrawJob, MoveJob
from mitsuboshi.store import keys
from mitsuboshi.store.bells import Bells
from mitsuboshi.store.keys import Keys
from mitsuboshi.store.scripts import Script, answering

GROUP = "workers"
WORK = "work"
"""What is called out when a job is queued."""
ANALYSES_MAX = 100
"""Analyses that wait in one partition; one more is refused."""
DEAD_MS = 3_600_000
WAIT_S = 0.25
"""How long a worker sleeps at most before it looks for abandoned jobs again."""

_encode = msgspec.msgpack.Encoder().encode
_decode_job = msgspec.msgpack.Decoder(Job).decode
_decode_lines = msgspec.msgpack.Decoder(list[AnalysisLine]).decode


class Jobs:
    """The port ``JobQueue`` on Redis, for one worker."""

    def __init__(self, redis: Redis, names: Keys, bells: Bells, lease_ms: int) -> None:
        self._redis = redis
        self._bells = bells
        self._keys = names
        # What rooms wait for before analyses, in all partitions.
        self._streams = [make(tag) for make in (keys.moves, keys.analyses) for tag in names.all_tags()]
        self._lease_ms = lease_ms
        self._worker = secrets.token_urlsafe(9)
        self._take = Script(redis, "take")
        self._keep = Script(redis, "keep")
        self._finish = Script(redis, "finish")
        self._show = Script(redis, "show")

    async def take(self) -> Delivery:
        """The next job, as soon as there is one."""
        async with self._bells.listening(WORK) as rung:
            while True:
                rung.clear()
                async with answering():
                    for stream in self._streams:
                        answer = await self._ask(stream)
                        if answer is not None:
                            return _delivery(stream, answer)
                    await self._show_itself()
                with suppress(TimeoutError):
                    async with asyncio.timeout(WAIT_S):
                        await rung.wait()

    async def _show_itself(self) -> None:
        # The group's own idle time is no sign: before Redis 7.2 asking in vain leaves it as it was.
        await self._show([keys.workers(self._keys.all_tags()[0])], [self._worker, self._lease_ms])

    async def _ask(self, stream: str) -> Any:
        try:
            return await self._take([stream], [GROUP, self._worker, self._lease_ms])
        except ResponseError as fault:
            if "NOGROUP" not in str(fault):
                raise
        try:
            await self._redis.xgroup_create(stream, GROUP, id="0", mkstream=True)
        except ResponseError as fault:
            if "BUSYGROUP" not in str(fault):
                raise
        return await self._ask(stream)

    async def forget_dead_workers(self) -> None:
        """Take workers off the group that have been silent for long; what they held is with others by now."""
        async with answering():
            for stream in self._streams:
                with suppress(ResponseError):  # There is no such stream yet.
                    for worker in await self._redis.xinfo_consumers(stream, GROUP):
                        if worker["pending"] == 0 and worker["idle"] > DEAD_MS:
                            await self._redis.xgroup_delconsumer(stream, GROUP, worker["name"])

    async def keep(self, delivery: Delivery) -> bool:
        """Renew the lease; False when the job is another's now, or nobody waits for its answer."""
        stream, entry = delivery.handle
        job = delivery.job
        if isinstance(job, MoveJob):
            wanted, text = self._keys.awaited(job.room), job.job_id
        elif isinstance(job, DrawJob):
            wanted, text = self._keys.asked(job.room), job.job_id
        else:
            wanted, text = keys.analysis(self._keys.tag(job.job_id), job.job_id), ""
        async with answering():
            await self._show_itself()
            return bool(await self._keep([stream.decode(), wanted], [GROUP, self._worker, entry, text]))

    async def moves_wait(self) -> bool:
        """Whether a job for a move waits that no worker has."""
        async with answering():
            for stream in map(keys.moves, self._keys.all_tags()):
                with suppress(ResponseError):  # There is no such stream yet.
                    pending: Any = await self._redis.xpending(stream, GROUP)
                    if await self._redis.xlen(stream) > pending["pending"]:
                        return True
        return False

    async def finish(self, delivery: Delivery, lines: list[AnalysisLine] | None = None) -> None:
        """The job is done; ``lines`` are the answer to an analysis."""
        stream, entry = delivery.handle
        named: list[str] = [stream.decode()]
        args: list[Any] = [GROUP, entry]
        if lines is not None:
            job_id = delivery.job.job_id
            tag = self._keys.tag(job_id)
            named.append(keys.analysis(tag, job_id))
            args += [_encode(lines), keys.ANALYSIS_MS, keys.bell(tag), job_id]
        async with answering():
            await self._finish(named, args)

    async def give_back(self, delivery: Delivery, failed: bool = True) -> None:
        """The next worker to ask may have the job at once; it counts as a try where it ``failed`` here."""
        if not await self.keep(delivery):
            return
        stream, entry = delivery.handle
        tries = delivery.tries if failed else delivery.tries - 1
        async with answering():
            await self._redis.xclaim(
                stream,
                GROUP,
                self._worker,
                0,
                [entry],
                idle=self._lease_ms,
                retrycount=tries,
                justid=True,
            )

    async def count_fallback(self, delivery: Delivery) -> None:
        """Note that a job's every try has failed."""
        tag = delivery.handle[0].decode().partition(":")[0]
        async with answering():
            await self._redis.hincrby(keys.counters(tag), "jobs_failed", 1)


def _delivery(stream: str, answer: list[Any]) -> Delivery:
    entry, text, tries, waiting = answer
    try:
        job = _decode_job(text)
    except msgspec.DecodeError as fault:
        # A newer process may have queued it, and a newer worker may take it when our lease is over.
        raise StoreUnavailable(f"this process cannot read the job {entry.decode()}: {fault}") from fault
    return Delivery(job, (stream.encode(), entry), tries, waiting)


class Analyses:
    """Asks the workers for an analysis and waits for the answer."""

    def __init__(self, redis: Redis, names: Keys, bells: Bells) -> None:
        self._redis = redis
        self._keys = names
        self._bells = bells
        self._ask = Script(redis, "ask")

    async def ask(self, job: AnalysisJob, wait_s: float) -> list[AnalysisLine] | None:
        """The answer, or None when there is none after ``wait_s``; the job is then dropped."""
        tag = self._keys.tag(job.job_id)
        reply = keys.analysis(tag, job.job_id)
        async with self._bells.listening(job.job_id) as rung:
            life_ms = int(wait_s * 1000) + keys.ANALYSIS_MS
            async with answering():
                entry = await self._ask(
                    [reply, keys.analyses(tag)],
                    [life_ms, _encode(job), keys.work(tag), WORK, ANALYSES_MAX],
                )
            if entry is None:
                return None
            try:
                async with asyncio.timeout(wait_s):
                    return await self._answer(reply, rung)
            except TimeoutError:
                return None
            finally:
                # Whatever ends the waiting is not to be hidden by a store that is away.
                with suppress(StoreUnavailable):
                    await self._drop(reply, keys.analyses(tag), entry)

    async def _drop(self, reply: str, stream: str, entry: bytes) -> None:
        """Nobody waits any more: the job goes, and a worker that has it stops."""
        async with answering():
            await self._redis.delete(reply)
            await self._redis.xdel(stream, entry)

    async def _answer(self, reply: str, rung: asyncio.Event) -> list[AnalysisLine] | None:
        while True:
            rung.clear()
            async with answering():
                answer: Any = await self._redis.get(reply)
            if answer:
                return _decode_lines(answer)
            if answer is None:
                return None
            await rung.wait()
