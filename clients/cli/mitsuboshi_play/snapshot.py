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
class Described:
    """A move or step, with what the server tells of it, and who made it if it was made."""

    text: str
    details: Json
    seat: str = ""
    ply: int = 0


@dataclass(frozen=True, slots=True)
class Offer:
    kind: str
    by: str
    waiting_for: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Result:
    winner: str | None
    reason: str
    points: int
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
    dice: tuple[int, ...]
    """The throw of the turn in hand; none before it, and in games without dice."""
    steps: tuple[str, ...]
    """Those of the turn in hand so far; ``position`` is the board before them."""
    position_now: str
    """The board with the steps made; as ``position`` in games without steps."""
    legal_moves: tuple[str, ...]
    legal_steps: tuple[str, ...]
    must_pass: bool
    last_moves: tuple[Described, ...]
    facts: Json
    draw_left: int | None
    remaining_ms: int | None
    offer: Offer | None
    result: Result | None
    commitment: str
    nonces_awaited: bool

    @property
    def my_turn(self) -> bool:
        return self.status == "playing" and self.to_move in self.you


def read_snapshot(data: Json) -> Snapshot:
    """The snapshot in ``data``; BadAnswer when a promised field is missing or of another shape."""
    try:
        return _snapshot(data)
    except (KeyError, TypeError, AttributeError, ValueError) as fault:
        raise BadAnswer(f"snapshot: {fault!r}") from fault


def read_legal(data: Json) -> list[Described]:
    """The moves of a legal-moves answer; BadAnswer as above."""
    try:
        return [Described(str(move["move"]), dict(move)) for move in data["legal_moves"]]
    except (KeyError, TypeError, ValueError) as fault:
        raise BadAnswer(f"legal moves: {fault!r}") from fault


def _snapshot(data: Json) -> Snapshot:
    clock, limit = data.get("clock") or {}, data["draw_limit"]
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
        dice=tuple(map(int, data.get("dice") or ())),
        steps=_words(data.get("steps")),
        position_now=str(data.get("position_now") or data["position"] or ""),
        legal_moves=_words(data.get("legal_moves")),
        legal_steps=_words(data.get("legal_steps")),
        must_pass=bool(data["must_pass"]),
        last_moves=tuple(_played(m) for m in data["last_moves"]),
        facts=dict(data["facts"]),
        draw_left=_whole(limit and limit["left"]),
        remaining_ms=_whole(clock.get("remaining_ms")),
        offer=_offer(data["offer"]),
        result=_result(data["result"]),
        commitment=str(data.get("commitment") or ""),
        nonces_awaited=data.get("nonces_in_ms") is not None,
    )


def _words(values: list[object] | None) -> tuple[str, ...]:
    return tuple(map(str, values or ()))


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


def _played(data: Json) -> Described:
    return Described(str(data["move"]), dict(data), str(data["seat"]), int(data["ply"]))


def _offer(data: Json | None) -> Offer | None:
    if not data:
        return None
    return Offer(str(data["kind"]), str(data["by"]), tuple(map(str, data["waiting_for"])))


def _result(data: Json | None) -> Result | None:
    if not data:
        return None
    places = tuple(map(str, data.get("places") or ()))
    return Result(
        data["winner"] and str(data["winner"]), str(data["reason"]), int(data.get("points", 1)), places
    )
