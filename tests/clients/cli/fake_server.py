"""A server that answers from a script, for what a real one does only on a bad day."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx

from .conftest import PAGE, snapshot_json

Answer = httpx.Response | Exception
Rule = Callable[[httpx.Request], Answer | None]


def problem(status: int, code: str, detail: str, **more: Any) -> httpx.Response:
    """A refusal as the API writes it."""
    body = {
        "type": f"/problems/{code}",
        "title": code,
        "status": status,
        "code": code,
        "detail": detail,
        **more,
    }
    return httpx.Response(status, json=body, headers={"Content-Type": "application/problem+json"})


class FakeServer:
    """Answers with ``room`` unless a rule of ``on`` has another answer; keeps every request but the polls."""

    def __init__(self) -> None:
        self.room = snapshot_json()
        self.on: dict[str, list[Answer]] = {}
        self.after_action: list[dict[str, Any]] = []
        """The rooms that the polls find one after the other once an action was sent."""
        self.requests: list[httpx.Request] = []

    @property
    def transport(self) -> httpx.MockTransport:
        return httpx.MockTransport(self._answer)

    def sent(self, path: str) -> list[dict[str, Any]]:
        """The bodies of the requests to paths that end so."""
        return [json.loads(r.content) for r in self.requests if r.url.path.endswith(path) and r.content]

    def keys(self, path: str) -> list[str]:
        """The idempotency keys of the requests to paths that end so."""
        return [r.headers["Idempotency-Key"] for r in self.requests if r.url.path.endswith(path)]

    def _answer(self, request: httpx.Request) -> httpx.Response:
        what = "poll" if "after" in request.url.params else request.url.path.rpartition("/")[2]
        if what != "poll":
            self.requests.append(request)
        if what == "poll" and self.after_action and self.sent("/actions"):
            self.room = self.after_action.pop(0)
        if self.on.get(what):
            answer = self.on[what].pop(0) if what != "poll" or len(self.on[what]) > 1 else self.on[what][0]
            if isinstance(answer, Exception):
                raise answer
            return answer
        return self._usual(what)

    def _usual(self, what: str) -> httpx.Response:
        if what == "diamond":
            return httpx.Response(200, json=PAGE)
        if what in ("rooms", "seats"):
            body = {"token": "t0ken", "seats": ["red"], "invite": "inv1te", "room": self.room}
            return httpx.Response(201, json=body)
        if what == "legal-moves":
            moves = [
                {"move": "14-26", "path": [14, 26], "jumps": 0, "rows": 1},
                {"move": "14-27", "path": [14, 27], "jumps": 0, "rows": 1},
                {"move": "6-26", "path": [6, 26], "jumps": 1, "rows": 2},
            ]
            return httpx.Response(200, json={"legal_moves": moves, "must_pass": False, "outcome": None})
        if what == "record":
            return httpx.Response(200, text="1. 14-26 \x1b[31m\n2. 98-87\n")
        return httpx.Response(200, json=self.room)
