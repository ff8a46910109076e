"""The socket of a room: actions in, events out.

It begins with a hello; then each action is answered by ``ok`` or ``refused``, and everything that happens
is told, whoever did it. The same action sent again with the same ``id`` has one effect.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated, Any, Literal

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath
from msgspec import Meta, Struct

from mitsuboshi.api.auth import require_person
from mitsuboshi.api.bodies import decoded, key_of
from mitsuboshi.api.errors import refusal, unavailable
from mitsuboshi.api.following import End, Ended, Place, follow, place_of_event
from mitsuboshi.api.hub import Told
from mitsuboshi.api.limits import Allowance
from mitsuboshi.api.problems import Problem
from mitsuboshi.api.service import Service
from mitsuboshi.host.ports import StoreUnavailable
from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms.refused import Refused

HELLO_S = 10.0
FRAME_BYTES_MAX = 16_384
EVENT_ID_CHARS_MAX = 64
MESSAGES_PER_S, MESSAGES_BURST = 20, 60

RESTART, TOO_MANY = 1012, 1008
BAD_MESSAGE, BAD_TOKEN, NOT_YOURS, NO_ROOM, NO_HELLO, ROOM_GONE, TOO_SLOW = (
    *(4400, 4401, 4403, 4404),
    *(4408, 4410, 4429),
)
_CLOSE = {"unknown_token": BAD_TOKEN, "private_room": NOT_YOURS, "room_not_found": NO_ROOM}
_END = {End.RESTART: RESTART, End.CLOSED: ROOM_GONE, End.TOO_SLOW: TOO_SLOW}

AnySocket = WebSocket[Any, Any, Any]


class Hello(Struct, frozen=True, forbid_unknown_fields=True):
    """The first message: who listens, the last version that it knows, and the id of that event."""

    type: Literal["hello"]
    token: Annotated[str, Meta(max_length=128)] | None = None
    after: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    event_id: Annotated[str, Meta(max_length=EVENT_ID_CHARS_MAX)] | None = None

    def place(self) -> Place:
        """Where the client left off."""
        if self.after is None and self.event_id is not None:
            return place_of_event(self.event_id)
        return Place(self.after, self.event_id)


class Ok(Struct, frozen=True, tag="ok", tag_field="type"):
    """The action with that ``id`` has had its effect, up to ``version``."""

    id: str | None
    version: int


class RefusedMessage(Struct, frozen=True, tag="refused", tag_field="type"):
    """The action with that ``id`` has changed nothing."""

    id: str | None
    problem: Problem


class _Close(Exception):
    """The socket is to be closed with this code."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code


_decode_hello = msgspec.json.Decoder(Hello)
_decode_action = msgspec.json.Decoder(c.AnyAction)
_decode_any = msgspec.json.Decoder(dict[str, Any])
_encode = msgspec.json.Encoder().encode


@websocket("/v1/rooms/{room_id:str}/socket")
async def room_socket(socket: AnySocket, room_id: FromPath[str]) -> None:
    """Follow a room and act in it."""
    await socket.accept()
    code, reason = RESTART, "the service is not ready"
    service: Service | None = socket.app.state.service
    try:
        if service is not None:
            await _serve(service, socket, room_id)
    except _Close as close:
        code, reason = close.code, str(close)
    except Refused as refused:
        code, reason = _CLOSE.get(refused.code, TOO_MANY), refused.detail
    except StoreUnavailable:
        reason = "the store is away"
    except WebSocketDisconnect:
        return
    await _close(socket, code, reason)


async def _close(socket: AnySocket, code: int, reason: str) -> None:
    try:
        # The protocol has room for 123 bytes.
        await socket.close(code, reason.encode()[:120].decode(errors="ignore"))
    except (RuntimeError, WebSocketDisconnect):
        return  # It is closed already.


async def _serve(service: Service, socket: AnySocket, room_id: str) -> None:
    service.admit(socket)
    hello = await _hello(socket)
    person = service.person_of_token(hello.token)
    with service.connections.held(person):
        begun: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        talk = asyncio.create_task(_listen(service, socket, room_id, person, begun))
        messages = follow(service, room_id, person, hello.place())
        tell = asyncio.create_task(_tell(socket, messages, begun))
        try:
            done, _ = await asyncio.wait({talk, tell}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (talk, tell):
                task.cancel()
            await asyncio.gather(talk, tell, return_exceptions=True)
        if tell in done and tell.cancelled():
            # The hub gave it up: it waited for a reader that does not read.
            raise _Close(TOO_SLOW, End.TOO_SLOW.value)
        for task in done:
            task.result()


async def _hello(socket: AnySocket) -> Hello:
    try:
        async with asyncio.timeout(HELLO_S):
            text = await _receive(socket)
    except TimeoutError:
        raise _Close(NO_HELLO, f"no hello within {HELLO_S:.0f} s") from None
    try:
        return _decode_hello.decode(text)
    except (msgspec.DecodeError, RecursionError) as fault:
        raise _Close(BAD_MESSAGE, f"the first message is a hello: {fault}"[:120]) from None


async def _receive(socket: AnySocket) -> str:
    text = await socket.receive_data(mode="text")
    if not isinstance(text, str):
        raise _Close(BAD_MESSAGE, "messages are text")
    if len(text) > FRAME_BYTES_MAX:
        raise _Close(BAD_MESSAGE, f"a message has at most {FRAME_BYTES_MAX} bytes")
    return text


async def _send(socket: AnySocket, message: bytes) -> None:
    try:
        await socket.send_data(message, mode="text")
    except RuntimeError:
        # The server has given the connection up, for pings without an answer, and says so by this alone.
        raise WebSocketDisconnect(detail="given up") from None


async def _tell(socket: AnySocket, messages: AsyncGenerator[Told], begun: asyncio.Future[None]) -> None:
    """Send everything that happens, until the service ends it; ``begun`` is done once the first is sent."""
    try:
        async with aclosing(messages):
            async for message in messages:
                # The protocol's own pings are the heartbeat here.
                if message.text:
                    await _send(socket, message.text)
                if not begun.done():
                    begun.set_result(None)
    except Ended as ended:
        raise _Close(_END[ended.end], ended.end.value) from None


async def _listen(
    service: Service, socket: AnySocket, room_id: str, person: str | None, begun: asyncio.Future[None]
) -> None:
    """Answer every action, after what the reader has missed."""
    await begun
    allowance = Allowance(MESSAGES_PER_S, MESSAGES_BURST)
    while True:
        text = await _receive(socket)
        if not allowance.take():
            raise _Close(TOO_MANY, f"more than {MESSAGES_PER_S} messages a second")
        await _send(socket, _encode(await _answer(service, room_id, person, text)))


async def _answer(service: Service, room_id: str, person: str | None, text: str) -> Ok | RefusedMessage:
    try:
        message = _decode_any.decode(text)
    except (msgspec.DecodeError, RecursionError):
        raise _Close(BAD_MESSAGE, "a message is an object in JSON") from None
    given = message.pop("id", None)
    message_id = given if isinstance(given, str) else None
    try:
        caller = require_person(person)
        action = decoded(_decode_action, _encode(message))
        key = key_of(given, caller, action, "id")
        applied = await service.host.handle(room_id, c.Act(caller, action), key)
    except Refused as refused:
        return RefusedMessage(message_id, refusal(refused, service, person))
    except StoreUnavailable:
        return RefusedMessage(message_id, unavailable())
    return Ok(message_id, applied.version)


ROUTES = [room_socket]
