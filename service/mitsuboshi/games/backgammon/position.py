"""What a backgammon position is: both sides' checkers, the side to move, its throw; what is no position."""

from __future__ import annotations

from dataclasses import dataclass

from mitsuboshi.games.backgammon.board import BAR, CHECKERS, HOME, OFF, POINTS, SEATS
from mitsuboshi.games.game import InvalidText

Checkers = tuple[int, ...]
"""A side's checkers: counts by place as the side sees it: 0 off, 1 to 24 the points, 25 the bar."""


@dataclass(frozen=True, slots=True)
class Position:
    """A position within a game.

    ``dice`` is the throw that is to be played, its larger number first, or None while the side to move has
    yet to throw. ``opening``: each side has yet to throw the one die that decides who begins; ``to_move`` is
    then white for want of another.
    """

    white: Checkers
    black: Checkers
    to_move: str
    dice: tuple[int, int] | None = None
    ply: int = 0
    opening: bool = False

    @property
    def mine(self) -> Checkers:
        """The checkers of the side to move."""
        return self.white if self.to_move == "white" else self.black

    @property
    def theirs(self) -> Checkers:
        """The checkers of the other side, as that side counts."""
        return self.black if self.to_move == "white" else self.white

    @property
    def opponent(self) -> str:
        """The seat that is not to move."""
        return SEATS[1 - SEATS.index(self.to_move)]

    @property
    def is_over(self) -> bool:
        """Whether a side has borne off all of its checkers."""
        return CHECKERS in (self.white[OFF], self.black[OFF])

    def with_board(self, mine: Checkers, theirs: Checkers) -> Position:
        """The same turn on another board, given as the side to move and the other side count."""
        white, black = (mine, theirs) if self.to_move == "white" else (theirs, mine)
        return Position(white, black, self.to_move, self.dice, self.ply, self.opening)


def complete(checkers: list[int], seat: str) -> Checkers:
    """A side's checkers with the missing ones borne off; InvalidText where there are too many."""
    on_board = sum(checkers[1:])
    if on_board > CHECKERS:
        raise InvalidText(f"board: {seat} has {CHECKERS} checkers at most, not {on_board}")
    return (CHECKERS - on_board, *checkers[1:])


def check(position: Position) -> None:
    """InvalidText for positions that no game comes to and that could not go on."""
    white, black = position.white, position.black
    if white[OFF] == black[OFF] == CHECKERS:
        raise InvalidText("board: white and black cannot both have borne off all checkers")
    for point in range(1, POINTS + 1):
        if white[point] and black[BAR - point]:
            raise InvalidText(f"board: both sides stand on white's point {point}")
    if all(side[BAR] and all(count > 1 for count in side[1 : HOME + 1]) for side in (white, black)):
        raise InvalidText("board: both sides are on the bar before closed home boards, so nobody could move")
    if position.is_over and position.dice:
        raise InvalidText("dice: there is nothing to throw for once the game is over")
