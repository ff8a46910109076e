"""Move text, both ways, and which legal move a text stands for."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from mitsuboshi.games.checkers.board import BETWEEN, BIT, PIECES, SQUARE
from mitsuboshi.games.checkers.moves import Move, moves
from mitsuboshi.games.checkers.position import Position
from mitsuboshi.games.checkers.reasons import why_not
from mitsuboshi.games.checkers.rules import outcome
from mitsuboshi.games.game import PASS, AmbiguousMove, IllegalMove, InvalidText

MOVE_CHARS_MAX: Final = len("x32") * (PIECES + 1) - 1

_NAME: Final = {bit: str(square) for bit, square in SQUARE.items()}
_BIT: Final = {str(square): bit for square, bit in BIT.items()}
_MOVE: Final = re.compile("[0-9]+(?:-[0-9]+|(?:x[0-9]+)+)")
_NAMED: Final = 4  # choices that an answer names; more would not help anybody


def write_move(move: Move) -> str:
    """The canonical text: ``11-15``, or every square of a capture, ``15x22x31``."""
    return ("x" if (move[0], move[1]) in BETWEEN else "-").join([_NAME[bit] for bit in move])


def read_move(text: str) -> Move:
    """The squares that a text names, as bits; InvalidText names the place of a fault."""
    if len(text) > MOVE_CHARS_MAX:
        raise InvalidText(f"a move has at most {MOVE_CHARS_MAX} characters, this one {len(text)}")
    if not _MOVE.fullmatch(text):
        raise InvalidText(f"{text!r} is no move: one is written 11-15, a capture 15x22x31 or 15x31")
    names = re.split("[-x]", text)
    for place, name in enumerate(names, 1):
        if name not in _BIT:
            raise InvalidText(f"square {place} of the move: {name!r} is not a number from 1 to 32")
    return tuple(_BIT[name] for name in names)


def find(position: Position, text: str) -> Move:
    """The legal move that a text stands for, in full or as origin and end of a capture.

    InvalidText, AmbiguousMove or IllegalMove otherwise; the last says which rule forbids it."""
    if text == PASS:
        raise IllegalMove("there is no passing in checkers: a side that cannot move has lost")
    wanted = read_move(text)
    if end := outcome(position):
        raise IllegalMove(f"the game is over ({end.reason})")
    legal = moves(position)
    capture = "x" in text
    if wanted in legal and (wanted[:2] in BETWEEN) == capture:
        return wanted
    if capture and len(wanted) == 2:
        return _short_form(position, legal, wanted, text)
    raise IllegalMove(why_not(position, wanted, capture=capture))


def path_of(position: Position, text: str) -> Move:
    """The whole path of a legal move, without looking for it where the text has all of it."""
    path = read_move(text)
    if len(path) > 2 and all(pair in BETWEEN for pair in pairwise(path)):
        return path
    return find(position, text)


def _short_form(position: Position, legal: list[Move], wanted: Move, text: str) -> Move:
    meant = [move for move in legal if len(move) > 2 and (move[0], move[-1]) == wanted]
    if not meant:
        raise IllegalMove(why_not(position, wanted, capture=True))
    if len(meant) > 1:
        named = ", ".join(map(write_move, meant[:_NAMED]))
        more = f" and {len(meant) - _NAMED} more" if len(meant) > _NAMED else ""
        raise AmbiguousMove(f"{text} stands for more than one capture: {named}{more}")
    return meant[0]
