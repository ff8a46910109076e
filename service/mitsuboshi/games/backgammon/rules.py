"""The course of a backgammon game: the throws, a turn, and the ways in which a game ends."""

from __future__ import annotations

from typing import Final

from mitsuboshi.games.backgammon.board import BAR, CHECKERS, HOME, OFF, SEATS, START
from mitsuboshi.games.backgammon.moves import Path, after, plays
from mitsuboshi.games.backgammon.position import Checkers, Position
from mitsuboshi.games.game import IllegalMove, Outcome

FACES: Final = "123456"
THROWS: Final = tuple(one + other for one in FACES for other in FACES)
OPENING_THROWS: Final = tuple(throw for throw in THROWS if throw[0] != throw[1])
"""White's die, then black's; equal ones are thrown again."""


def start(players: int) -> Position:
    """The position that waits for the opening throw; ValueError unless two play."""
    if players != len(SEATS):
        raise ValueError(f"two play backgammon, not {players}")
    return Position(START, START, "white", opening=True)


def chance(position: Position) -> tuple[str, ...]:
    """The throws that may come, all equally likely; none where one is to be played or the game is over."""
    if position.dice is not None or position.is_over:
        return ()
    return OPENING_THROWS if position.opening else THROWS


def after_chance(position: Position, throw: str) -> Position:
    """The position with this throw to play; ValueError for what ``chance`` does not offer.

    The opening throw lets the side with the higher die begin."""
    if throw not in chance(position):
        raise ValueError(f"{throw!r} is not a throw that this position waits for")
    one, other = int(throw[0]), int(throw[1])
    dice = (max(one, other), min(one, other))
    to_move = SEATS[one < other] if position.opening else position.to_move
    return Position(position.white, position.black, to_move, dice, position.ply)


def check_turn(position: Position) -> None:
    """IllegalMove where no throw is to be played."""
    if position.is_over:
        raise IllegalMove("the game is over")
    if position.dice is None:
        raise IllegalMove("the dice have to be thrown first")


def must_pass(position: Position) -> bool:
    """Whether there is a throw of which no number can be played."""
    return position.dice is not None and not position.is_over and not plays(position)


def play(position: Position, path: Path) -> Position:
    """The position after a legal play: the other side is to throw."""
    mine, theirs = after(position.mine, position.theirs, path)
    return _next_turn(position.with_board(mine, theirs))


def play_pass(position: Position) -> Position:
    """The position after a pass; IllegalMove where a number can be played."""
    check_turn(position)
    if plays(position):
        raise IllegalMove("a pass is only for a throw of which no number can be played")
    return _next_turn(position)


def _next_turn(position: Position) -> Position:
    return Position(position.white, position.black, position.opponent, ply=position.ply + 1)


def outcome(position: Position) -> Outcome | None:
    """The end of the game, or None while it goes on."""
    if position.white[OFF] == CHECKERS:
        return Outcome("white", "borne_off", _points(position.black))
    if position.black[OFF] == CHECKERS:
        return Outcome("black", "borne_off", _points(position.white))
    return None


def _points(loser: Checkers) -> int:
    """1; 2, a gammon, where the loser has borne off nothing; 3, a backgammon, where it is also far behind."""
    if loser[OFF]:
        return 1
    # The winner's home board are the loser's points 19 to 24.
    return 3 if any(loser[BAR - HOME :]) else 2


def resigned(seat: str) -> Outcome:
    """The end when a seat gives up: a single game for the other."""
    return Outcome(SEATS[1 - SEATS.index(seat)], "resignation")
