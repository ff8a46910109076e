"""The course of a game of checkers: the start, a turn, and the ways in which a game ends."""

from __future__ import annotations

from typing import Final

from mitsuboshi.games.checkers.board import FAR_ROW, SEATS, START
from mitsuboshi.games.checkers.moves import Move, can_move, captured
from mitsuboshi.games.checkers.position import OTHER, Position
from mitsuboshi.games.game import Outcome

FORTY_MOVES: Final = 80
"""The plies in a row, 40 moves by each side, without a capture or a man's move that make a draw."""
OCCURRENCES: Final = 3
"""How often a position with the same side to move must have been there to make a draw."""


def start(players: int) -> Position:
    """The position before the first move; ValueError unless two play."""
    if players != len(SEATS):
        raise ValueError(f"two play checkers, not {players}")
    return Position(START["red"], START["white"], 0, "red")


def played(position: Position, move: Move) -> Position:
    """The position after a legal move."""
    pieces, enemy, kings, taken = _moved(position, move)
    quiet: tuple[tuple[int, int], ...] = ()
    if not taken and move[0] & position.kings:
        quiet = (*position.quiet, (move[0], move[1]))
    red, white = (pieces, enemy) if position.to_move == "red" else (enemy, pieces)
    return Position(red, white, kings, OTHER[position.to_move], position.ply + 1, quiet)


def stepped(position: Position, path: Move) -> Position:
    """The board in mid-turn, the same side to move; what came before is left out, it is no position yet."""
    pieces, enemy, kings, _ = _moved(position, path)
    red, white = (pieces, enemy) if position.to_move == "red" else (enemy, pieces)
    return Position(red, white, kings, position.to_move, position.ply)


def _moved(position: Position, path: Move) -> tuple[int, int, int, int]:
    """The mover's pieces, the other's, all kings, and what was taken, once the path has been gone."""
    origin, end = path[0], path[-1]
    taken = sum(captured(path))
    pieces = position.own & ~origin | end
    kings = position.kings & ~taken
    if origin & kings or end & FAR_ROW[position.to_move]:
        kings = kings & ~origin | end
    return pieces, position.enemy & ~taken, kings, taken


def outcome(position: Position) -> Outcome | None:
    """The end of the game, or None while it goes on; a win comes before a draw on the same ply."""
    if not can_move(position):
        return Outcome(OTHER[position.to_move], "no_moves")
    if occurrences(position) >= OCCURRENCES:
        return Outcome(None, "repetition", points=0)
    if len(position.quiet) >= FORTY_MOVES:
        return Outcome(None, "forty_moves", points=0)
    return None


def occurrences(position: Position) -> int:
    """How often the board has been there with the same side to move, now included.

    A capture or a man's move can never be undone by play, so only the quiet moves are walked back. Men stand
    still on that way: that both sides' squares are the same says that all is."""
    now = (position.enemy, position.own)
    earlier = list(now)
    count = 1
    for number, (origin, destination) in enumerate(reversed(position.quiet)):
        # The last move was the other side's, the one before it our own, and so on.
        earlier[number % 2] ^= origin | destination
        count += number % 2 == 1 and earlier[0] == now[0] and earlier[1] == now[1]
    return count


def resigned(seat: str) -> Outcome:
    """The end when a seat gives up: the other has won. ValueError for what is no seat."""
    if seat not in SEATS:
        raise ValueError(f"{seat} does not play checkers")
    return Outcome(OTHER[seat], "resignation")
