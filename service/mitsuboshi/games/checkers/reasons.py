"""Which rule forbids a move: words for whoever tried it."""

from __future__ import annotations

from itertools import pairwise

from mitsuboshi.games.checkers.board import (
    BETWEEN,
    FAR_ROW,
    KING_STEPS,
    MAN_JUMPS,
    MAN_STEPS,
    SQUARE,
    squares,
)
from mitsuboshi.games.checkers.moves import Move, jumpers
from mitsuboshi.games.checkers.position import OTHER, Position


def why_not(position: Position, path: Move, *, capture: bool) -> str:
    """The rule that forbids a move which is not among the legal ones."""
    origin = path[0]
    if not origin & position.own:
        if origin & position.enemy:
            return f"the piece on {SQUARE[origin]} is {OTHER[position.to_move]}'s"
        return f"there is no piece on {SQUARE[origin]}"
    return _capture_fault(position, path) if capture else _step_fault(position, origin, path[1])


def _step_fault(position: Position, origin: int, end: int) -> str:
    way = f"from {SQUARE[origin]} to {SQUARE[end]}"
    if (origin, end) in BETWEEN:
        return f"{way} is a jump: captures are written with x"
    if end not in KING_STEPS[origin]:
        return f"{way} is not one square diagonally"
    if not origin & position.kings and end not in MAN_STEPS[position.to_move][origin]:
        return f"a man moves forward only, not {way}"
    if not end & position.empty:
        return f"{SQUARE[end]} is occupied"
    return f"a capture is compulsory: {_with_pieces(jumpers(position))} can make one"


def _with_pieces(pieces: int) -> str:
    numbers = squares(pieces)
    named = " and ".join(map(str, numbers)) if len(numbers) < 3 else ", ".join(map(str, numbers))
    return f"the piece on {named}" if len(numbers) == 1 else f"the pieces on {named}"


def _capture_fault(position: Position, path: Move) -> str:
    jumped = 0
    for here, end in pairwise(path):
        if here != path[0] and here & _crowning(position, path[0]):
            return f"the turn ends on {SQUARE[here]}, where the man is crowned"
        if fault := _jump_fault(position, path[0], here, end, jumped):
            return fault
        jumped |= BETWEEN[here, end]
    return f"the capture must go on from {SQUARE[path[-1]]}"


def _crowning(position: Position, origin: int) -> int:
    return 0 if origin & position.kings else FAR_ROW[position.to_move]


def _jump_fault(position: Position, origin: int, here: int, end: int, jumped: int) -> str:
    """What is wrong with one jump of a capture, after those that took ``jumped``; nothing: an empty text."""
    way = f"from {SQUARE[here]} to {SQUARE[end]}"
    over = BETWEEN.get((here, end), 0)
    if not over:
        return f"no capture leads {way}"
    if not origin & position.kings and (over, end) not in MAN_JUMPS[position.to_move][here]:
        return f"a man captures forward only, not {way}"
    if over & jumped:
        return f"the piece on {SQUARE[over]} has been jumped already"
    if not over & position.enemy:
        return f"there is no piece of {OTHER[position.to_move]}'s on {SQUARE[over]} to capture"
    if not end & (position.empty | origin):
        return f"{SQUARE[end]} is occupied"
    return ""
