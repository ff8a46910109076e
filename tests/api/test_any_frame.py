"""Whatever is sent on a socket, the service answers or closes it by a code that is documented."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any, cast

import msgspec

from mitsuboshi.api.app import create_app
from mitsuboshi.api.auth import Tokens
from mitsuboshi.api.connections import Connections
from mitsuboshi.api.hub import Hub
from mitsuboshi.api.limits import RateLimit
from mitsuboshi.api.service import Service
from mitsuboshi.api.socket import MESSAGES_BURST
from mitsuboshi.host.host import Host
from mitsuboshi.host.ports import Loaded, RequestKey
from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.state import Line
from mitsuboshi.store.bells import Bells
from tests.rooms.table import WAITS, Table

SCOPE: dict[str, Any] = {
    "type": "websocket",
    "path": "/v1/rooms/room/socket",
    "raw_path": b"/v1/rooms/room/socket",
    "client": ("192.0.2.1", 7),
    **{"query_string": b"", "root_path": "", "headers": [], "subprotocols": []},
}
FRAMES = 100_000
LONGEST_S = 120
CODES = {1008, 4400, 4401}
SEEDS = [
    '{"type": "move", "move": "6-26", "version": 4, "seat": "red", "id": "0123456789abcdef"}',
    '{"type": "answer", "to": "undo", "accept": true, "id": "0123456789abcdefg"}',
    '{"type": "rename", "name": "Aya", "id": "0123456789abcdefgh"}',
    '{"type": "start", "fill": "beginner"}',
    '{"type": "substitute", "seat": "yellow"}',
    '{"type": "pass"}',
    '{"type": "undo", "version": 5}',
    '{"type": "rematch"}',
]
FIELDS = ["type", "id", "seat", "version", "move", "to", "accept", "name", "fill", "more", "position"]
HELLOS = [
    '{"type": "hello", "token": "TOKEN", "after": 300}',
    '{"type": "hello"}',
    '{"type": "hello", "token": "x.y"}',
]
PIECES = [
    *(
        "{",
        "}",
        "[",
        "]",
        '"',
        ",",
        ":",
        "\\",
        "\\u0000",
        "\\ud800",
        "\\udc00",
        "null",
        "true",
        "-1",
        "1e999",
        "0.5",
    ),
    *(
        "\x00",
        "\ufeff",
        "\u202e",
        "\U0001f3b2",
        "é",
        " ",
        "\n",
        '"id"',
        '"type"',
        '"version"',
        "9" * 30,
        "9" * 500,
    ),
    *("[" * 3000, '{"a":' * 2000, '"x": 1, '),
]


VALUES: list[Any] = [
    *(None, True, 0, -1, 2**63, 10**30, 1.5, "", "x", "0123456789abcdef", "y" * 300, "\u202e", "\x00"),
    *([], {}, [[]], {"type": "pass"}, "undo", "draw", "red", "green", "6-26", "master", 1, 2, 3),
]


def frame(dice: random.Random) -> str:
    """An action that is nearly right: most often in its fields, else in its very text."""
    if dice.random() < 0.05:
        return mutated(dice.choice(SEEDS), dice)
    message = msgspec.json.decode(dice.choice(SEEDS))
    for _ in range(dice.randrange(3)):
        name = dice.choice([*message, *FIELDS])
        message[name] = dice.choice(VALUES)
    if dice.random() < 0.1:
        message.pop(dice.choice(list(message)))
    return msgspec.json.encode(message).decode()


def mutated(text: str, dice: random.Random) -> str:
    """The text with a few changes anywhere in it."""
    for _ in range(dice.choice((0, 1, 1, 1, 2, 3, 6))):
        at = dice.randrange(len(text) + 1)
        match dice.randrange(5):
            case 0:
                text = text[:at] + text[at + dice.randrange(8) :]
            case 1:
                text = text[:at] + chr(dice.randrange(1, 0x250)) + text[at + 1 :]
            case 2:
                text = text[:at] + dice.choice(PIECES) + text[at + dice.randrange(3) :]
            case 3:
                text = text[:at] + text[at:][: dice.randrange(12)] + text[at:]
            case _:
                other = dice.choice(SEEDS)
                text = text[:at] + other[dice.randrange(len(other)) :]
    return text


class Client:
    """One client of the application, without a network between them: it sends its frames, and leaves."""

    def __init__(self, frames: list[str]) -> None:
        self.code: int | None = None
        self.sent = 0
        self.answers: Counter[str] = Counter()
        self._frames = iter(frames)
        self._begun = False
        self._greeted = asyncio.Event()

    async def receive(self) -> dict[str, Any]:
        """What the service is sent next."""
        if not self._begun:
            self._begun = True
            return {"type": "websocket.connect"}
        if self.sent:
            await self._greeted.wait()
        if (frame := next(self._frames, None)) is None or self.code is not None:
            return {"type": "websocket.disconnect", "code": 1000}
        self.sent += 1
        return {"type": "websocket.receive", "text": frame}

    async def send(self, message: Any) -> None:
        """What the service says."""
        if message["type"] == "websocket.close":
            self.code = message["code"]
        elif message["type"] == "websocket.send":
            self._greeted.set()
            self.answers[msgspec.json.decode(message["text"])["type"]] += 1


class StillRoom:
    """The ports ``Rooms``, ``Log`` and ``Presence``: a room that stays as it began, whatever is done."""

    def __init__(self) -> None:
        self._table = Table(undo="free")

    def now(self) -> c.Now:
        """Always the same time."""
        return self._table.now

    def known(self, room_id: str) -> Any:
        """Neither a room nor anybody is remembered."""
        return None if room_id == "room" else {}

    async def load(self, room_id: str, key: RequestKey | None) -> Loaded:
        """The room as it began."""
        return Loaded(self._table.room, None)

    async def line(self, room_id: str, game_number: int) -> Line | None:
        """No game has begun."""
        return None

    async def append(self, *_: Any) -> bool:
        """Whatever is decided is forgotten."""
        return True

    async def events(self, room_id: str, after: int, most: int) -> Sequence[e.AnyEvent]:
        """Those of its beginning."""
        return self._table.events[after:]

    async def last_event(self, room_id: str) -> e.AnyEvent | None:
        """The last of them."""
        return self._table.events[-1]

    def note(self, room_id: str, person: str) -> None:
        """Nobody is noted."""

    async def of(self, room_id: str) -> dict[str, int]:
        """Nobody was ever there."""
        return {}


def still_service() -> Service:
    """A service whose one room stays as it is; what sockets do not use is not there."""
    room, bells, none = StillRoom(), Bells(cast(Any, None), []), cast(Any, None)
    return Service(
        host=Host(room, room, WAITS),
        log=room,
        bells=bells,
        analyst=none,
        tokens=Tokens(b"the key of the test"),
        presence=room,
        lists=none,
        hub=Hub(room, bells),
        connections=Connections(),
        counts=none,
        per_token=RateLimit("requests_per_token", 0),
        per_address=RateLimit("requests_per_address", 0),
        api_key="",
        life_ms=1,
        lease_ms=1,
        ping=none,
        stopping=asyncio.Event(),
    )


async def test_nothing_that_is_sent_breaks_a_socket() -> None:
    """Of very many frames, most of them nearly right, each is answered or closes its socket as told."""
    dice = random.Random(20_261_130)
    service = still_service()
    app = create_app(lambda: cast(Any, None), 65_536)
    app.state.service = service
    token = service.tokens.write("ann")
    codes: Counter[int | None] = Counter()
    answers: Counter[str] = Counter()
    begun, sent = time.monotonic(), 0
    while sent < FRAMES:
        assert time.monotonic() - begun < LONGEST_S, f"{sent} frames so far"
        hello = HELLOS[0] if dice.random() < 0.9 else mutated(dice.choice(HELLOS), dice)
        frames = [frame(dice) for _ in range(MESSAGES_BURST)]
        client = Client([hello.replace("TOKEN", token), *frames])
        await app(cast(Any, SCOPE.copy()), cast(Any, client.receive), client.send)
        codes[client.code] += 1
        answers += client.answers
        sent += client.sent
    assert set(codes) <= CODES | {None}, codes
    assert codes[4400] > 100, codes
    assert min(answers[kind] for kind in ("ok", "refused", "snapshot")) > 1000, answers
    assert service.connections.count() == 0
