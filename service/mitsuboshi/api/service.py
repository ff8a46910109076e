"""What the endpoints need, gathered once; and what each asks of a request."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from litestar import Request

from mitsuboshi.api.auth import Tokens, person_of
from mitsuboshi.host.host import Host
from mitsuboshi.host.ports import Analyst, Bells, Log, StoreUnavailable
from mitsuboshi.rooms.state import Room
from mitsuboshi.rooms.views import Snapshot, snapshot

AnyRequest = Request[Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Service:
    """Everything behind the endpoints, open and connected."""

    host: Host
    log: Log
    bells: Bells
    analyst: Analyst
    tokens: Tokens
    presence: set[str]
    """Rooms where somebody has been since it was last written down."""
    life_ms: int
    lease_ms: int
    ping: Callable[[], Awaitable[Any]]
    stopping: asyncio.Event

    def person(self, request: AnyRequest) -> str | None:
        """Who sends the request, or None; Refused when the token is no token of this service."""
        return person_of(request.headers.get("authorization"), self.tokens)

    def view(self, room: Room, person: str | None) -> Snapshot:
        """The room as that person sees it now."""
        return snapshot(room, person, self.host.now(), self.host.idle_ms)


def service_of(request: AnyRequest) -> Service:
    """The service; StoreUnavailable until it has found its Redis."""
    service: Service | None = request.app.state.service
    if service is None:
        raise StoreUnavailable("the service is still waiting for Redis")
    return service
