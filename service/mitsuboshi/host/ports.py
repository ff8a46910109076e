"""What the host and the AI workers need of the world, each a port of a few methods."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from msgspec import Struct

from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.commands import Now
from mitsuboshi.rooms.decide import Decision
from mitsuboshi.rooms.follow import MoveJob
from mitsuboshi.rooms.state import Line, Room


class RequestKey(Struct, frozen=True):
    """A request's Idempotency-Key as it is remembered: digests of who sent which key, and of the body."""

    key: str
    body: str


class Receipt(Struct, frozen=True):
    """What is remembered of a request that had its effect: the digest of its body, the version it made."""

    body: str
    version: int


class Loaded(Struct, frozen=True):
    """A room as stored, and the receipt of the request that asks; each None where there is none."""

    room: Room | None
    receipt: Receipt | None


class Rooms(Protocol):
    """Where rooms are kept. Every method but ``known`` may raise StoreUnavailable."""

    def known(self, room_id: str) -> Room | None:
        """The room as this process last wrote it, or None; other processes may have changed it since."""

    async def load(self, room_id: str, key: RequestKey | None) -> Loaded:
        """The room and the key's receipt, read at one instant."""

    async def line(self, room_id: str, game_number: int) -> Line | None:
        """The line of that game of the room, or None where there is none."""

    async def append(
        self, before: Room | None, decision: Decision, key: RequestKey | None, due_ms: int | None
    ) -> bool:
        """The decision's one atomic write.

        False when the room is no longer as it was ``before``, or when the key has its receipt already."""


class Log(Protocol):
    """The history of rooms."""

    async def events(self, room_id: str, after: int, most: int) -> Sequence[e.AnyEvent]:
        """Up to ``most`` of the kept events whose version is greater than ``after``, in order."""


class Clock(Protocol):
    """The time, in both its kinds."""

    def now(self) -> Now:
        """The time now."""


class StoreUnavailable(Exception):
    """The store did not answer; whether a write took place is not known."""


class AnalysisJob(Struct, frozen=True, tag="analysis", array_like=True):
    """Somebody asks for the best ``lines`` of a position, within one budget: the first that is not zero."""

    job_id: str
    game: str
    options: dict[str, str | int | bool]
    position: str
    level: str
    movetime_ms: int
    nodes: int
    lines: int


Job = MoveJob | AnalysisJob


class AnalysisLine(Struct, frozen=True):
    """One line of an analysis, its moves in ``pv``.

    ``score`` is in thousandths of a point for the side to move."""

    move: str
    score: int
    depth: int
    nodes: int
    time_ms: int
    pv: list[str]


class Delivery(Struct, frozen=True):
    """A job in a worker's hands, for the ``tries``-th time; ``waiting`` more are in nobody's."""

    job: Job
    handle: tuple[bytes, bytes]
    tries: int
    waiting: int


class JobQueue(Protocol):
    """Where AI workers get their work."""

    async def take(self) -> Delivery:
        """The next job, as soon as there is one: moves first, a dead worker's before new ones."""

    async def keep(self, delivery: Delivery) -> bool:
        """Renew the lease; False when nobody waits for the answer, or another worker has the job."""

    async def finish(self, delivery: Delivery, lines: list[AnalysisLine] | None = None) -> None:
        """The job is done; ``lines`` are the answer to an analysis."""

    async def give_back(self, delivery: Delivery, failed: bool = True) -> None:
        """The next worker to ask may have the job at once; it counts as a try where it ``failed`` here."""

    async def count_fallback(self, delivery: Delivery) -> None:
        """Note that a job's every try has failed, for those who watch the service."""


class Analyst(Protocol):
    """Where analyses are asked for."""

    async def ask(self, job: AnalysisJob, wait_s: float) -> list[AnalysisLine] | None:
        """The answer, or None when there is none after ``wait_s``; the job is then dropped."""


class Bells(Protocol):
    """Who tells that a room has news."""

    def listening(self, subject: str) -> AbstractAsyncContextManager[asyncio.Event]:
        """Inside, each ring for the subject sets the event: clear it, look, wait for it, again."""
