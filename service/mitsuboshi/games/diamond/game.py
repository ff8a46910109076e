"""The Diamond Game as the house plays it: the rules and the notation behind the interface of all games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mitsuboshi.games.diamond import moves, notation, rules
from mitsuboshi.games.diamond.board import CAMPS, NEIGHBOURS, NUMBER, POINTS, ROW, SEATS, START, TARGET, X, Y
from mitsuboshi.games.diamond.position import KING, MAN, OPTIONS, Position, rules_of
from mitsuboshi.games.game import (
    PASS,
    IllegalMove,
    Option,
    Options,
    Outcome,
    Policy,
    Stepwise,
    TranscriptFormat,
    WithoutChance,
)


class Diamond(WithoutChance):
    """The Diamond Game for two or three; see ``Game`` for what each method promises."""

    key: str = "diamond"
    seats: tuple[str, ...] = SEATS
    player_counts: tuple[int, ...] = (2, 3)
    options: tuple[Option, ...] = OPTIONS
    notations: Mapping[str, str] = {
        "position": "rows of point ids, side to move, players, ply, passes, finished seats",
        "move": "origin-destination",
    }
    policy: Policy = Policy(
        leave={2: "loses", 3: "substitute"},
        resign_alone={2: False, 3: True},
        winner_when_left={2: True, 3: False},
        clock="substitute",
        absence_after_s=45,
        absence_then="substitute",
    )
    stepwise: Stepwise[Position] | None = None
    transcripts: Mapping[str, TranscriptFormat] = {}

    def start(self, players: int, options: Options) -> Position:
        """The position before the first move."""
        return rules.start(players, rules_of(options))

    def players(self, position: Position) -> int:
        """How many seats the position is for."""
        return position.players

    def to_move(self, position: Position) -> str:
        """The seat whose turn it is."""
        return position.to_move

    def ply(self, position: Position) -> int:
        """Turns taken so far, passes included, the skipped turns of finished seats not."""
        return position.ply

    def legal_moves(self, position: Position) -> list[str]:
        """Every legal move, by origin and then destination."""
        if rules.outcome(position) is not None:
            return []
        return [
            text
            for origin, destinations in moves.moves(position)
            for text in notation.move_texts(origin, destinations)
        ]

    def must_pass(self, position: Position) -> bool:
        """Whether the game goes on and the side to move has no legal move."""
        return rules.must_pass(position)

    def details(self, position: Position, move: str) -> dict[str, Any]:
        """Path, number of jumps (0: a step) and rows gained of a legal move; a pass has none of them."""
        if move == PASS:
            return {"path": [], "jumps": 0, "rows": 0}
        origin, destination = notation.read_move(move)
        if reason := moves.why_not(position, origin, destination):
            raise IllegalMove(reason)
        path = moves.path(position, origin, destination)
        is_step = destination in NEIGHBOURS[origin]
        rows = ROW[position.to_move][destination] - ROW[position.to_move][origin]
        return {"path": path, "jumps": 0 if is_step else len(path) - 1, "rows": rows}

    def play(self, position: Position, move: str) -> tuple[str, Position]:
        """The move's text and the position after it; InvalidText or IllegalMove say what is wrong with it."""
        if move == PASS:
            return move, rules.play_pass(position)
        origin, destination = notation.read_move(move)
        return move, rules.play(position, origin, destination)

    def plain_move(self, position: Position) -> str:
        """The legal move that gains the most rows, the first of equals; or a pass."""
        legal = self.legal_moves(position)
        return max(legal, key=lambda move: self.details(position, move)["rows"], default=PASS)

    def outcome(self, position: Position) -> Outcome | None:
        """The end of the game, or None while it goes on."""
        return rules.outcome(position)

    def resigned(self, position: Position, seat: str) -> Outcome:
        """The end when ``seat`` gives up in this position."""
        return rules.resigned(position, seat)

    def facts(self, position: Position) -> dict[str, Any]:
        """Each seat's pieces in its target, and the seats whose king alone is missing on the apex."""
        return {
            "in_target": {seat: rules.in_target(position.board, seat) for seat in position.seats},
            "king_to_apex": rules.king_to_apex(position),
        }

    def draw_limit(self, position: Position) -> tuple[int, int] | None:
        """The ply at which the game is drawn, and the plies until then."""
        plies = rules.draw_limit(position)
        return plies, max(0, plies - position.ply)

    def geometry(self) -> dict[str, Any]:
        """The points, and what each seat has of them; ``docs/games/diamond.md`` shows the shape."""
        return {
            "points": [_point(point) for point in range(POINTS)],
            "seats": {seat: _seat(seat) for seat in SEATS},
        }

    def read(self, text: str, options: Options) -> Position:
        """The position that ``text`` describes; InvalidText names the fault."""
        return notation.read(text, rules_of(options))

    def write(self, position: Position) -> str:
        """The position's canonical text."""
        return notation.write(position)

    # The notation leaves nothing out.
    save = write
    load = read


def _point(point: int) -> dict[str, Any]:
    return {
        "id": point,
        "x": X[point],
        "y": Y[point],
        "neighbours": list(NEIGHBOURS[point]),
        "camps": [
            {"seat": camp.seat, "camp": camp.role, "border": point in camp.border}
            for camp in CAMPS
            if point in camp.points
        ],
        "seen_by": {seat: {"row": ROW[seat][point], "number": NUMBER[seat][point]} for seat in SEATS},
    }


def _seat(seat: str) -> dict[str, Any]:
    return {
        "colour": seat,
        "man": MAN[seat],
        "king": KING[seat],
        "start": {"points": list(START[seat].points), "apex": START[seat].apex},
        "target": {"points": list(TARGET[seat].points), "apex": TARGET[seat].apex},
    }


DIAMOND: Final = Diamond()
