"""What searches answer: by themselves, and beside one another."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from mitsuboshi.ai._engine import Engine, Line


def told(lines: list[Line]) -> list[tuple[Any, ...]]:
    """Everything in the answer but the time it took."""
    return [(line.move, line.score, line.depth, line.nodes, tuple(line.pv)) for line in lines]


def answer_of(game: str, position: str, nodes: int) -> list[tuple[Any, ...]]:
    """What a search with a context of its own answers."""
    return told(Engine(16).search(game, position, {}, nodes=nodes))


def answers_side_by_side(game: str, positions: Sequence[str], nodes: int) -> list[list[tuple[Any, ...]]]:
    """The same for several positions, in as many threads at once."""
    with ThreadPoolExecutor(len(positions)) as threads:
        return list(threads.map(lambda position: answer_of(game, position, nodes), positions))
