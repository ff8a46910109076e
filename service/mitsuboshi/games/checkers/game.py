"""American checkers as the house plays it: rules and notation behind the interface of all games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mitsuboshi.games.checkers import fen, notation, rules
from mitsuboshi.games.checkers.board import (
    BIT,
    FAR_ROW,
    KING_STEPS,
    SEATS,
    SQUARE,
    SQUARES,
    START,
    column,
    number,
    row,
    squares,
)
from mitsuboshi.games.checkers.moves import Move, captured, jumpers, moves
from mitsuboshi.games.checkers.pdn import PDN
from mitsuboshi.games.checkers.position import Position
from mitsuboshi.games.checkers.steps import CheckersSteps
from mitsuboshi.games.game import Option, Options, Outcome, Policy, Stepwise, TranscriptFormat, WithoutChance


class Checkers(WithoutChance):
    """American checkers for two; see ``Game`` for what each method promises."""

    key: str = "checkers"
    seats: tuple[str, ...] = SEATS
    player_counts: tuple[int, ...] = (2,)
    options: tuple[Option, ...] = ()
    notations: Mapping[str, str] = {
        "position": "PDN FEN: side to move, white's squares, red's (B)",
        "move": "origin-destination; a capture's squares with x between",
    }
    policy: Policy = Policy(
        leave={2: "loses"},
        resign_alone={2: False},
        winner_when_left={2: True},
        clock="loses",
        clock_default_s=60,
        absence_after_s=120,
        absence_then="lose",
        undo_with_others=True,
        passes_itself=False,
        draw_from_ply=20,
    )
    stepwise: Stepwise[Position] | None = CheckersSteps()
    transcripts: Mapping[str, TranscriptFormat] = {"pdn": PDN}

    def start(self, players: int, options: Options) -> Position:
        """The position before the first move."""
        return rules.start(players)

    def players(self, position: Position) -> int:
        """Two, always."""
        return len(SEATS)

    def to_move(self, position: Position) -> str:
        """The seat whose turn it is."""
        return position.to_move

    def ply(self, position: Position) -> int:
        """Turns taken so far."""
        return position.ply

    def legal_moves(self, position: Position) -> list[str]:
        """Every legal move, by origin; captures with every square that they visit."""
        if rules.outcome(position) is not None:
            return []
        return [notation.write_move(move) for move in moves(position)]

    def must_pass(self, position: Position) -> bool:
        """False: a side that cannot move has lost."""
        return False

    def details(self, position: Position, move: str) -> dict[str, Any]:
        """The squares of a legal move's path, and those of the pieces that it takes."""
        path = notation.path_of(position, move)
        return {"path": [SQUARE[bit] for bit in path], "captures": [SQUARE[bit] for bit in captured(path)]}

    def play(self, position: Position, move: str) -> tuple[str, Position]:
        """The move's full text and the position after it; exceptions say what is wrong with it."""
        found = notation.find(position, move)
        return notation.write_move(found), rules.played(position, found)

    def plain_move(self, position: Position) -> str:
        """The move that takes most; of equals one that crowns, then one that lets the other take least."""
        return notation.write_move(max(moves(position), key=lambda move: _worth(position, move)))

    def outcome(self, position: Position) -> Outcome | None:
        """The end of the game, or None while it goes on."""
        return rules.outcome(position)

    def resigned(self, position: Position, seat: str) -> Outcome:
        """The end when ``seat`` gives up: the other has won."""
        return rules.resigned(seat)

    def facts(self, position: Position) -> dict[str, Any]:
        """How many men and kings each seat has."""
        return {"pieces": {seat: _counts(position, seat) for seat in SEATS}}

    def draw_limit(self, position: Position) -> tuple[int, int] | None:
        """The plies without a capture or a man's move that make a draw, and how many of them are left."""
        return rules.FORTY_MOVES, rules.FORTY_MOVES - len(position.quiet)

    def geometry(self) -> dict[str, Any]:
        """The dark squares, and what each seat has of them; ``docs/games/checkers.md`` shows the shape."""
        return {
            "squares": [_square(square) for square in SQUARES],
            "seats": {seat: _seat(seat) for seat in SEATS},
        }

    def read(self, text: str, options: Options) -> Position:
        """The position that ``text`` describes, at ply 0; InvalidText names the fault."""
        return fen.read(text)

    def write(self, position: Position) -> str:
        """The position's canonical FEN, which tells neither ply nor earlier moves."""
        return fen.write(position)

    def save(self, position: Position) -> str:
        """The FEN, the ply, and the quiet moves on which the draws by rule depend."""
        return fen.save(position)

    def load(self, text: str, options: Options) -> Position:
        """The position that ``save`` wrote; InvalidText where it did not."""
        return fen.load(text)


def _worth(position: Position, move: Move) -> tuple[int, bool, int]:
    after = rules.played(position, move)
    crowned = after.kings.bit_count() > (position.kings & ~sum(captured(move))).bit_count()
    answers = moves(after) if jumpers(after) else []
    return len(captured(move)), crowned, -max((len(captured(answer)) for answer in answers), default=0)


def _counts(position: Position, seat: str) -> dict[str, int]:
    pieces = position.pieces(seat)
    kings = (pieces & position.kings).bit_count()
    return {"men": pieces.bit_count() - kings, "kings": kings}


def _square(square: int) -> dict[str, Any]:
    return {
        "id": square,
        "x": column(square),
        "y": row(square, "red") - 1,
        "neighbours": sorted(SQUARE[bit] for bit in KING_STEPS[BIT[square]]),
        "seen_by": {seat: {"row": row(square, seat), "number": number(square, seat)} for seat in SEATS},
    }


def _seat(seat: str) -> dict[str, Any]:
    return {
        "colour": seat,
        "letter": fen.LETTER[seat],
        "start": {"squares": squares(START[seat])},
        "crowning": {"squares": squares(FAR_ROW[seat])},
    }


CHECKERS: Final = Checkers()
