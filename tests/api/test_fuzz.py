"""Thousands of requests that are nearly right: each is answered by a status that the description names."""

from __future__ import annotations

import json
import os
import random
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx

from tests.processes import Service
from tests.rest import Guest, Json, create, join, problem_of, send

REQUESTS, ROUND, LONGEST_S = 4000, 200, 20.0
"""In each round the rooms are fresh: sooner or later a request ends every one of them."""
SEED = int(os.environ.get("FUZZ_SEED", "20261129"))
DESCRIPTION: Json = json.loads((Path(__file__).parents[2] / "openapi" / "openapi.json").read_text("utf-8"))
START = "R/rr/rrr/rrrr/4rrrrr4/12/11/10/y8/yy8/yyy8/yyyy8/Yyyyy8/4/3/2/1 r 2 0 0"
BODIES: dict[str, list[Json]] = {
    "createRoom": [
        {
            "game": "diamond",
            "seats": {"red": "me", "yellow": {"ai": "beginner"}},
            "name": "Aya",
            "metadata": {"a": 1},
        },
        {
            "game": "diamond",
            "seats": {"green": "open"},
            "options": {"king_min_run": 2},
            "visibility": "private",
        },
        {"game": "diamond", "position": START, "undo": "free"},
    ],
    "joinRoom": [{}, {"seat": "yellow", "name": "Ben"}, {"invite": "0123456789abcdef"}],
    "act": [
        *({"type": "move", "move": move} for move in ("14-26", "6-28", "0-26")),
        {"type": "move", "move": "14-26", "version": 4, "seat": "red"},
        {"type": "start", "fill": "beginner"},
        {"type": "answer", "to": "rematch", "accept": True},
        {"type": "rename", "name": "Eri"},
        *({"type": kind} for kind in ("pass", "undo", "resign", "leave", "rematch", "start")),
    ],
    "legalMoves": [{"position": START, "options": {"border_stop": False}}],
    "analyse": [{"position": START, "nodes": 10, "lines": 2}],
}
ODD: list[Any] = [
    *(
        None,
        True,
        False,
        0,
        -1,
        1.5,
        1e308,
        10**400,
        2**63,
        "",
        "x",
        "\0",
        "\u202e",
        "é" * 30,
        "😀",
        "9" * 300,
    ),
    *([], [[]], {}, {"ai": "master"}, {"a": {"a": {}}}, "me", "open", "red", "diamond", "1e999", "-0"),
]
QUERIES = ["after", "wait_s", "limit", "format", "game", "cursor"]
HEADERS = ["If-Match", "If-None-Match", "Idempotency-Key", "Content-Type", "Accept", "Content-Encoding"]


class Mutator:
    """Valid requests, each changed a little, by one seed."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.rooms: list[str] = []
        self.tokens: list[str | None] = []
        self.operations = [
            (method, path, operation)
            for path, methods in DESCRIPTION["paths"].items()
            for method, operation in methods.items()
        ]

    def request(self) -> tuple[Json, str, Json]:
        """The operation, its method, and the arguments of ``send`` beside it."""
        method, template, operation = self.dice.choice(self.operations)
        path = template.replace("{room_id}", self.room()).replace("{game}", self.game())
        name = operation["operationId"]
        headers = {h: self.text() for h in HEADERS if self.rarely()}
        more: Json = {"path": path, "token": self.dice.choice(self.tokens), "headers": headers}
        if name in BODIES:
            headers.setdefault("Content-Type", "application/json")
            more["content"] = self.broken(json.dumps(self.changed(self.dice.choice(BODIES[name]))).encode())
        more["params"] = {q: self.text() for q in QUERIES if self.rarely()}
        return operation, method.upper(), more

    def rarely(self) -> bool:
        """True once in eight times."""
        return self.dice.random() < 0.125

    def room(self) -> str:
        """Mostly a room that exists."""
        return self.text(safe=True) if self.rarely() else self.dice.choice(self.rooms)

    def game(self) -> str:
        """Mostly a game that exists."""
        return self.text(safe=True) if self.rarely() else "diamond"

    def text(self, safe: bool = False) -> str:
        """Some text for a header, a query or a path."""
        if safe:
            return "".join(self.dice.choices("abcXYZ019-_~", k=self.dice.randint(12, 40)))
        found = self.dice.choice(
            ["0", "1", "3", '"3"', "*", "-1", "json", "text", "0.01", "a" * 20, self.dice.choice(ODD)]
        )
        return str(found).encode("ascii", "replace").decode().replace("\0", "?")[:300].strip()

    def changed(self, value: Any) -> Any:
        """The value, with some of its parts replaced, left out, or put where they do not belong."""
        if isinstance(value, dict):
            kept = {name: self.changed(part) for name, part in value.items() if not self.rarely()}
            return {**kept, **({self.text(): self.dice.choice(ODD)} if self.rarely() else {})}
        if isinstance(value, str) and self.dice.random() < 0.05:
            at = self.dice.randint(0, len(value))
            return value[:at] + self.dice.choice(["", "\0", "é", "-", "9", "\ud800"]) + value[at + 1 :]
        return self.dice.choice(ODD) if self.dice.random() < 0.06 else value

    def broken(self, body: bytes) -> bytes:
        """Mostly the body; sometimes with a byte changed, cut, or doubled."""
        if self.dice.random() > 0.05 or not body:
            return body
        at = self.dice.randrange(len(body))
        byte = bytes([self.dice.randrange(256)])
        return self.dice.choice([body[:at] + byte + body[at + 1 :], body[:at], body + body])


def fresh_rooms(http: httpx.Client, mutator: Mutator) -> list[Guest]:
    """Rooms in every state for the mutator's next requests, and those who hold seats there."""
    owner = create(http, name="Aya", undo="free")
    other = join(owner)
    device = create(http, token=owner.token, seats={"red": "me", "yellow": "me", "green": "me"})
    waiting = create(http, token=owner.token, seats={"green": "open"})
    closed = create(http, token=owner.token)
    closed.close()
    mutator.rooms = [guest.room for guest in (owner, device, device, waiting, closed)]
    mutator.tokens = [owner.token, owner.token, owner.token, other.token, create(http).token, None, "x.y"]
    return [owner, device, waiting, closed]


def test_nearly_right_requests_are_answered_as_described(running: Service, http: httpx.Client) -> None:
    """Never 500; every refusal is of the one schema, and every room can still be read afterwards."""
    mutator = Mutator(SEED)
    guests: list[Guest] = []
    seen: Counter[tuple[str, int]] = Counter()
    deadline = time.monotonic() + LONGEST_S
    for number in range(REQUESTS):
        if number % ROUND == 0:
            guests += fresh_rooms(http, mutator)
        operation, method, more = mutator.request()
        answer = send(http, method, more.pop("path"), **more)
        told = f"{answer.status_code} {answer.text[:200]}"
        hint = f"seed {SEED}, request {number}: {method} {answer.url} {more} -> {told}"
        assert str(answer.status_code) in operation["responses"].keys() - {"500", "503"}, hint
        if answer.status_code >= 400:
            problem_of(answer)
        seen[operation["operationId"], answer.status_code] += 1
        if time.monotonic() > deadline:
            break
    assert sum(seen.values()) > 300, seen
    good = {name for name, status in seen if status < 400}
    assert good >= {"createRoom", "joinRoom", "act", "getRoom", "legalMoves"}, seen
    for guest in guests:
        assert guest.events()
    assert "Traceback" not in running.logs()
