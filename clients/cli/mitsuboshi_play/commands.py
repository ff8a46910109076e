"""What a player may type: a line of input in, one command value out. Pure; it never asks the server.

Only the games' own boards know how their moves are written: what is no word of this client is left to them.
"""

from __future__ import annotations

from dataclasses import dataclass

LINE_MAX = 400
"""Longest line that is read; no command needs more."""


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
class Played:
    """Anything else: a move, a step or a piece, if the game's board makes sense of it."""

    text: str


@dataclass(frozen=True, slots=True)
class Unknown:
    text: str


Command = Pick | Word | Played | Unknown

WITH_REST = {
    *("hint", "resign", "leave", "start", "view", "record", "rename", "substitute"),
    *("move", "step", "nonce"),
}
ALONE = {
    *("moves", "steps", "undo", "pass", "rematch", "board", "accept", "decline", "wait"),
    *("roll", "unstep", "confirm", "draw", "verify"),
    *("back", "help", "quit", "yes", "no"),
}
SHORT = {
    "?": "help",
    "h": "help",
    "q": "quit",
    "exit": "quit",
    "m": "moves",
    "s": "steps",
    "b": "board",
    "u": "undo",
    "r": "roll",
    "done": "confirm",
    "d": "confirm",
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
    return _word(text) or Played(text)


def _word(text: str) -> Word | None:
    first, _, rest = text.partition(" ")
    name = SHORT.get(first.lower(), first.lower())
    rest = rest.strip()
    if name in WITH_REST or (name in ALONE and not rest):
        return Word(name, rest)
    return None
