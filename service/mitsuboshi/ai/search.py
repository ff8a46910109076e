"""One search at a time: in a thread, within its budget, and for as long as somebody waits for the answer."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Protocol

import structlog

from mitsuboshi.ai._engine import Line, Stop
from mitsuboshi.ai.levels import RACE_WIDTH, Limits, budget, level_of
from mitsuboshi.host.ports import AnalysisJob, Delivery, Job, JobQueue, StoreUnavailable
from mitsuboshi.rooms.follow import DrawJob

KEEP_S = 0.2
"""How often a search looks whether its answer is still wanted, at most; and renews its lease."""
OVERTIME_S = 0.25
"""How long over its budget a search is told to stop, and as long again until its process ends itself."""
HUNG = 70
"""Exit code of a process whose engine did not stop when told to."""
ANALYSIS_MS_MAX = 10_000
"""Time after which an analysis that is limited by nodes answers with what it has."""
DRAW_MS_MAX = 1_000
"""Time that an AI thinks about a draw offer."""
_log = structlog.get_logger()


class Searcher(Protocol):
    """What searches: the C engine, or a test's own."""

    def search(
        self,
        game: str,
        position: str,
        options: dict[str, str | int | bool],
        *,
        movetime_ms: int,
        nodes: int,
        plies: int,
        lines: int,
        seed: int,
        noise: int,
        race_width: int,
        stop: Stop,
    ) -> Sequence[Line]:
        """The best lines, best first; none when the game is over. Returns soon after ``stop`` is set."""


class Abandoned(Exception):
    """Nobody waits for the answer any more."""


def limits_of(job: Job, waiting: int) -> Limits:
    """The budget of a job that ``waiting`` others stand behind; none is without an end in time."""
    if isinstance(job, AnalysisJob) and not job.level:
        movetime_ms = job.movetime_ms or ANALYSIS_MS_MAX
        return Limits(movetime_ms=movetime_ms, nodes=job.nodes, race_width=RACE_WIDTH)
    limits = budget(level_of(job.game, job.level), waiting)
    if isinstance(job, DrawJob):
        return replace(limits, movetime_ms=min(limits.movetime_ms, DRAW_MS_MAX), noise=0)
    if isinstance(job, AnalysisJob):
        return replace(limits, noise=0)  # What a level thinks best, not what it may happen to play.
    return limits


class Thinker:
    """A searcher and the one thread that it searches in."""

    def __init__(
        self, searcher: Searcher, queue: JobQueue, give_up: Callable[[int], None] = os._exit
    ) -> None:
        self._searcher = searcher
        self._queue = queue
        self._give_up = give_up
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="search")

    async def think(self, delivery: Delivery, seed: int) -> Sequence[Line]:
        """The searcher's lines for the job; Abandoned when its answer is no longer wanted."""
        job = delivery.job
        limits = limits_of(job, delivery.waiting)
        stop = Stop()
        search = asyncio.get_running_loop().run_in_executor(
            self._thread,
            partial(
                self._searcher.search,
                job.game,
                job.position,
                job.options,
                movetime_ms=limits.movetime_ms,
                nodes=limits.nodes,
                plies=limits.plies,
                lines=job.lines if isinstance(job, AnalysisJob) else 1,
                seed=seed,
                noise=limits.noise,
                race_width=limits.race_width,
                stop=stop,
            ),
        )
        try:
            return await self._watched(search, stop, delivery, _longest_s(limits))
        finally:
            stop.set()

    async def _watched(
        self,
        search: asyncio.Future[Sequence[Line]],
        stop: Stop,
        delivery: Delivery,
        longest_s: float,
    ) -> Sequence[Line]:
        ends_at = time.monotonic() + longest_s + OVERTIME_S
        wanted, told_at = True, None
        while not (await asyncio.wait({search}, timeout=KEEP_S))[0]:
            # Counted from the telling: a process that was suspended has the same chance to stop.
            if told_at is not None and time.monotonic() > told_at + OVERTIME_S:
                _log.error("engine_hung", job=repr(delivery.job))
                self._give_up(HUNG)
            if isinstance(delivery.job, AnalysisJob) and await self._moves_wait():
                stop.set()  # What it has found so far is its answer.
            if wanted and not await self._still_wanted(delivery):
                wanted = False
            if told_at is None and (not wanted or time.monotonic() > ends_at):
                stop.set()
                told_at = time.monotonic()
        if not wanted:
            raise Abandoned
        return search.result()

    async def _moves_wait(self) -> bool:
        try:
            return await self._queue.moves_wait()
        except StoreUnavailable:
            return False

    async def _still_wanted(self, delivery: Delivery) -> bool:
        try:
            return await self._queue.keep(delivery)
        except StoreUnavailable:
            return True  # Unknown: the answer will be refused if it is not.


def _longest_s(limits: Limits) -> float:
    return limits.movetime_ms / 1000
