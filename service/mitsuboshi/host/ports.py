"""What the host and the AI workers need of the world, each a port of a few methods."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from msgspec import Struct

from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.commands import Now
from mitsuboshi.rooms.decide import Decision
from mitsuboshi.rooms.follow import DrawJob, MoveJob
from mitsuboshi.rooms.state import FORMAT, Line, Room


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


class Written(Struct, frozen=True):
    """What is written beside a decision.

    The key of its request; when the room is to be looked at, None once it is closed; and the person whose
    command it was, who is present by that."""

    key: RequestKey | None = None
    due_ms: int | None = None
    person: str | None = None


class Rooms(Protocol):
    """Where rooms are kept. Every method but ``known`` may raise StoreUnavailable."""

    def known(self, room_id: str) -> Room | None:
        """The room as this process last wrote it, or None; other processes may have changed it since."""

    async def load(self, room_id: str, key: RequestKey | None) -> Loaded:
        """The room and the key's receipt, read at one instant."""

    async def line(self, room_id: str, game_number: int) -> Line | None:
        """The line of that game of the room, or None where there is none."""

    async def append(self, before: Room | None, decision: Decision, written: Written) -> bool:
        """The decision's one atomic write.

        False when the room is no longer as it was ``before``, or when the key has its receipt already."""


class Log(Protocol):
    """The history of rooms."""

    async def events(self, room_id: str, after: int, most: int) -> Sequence[e.AnyEvent]:
        """Up to ``most`` of the kept events whose version is greater than ``after``, in order."""

    async def last_event(self, room_id: str) -> e.AnyEvent | None:
        """The newest event, or None where there is none."""


class RoomPage(Struct, frozen=True):
    """Rooms in the order of a list; ``next_after`` is where the list goes on, or None at its end."""

    rooms: list[Room]
    next_after: tuple[int, str] | None


class Lists(Protocol):
    """Lists of rooms, the newest first. ``after`` is a page's ``next_after``."""

    async def public(self, after: tuple[int, str] | None, most: int) -> RoomPage:
        """Up to ``most`` of the public rooms."""

    async def of_person(self, person: str, after: tuple[int, str] | None, most: int) -> RoomPage:
        """Up to ``most`` of the rooms in which the person holds a seat."""


class Counts(Protocol):
    """What those who watch the service want counted."""

    async def counts(self) -> dict[str, int]:
        """Numbers by name."""


class Presence(Protocol):
    """Who was in which room when, in service time."""

    def note(self, room_id: str, person: str) -> None:
        """The person is in the room now."""

    async def of(self, room_id: str) -> Mapping[str, int]:
        """When each person was last in the room, as it was known at most a second ago."""

    def known(self, room_id: str) -> Mapping[str, int]:
        """The same, as far as it is known here."""


class Clock(Protocol):
    """The time, in both its kinds."""

    def now(self) -> Now:
        """The time now."""


class StoreUnavailable(Exception):
    """The store did not answer; whether a write took place is not known."""


class Unreadable(StoreUnavailable):
    """Something is stored that this process cannot read: most often a newer one has written it."""


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
    format: int = FORMAT


Job = MoveJob | DrawJob | AnalysisJob


class AnalysisLine(Struct, frozen=True):
    """One line of an analysis, its moves in ``pv``.

    ``score`` is in thousandths of a point for the side to move, ``margin`` in moves by which it wins,
    to a tenth; None where none can be told."""

    move: str
    score: int
    depth: int
    nodes: int
    time_ms: int
    pv: list[str]
    margin: float | None = None


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

    async def moves_wait(self) -> bool:
        """Whether a job for a move waits that no worker has."""

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
