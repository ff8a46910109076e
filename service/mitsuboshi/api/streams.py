"""The event streams: server-sent events, and lines of JSON."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from typing import Any

from litestar import Litestar, Response
from litestar.response import Stream
from litestar.response.base import ASGIResponse
from litestar.response.streaming import ASGIStreamingResponse
from litestar.types import Receive, Scope, Send

from mitsuboshi.api.following import Ended, Place, follow
from mitsuboshi.api.hub import Told
from mitsuboshi.api.service import AnyRequest, Service
from mitsuboshi.host.ports import StoreUnavailable
from mitsuboshi.rooms.refused import Refused

SSE = "text/event-stream"
NDJSON = "application/x-ndjson"
JSON = "application/json"
RETRY_MS = 1000
"""How soon a browser comes back when its stream broke off."""


def wanted_type(accept: str) -> str | None:
    """Which of our types the Accept header prefers, or None when it takes none of them."""
    for part in accept.split(","):
        name = part.partition(";")[0].strip().lower()
        if name in (SSE, NDJSON, JSON):
            return name
        if name in ("", "*/*", "application/*"):
            return JSON
    return None


class _Closing(ASGIStreamingResponse):
    """A stream whose generator is closed with it, whatever ends it.

    Else its room would be followed, by nobody, until Python comes to collect garbage."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            if isinstance(self.iterator, AsyncGenerator):
                await self.iterator.aclose()


class RoomStream(Stream):
    """A stream that ends with its connection."""

    def to_asgi_response(self, app: Litestar | None, request: AnyRequest, **more: Any) -> ASGIResponse:
        """The same, closed in the end."""
        return _Closing(
            iterator=self.iterator,  # type: ignore[arg-type]
            headers={**(more.get("headers") or {}), **self.headers},
            media_type=self.media_type,
            encoded_headers=more.get("encoded_headers"),
            is_head_response=more.get("is_head_response", False),
            status_code=self.status_code or more.get("status_code"),
        )


async def stream(
    service: Service, room_id: str, person: str | None, place: Place, media_type: str
) -> Stream | Response[None]:
    """The room's events from that place on, until somebody hangs up.

    204 where none is left and the room is closed: by that alone a browser knows that it need not come back.
    Refused as ``follow`` is, before anything is sent."""
    written = _written(service, room_id, person, place, _sse if media_type == SSE else _ndjson)
    # The answer's status is known once the first message is.
    first = await anext(written, None)
    if first is None:
        return Response(None, status_code=204)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return RoomStream(_again(first, written), media_type=media_type, headers=headers)


async def _again(first: bytes, rest: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    async with aclosing(rest):
        yield first
        # From here on nothing can be said of what went wrong: the stream ends, and its reader comes back.
        with suppress(Refused, StoreUnavailable):
            async for text in rest:
                yield text


async def _written(
    service: Service, room_id: str, person: str | None, place: Place, write: Callable[[Told], bytes]
) -> AsyncGenerator[bytes]:
    with service.connections.held(person), suppress(Ended):
        async with aclosing(follow(service, room_id, person, place)) as messages:
            async for message in messages:
                yield write(message)


def _sse(message: Told) -> bytes:
    if not message.text:
        return b":\n\n"
    return b"retry: %d\nid: %s\ndata: %s\n\n" % (RETRY_MS, message.id.encode(), message.text)


def _ndjson(message: Told) -> bytes:
    return message.text + b"\n"
