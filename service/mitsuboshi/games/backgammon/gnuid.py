"""Positions as GNU Backgammon's position id and match id: ``4HPwATDgc/ABMA:cAkAAAAAAAAE``.

The formats are described in its manual, "A technical description of the Position ID" and "… of the Match ID".
White is the manual's player 1, who also has the upper case letters when the program reads an XGID.
"""

from __future__ import annotations

import base64
import re
from typing import Final

from mitsuboshi.games.backgammon.board import BAR, PLACES, SEATS
from mitsuboshi.games.backgammon.position import Checkers, Position, check, complete
from mitsuboshi.games.game import InvalidText

POSITION_CHARS: Final = 14
MATCH_CHARS: Final = 12
_BOARD_BYTES: Final = 10
_MATCH_BYTES: Final = 9
_NOT_BASE64: Final = re.compile("[^A-Za-z0-9+/]")
_CENTRED: Final = 3
_PLAYING, _OVER, _BY_RESIGNATION, _BY_DROP = 1, 2, 3, 4

_FIELDS: Final = {
    "cube": (0, 4),
    "cube owner": (4, 2),
    "player on roll": (6, 1),
    "Crawford": (7, 1),
    "state": (8, 3),
    "turn": (11, 1),
    "double": (12, 1),
    "resignation": (13, 2),
    "first die": (15, 3),
    "second die": (18, 3),
    "match length": (21, 15),
    "player 0's score": (36, 15),
    "player 1's score": (51, 15),
    "no Jacoby rule": (66, 1),
}
"""The match id's parts: first bit, counted from the least of the first byte, and number of bits."""


def write(position: Position) -> str:
    """Both ids of a position: a money game with the cube at 1 in the middle, in which gammons count."""
    player = SEATS[::-1].index(position.to_move)
    high, low = position.dice or (0, 0)
    match = {
        "cube owner": _CENTRED,
        "player on roll": player,
        "state": _OVER if position.is_over else _PLAYING,
        "turn": player,
        "first die": high,
        "second die": low,
        "no Jacoby rule": 1,
    }
    bits = sum(value << _FIELDS[name][0] for name, value in match.items())
    return f"{position_id(position.mine, position.theirs)}:{_encoded(bits, _MATCH_BYTES)}"


def position_id(mine: Checkers, theirs: Checkers) -> str:
    """The position id: the side that is not on roll, then the one that is.

    A 1 for each checker on the point and then a 0, point by point from 1 to the bar, the first bit the least.
    """
    bits = shift = 0
    for count in (*theirs[1:], *mine[1:]):
        bits |= ((1 << count) - 1) << shift
        shift += count + 1
    return _encoded(bits, _BOARD_BYTES).rstrip("=")


def _encoded(bits: int, length: int) -> str:
    return base64.b64encode(bits.to_bytes(length, "little")).decode()


def read(text: str) -> Position:
    """The position of the two ids; InvalidText names the place of a fault.

    A turned cube, an offer and a game that was given up are refused; score and match length are read over.
    """
    board, _, match = text.partition(":")
    if len(board) != POSITION_CHARS or len(match) != MATCH_CHARS:
        raise InvalidText(
            f"a GNU Backgammon id is a position id of {POSITION_CHARS} characters, a colon and a match id of"
            f" {MATCH_CHARS}, not of {len(board)} and {len(match)}"
        )
    theirs, mine = _sides(_decoded(board, 0, _BOARD_BYTES))
    bits = _decoded(match, POSITION_CHARS + 1, _MATCH_BYTES)
    fields = {name: bits >> first & (1 << size) - 1 for name, (first, size) in _FIELDS.items()}
    to_move = SEATS[::-1][fields["player on roll"]]
    _check_unused(fields)
    other = SEATS[::-1][1 - fields["player on roll"]]
    sides = {to_move: complete(mine, to_move), other: complete(theirs, other)}
    position = Position(sides["white"], sides["black"], to_move, _dice(fields))
    check(position)
    return position


def _decoded(text: str, begin: int, length: int) -> int:
    if bad := _NOT_BASE64.search(text):
        raise InvalidText(f"column {begin + bad.start() + 1}: {bad[0]!r} is not a Base64 character")
    return int.from_bytes(base64.b64decode(text + "=" * (-len(text) % 4))[:length], "little")


def _sides(bits: int) -> tuple[list[int], list[int]]:
    """The checkers of the side that is not on roll and of the one that is, those borne off left out."""
    sides = ([0] * PLACES, [0] * PLACES)
    for side in sides:
        for place in range(1, BAR + 1):
            while bits & 1:
                side[place] += 1
                bits >>= 1
            bits >>= 1
    if bits:
        raise InvalidText("position id: goes on after the last bar")
    return sides


def _check_unused(fields: dict[str, int]) -> None:
    if fields["cube"] or fields["double"]:
        raise InvalidText("match id: the doubling cube is not played here")
    if fields["resignation"] or fields["state"] in (_BY_RESIGNATION, _BY_DROP):
        raise InvalidText("match id: the game is given up, or about to be")
    if fields["state"] > _BY_DROP:
        raise InvalidText(f"match id: {fields['state']} is no state of a game")


def _dice(fields: dict[str, int]) -> tuple[int, int] | None:
    one, other = fields["first die"], fields["second die"]
    if one == other == 0:
        return None
    if not (1 <= one <= 6 and 1 <= other <= 6):
        raise InvalidText(f"match id: {one} and {other} are not dice of 1 to 6")
    return max(one, other), min(one, other)
