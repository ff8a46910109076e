"""Where a move's processor time goes, measured inside one process that serves one request after another.

The application is called without a socket; Redis is a real one, and waiting for it does not count. The server
around it (sockets, HTTP parsing) is not in these figures.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from inspect import iscoroutinefunction
from statistics import median
from typing import Any

import msgspec
import uvloop

from bench import script, stand
from bench.figures import number, table
from bench.wire import Misbehaved
from mitsuboshi.api import rooms as api_rooms
from mitsuboshi.api import service as api_service
from mitsuboshi.api.app import create_app
from mitsuboshi.games.diamond.game import Diamond
from mitsuboshi.host import host
from mitsuboshi.serve import open_service
from mitsuboshi.store import room_store

ROOMS, PLIES = 32, 60
STAGES: list[tuple[str, Any, str]] = [
    ("  token", api_service.Service, "person"),
    ("  body", api_rooms, "read_body"),
    ("  load: a round trip", room_store.RoomStore, "load"),
    ("    decode the room", room_store, "read_room"),
    ("  decide", host, "decide"),
    ("    read the position, here and below", Diamond, "read"),
    ("    play", Diamond, "play"),
    ("    details", Diamond, "details"),
    ("    write", Diamond, "write"),
    ("    outcome", Diamond, "outcome"),
    ("  append: a round trip", room_store.RoomStore, "append"),
    ("    its arguments", room_store, "_append_args"),
    ("  snapshot", api_rooms, "_applied_snapshot"),
    ("    legal moves", Diamond, "legal_moves"),
    ("    facts", Diamond, "facts"),
]
Spent = dict[str, list[int]]


@contextmanager
def timed(spent: Spent) -> Iterator[None]:
    """Inside, each stage adds its processor time, in nanoseconds, to the last entry of its list."""
    originals = [(owner, name, getattr(owner, name)) for _, owner, name in STAGES]
    for stage, owner, name in STAGES:
        setattr(owner, name, _timing(getattr(owner, name), spent[stage]))
    try:
        yield
    finally:
        for owner, name, original in originals:
            setattr(owner, name, original)


def _timing(function: Callable[..., Any], spent: list[int]) -> Callable[..., Any]:
    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        begun = time.thread_time_ns()
        try:
            return function(*args, **kwargs)
        finally:
            spent[-1] += time.thread_time_ns() - begun

    @wraps(function)
    async def await_call(*args: Any, **kwargs: Any) -> Any:
        begun = time.thread_time_ns()
        try:
            return await function(*args, **kwargs)
        finally:
            spent[-1] += time.thread_time_ns() - begun

    return await_call if iscoroutinefunction(function) else call


async def call(app: Any, method: str, path: str, body: Any, token: str | None) -> bytes:
    """The answer to one request, past any server; Misbehaved unless its status is 2xx."""
    content = msgspec.json.encode(body)
    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    if token is not None:
        headers.append((b"authorization", f"Bearer {token}".encode()))
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
    }
    scope |= {
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": headers,
    }
    scope |= {"client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80), "state": {}}
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": content, "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    if sent[0]["status"] not in (200, 201):
        raise Misbehaved(f"status {sent[0]['status']}: {sent[-1]['body'][:300]!r}")
    return b"".join(message.get("body", b"") for message in sent[1:])


async def measure(url: str, rooms: int, plies: int) -> Spent:
    """Each stage's nanoseconds, an entry for each ply of all the rooms."""
    settings = stand.settings(url)
    spent: Spent = defaultdict(list)
    async with open_service(settings, url) as service:
        app = create_app(lambda: open_service(settings, url), settings.max_body_bytes)
        app.state.service = service
        wish = {"game": "diamond", "seats": {"red": "me", "yellow": "me"}}
        made = [msgspec.json.decode(await call(app, "POST", "/v1/rooms", wish, None)) for _ in range(rooms)]
        games = [script.moves(number) for number in range(rooms)]
        with timed(spent):
            for ply in range(plies):
                for entries in (spent["the request"], *(spent[stage] for stage, _, _ in STAGES)):
                    entries.append(0)
                for room, moves in zip(made, games, strict=True):
                    action = {"type": "move", "move": moves[ply]}
                    begun = time.thread_time_ns()
                    await call(app, "POST", f"/v1/rooms/{room['room']['id']}/actions", action, room["token"])
                    spent["the request"][-1] += time.thread_time_ns() - begun
    return spent


def run(quick: bool) -> str:
    """Measure, and answer the report."""
    rooms, plies = (1, 3) if quick else (ROOMS, PLIES)
    with stand.redis() as store:
        spent = uvloop.run(measure(store.url, rooms, plies))
    whole = median(spent["the request"])
    rows = []
    for stage, entries in spent.items():
        rows.append(
            (
                stage,
                number(median(entries) / rooms / 1000),
                number(min(entries[plies // 3 :]) / rooms / 1000),
                f"{median(entries) / whole:.0%}",
            )
        )
    return table(("stage", "us a move, median", "least", "share"), rows)
