"""Position text and move text, both ways; the page ``docs/games/diamond.md`` describes them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from mitsuboshi.games.diamond.board import CLOSED, POINTS, ROW, ROWS, SEATS, TARGET
from mitsuboshi.games.diamond.moves import is_complete, king_is_home, pieces
from mitsuboshi.games.diamond.position import (
    EMPTY,
    KING,
    KINGS,
    MAN,
    MEN,
    MEN_PER_SEAT,
    Position,
    Rules,
)
from mitsuboshi.games.game import InvalidText

POSITION_CHARS_MAX: Final = 200
MOVE_CHARS_MAX: Final = len("120-119")
PASS: Final = "pass"  # noqa: S105 - a turn without a move

_WIDTHS: Final = tuple(ROW["red"].count(row) for row in range(1, ROWS + 1))
_ENDS: Final = tuple(sum(_WIDTHS[: row + 1]) for row in range(ROWS))
_SLICES: Final = tuple(slice(end - width, end) for width, end in zip(_WIDTHS, _ENDS, strict=True))
_SEAT_OF: Final = {MAN[seat]: seat for seat in SEATS} | {KING[seat]: seat for seat in SEATS}
_NUMBER: Final = re.compile("0|[1-9][0-9]*")
_TOKEN: Final = re.compile(f"[1-9][0-9]*|[{MEN}{KINGS}]")
_RUN: Final = re.compile(r"\.+")


def _may_stand(point: int) -> str:
    letters = "".join(MAN[seat] + KING[seat] for seat in SEATS if point not in CLOSED[seat])
    return f"[.{letters}]"


_STANDABLE: Final = re.compile("".join(_may_stand(point) for point in range(POINTS)))
"""Boards on which no piece stands on a point that is closed to it."""


def write(position: Position) -> str:
    """The canonical text of a position."""
    board = position.board
    rows = "/".join([_row_text(board[part]) for part in _SLICES])
    text = f"{rows} {MAN[position.to_move]} {position.players} {position.ply} {position.passes}"
    if position.finished:
        text += " " + "".join([MAN[seat] for seat in position.finished])
    return text


@lru_cache(maxsize=4096)
def _row_text(cells: str) -> str:
    return _RUN.sub(lambda run: str(len(run[0])), cells)


def read(text: str, rules: Rules) -> Position:
    """The position that a canonical text stands for; InvalidText names the place of a fault."""
    if len(text) > POSITION_CHARS_MAX:
        raise InvalidText(f"a position has at most {POSITION_CHARS_MAX} characters, this one {len(text)}")
    return _read(text, rules)


@lru_cache(maxsize=1024)
def _read(text: str, rules: Rules) -> Position:
    fields = text.split(" ")
    if len(fields) not in (5, 6):
        raise InvalidText(
            "a position is rows, side to move, players, ply, passes and perhaps the finished seats,"
            f" with one space between: 5 or 6 parts, not {len(fields)}"
        )
    players = _number(fields[2], "players", 2, len(SEATS))
    seats = SEATS[:players]
    finished = _finished(fields[5], seats, rules) if len(fields) == 6 else ()
    to_move = _side_to_move(fields[1], seats, finished)
    board = _board(fields[0], seats)
    ply = _number(fields[3], "ply", 0, players * rules.draw_plies_per_seat)
    passes = _number(fields[4], "passes", 0, players - len(finished))
    position = Position(board, to_move, players, ply, passes, finished, rules)
    _check_goals(position)
    return position


def _number(text: str, name: str, least: int, most: int) -> int:
    # The length is looked at first: a number of hundreds of digits need not be converted.
    if not _NUMBER.fullmatch(text) or len(text) > len(str(most)) or not least <= int(text) <= most:
        raise InvalidText(f"{name}: {text!r} is not a whole number from {least} to {most}")
    return int(text)


def _finished(letters: str, seats: tuple[str, ...], rules: Rules) -> tuple[str, ...]:
    if rules.places != "all":
        raise InvalidText("finished seats: only with the option places: all")
    finished = tuple(_seat(letter, "finished seats", seats) for letter in letters)
    if not 0 < len(finished) < len(seats) or len(set(finished)) < len(finished):
        raise InvalidText(f"finished seats: {letters!r} must name 1 to {len(seats) - 1} seats, each once")
    return finished


def _side_to_move(letter: str, seats: tuple[str, ...], finished: tuple[str, ...]) -> str:
    seat = _seat(letter, "side to move", seats)
    if seat in finished:
        raise InvalidText(f"side to move: {seat} has finished")
    return seat


def _seat(letter: str, name: str, seats: tuple[str, ...]) -> str:
    for seat in seats:
        if MAN[seat] == letter:
            return seat
    raise InvalidText(f"{name}: {letter!r} is not one of {', '.join(MAN[seat] for seat in seats)}")


def _board(text: str, seats: tuple[str, ...]) -> str:
    rows = text.split("/")
    if len(rows) != ROWS:
        raise InvalidText(f"rows: there must be {ROWS}, not {len(rows)}")
    board = "".join([_row_cells(row, number) for number, row in enumerate(rows, 1)])
    _check_counts(board, seats)
    if not _STANDABLE.fullmatch(board):
        raise InvalidText(_misplaced(board))
    return board


@lru_cache(maxsize=4096)
def _row_cells(text: str, row: int) -> str:
    cells, width, end = "", _WIDTHS[row - 1], 0
    while token := _TOKEN.match(text, end):
        end = token.end()
        cells += token[0] if token[0] in _SEAT_OF else EMPTY * _empties(token[0], row, width)
    if end < len(text):
        raise InvalidText(f"row {row}: {text[end]!r} is neither a piece nor a number of empty points")
    if len(cells) != width:
        raise InvalidText(f"row {row}: has {width} points, not {len(cells)}")
    return cells


def _empties(digits: str, row: int, width: int) -> int:
    if len(digits) > 2 or int(digits) > width:
        raise InvalidText(f"row {row}: has {width} points, not {digits} empty ones")
    return int(digits)


def _check_counts(board: str, seats: tuple[str, ...]) -> None:
    for seat in SEATS:
        men, kings = board.count(MAN[seat]), board.count(KING[seat])
        if seat not in seats and men + kings:
            point = pieces(board, seat)[0]
            raise InvalidText(f"row {ROW['red'][point]}: {seat} does not play with {len(seats)} players")
        if seat in seats and (men, kings) != (MEN_PER_SEAT, 1):
            raise InvalidText(f"rows: {seat} must have {MEN_PER_SEAT} men and 1 king, not {men} and {kings}")


def _misplaced(board: str) -> str:
    for point, letter in enumerate(board):
        if letter in _SEAT_OF and point in CLOSED[_SEAT_OF[letter]]:
            return f"row {ROW['red'][point]}: point {point} is closed to {_SEAT_OF[letter]}"
    raise AssertionError("only for boards with a misplaced piece")


def _check_goals(position: Position) -> None:
    """InvalidText unless the finished seats have finished, and the others have not or have just won."""
    for seat in position.finished:
        own = (MAN[seat], KING[seat])
        outer = [position.board[point] for point in TARGET[seat].outer]
        if not king_is_home(position.board, seat) or any(letter not in own for letter in outer):
            raise InvalidText(f"finished seats: {seat} has not reached its goal")
    complete = [seat for seat in position.in_play if is_complete(position.board, seat)]
    if complete and position.rules.places == "all":
        raise InvalidText(f"finished seats: {complete[0]} has reached its goal and must be among them")
    if len(complete) > 1:
        raise InvalidText(f"rows: {' and '.join(complete)} cannot both have reached their goal")


def write_move(origin: int, destination: int) -> str:
    """The text of a move, as ``14-26``."""
    return f"{origin}-{destination}"


def read_move(text: str) -> tuple[int, int]:
    """Origin and destination of a move text other than ``pass``; InvalidText names the place of a fault."""
    if len(text) > MOVE_CHARS_MAX:
        raise InvalidText(f"a move has at most {MOVE_CHARS_MAX} characters, this one {len(text)}")
    origin, hyphen, destination = text.partition("-")
    if not hyphen:
        raise InvalidText("a move is written origin-destination, as 14-26, or pass")
    return _number(origin, "origin", 0, POINTS - 1), _number(destination, "destination", 0, POINTS - 1)
