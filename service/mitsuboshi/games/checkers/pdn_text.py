"""PDN as tokens with their places: tags first, then moves and results; all else is read over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from mitsuboshi.games.game import InvalidText

_TOKEN: Final = re.compile(
    r"""
      (?P<space>     [\s\ufeff]+ )
    | (?P<comment>   \{[^}]*\} | ;[^\n]* )
    | (?P<tag>       \[ \s* (?P<name>\w+) \s* " (?P<text>(?:[^"\\\n]|\\.)*) " \s* \] )
    | (?P<result>    (?:1-0|0-1|1/2-1/2|\*) (?![^\s\[\](){};]) )
    | (?P<number>    [0-9]+\.+ )
    | (?P<move>      [0-9]+ (?: [-x] [0-9]+ )+ ) [!?]*
    | (?P<nag>       \$[0-9]+ | [!?]+ )
    | (?P<bracket>   [()] )
    """,
    re.VERBOSE,
)
_UNREAD: Final = re.compile(r"[^\s{}()\[\];]*|.", re.DOTALL)
_CLOSED: Final = {"{": "a comment that is not closed", "[": 'a tag is written [Name "value"]'}
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
_SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class Token:
    """A tag with ``name`` and ``value``, a ``move`` or a ``result``, with its place in the text."""

    kind: str
    value: str
    line: int
    column: int
    name: str = ""

    def fault(self, message: str) -> InvalidText:
        """What is wrong with the token, as an error that names its place."""
        return InvalidText(f"line {self.line}, column {self.column}: {message}")


class Reader:
    """Reads one game: ``tags`` are to be taken first, then ``moves``."""

    def __init__(self, text: str) -> None:
        self._tokens = _tokens(text)
        self._ahead: Token | None = None

    def tags(self) -> Iterator[Token]:
        """The tags before the first move."""
        for token in self._tokens:
            if token.kind != "tag":
                self._ahead = token
                return
            yield token

    def moves(self) -> Iterator[Token]:
        """The moves and results of the game itself; variations are left out. A further tag is a fault."""
        depth, opened = 0, None
        for token in self._rest():
            if token.kind == "tag":
                raise token.fault("another game begins: exactly one game is read")
            if token.value == "(":
                depth += 1
                opened = opened if depth > 1 else token
            elif token.value == ")":
                depth -= 1
                if depth < 0:
                    raise token.fault("no variation is open here")
            elif not depth:
                yield token
        if depth and opened:
            raise opened.fault("a variation that is not closed")

    def _rest(self) -> Iterator[Token]:
        if self._ahead:
            yield self._ahead
        yield from self._tokens


def _tokens(text: str) -> Iterator[Token]:
    """All tags, moves, results and brackets of variations; InvalidText for what is none of PDN."""
    place = line = 0
    begun = 0  # where the line begins
    while place < len(text):
        found = _TOKEN.match(text, place)
        if not found:
            raise _unread(text, place, line + 1, place - begun + 1)
        kind = str(found.lastgroup)
        if kind in {"move", "result", "bracket"}:
            yield Token(kind, found[kind], line + 1, place - begun + 1)
        elif found["tag"]:
            value = _ESCAPED.sub(r"\1", found["text"])
            yield Token("tag", value, line + 1, place - begun + 1, found["name"])
        if newlines := text.count("\n", place, found.end()):
            line += newlines
            begun = text.rindex("\n", place, found.end()) + 1
        place = found.end()


def _unread(text: str, place: int, line: int, column: int) -> InvalidText:
    first = text[place]
    if first in _CLOSED:
        return InvalidText(f"line {line}, column {column}: {_CLOSED[first]}")
    found = _UNREAD.match(text, place)
    word = found[0] if found and found[0] else first
    return InvalidText(f"line {line}, column {column}: {word[:_SHOWN]!r} is neither a move nor a result")
