"""Position text and move text, both ways; the page ``docs/games/diamond.md`` describes them."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from operator import itemgetter
from typing import Final

from mitsuboshi.games.diamond.board import POINTS, ROW, ROWS, SEATS, START, TARGET
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

_WIDTHS: Final = [ROW["red"].count(row) for row in range(1, ROWS + 1)]
_ENDS: Final = [sum(_WIDTHS[: row + 1]) for row in range(ROWS)]
_SLICES: Final = [slice(end - width, end) for width, end in zip(_WIDTHS, _ENDS, strict=True)]
_SEAT_OF: Final = {MAN[seat]: seat for seat in SEATS} | {KING[seat]: seat for seat in SEATS}
_NUMBER: Final = re.compile("0|[1-9][0-9]*")
_ROW: Final = re.compile(f"(?:[1-9][0-9]?(?![0-9])|[{MEN}{KINGS}])+")
_DIGITS: Final = re.compile("[0-9]+")
_DOTS: Final = re.compile(r"\.+")

_OUTER: Final = {seat: (*START[seat].outer, *TARGET[seat].outer) for seat in SEATS}
"""The points that are closed to everybody but one seat."""
_OUTER_CONTENT: Final = {seat: itemgetter(*_OUTER[seat]) for seat in SEATS}
_OUTER_LETTERS: Final = {seat: {EMPTY, MAN[seat], KING[seat]} for seat in SEATS}


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
    return _DOTS.sub(lambda run: str(len(run[0])), cells)


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
    parts = [_row_cells(row) for row in rows]
    if [len(part) for part in parts] != _WIDTHS:
        raise InvalidText(_row_fault(rows))
    board = "".join(parts)
    _check_counts(board, seats)
    for seat in SEATS:
        if not _OUTER_LETTERS[seat].issuperset(_OUTER_CONTENT[seat](board)):
            raise InvalidText(_misplaced(board, seat))
    return board


@lru_cache(maxsize=4096)
def _row_cells(text: str) -> str:
    """The points of a row, a letter each; nothing if the text cannot be read."""
    return _DIGITS.sub(lambda run: EMPTY * int(run[0]), text) if _ROW.fullmatch(text) else ""


def _row_fault(rows: list[str]) -> str:
    for number, (row, width) in enumerate(zip(rows, _WIDTHS, strict=True), 1):
        cells = _row_cells(row)
        if unknown := re.search(f"[^0-9{MEN}{KINGS}]", row):
            return f"row {number}: {unknown[0]!r} is neither a piece nor a number of empty points"
        if row and not cells:
            return f"row {number}: numbers of empty points are 1 to 13, without a leading zero"
        if len(cells) != width:
            return f"row {number}: has {width} points, not {len(cells)}"
    raise AssertionError("only for rows with a fault")


def _check_counts(board: str, seats: tuple[str, ...]) -> None:
    for seat in SEATS:
        men, kings = board.count(MAN[seat]), board.count(KING[seat])
        if seat not in seats and men + kings:
            point = pieces(board, seat)[0]
            raise InvalidText(f"row {ROW['red'][point]}: {seat} does not play with {len(seats)} players")
        if seat in seats and (men, kings) != (MEN_PER_SEAT, 1):
            raise InvalidText(f"rows: {seat} must have {MEN_PER_SEAT} men and 1 king, not {men} and {kings}")


def _misplaced(board: str, owner: str) -> str:
    point = next(point for point in _OUTER[owner] if board[point] not in _OUTER_LETTERS[owner])
    return f"row {ROW['red'][point]}: point {point} is closed to {_SEAT_OF[board[point]]}"


def _check_goals(position: Position) -> None:
    """InvalidText unless the finished seats have finished, and the others have not or have just won."""
    for seat in position.finished:
        outer = [position.board[point] for point in TARGET[seat].outer]
        if not king_is_home(position.board, seat) or EMPTY in outer:
            raise InvalidText(f"finished seats: {seat} has not reached its goal")
    complete = [seat for seat in position.in_play if is_complete(position.board, seat)]
    if complete and position.rules.places == "all":
        raise InvalidText(f"finished seats: {complete[0]} has reached its goal and must be among them")
    if len(complete) > 1:
        raise InvalidText(f"rows: {' and '.join(complete)} cannot both have reached their goal")


def move_texts(origin: int, destinations: list[int]) -> list[str]:
    """The texts of the moves from one point, as ``14-26``."""
    texts = _texts_from(origin)
    return [texts[destination] for destination in destinations]


@cache
def _texts_from(origin: int) -> list[str]:
    return [f"{origin}-{destination}" for destination in range(POINTS)]


def read_move(text: str) -> tuple[int, int]:
    """Origin and destination of a move text other than ``pass``; InvalidText names the place of a fault."""
    if len(text) > MOVE_CHARS_MAX:
        raise InvalidText(f"a move has at most {MOVE_CHARS_MAX} characters, this one {len(text)}")
    origin, hyphen, destination = text.partition("-")
    if not hyphen:
        raise InvalidText("a move is written origin-destination, as 14-26, or pass")
    return _number(origin, "origin", 0, POINTS - 1), _number(destination, "destination", 0, POINTS - 1)
