"""What a player may type: a line of input in, one command value out. Pure; it never asks the server."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mitsuboshi_play.geometry import Place

LINE_MAX = 400
"""Longest line that is read; no command needs more."""
PointName = int | Place
"""A point by id, or by row and number as the board shows it."""

POINT = re.compile(r"(\d{1,3})(?:\.(\d{1,3}))?", re.ASCII)
BETWEEN = re.compile(r"\s*-\s*|\s+")


@dataclass(frozen=True, slots=True)
class Move:
    """From one point to another."""

    origin: PointName
    target: PointName


@dataclass(frozen=True, slots=True)
class Select:
    """A piece alone: show where it may go."""

    origin: PointName


@dataclass(frozen=True, slots=True)
class Pick:
    """One of the numbered destinations, counted from 1."""

    number: int


@dataclass(frozen=True, slots=True)
class Word:
    """A command by its name, with the rest of the line."""

    name: str
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Unknown:
    text: str


Command = Move | Select | Pick | Word | Unknown

WITH_REST = {"hint", "resign", "leave", "start", "view", "record", "rename", "substitute"}
ALONE = {
    *("moves", "undo", "pass", "rematch", "board", "accept", "decline", "wait"),
    *("back", "help", "quit", "yes", "no"),
}
SHORT = {
    "?": "help",
    "h": "help",
    "q": "quit",
    "exit": "quit",
    "m": "moves",
    "b": "board",
    "u": "undo",
    "y": "yes",
    "n": "no",
}


def parse(line: str, picking: bool) -> Command | None:
    """The command that ``line`` writes, None for an empty one; a bare number is a Pick while ``picking``."""
    text = line.strip()
    if not text:
        return None
    if len(text) > LINE_MAX:
        return Unknown(text[:40] + "…")
    if picking and text.isascii() and text.isdigit():
        return Pick(int(text))
    return _word(text) or _points(text) or Unknown(text)


def _word(text: str) -> Word | None:
    first, _, rest = text.partition(" ")
    name = SHORT.get(first.lower(), first.lower())
    rest = rest.strip()
    if name in WITH_REST or (name in ALONE and not rest):
        return Word(name, rest)
    return None


def _points(text: str) -> Move | Select | None:
    names = [_point(part) for part in BETWEEN.split(text)]
    match names:
        case [int() | Place() as origin]:
            return Select(origin)
        case [int() | Place() as origin, int() | Place() as target]:
            return Move(origin, target)
    return None


def _point(text: str) -> PointName | None:
    found = POINT.fullmatch(text)
    if not found:
        return None
    first, second = found.groups()
    return Place(int(first), int(second)) if second else int(first)
