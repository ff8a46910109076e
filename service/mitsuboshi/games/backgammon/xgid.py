"""Positions as XGID, the line of text that eXtreme Gammon and GNU Backgammon exchange.

``XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10``: the board from white's side, then the cube as a power
of two, its owner, the turn (1 white, -1 black), the dice, scores, rule flags, match length, largest cube.
"""

from __future__ import annotations

import re
from typing import Final

from mitsuboshi.games.backgammon.board import BAR, PLACES
from mitsuboshi.games.backgammon.position import Checkers, Position, check, complete
from mitsuboshi.games.game import InvalidText

PREFIX: Final = "XGID="
FIELDS: Final = (
    "board",
    "cube",
    "cube owner",
    "turn",
    "dice",
    "white's score",
    "black's score",
    "rule flags",
    "match length",
    "largest cube",
)
_EMPTY: Final = "-"
_LETTERS: Final = "ABCDEFGHIJKLMNO"
_NO_MATCH: Final = "0:0:0:0:10"
_TURNS: Final = {"1": "white", "-1": "black"}
_DICE: Final = re.compile("[1-6][1-6]")
_NUMBER: Final = re.compile("[0-9]{1,5}")


def write(position: Position) -> str:
    """The XGID of a position, without cube and match."""
    white, black = position.white, position.black
    cells = [black[BAR], *range(1, BAR), white[BAR]]
    cells[0] = _letter(black[BAR]).lower()
    for point in range(1, BAR):
        mine, theirs = white[point], black[BAR - point]
        cells[point] = _letter(mine) if mine else _letter(theirs).lower()
    cells[BAR] = _letter(white[BAR])
    turn = "1" if position.to_move == "white" else "-1"
    dice = "{}{}".format(*position.dice) if position.dice else "00"
    return f"{PREFIX}{''.join(map(str, cells))}:0:0:{turn}:{dice}:{_NO_MATCH}"


def _letter(count: int) -> str:
    return _LETTERS[count - 1] if count else _EMPTY


def read(text: str) -> Position:
    """The position of an XGID, with or without its prefix; InvalidText names the place of a fault.

    A cube that is turned or offered is refused; scores, match length and rule flags are read over.
    """
    begin = len(PREFIX) if text[: len(PREFIX)].upper() == PREFIX else 0
    fields = text[begin:].split(":")
    if len(fields) != len(FIELDS):
        raise InvalidText(f"an XGID has {len(FIELDS)} parts with colons between, not {len(fields)}")
    white, black = _board(fields[0], begin)
    named = dict(zip(FIELDS, fields, strict=True))
    if named["turn"] not in _TURNS:
        raise InvalidText(f"turn: {named['turn']!r} is neither 1, white, nor -1, black")
    _check_unused(named)
    position = Position(white, black, _TURNS[named["turn"]], _dice(named["dice"]))
    check(position)
    return position


def _board(cells: str, begin: int) -> tuple[Checkers, Checkers]:
    """White's and black's checkers; columns count from 1 in the whole text."""
    if len(cells) != PLACES:
        raise InvalidText(f"board: has {PLACES} characters, not {len(cells)}")
    white, black = [0] * PLACES, [0] * PLACES
    for place, letter in enumerate(cells):
        if letter == _EMPTY:
            continue
        where = f"board, column {begin + place + 1}: {letter!r}"
        if letter.upper() not in _LETTERS or not letter.isascii():
            raise InvalidText(f"{where} is neither - nor a number of checkers, A to O or a to o")
        count = _LETTERS.index(letter.upper()) + 1
        if letter.isupper():
            if place == 0:
                raise InvalidText(f"{where}: white's checkers are not on black's bar")
            white[place] = count
        else:
            if place == BAR:
                raise InvalidText(f"{where}: black's checkers are not on white's bar")
            black[BAR - place] = count
    return complete(white, "white"), complete(black, "black")


def _dice(text: str) -> tuple[int, int] | None:
    if text == "00":
        return None
    if text in ("D", "B", "R"):
        raise InvalidText(f"dice: {text!r} offers the cube, which is not played here")
    if not _DICE.fullmatch(text):
        raise InvalidText(f"dice: {text!r} is neither two numbers from 1 to 6 nor 00")
    one, other = int(text[0]), int(text[1])
    return max(one, other), min(one, other)


def _check_unused(named: dict[str, str]) -> None:
    if named["cube"] != "0":
        raise InvalidText(f"cube: {named['cube']!r} is not 0: the doubling cube is not played here")
    if named["cube owner"] not in ("-1", "0", "1"):
        raise InvalidText(f"cube owner: {named['cube owner']!r} is not -1, 0 or 1")
    for part in FIELDS[5:]:
        if not _NUMBER.fullmatch(named[part]):
            raise InvalidText(f"{part}: {named[part]!r} is not a whole number")
