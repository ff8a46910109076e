"""A worker's loop: take a job, think, answer. Whatever fails, no job is lost and no room waits for ever."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import structlog

from mitsuboshi.ai._engine import Line
from mitsuboshi.ai.search import Abandoned, Thinker
from mitsuboshi.games.registry import GAMES
from mitsuboshi.host.answers import answer, answer_draw
from mitsuboshi.host.host import Host
from mitsuboshi.host.ports import AnalysisJob, AnalysisLine, Delivery, JobQueue, StoreUnavailable
from mitsuboshi.rooms.follow import DrawJob, MoveJob
from mitsuboshi.rooms.refused import Refused

TRIES_MAX = 3
"""How often a job is searched, by any worker, before the rules alone choose a move."""
RETRY_S = 0.5
FAILED_S = 0.1
"""Pause after a failure, so that a job that always fails keeps no core busy."""
_log = structlog.get_logger()


class Worker:
    """One worker, one job at a time."""

    def __init__(self, queue: JobQueue, host: Host, thinker: Thinker) -> None:
        self._queue = queue
        self._host = host
        self._thinker = thinker

    async def run(self) -> None:
        """Work until cancelled; a job in hand then goes back to the others."""
        while True:
            try:
                await self._do(await self._queue.take())
            except StoreUnavailable as fault:
                _log.warning("store_unavailable", reason=str(fault))
                await asyncio.sleep(RETRY_S)

    async def _do(self, delivery: Delivery) -> None:
        try:
            # A job may have been queued long ago; keep drops it where nobody waits for it any more.
            if not await self._queue.keep(delivery):
                return
            lines = await self._answer(delivery)
        except Abandoned:
            return
        except StoreUnavailable:
            raise
        except asyncio.CancelledError:
            # A store that is away is no reason to go on working.
            with suppress(StoreUnavailable):
                await self._queue.give_back(delivery, failed=False)
            raise
        except Refused as refused:
            # The room was too busy to take the answer: no try of the engine's has failed.
            _log.warning("answer_not_taken", reason=refused.detail)
            await self._queue.give_back(delivery, failed=False)
            return
        except Exception:
            _log.exception("job_failed", tries=delivery.tries, job=repr(delivery.job))
            await self._queue.give_back(delivery)
            await asyncio.sleep(FAILED_S)
            return
        await self._queue.finish(delivery, lines)

    async def _answer(self, delivery: Delivery) -> list[AnalysisLine] | None:
        """Carry the job out; the lines where they are the answer."""
        job = delivery.job
        exhausted = delivery.tries > TRIES_MAX
        if exhausted:
            _log.error("job_given_up", job=repr(job))
        if isinstance(job, AnalysisJob):
            if not exhausted:
                return _analysed(await self._thinker.think(delivery, seed=0))
            await self._queue.count_fallback(delivery)
            return []
        if isinstance(job, DrawJob):
            await self._answer_draw(delivery, job, exhausted)
        elif exhausted:
            await self._queue.count_fallback(delivery)
            await self._play(job, fallback_move(job), fallback=True)
        else:
            lines = await self._thinker.think(delivery, secrets.randbits(31))
            if not lines:
                raise ValueError("the engine has no move")
            await self._play(job, lines[0].move)
        return None

    async def _answer_draw(self, delivery: Delivery, job: DrawJob, exhausted: bool) -> None:
        """Yes to a draw where the AI does not stand better."""
        accept = False
        if exhausted:
            await self._queue.count_fallback(delivery)
        else:
            lines = await self._thinker.think(delivery, seed=0)
            game = GAMES[job.game]
            own = game.to_move(game.load(job.position, job.options)) == job.seat
            accept = bool(lines) and (lines[0].score if own else -lines[0].score) <= 0
        await answer_draw(self._host, job, accept)

    async def _play(self, job: MoveJob, move: str, fallback: bool = False) -> None:
        """Refused only where the room is busy; any other refusal is the move's fault."""
        try:
            await answer(self._host, job, move, fallback)
        except Refused as refused:
            if refused.code == "busy":
                raise
            raise ValueError(f"the engine's move was refused: {refused.detail}") from refused


def _analysed(lines: Sequence[Line]) -> list[AnalysisLine]:
    return [
        AnalysisLine(line.move, line.score, line.depth, line.nodes, line.time_ms, line.pv, line.margin)
        for line in lines
    ]


def fallback_move(job: MoveJob) -> str:
    """A move that the rules alone choose, when no search has brought one."""
    game = GAMES[job.game]
    position: Any = game.load(job.position, job.options)
    return game.plain_move(position)
