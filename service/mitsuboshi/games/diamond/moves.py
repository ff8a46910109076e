"""Where pieces can go: steps, jump chains, and what forbids a destination."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from operator import itemgetter
from typing import Final

from mitsuboshi.games.diamond.board import CLOSED, NEIGHBOURS, NO_STOP, POINTS, RAYS, SEATS, TARGET
from mitsuboshi.games.diamond.position import EMPTY, KING, KINGS, MAN, MEN, Position

Groups = dict[int, frozenset[int]]
"""Empty points in one position, each with all that a man of the side to move reaches from it by jumps, itself
included. Every jump can be jumped back, so one group holds for all of its points and for all men."""

Banned = list[tuple[int, str]]
"""Points that would complete the target of another seat, each with that seat."""

_STEPS: Final = {
    seat: tuple(tuple(point for point in around if point not in CLOSED[seat]) for around in NEIGHBOURS)
    for seat in SEATS
}
"""The neighbours of each point that are open to a seat."""

_LONG_RAYS: Final = tuple(tuple(ray for ray in rays if len(ray) > 1) for rays in RAYS)
"""The lines from each point on which there is room for a jump."""

_HOPS: Final[dict[str, tuple[tuple[tuple[int, int], ...], ...]]] = {
    seat: tuple(tuple((ray[0], ray[1]) for ray in rays if ray[1] not in CLOSED[seat]) for rays in _LONG_RAYS)
    for seat in SEATS
}
"""A man's jumps from each point that end on a point open to a seat: the point to jump over, the end."""

_PIECES: Final = {seat: re.compile(f"[{MAN[seat]}{KING[seat]}]") for seat in SEATS}
_TARGET: Final = {seat: frozenset(TARGET[seat].points) for seat in SEATS}
_NOT_TARGET: Final = {seat: frozenset(range(POINTS)) - _TARGET[seat] for seat in SEATS}
_TARGET_CONTENT: Final = {seat: itemgetter(*TARGET[seat].points) for seat in SEATS}
_APEX: Final = {seat: TARGET[seat].apex for seat in SEATS}
_NOTHING: Final[frozenset[int]] = frozenset()


def pieces(board: str, seat: str) -> list[int]:
    """The points on which a seat's pieces stand, in ascending order."""
    return [match.start() for match in _PIECES[seat].finditer(board)]


def target_is_full(board: str, seat: str) -> bool:
    """Whether all 15 points of a seat's target are occupied, by whomever."""
    return EMPTY not in _TARGET_CONTENT[seat](board)


def king_is_home(board: str, seat: str) -> bool:
    """Whether a seat's king stands on its target apex."""
    return board[_APEX[seat]] == KING[seat]


def is_complete(board: str, seat: str) -> bool:
    """Whether a seat's target is in the winning form: full, with its own king on the apex."""
    return king_is_home(board, seat) and target_is_full(board, seat)


def steps(board: str, origin: int, seat: str) -> list[int]:
    """The empty neighbouring points that are open to the seat, in ascending order."""
    return [point for point in _STEPS[seat][origin] if board[point] == EMPTY]


def chains(position: Position, origin: int) -> dict[int, int]:
    """Every point that the piece can land on by jumps, with the point that it jumps there from.

    They come in the order of the jumps needed, the origin first as its own predecessor.
    """
    # The origin counts as empty, but need not be cleared. A man moves by twos and is never beside its origin
    # again; a king that stays on the board there blocks only runs that would end on the origin, to no avail.
    if position.board[origin] in KINGS:
        return _king_chains(position, origin)
    return _man_chains(position, origin)


def _man_chains(position: Position, origin: int) -> dict[int, int]:
    board, hops = position.board, _HOPS[position.to_move]
    came_from = {origin: origin}
    queue = [origin]
    for here in queue:
        for over, landing in hops[here]:
            if board[over] in MEN and board[landing] == EMPTY and landing not in came_from:
                came_from[landing] = here
                queue.append(landing)
    return came_from


def _king_chains(position: Position, origin: int) -> dict[int, int]:
    board, closed, least = position.board, CLOSED[position.to_move], position.rules.king_min_run
    came_from = {origin: origin}
    queue = [origin]
    for here in queue:
        for ray in _LONG_RAYS[here]:
            if board[ray[0]] in MEN:
                landing = _behind_run(board, ray, least)
                if landing is not None and landing not in came_from and landing not in closed:
                    came_from[landing] = here
                    queue.append(landing)
    return came_from


def _behind_run(board: str, ray: tuple[int, ...], least: int) -> int | None:
    """The first empty point behind the run of ``least`` or more men that begins the ray, or None."""
    for length, point in enumerate(ray):
        content = board[point]
        if content == EMPTY:
            return point if length >= least else None
        if content in KINGS:
            return None
    return None


def banned_points(position: Position) -> Banned:
    """The points that would complete the target of another seat in play.

    They are banned for pieces from outside that target only: one from inside leaves a hole behind.
    """
    board, mover = position.board, position.to_move
    banned = []
    for seat in position.in_play:
        if seat != mover and board[_APEX[seat]] == KING[seat]:
            empty = [point for point in TARGET[seat].points if board[point] == EMPTY]
            if len(empty) == 1:
                banned.append((empty[0], seat))
    return banned


def _no_end(position: Position, origin: int, banned: Banned) -> frozenset[int]:
    """The points on which the piece may not end its move, though it may be able to get there."""
    rules, seat = position.rules, position.to_move
    points = _NOTHING
    if banned:
        points = frozenset(point for point, other in banned if origin not in _TARGET[other])
    if not rules.border_stop:
        points |= NO_STOP[seat]
    if not rules.leave_target and origin in _TARGET[seat]:
        points |= _NOT_TARGET[seat]
    return points


def _landings(position: Position, origin: int, groups: Groups) -> set[int]:
    """As the points of ``chains`` without the origin, faster for all pieces of one position together."""
    board = position.board
    if board[origin] in KINGS:
        return {*_king_chains(position, origin)} - {origin}
    found: set[int] = set()
    for over, landing in _HOPS[position.to_move][origin]:
        if board[over] in MEN and board[landing] == EMPTY and landing not in found:
            if landing not in groups:
                group = frozenset(_man_chains(position, landing))
                groups.update(dict.fromkeys(group, group))
            found |= groups[landing]
    return found


def _ends(position: Position, origin: int, banned: Banned, groups: Groups) -> list[int]:
    """Every legal destination of the piece, in ascending order."""
    found = steps(position.board, origin, position.to_move)
    if landings := _landings(position, origin, groups):
        found = sorted(landings.union(found))
    if no_end := _no_end(position, origin, banned):
        return [point for point in found if point not in no_end]
    return found


def moves(position: Position) -> Iterator[tuple[int, list[int]]]:
    """Each piece of the side to move that can move, with its legal destinations; blind to the game's end."""
    banned = banned_points(position)
    groups: Groups = {}
    for origin in pieces(position.board, position.to_move):
        if ends := _ends(position, origin, banned, groups):
            yield origin, ends


def can_move(position: Position) -> bool:
    """Whether the side to move has a legal move; blind to the game's end."""
    banned = banned_points(position)
    # A step is found fastest, and nearly always there is one.
    for origin in pieces(position.board, position.to_move):
        no_end = _no_end(position, origin, banned)
        if any(point not in no_end for point in steps(position.board, origin, position.to_move)):
            return True
    return next(moves(position), None) is not None


@lru_cache(maxsize=512)
def _chains_of(position: Position, origin: int) -> dict[int, int]:
    """As ``chains``, to be read only: kept because whoever lists moves asks for every move of a piece."""
    return chains(position, origin)


def path(position: Position, origin: int, destination: int) -> list[int]:
    """The points of a legal move from origin to destination: a step where one does, else the fewest jumps."""
    if destination in _STEPS[position.to_move][origin]:
        return [origin, destination]
    came_from = _chains_of(position, origin)
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
    if destination not in _STEPS[seat][origin] and destination not in _chains_of(position, origin):
        return f"{destination} is not reachable from {origin} by a step or a chain of jumps"
    return _why_no_end(position, origin, destination)


def _why_no_end(position: Position, origin: int, destination: int) -> str | None:
    seat, banned = position.to_move, banned_points(position)
    if destination not in _no_end(position, origin, banned):
        return None
    for point, other in banned:
        if point == destination and origin not in _TARGET[other]:
            return f"{destination} would complete {other}'s target"
    if not position.rules.leave_target and origin in _TARGET[seat] and destination not in _TARGET[seat]:
        return f"a piece in {seat}'s target may not leave it"
    return f"{destination} is on the border line of another camp, where {seat} may not end a move"
