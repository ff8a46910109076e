"""Position text: PDN's FEN, and after it in saved positions what the draw rules remember."""

from __future__ import annotations

import re
from typing import Final

from mitsuboshi.games.checkers.board import BIT, FAR_ROW, KING_STEPS, PIECES, SEATS, SQUARE, each, squares
from mitsuboshi.games.checkers.moves import jumpers
from mitsuboshi.games.checkers.position import OTHER, Position
from mitsuboshi.games.checkers.rules import FORTY_MOVES
from mitsuboshi.games.game import MEMORY, InvalidText

POSITION_CHARS_MAX: Final = 200
LETTER: Final = {"red": "B", "white": "W"}
"""PDN calls the side that moves first black, whatever the colour of its pieces."""
KING: Final = "K"

_SEAT: Final = {letter: seat for seat, letter in LETTER.items()}
_ENTRY: Final = re.compile("(K?)([0-9]+)(?:-([0-9]+))?")
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuv"
_BIT_OF: Final = {digit: BIT[value + 1] for value, digit in enumerate(_DIGITS)}
_DIGIT: Final = {bit: digit for digit, bit in _BIT_OF.items()}
_PLY: Final = re.compile("0|[1-9][0-9]{0,4}")


def write(position: Position) -> str:
    """The canonical text: side to move, white's squares, red's, both ascending, kings with a ``K``."""
    white, red = (_pieces_text(position, seat) for seat in ("white", "red"))
    return f"{LETTER[position.to_move]}:W{white}:B{red}"


def _pieces_text(position: Position, seat: str) -> str:
    kings = position.kings
    return ",".join(
        [f"{KING if piece & kings else ''}{SQUARE[piece]}" for piece in each(position.pieces(seat))]
    )


def read(text: str) -> Position:
    """The position that a text stands for, at ply 0; InvalidText names the place of a fault.

    Either order of the colours, ranges of men (``1-12``) and a dot at the end are read too."""
    if len(text) > POSITION_CHARS_MAX:
        raise InvalidText(f"a position has at most {POSITION_CHARS_MAX} characters, this one {len(text)}")
    parts = text.removesuffix(".").split(":")
    if len(parts) != 3:
        raise InvalidText(
            "a position is the side to move, white's squares and red's, with a colon between:"
            f" 3 parts as in B:W21,22:B1,K2, not {len(parts)}"
        )
    if parts[0] not in _SEAT:
        raise InvalidText(f"side to move: {parts[0]!r} is not one of B (red), W (white)")
    sides = dict(_side(part) for part in parts[1:])
    if len(sides) < len(SEATS):
        raise InvalidText(f"squares: {next(iter(sides))}'s are given twice")
    (red, red_kings), (white, white_kings) = sides["red"], sides["white"]
    if both := red & white:
        raise InvalidText(f"squares: {squares(both)[0]} has a piece of each colour")
    if not red | white:
        raise InvalidText("squares: there is no piece")
    return Position(red, white, red_kings | white_kings, _SEAT[parts[0]])


def _side(text: str) -> tuple[str, tuple[int, int]]:
    """The seat, its pieces, and its kings."""
    seat = _SEAT.get(text[:1])
    if seat is None:
        raise InvalidText(f"squares: {text[:1]!r} is not one of B (red), W (white)")
    pieces = kings = 0
    for entry in text[1:].split(",") if text[1:] else ():
        king, numbers = _entry(entry, seat)
        for number in numbers:
            if BIT[number] & pieces:
                raise InvalidText(f"{seat}'s squares: {number} is given twice")
            if not king and BIT[number] & FAR_ROW[seat]:
                raise InvalidText(f"{seat}'s squares: on {number} a man would have been crowned")
            pieces |= BIT[number]
            kings |= BIT[number] if king else 0
    if (count := pieces.bit_count()) > PIECES:
        raise InvalidText(f"{seat}'s squares: at most {PIECES} pieces, not {count}")
    return seat, (pieces, kings)


def _entry(text: str, seat: str) -> tuple[bool, range]:
    """Whether an entry is of kings, and its squares."""
    found = _ENTRY.fullmatch(text)
    if not found:
        raise InvalidText(f"{seat}'s squares: {text!r} is not a square as 12, a king as K12 or men as 1-12")
    king, first, last = found.groups()
    if king and last:
        raise InvalidText(f"{seat}'s squares: {text!r}: a range is of men, kings are named one by one")
    least = _square(first, seat)
    most = _square(last, seat) if last else least
    if most < least:
        raise InvalidText(f"{seat}'s squares: {text!r}: a range goes from the lower square to the higher")
    return bool(king), range(least, most + 1)


def _square(text: str, seat: str) -> int:
    # The length is looked at first: a number of hundreds of digits need not be converted.
    if len(text) > 2 or text.startswith("0") or int(text) not in BIT:
        raise InvalidText(f"{seat}'s squares: {text!r} is not a number from 1 to 32")
    return int(text)


def save(position: Position) -> str:
    """The canonical text, ply, and quiet moves, two digits of base 32 each; the text alone at the start."""
    if not position.ply and not position.quiet:
        return write(position)
    quiet = "".join([_DIGIT[origin] + _DIGIT[end] for origin, end in position.quiet])
    return MEMORY.join((write(position), str(position.ply), quiet))


def load(text: str) -> Position:
    """The position that ``save`` wrote; InvalidText where it did not."""
    notation, *memory = text.split(MEMORY)
    position = read(notation)
    if not memory:
        return position
    if len(memory) != 2:
        raise InvalidText(f"memory: ply and quiet moves, 2 parts, not {len(memory)}")
    ply, quiet = memory
    if not _PLY.fullmatch(ply):
        raise InvalidText(f"ply: {ply[:9]!r} is not a whole number of at most 5 digits")
    position = Position(
        position.red, position.white, position.kings, position.to_move, int(ply), _quiet(quiet, int(ply))
    )
    _check_quiet(position)
    return position


def _quiet(text: str, ply: int) -> tuple[tuple[int, int], ...]:
    if len(text) % 2 or not set(text) <= _BIT_OF.keys():
        raise InvalidText("quiet moves: each is two digits from 0 to v")
    if len(text) > 2 * min(ply, FORTY_MOVES):
        raise InvalidText(f"quiet moves: at most as many as plies, and {FORTY_MOVES}, not {len(text) // 2}")
    bits = [_BIT_OF[digit] for digit in text]
    return tuple(zip(bits[::2], bits[1::2], strict=True))


def _check_quiet(position: Position) -> None:
    """InvalidText unless each of the quiet moves, walked back, was a king's and no capture was due."""
    sides = {"red": position.red, "white": position.white}
    kings, seat = position.kings, position.to_move
    for number, (origin, end) in reversed(list(enumerate(position.quiet, 1))):
        seat = OTHER[seat]
        if not end & kings & sides[seat] or origin & (sides["red"] | sides["white"]):
            raise InvalidText(f"quiet moves: number {number} is not one of a king of {seat}'s")
        sides[seat] ^= origin | end
        kings ^= origin | end
        before = Position(sides["red"], sides["white"], kings, seat)
        if end not in KING_STEPS[origin] or jumpers(before):
            raise InvalidText(f"quiet moves: number {number} was not legal")
