"""The public API as this client uses it: one method a call, every answer typed or refused.

A request that got no answer is sent again, a POST under the same Idempotency-Key, so that the server applies
it once however often its answer is lost on the way.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import httpx

from mitsuboshi_play.snapshot import BadAnswer, Described, Json, Snapshot, read_legal, read_snapshot

CONNECT_S = 5.0
ANSWER_S = 15.0
POLL_S = 10
"""Under the 15 s after which a silent seat counts as absent."""
LONGEST_PAUSE_S = 5.0
UNAVAILABLE = {429, 502, 503, 504}


@dataclass
class Refused(Exception):
    """The server's no: ``code`` for programs, ``detail`` for people, ``room`` its state if it was told."""

    status: int
    code: str
    detail: str
    room: Snapshot | None = None


@dataclass
class Away(Exception):
    """No answer within the client's patience."""

    seconds: int


@dataclass(frozen=True, slots=True)
class Link:
    """Told while the API waits: ``lost`` with a sentence's key and detail, ``found`` with any answer."""

    lost: Callable[[str, str], None]
    found: Callable[[], None]


class Api:
    """A server, and the token that this client plays by; calls may come from several threads."""

    def __init__(
        self,
        server: str,
        link: Link,
        patience_s: float,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.token: str | None = None
        self._client = httpx.Client(base_url=server.rstrip("/") + "/v1", transport=transport)
        self._link = link
        self._patience_s = patience_s
        self._sleep = sleep

    def game(self, key: str) -> Json:
        """The game's seats, options, levels and geometry."""
        return self._json("GET", f"/games/{quote(key, safe='')}")

    def create(self, body: Json) -> tuple[Json, Snapshot]:
        """A new room: the creation's answer (token, invite) and the first snapshot."""
        answer = self._json("POST", "/rooms", body)
        return answer, read_snapshot(_object(answer.get("room")))

    def join(self, room: str, body: Json) -> tuple[Json, Snapshot]:
        """A seat in a room: the answer with its token, and the snapshot."""
        answer = self._json("POST", f"{_room(room)}/seats", body)
        return answer, read_snapshot(_object(answer.get("room")))

    def room(self, room: str) -> Snapshot:
        """The room as it is now."""
        return read_snapshot(self._json("GET", _room(room)))

    def wait(self, room: str, after: int) -> Snapshot:
        """The room once its version is past ``after``, or as it is when ``POLL_S`` is over."""
        query = {"after": str(after), "wait_s": str(POLL_S)}
        request = self._request("GET", _room(room), None, query, POLL_S + ANSWER_S)
        try:
            answer = self._client.send(request)
        except httpx.RequestError:
            return self.room(room)
        if answer.status_code in UNAVAILABLE:
            return self.room(room)  # which is answered at once when the server is back, unlike another poll
        self._link.found()
        return read_snapshot(_decoded(_accepted(answer)))

    def act(self, room: str, action: Json) -> Snapshot:
        """The room after the action."""
        return read_snapshot(self._json("POST", f"{_room(room)}/actions", action))

    def legal_moves(self, room: str) -> list[Described]:
        """What the side to move may do."""
        return read_legal(self._json("GET", f"{_room(room)}/legal-moves"))

    def analysis(self, room: Snapshot, level: str) -> list[Json]:
        """The engine's best lines for the room's position, best first."""
        body = {"position": room.position, "options": room.options, "level": level, "lines": 3}
        path = f"/games/{quote(room.game, safe='')}/analysis"
        lines = self._json("POST", path, body, answer_s=60).get("lines")
        return [_object(line) for line in lines] if isinstance(lines, list) else []

    def record(self, room: str, form: str, game: int | None = None) -> str:
        """The record of the room's last game, or of the one of that number, as text of the given format."""
        query = {"format": form} | ({} if game is None else {"game": str(game)})
        return self._send("GET", f"{_room(room)}/record", query=query).text

    def _json(self, method: str, path: str, body: Json | None = None, **how: Any) -> Json:
        return _decoded(self._send(method, path, body, **how))

    def _send(
        self,
        method: str,
        path: str,
        body: Json | None = None,
        query: dict[str, str] | None = None,
        answer_s: float = ANSWER_S,
    ) -> httpx.Response:
        """The good answer; Refused for a bad one, Away after ``patience_s`` without any."""
        request = self._request(method, path, body, query, answer_s)
        give_up_at = time.monotonic() + self._patience_s
        for pause in _pauses():
            answer = self._once(request)
            if answer is not None:
                if answer.status_code not in UNAVAILABLE:
                    self._link.found()
                    return _accepted(answer)
                self._link.lost("busy", _refusal(answer).detail)
            wait_s = max(pause, _retry_after_s(answer))
            if time.monotonic() + wait_s > give_up_at:
                raise _refusal(answer) if answer is not None else Away(round(self._patience_s))
            self._sleep(wait_s)
        raise AssertionError("the pauses never end")

    def _request(
        self, method: str, path: str, body: Json | None, query: dict[str, str] | None, answer_s: float
    ) -> httpx.Request:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if method == "POST":
            headers["Idempotency-Key"] = secrets.token_urlsafe(24)
        timeout = httpx.Timeout(answer_s, connect=CONNECT_S)
        return self._client.build_request(
            method, path, json=body, params=query, headers=headers, timeout=timeout
        )

    def _once(self, request: httpx.Request) -> httpx.Response | None:
        try:
            return self._client.send(request)
        except httpx.RequestError as fault:
            self._link.lost("no_answer", str(fault) or type(fault).__name__)
            return None


def _pauses() -> Iterator[float]:
    pause = 0.25
    while True:
        yield pause
        pause = min(pause * 2, LONGEST_PAUSE_S)


def _room(room: str) -> str:
    return f"/rooms/{quote(room, safe='')}"


def _retry_after_s(answer: httpx.Response | None) -> float:
    text = answer.headers.get("Retry-After", "") if answer is not None else ""
    return float(text) if text.isascii() and text.isdigit() else 0.0


def _accepted(answer: httpx.Response) -> httpx.Response:
    if not answer.is_success:
        raise _refusal(answer)
    return answer


def _refusal(answer: httpx.Response) -> Refused:
    """The problem document of an answer, or its bare status where something else answered."""
    try:
        problem = _decoded(answer)
    except BadAnswer:
        return Refused(answer.status_code, "", f"{answer.status_code} {answer.reason_phrase}.")
    detail = str(problem.get("detail") or problem.get("title") or answer.status_code)
    room = problem.get("room")
    return Refused(
        answer.status_code,
        str(problem.get("code") or ""),
        detail,
        read_snapshot(_object(room)) if room else None,
    )


def _decoded(answer: httpx.Response) -> Json:
    try:
        return _object(answer.json())
    except ValueError as fault:
        raise BadAnswer("no JSON") from fault


def _object(value: object) -> Json:
    if not isinstance(value, dict):
        raise BadAnswer("no JSON object")
    return value
