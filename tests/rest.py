"""The service as a client sees it over REST: guests with tokens, and what every refusal must look like."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import httpx
import msgspec

from mitsuboshi.api.problems import MEDIA_TYPE, Problem

WAIT_S = 20.0
POLL_S = 0.02
STATE_FORBIDS = {409, 410}

Json = dict[str, Any]
T = TypeVar("T")


def connect(url: str) -> httpx.Client:
    """A client of one API process, with connections enough for many threads."""
    limits = httpx.Limits(max_connections=200, max_keepalive_connections=200)
    return httpx.Client(base_url=url, timeout=30, limits=limits)


def send(
    http: httpx.Client, method: str, path: str, token: str | None = None, key: str | None = None, **more: Any
) -> httpx.Response:
    """One request; ``json``, ``content``, ``params`` and ``headers`` as httpx takes them."""
    headers = dict(more.pop("headers", {}))
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    if key is not None:
        headers["Idempotency-Key"] = key
    return http.request(method, path, headers=headers, **more)


@dataclass(frozen=True)
class Guest:
    """One token, or none, in one room, at one API process."""

    http: httpx.Client
    room: str
    token: str | None = None

    @property
    def path(self) -> str:
        """The room's path."""
        return f"/v1/rooms/{self.room}"

    def at(self, http: httpx.Client) -> Guest:
        """The same guest at another process."""
        return replace(self, http=http)

    def stranger(self) -> Guest:
        """Somebody without a token who looks at the same room."""
        return replace(self, token=None)

    def get(self, part: str = "", **more: Any) -> httpx.Response:
        """Read the room, or a part of it such as ``/events``."""
        return send(self.http, "GET", self.path + part, self.token, **more)

    def act(
        self, kind: str, key: str | None = None, headers: Json | None = None, **fields: Any
    ) -> httpx.Response:
        """Send one action."""
        body = {"type": kind, **fields}
        path = f"{self.path}/actions"
        return send(self.http, "POST", path, self.token, key, json=body, headers=headers or {})

    def did(self, kind: str, **fields: Any) -> Json:
        """The snapshot after an action that must not be refused."""
        return ok(self.act(kind, **fields))

    def move(self, move: str, **fields: Any) -> Json:
        """The snapshot after a move that must not be refused."""
        return self.did("move", move=move, **fields)

    def see(self) -> Json:
        """The snapshot as this guest sees it."""
        return ok(self.get())

    def events(self, after: int = 0) -> list[Json]:
        """Every event after that version, page by page."""
        found: list[Json] = []
        while True:
            page = ok(self.get("/events", params={"after": after}))
            found += page["events"]
            if not page["more"]:
                return found
            after = page["next_after"]

    def kinds(self, after: int = 0) -> list[str]:
        """The types of the events after that version."""
        return [event["type"] for event in self.events(after)]

    def close(self) -> httpx.Response:
        """End the room."""
        return send(self.http, "DELETE", self.path, self.token)

    def wait_for(self, true: Callable[[Json], bool], what: str) -> Json:
        """The first snapshot for which ``true`` holds; a failure, saying ``what``, when none comes."""
        deadline = time.monotonic() + WAIT_S
        while not true(snapshot := self.see()):
            assert time.monotonic() < deadline, f"not within {WAIT_S:.0f} s: {what}\n{snapshot}"
            time.sleep(POLL_S)
        return snapshot


def create(http: httpx.Client, token: str | None = None, key: str | None = None, **body: Any) -> Guest:
    """A new room's creator; the game is the Diamond Game unless the body says otherwise."""
    answer = send(http, "POST", "/v1/rooms", token, key, json={"game": "diamond", **body})
    made = ok(answer, 201)
    return Guest(http, made["room"]["id"], made["token"])


def ask_seat(guest: Guest, token: str | None = None, key: str | None = None, **body: Any) -> httpx.Response:
    """Ask for a seat in the guest's room, at the guest's process, as somebody else."""
    return send(guest.http, "POST", f"{guest.path}/seats", token, key, json=body)


def join(guest: Guest, token: str | None = None, **body: Any) -> Guest:
    """Somebody who took a seat in the guest's room."""
    return replace(guest, token=ok(ask_seat(guest, token, **body), 201)["token"])


def ok(answer: httpx.Response, status: int = 200) -> Json:
    """The body of an answer with that status."""
    assert answer.status_code == status, f"{answer.status_code}: {answer.text[:500]}"
    body: Json = answer.json()
    return body


def refused(answer: httpx.Response, status: int, code: str, field: str | None = None) -> Json:
    """The problem document of a refusal, which must be this one and have the shape of all of them."""
    found: Json = problem_of(answer)
    told = (found["status"], found["code"], found.get("field"))
    assert told == (status, code, field), f"{told}, not {(status, code, field)}: {found['detail']}"
    return found


def problem_of(answer: httpx.Response) -> Json:
    """The problem document of any refusal; a failure where it is not of the one schema."""
    assert answer.headers["content-type"] == MEDIA_TYPE, f"{answer.status_code}: {answer.text[:300]}"
    document = msgspec.json.decode(answer.content, type=Problem)
    found: Json = answer.json()
    assert found.keys() <= set(Problem.__struct_fields__)
    assert found["status"] == document.status == answer.status_code
    assert found["type"] == f"urn:mitsuboshi:problem:{found['code']}"
    assert found["title"]
    assert found["detail"]
    assert len(found["detail"]) <= 500
    assert ("www-authenticate" in answer.headers) == (document.status == 401)
    assert answer.headers.get("retry-after", "").isdigit() == (document.status in (429, 503))
    assert ("room" in found) == ("version" in found)
    assert "room" not in found or document.status in STATE_FORBIDS
    if "room" in found:
        assert found["room"]["version"] == found["version"]
    return found


def together(*calls: Callable[[], T]) -> list[T]:
    """The results of calls that all begin in the same instant."""
    gate = threading.Barrier(len(calls))

    def begin(call: Callable[[], T]) -> T:
        gate.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as threads:
        return [future.result() for future in [threads.submit(begin, call) for call in calls]]
