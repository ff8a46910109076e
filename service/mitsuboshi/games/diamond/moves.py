"""Where pieces can go: steps, jump chains, and what forbids a destination."""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import itemgetter
from typing import Final

from mitsuboshi.games.diamond.board import CLOSED, NEIGHBOURS, NO_STOP, RAYS, SEATS, TARGET
from mitsuboshi.games.diamond.position import EMPTY, KING, KINGS, MAN, MEN, Position

Move = tuple[int, int]
"""Origin and destination."""

STEPS: Final = {
    seat: tuple(tuple(point for point in around if point not in CLOSED[seat]) for around in NEIGHBOURS)
    for seat in SEATS
}
"""The neighbours of each point that are open to a seat."""

_LONG_RAYS: Final = tuple(tuple(ray for ray in rays if len(ray) > 1) for rays in RAYS)
"""The lines from each point on which there is room for a jump."""

_HOPS: Final = {
    seat: tuple(tuple(ray[:2] for ray in rays if ray[1] not in CLOSED[seat]) for rays in _LONG_RAYS)
    for seat in SEATS
}
"""From each point: (the point to jump over, the point to land on), for landings open to a seat."""

_PIECES: Final = {seat: re.compile(f"[{MAN[seat]}{KING[seat]}]") for seat in SEATS}
_TARGET_CONTENT: Final = {seat: itemgetter(*TARGET[seat].points) for seat in SEATS}
_TARGET_POINTS: Final = {seat: frozenset(TARGET[seat].points) for seat in SEATS}


def pieces(board: str, seat: str) -> list[int]:
    """The points on which a seat's pieces stand, in ascending order."""
    return [match.start() for match in _PIECES[seat].finditer(board)]


def target_is_full(board: str, seat: str) -> bool:
    """Whether all 15 points of a seat's target are occupied, by whomever."""
    return EMPTY not in _TARGET_CONTENT[seat](board)


def king_is_home(board: str, seat: str) -> bool:
    """Whether a seat's king stands on its target apex."""
    return board[TARGET[seat].apex] == KING[seat]


def is_complete(board: str, seat: str) -> bool:
    """Whether a seat's target is in the winning form: full, with its own king on the apex."""
    return king_is_home(board, seat) and target_is_full(board, seat)


def steps(board: str, origin: int, seat: str) -> list[int]:
    """The empty neighbouring points that are open to the seat."""
    return [point for point in STEPS[seat][origin] if board[point] == EMPTY]


def chains(board: str, origin: int, seat: str, king_min_run: int) -> dict[int, int]:
    """Every point that the piece can land on by jumps, with the point that it jumps from; fewest jumps first.

    The origin is the first key, its own predecessor. While the piece moves, its origin counts as empty.
    """
    without = board[:origin] + EMPTY + board[origin + 1 :]
    if board[origin] in KINGS:
        return _king_chains(without, origin, seat, king_min_run)
    return _man_chains(without, origin, seat)


def _man_chains(board: str, origin: int, seat: str) -> dict[int, int]:
    came_from = {origin: origin}
    queue = [origin]
    hops = _HOPS[seat]
    for here in queue:
        for over, landing in hops[here]:
            if board[over] in MEN and board[landing] == EMPTY and landing not in came_from:
                came_from[landing] = here
                queue.append(landing)
    return came_from


def _king_chains(board: str, origin: int, seat: str, king_min_run: int) -> dict[int, int]:
    came_from = {origin: origin}
    queue = [origin]
    closed = CLOSED[seat]
    for here in queue:
        for ray in _LONG_RAYS[here]:
            landing = _behind_run(board, ray, king_min_run)
            if landing is not None and landing not in came_from and landing not in closed:
                came_from[landing] = here
                queue.append(landing)
    return came_from


def _behind_run(board: str, ray: tuple[int, ...], king_min_run: int) -> int | None:
    """The first empty point behind the run of men that begins the ray; None where there is no such jump."""
    for length, point in enumerate(ray):
        content = board[point]
        if content == EMPTY:
            return point if length >= king_min_run else None
        if content in KINGS:
            return None
    return None


def banned_points(position: Position) -> list[tuple[int, str]]:
    """The points that would complete another seat's target, each with that seat.

    They are banned for pieces from outside that target only: one from inside leaves a hole behind.
    """
    board, mover = position.board, position.to_move
    banned = []
    for seat in position.in_play:
        if seat != mover and king_is_home(board, seat):
            empty = [point for point in TARGET[seat].points if board[point] == EMPTY]
            if len(empty) == 1:
                banned.append((empty[0], seat))
    return banned


def destinations(position: Position, origin: int, banned: list[tuple[int, str]]) -> set[int]:
    """Every point on which the mover's piece on ``origin`` may end a move, given the ``banned_points``."""
    board, seat, rules = position.board, position.to_move, position.rules
    found = set(chains(board, origin, seat, rules.king_min_run))
    found.discard(origin)
    found.update(steps(board, origin, seat))
    if not rules.border_stop:
        found -= NO_STOP[seat]
    if not rules.leave_target and origin in _TARGET_POINTS[seat]:
        found &= _TARGET_POINTS[seat]
    for point, other in banned:
        if origin not in _TARGET_POINTS[other]:
            found.discard(point)
    return found


def moves(position: Position) -> Iterator[Move]:
    """Every legal move of the side to move, by origin and then destination; not aware of the game's end."""
    banned = banned_points(position)
    for origin in pieces(position.board, position.to_move):
        for destination in sorted(destinations(position, origin, banned)):
            yield origin, destination


def path(position: Position, origin: int, destination: int) -> list[int]:
    """The points of a legal move from origin to destination: a step where one does, else the fewest jumps."""
    board, seat = position.board, position.to_move
    if destination in STEPS[seat][origin]:
        return [origin, destination]
    came_from = chains(board, origin, seat, position.rules.king_min_run)
    way = [destination]
    while way[-1] != origin:
        way.append(came_from[way[-1]])
    return way[::-1]


def why_not(position: Position, origin: int, destination: int) -> str | None:
    """The rule that forbids the move, or None if it is legal in a game that goes on."""
    board, seat = position.board, position.to_move
    if board[origin] not in (MAN[seat], KING[seat]):
        return f"there is no piece of yours on {origin}"
    if destination == origin:
        return "a move must end on another point than it began"
    if board[destination] != EMPTY:
        return f"{destination} is occupied"
    if destination in CLOSED[seat]:
        return f"{destination} is closed to {seat}"
    banned = banned_points(position)
    if destination in destinations(position, origin, banned):
        return None
    if destination not in destinations_by_movement(position, origin):
        return f"{destination} is not reachable from {origin} by a step or a chain of jumps"
    return _why_not_end(position, origin, destination, banned)


def destinations_by_movement(position: Position, origin: int) -> set[int]:
    """Where the piece can get to by moving as pieces do, whether or not it may end there."""
    board, seat = position.board, position.to_move
    return {*chains(board, origin, seat, position.rules.king_min_run), *steps(board, origin, seat)}


def _why_not_end(position: Position, origin: int, destination: int, banned: list[tuple[int, str]]) -> str:
    seat = position.to_move
    if not position.rules.border_stop and destination in NO_STOP[seat]:
        return f"{destination} is on the border line of another camp, where {seat} may not end a move"
    target = _TARGET_POINTS[seat]
    if not position.rules.leave_target and origin in target and destination not in target:
        return f"a piece in {seat}'s target may not leave it"
    return f"{destination} would complete {dict(banned)[destination]}'s target"
