"""A turn jump by jump: a step is one jump, ``22x15``, or a simple move, ``11-15``."""

from __future__ import annotations

from collections.abc import Sequence

from mitsuboshi.games.checkers.board import SQUARE
from mitsuboshi.games.checkers.moves import Move, moves
from mitsuboshi.games.checkers.notation import read_move, write_move
from mitsuboshi.games.checkers.position import Position
from mitsuboshi.games.checkers.reasons import why_not
from mitsuboshi.games.checkers.rules import outcome, stepped
from mitsuboshi.games.game import IllegalMove, InvalidText


class CheckersSteps:
    """How a turn is made step by step; see ``Stepwise`` for what each method promises."""

    confirmed: bool = False
    lists_moves: bool = True

    def steps(self, position: Position, made: Sequence[str]) -> list[str]:
        """The steps with which a legal move begins, or goes on after those made; none once it is complete."""
        if outcome(position) is not None:
            return []
        path = _path(made)
        place = len(path)
        following = [move for move in moves(position) if move[:place] == path and len(move) > place]
        pairs = [(move[place - 1], move[place]) if place else (move[0], move[1]) for move in following]
        return [write_move(pair) for pair in dict.fromkeys(pairs)]

    def step(self, position: Position, made: Sequence[str], text: str) -> str:
        """The step as given; InvalidText or IllegalMove say what is wrong with it."""
        following = self.steps(position, made)
        if text in following:
            return text
        pair = read_move(text)
        if len(pair) != 2:
            raise InvalidText(f"{text!r}: a step is one jump, as 22x15, or a simple move, as 11-15")
        raise IllegalMove(_why_not(position, _path(made), pair, text, complete=not following))

    def after(self, position: Position, made: Sequence[str]) -> Position:
        """The board with the steps made, the same side to move; it remembers nothing of earlier moves."""
        return stepped(position, _path(made)) if made else position

    def move(self, position: Position, made: Sequence[str]) -> str | None:
        """The text of the move that the steps make, or None while more must follow."""
        path = _path(made)
        return write_move(path) if path in moves(position) else None


def _path(made: Sequence[str]) -> Move:
    """The squares that the piece has stood on; none before the first step."""
    steps = [read_move(step) for step in made]
    return (steps[0][0], *(step[1] for step in steps)) if steps else ()


def _why_not(position: Position, path: Move, pair: Move, text: str, *, complete: bool) -> str:
    if end := outcome(position):
        return f"the game is over ({end.reason})"
    if complete:
        return "the turn is complete"
    capture = "x" in text
    if not path:
        return why_not(position, pair, capture=capture)
    if pair[0] != path[-1]:
        return f"the capture goes on with the piece on {SQUARE[path[-1]]}"
    if not capture:
        return f"the capture must go on from {SQUARE[path[-1]]}"
    return why_not(position, (*path, pair[1]), capture=True)
