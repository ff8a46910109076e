"""What the client reads of a room's snapshot and of the legal moves, checked once and typed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]


class BadAnswer(Exception):
    """An answer that lacks what the API promises; the message names the place."""


@dataclass(frozen=True, slots=True)
class Seat:
    seat: str
    kind: str
    name: str
    level: str
    present: bool


@dataclass(frozen=True, slots=True)
class Played:
    """A move on the board: ``path`` is empty for a pass."""

    seat: str
    move: str
    path: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Legal:
    """A legal move as the server describes it; ``jumps`` is 0 for a step."""

    move: str
    path: tuple[int, ...]
    jumps: int
    rows: int


@dataclass(frozen=True, slots=True)
class Offer:
    kind: str
    by: str
    waiting_for: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Result:
    winner: str | None
    reason: str
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A room as this client's token sees it; ``position`` and ``to_move`` are empty before the first game."""

    id: str
    game: str
    status: str
    version: int
    game_number: int
    options: Json
    seats: tuple[Seat, ...]
    you: tuple[str, ...]
    may: frozenset[str]
    rematch: frozenset[str]
    position: str
    to_move: str
    ply: int
    must_pass: bool
    last_moves: tuple[Played, ...]
    in_target: dict[str, int]
    king_to_apex: tuple[str, ...]
    draw_left: int | None
    remaining_ms: int | None
    offer: Offer | None
    result: Result | None

    @property
    def my_turn(self) -> bool:
        return self.status == "playing" and self.to_move in self.you


def read_snapshot(data: Json) -> Snapshot:
    """The snapshot in ``data``; BadAnswer when a promised field is missing or of another shape."""
    try:
        return _snapshot(data)
    except (KeyError, TypeError, AttributeError, ValueError) as fault:
        raise BadAnswer(f"snapshot: {fault!r}") from fault


def read_legal(data: Json) -> list[Legal]:
    """The moves of a legal-moves answer; BadAnswer as above."""
    try:
        return [
            Legal(str(m["move"]), tuple(map(int, m["path"])), int(m["jumps"]), int(m["rows"]))
            for m in data["legal_moves"]
        ]
    except (KeyError, TypeError, ValueError) as fault:
        raise BadAnswer(f"legal moves: {fault!r}") from fault


def _snapshot(data: Json) -> Snapshot:
    facts, clock, limit = data["facts"], data.get("clock") or {}, data["draw_limit"]
    return Snapshot(
        id=str(data["id"]),
        game=str(data["game"]),
        status=str(data["status"]),
        version=int(data["version"]),
        game_number=int(data["game_number"]),
        options=dict(data["options"]),
        seats=tuple(_seat(s) for s in data["seats"]),
        you=tuple(map(str, data["you"])),
        may=frozenset(map(str, data["may"])),
        rematch=frozenset(map(str, data["rematch"])),
        position=str(data["position"] or ""),
        to_move=str(data["to_move"] or ""),
        ply=int(data["ply"]),
        must_pass=bool(data["must_pass"]),
        last_moves=tuple(_played(m) for m in data["last_moves"]),
        in_target={str(s): int(n) for s, n in facts.get("in_target", {}).items()},
        king_to_apex=tuple(map(str, facts.get("king_to_apex", ()))),
        draw_left=_whole(limit and limit["left"]),
        remaining_ms=_whole(clock.get("remaining_ms")),
        offer=_offer(data["offer"]),
        result=_result(data["result"]),
    )


def _whole(value: object) -> int | None:
    return None if value is None else int(str(value))


def _seat(data: Json) -> Seat:
    return Seat(
        seat=str(data["seat"]),
        kind=str(data["kind"]),
        name=str(data.get("name") or ""),
        level=str(data.get("level") or ""),
        present=data.get("present") is not False,
    )


def _played(data: Json) -> Played:
    return Played(str(data["seat"]), str(data["move"]), tuple(map(int, data.get("path") or ())))


def _offer(data: Json | None) -> Offer | None:
    if not data:
        return None
    return Offer(str(data["kind"]), str(data["by"]), tuple(map(str, data["waiting_for"])))


def _result(data: Json | None) -> Result | None:
    if not data:
        return None
    places = tuple(map(str, data.get("places") or ()))
    return Result(data["winner"] and str(data["winner"]), str(data["reason"]), places)
