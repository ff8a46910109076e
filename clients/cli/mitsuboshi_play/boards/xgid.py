"""The board in a backgammon position's text, an XGID: checkers by place, as each side counts."""

from __future__ import annotations

from dataclasses import dataclass

SEATS = ("white", "black")
BAR, OFF, CHECKERS = 25, 0, 15
START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
"""The usual start, in which white is to throw as long as no opening throw has said who begins."""
TURNS = {"1": "white", "-1": "black"}


class BadXgid(Exception):
    """A text that is no XGID."""


@dataclass(frozen=True, slots=True)
class Xgid:
    """``checkers``: by seat, how many stand on each place as the seat counts, off (0) to bar (25)."""

    board: str
    turn: str
    dice: str
    """Two digits; ``00`` before the throw."""
    checkers: dict[str, list[int]]


def read_xgid(text: str) -> Xgid:
    """The parts that the client looks at; BadXgid where they are not there.

    >>> read_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10").checkers["white"][24]
    2
    """
    fields = text.removeprefix("XGID=").split(":")
    if len(fields) < 5 or len(fields[0]) != BAR + 1 or fields[3] not in TURNS:
        raise BadXgid(f"no XGID: {text!r}")
    white, black = [0] * (BAR + 1), [0] * (BAR + 1)
    for place, sign in enumerate(fields[0]):
        if "A" <= sign <= "O":
            white[place] = ord(sign) - ord("A") + 1
        elif "a" <= sign <= "o":
            black[BAR - place] = ord(sign) - ord("a") + 1
        elif sign != "-":
            raise BadXgid(f"no XGID: {text!r}")
    for side in (white, black):
        side[OFF] = CHECKERS - sum(side[1:])
        if side[OFF] < 0:
            raise BadXgid(f"more than {CHECKERS} checkers a side: {text!r}")
    return Xgid(fields[0], TURNS[fields[3]], fields[4], {"white": white, "black": black})
