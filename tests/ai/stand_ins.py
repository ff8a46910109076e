"""Searchers that are not the engine: they answer what they are told to, or misbehave."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from mitsuboshi.ai._engine import Line, Stop
from mitsuboshi.games.diamond import DIAMOND


class FakeLine(Struct):
    """What a searcher answers, as far as a move needs it."""

    move: Any
    score: int = 0
    depth: int = 1
    nodes: int = 1
    time_ms: int = 1
    pv: Sequence[str] = ()
    margin: float | None = None


class StandIn:
    """A searcher that answers by a function, and counts how often it was asked."""

    def __init__(self, answer: Callable[..., Any]) -> None:
        self._answer = answer
        self.asked: list[dict[str, Any]] = []
        self.stops: list[Stop] = []

    def search(self, game: str, position: str, options: Any, *, stop: Stop, **limits: Any) -> Sequence[Line]:
        """The function's answer."""
        self.asked.append({"position": position, **limits})
        self.stops.append(stop)
        return self._answer(position, options, stop)  # type: ignore[no-any-return]


def first_legal(position: str, options: Any, stop: Stop) -> list[FakeLine]:
    """The first legal move."""
    return [FakeLine(DIAMOND.legal_moves(DIAMOND.read(position, options))[0])]


def until_stopped(position: str, options: Any, stop: Stop) -> list[FakeLine]:
    """A long search that stops when it is told to."""
    pause = threading.Event()
    while not stop.is_set():
        pause.wait(0.005)
    return first_legal(position, options, stop)


def raises(position: str, options: Any, stop: Stop) -> list[FakeLine]:
    """A searcher with a defect."""
    raise RuntimeError("a defect of the engine")


WRONG_ANSWERS: dict[str, Callable[..., Any]] = {
    "no line": lambda *_: [],
    "nothing": lambda *_: None,
    "something else": lambda *_: 7,
    "a line of nothing": lambda *_: [None],
    "a move that is no text": lambda *_: [FakeLine(5)],
    "garbage": lambda *_: [FakeLine("\x00garbage" * 100)],
    "an illegal move": lambda *_: [FakeLine("0-120")],
    "a pass where there are moves": lambda *_: [FakeLine("pass")],
    "an exception": raises,
}
"""Ways to fail that leave the process alive."""
