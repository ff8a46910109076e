"""What the endpoints need, gathered once; and what each asks of a request."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from litestar import Request
from litestar.connection import ASGIConnection

from mitsuboshi.api.auth import Tokens, bearer_token, known_person
from mitsuboshi.api.connections import Connections
from mitsuboshi.api.hub import Hub
from mitsuboshi.api.limits import RateLimit
from mitsuboshi.host.host import Host
from mitsuboshi.host.ports import Analyst, Bells, Counts, Lists, Log, Presence, StoreUnavailable
from mitsuboshi.rooms.commands import Return
from mitsuboshi.rooms.refused import Refused
from mitsuboshi.rooms.state import Room
from mitsuboshi.rooms.views import Snapshot, snapshot

SHOW_S = 5.0
"""How often somebody who waits for news is noted as present, at the least."""

T = TypeVar("T")
AnyRequest = Request[Any, Any, Any]
AnyConnection = ASGIConnection[Any, Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Service:
    """Everything behind the endpoints, open and connected."""

    host: Host
    log: Log
    bells: Bells
    analyst: Analyst
    tokens: Tokens
    presence: Presence
    lists: Lists
    hub: Hub
    connections: Connections
    counts: Counts
    per_token: RateLimit
    per_address: RateLimit
    api_key: str
    life_ms: int
    lease_ms: int
    ping: Callable[[], Awaitable[Any]]
    stopping: asyncio.Event

    @property
    def show_s(self) -> float:
        """How often somebody who waits for news is noted, so that it is present all the while."""
        return min(SHOW_S, self.host.waits.presence_ms / 3000)

    def stop(self) -> None:
        """The process is being ended: whoever waits for news is answered at once, or sent away."""
        self.stopping.set()
        self.hub.wake_all()

    def admit(self, request: AnyConnection) -> None:
        """Count the request against its address; TooMany when it is one too many."""
        if request.client is not None:
            self.per_address.take(request.client.host)

    def person_of_token(self, token: str | None) -> str | None:
        """Whose token it is, or None without one; Refused when it is no token of this service."""
        if token is None:
            return None
        person = known_person(token, self.tokens)
        self.per_token.take(person)
        return person

    def person(self, request: AnyRequest) -> str | None:
        """Who sends the request, or None; Refused when the token is no token of this service."""
        return self.person_of_token(bearer_token(request.headers.get("authorization")))

    def person_again(self, request: AnyRequest) -> str | None:
        """The same, for a request that has been counted already."""
        token = bearer_token(request.headers.get("authorization"))
        return None if token is None else known_person(token, self.tokens)

    def require_api_key(self, request: AnyRequest) -> None:
        """Refused unless the request brings the key that this service asks for, if it asks for one."""
        given = request.headers.get("x-api-key", "").encode()
        if self.api_key and not hmac.compare_digest(given, self.api_key.encode()):
            raise Refused("no_api_key", "creating rooms here needs a key: X-API-Key: …")

    async def view(self, room: Room, person: str | None) -> Snapshot:
        """The room as that person sees it now, with who else is there."""
        if len(room.people()) > 1 or person not in room.people():
            await self.presence.of(room.id)
        return self.view_as_known(room, person)

    def view_as_known(self, room: Room, person: str | None) -> Snapshot:
        """The same, without asking whether others are there."""
        seen = self.presence.known(room.id)
        return snapshot(room, person, self.host.now(), self.host.waits, seen)

    async def unless_stopping(self, task: asyncio.Task[T]) -> T:
        """The task's result; StoreUnavailable when the process is told to end before it is there."""
        stopping = asyncio.ensure_future(self.stopping.wait())
        try:
            await asyncio.wait({task, stopping}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopping.cancel()
        if not task.done():
            raise StoreUnavailable("the process is stopping")
        return task.result()

    def is_inside(self, room: Room, person: str | None) -> bool:
        """Whether the person's presence counts: that of who holds a seat, and of the owner."""
        return person in room.keepers()

    async def arrive(self, room: Room, person: str | None) -> Room:
        """The person is in the room: it is present, and has its seats back if it had been away too long."""
        if person is None or not self.is_inside(room, person):
            return room
        self.presence.note(room.id, person)
        if set(room.held_by(person)) & set(room.absent):
            return (await self.host.handle(room.id, Return(person))).room
        return room


def service_of(request: AnyRequest) -> Service:
    """The service; StoreUnavailable until it has found its Redis."""
    service: Service | None = request.app.state.service
    if service is None:
        raise StoreUnavailable("the service is still waiting for Redis")
    return service


async def first_of(*events: asyncio.Event, within_s: float) -> None:
    """Return once one of the events is set, or the time is up."""
    waits = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(waits, timeout=within_s, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
