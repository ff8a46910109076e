"""Styled text: spans with names for their colours, and what turns them into terminal output."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import NamedTuple

INK: Mapping[str, int] = {
    "red": 160,
    "yellow": 136,
    "green": 28,
    "dim": 102,
    "number": 246,
    "note": 33,
    "mark": 16,
    "pick": 16,
    "light": 231,
    "white": 250,
    "black": 240,
    "white man": 231,
    "red man": 203,
    "on red": 231,
    "on white": 16,
    "white checker": 231,
    "black checker": 16,
}
PAPER: Mapping[str, int] = {
    "red": 224,
    "yellow": 230,
    "green": 194,
    "red king": 160,
    "yellow king": 136,
    "green king": 28,
    "closed": 250,
    "wood": 255,
    "last": 153,
    "pick": 117,
    "selected": 219,
    "light square": 252,
    "dark square": 236,
    "dark last": 24,
    "dark selected": 90,
    "white king": 231,
    "odd point": 137,
    "even point": 101,
    "bar": 94,
}


class Span(NamedTuple):
    """Text with an ink and a paper by name (empty: the terminal's own)."""

    text: str
    ink: str = ""
    paper: str = ""
    bold: bool = False


Line = list[Span]


def cut(text: str, columns: int) -> str:
    """The text, or as much as leaves room for an ellipsis in these columns; East Asian signs take two."""
    ends = list(accumulate(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text))
    if not ends or ends[-1] <= columns:
        return text
    return text[: bisect_right(ends, columns - 1)] + "…"


def plain(line: Iterable[Span]) -> str:
    """The line without its colours."""
    return "".join(span.text for span in line).rstrip()


def ansi(line: Iterable[Span]) -> str:
    """The line with 256-colour escape sequences; each span resets what it set."""
    return "".join(_ansi(span) for span in line)


def _ansi(span: Span) -> str:
    codes = ["1"] if span.bold else []
    if span.ink:
        codes.append(f"38;5;{INK[span.ink]}")
    if span.paper:
        codes.append(f"48;5;{PAPER[span.paper]}")
    return f"\x1b[{';'.join(codes)}m{span.text}\x1b[0m" if codes else span.text
