"""Backgammon as the house plays it: the rules and the notations behind the interface of all games."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from mitsuboshi.games.backgammon import gnuid, moves, notation, rules, xgid
from mitsuboshi.games.backgammon.board import BAR, OFF, SEATS, geometry, pips
from mitsuboshi.games.backgammon.mat import MAT
from mitsuboshi.games.backgammon.matching import find
from mitsuboshi.games.backgammon.position import Position
from mitsuboshi.games.backgammon.steps import Steps
from mitsuboshi.games.game import (
    CHANCE_OPTIONS,
    MEMORY,
    PASS,
    InvalidText,
    Option,
    Options,
    Outcome,
    Policy,
    Stepwise,
    TranscriptFormat,
)

POSITION_CHARS_MAX: Final = 100
_OPENING: Final = "opening"
_PLY: Final = re.compile("0|[1-9][0-9]{0,8}")


class Backgammon:
    """Backgammon for two; see ``Game`` for what each method promises."""

    key: str = "backgammon"
    seats: tuple[str, ...] = SEATS
    player_counts: tuple[int, ...] = (2,)
    options: tuple[Option, ...] = CHANCE_OPTIONS
    notations: Mapping[str, str] = {
        "position": "XGID, white in upper case; GNU Backgammon's position id and match id are read too",
        "move": "from the mover's own view, by descending origins: 13/8 6/5*, bar/22, 6/off(2)",
    }
    policy: Policy = Policy(
        leave={2: "loses"},
        resign_alone={2: False},
        winner_when_left={2: True},
        clock="loses",
        absence_after_s=120,
        absence_then="ask",
        undo_with_others=False,
        passes_itself=True,
    )
    stepwise: Stepwise[Position] | None = Steps()
    transcripts: Mapping[str, TranscriptFormat] = {"mat": MAT}

    def start(self, players: int, options: Options) -> Position:
        """The position that waits for the opening throw."""
        return rules.start(players)

    def players(self, position: Position) -> int:
        """Two."""
        return len(SEATS)

    def to_move(self, position: Position) -> str:
        """The seat that is to throw or to play its throw; white before the opening throw."""
        return position.to_move

    def ply(self, position: Position) -> int:
        """Turns taken so far, passes included."""
        return position.ply

    def chance(self, position: Position) -> Sequence[str]:
        """The 36 throws of two dice, or the 30 of the opening, white's die first."""
        return rules.chance(position)

    def after_chance(self, position: Position, result: str) -> Position:
        """The position with the throw to play."""
        return rules.after_chance(position, result)

    def dice(self, position: Position) -> list[int] | None:
        """The throw in hand, its larger number first."""
        return list(position.dice) if position.dice else None

    def legal_moves(self, position: Position) -> list[str]:
        """One text for each final position, by which it can be reached."""
        return list(notation.texts(position).values())

    def must_pass(self, position: Position) -> bool:
        """Whether there is a throw of which no number can be played."""
        return rules.must_pass(position)

    def details(self, position: Position, move: str) -> dict[str, Any]:
        """The throw, and the play as steps of one checker by one number, in an order that can be played.

        The bar is 25 and off is 0, as the mover counts."""
        path = () if move == PASS else moves.plays(position)[find(position, move)]
        return {
            "dice": self.dice(position) or [],
            "parts": [{"from": origin, "to": target, "hit": hit} for origin, target, hit in path],
        }

    def play(self, position: Position, move: str) -> tuple[str, Position]:
        """The play's canonical text and the position after it, in which the other side is to throw."""
        if move == PASS:
            return move, rules.play_pass(position)
        final = find(position, move)
        return notation.texts(position)[final], rules.play(position, moves.plays(position)[final])

    def plain_move(self, position: Position) -> str:
        """The play that bears off most, then hits most, then leaves the fewest blots; or a pass."""
        legal = notation.texts(position)
        return legal[max(legal, key=_merit)] if legal else PASS

    def outcome(self, position: Position) -> Outcome | None:
        """The end of the game, or None while it goes on."""
        return rules.outcome(position)

    def resigned(self, position: Position, seat: str) -> Outcome:
        """A single game for the other."""
        return rules.resigned(seat)

    def facts(self, position: Position) -> dict[str, Any]:
        """Pip counts, checkers borne off and on the bar by seat, and GNU Backgammon's id."""
        sides = {"white": position.white, "black": position.black}
        return {
            "pips": {seat: pips(side) for seat, side in sides.items()},
            "off": {seat: side[OFF] for seat, side in sides.items()},
            "bar": {seat: side[BAR] for seat, side in sides.items()},
            "gnu_id": gnuid.write(position),
        }

    def draw_limit(self, position: Position) -> tuple[int, int] | None:
        """None: backgammon is never drawn."""
        return None

    def geometry(self) -> dict[str, Any]:
        """The points, the bar and the tray; ``docs/games/backgammon.md`` shows the shape."""
        return geometry()

    def read(self, text: str, options: Options) -> Position:
        """The position of an XGID or a GNU Backgammon id; InvalidText names the fault."""
        if len(text) > POSITION_CHARS_MAX:
            raise InvalidText(f"a position has at most {POSITION_CHARS_MAX} characters, this one {len(text)}")
        return gnuid.read(text) if text.count(":") == 1 else xgid.read(text)

    def write(self, position: Position) -> str:
        """The position's XGID; it leaves out the ply, and that the opening throw is still to come."""
        return xgid.write(position)

    def save(self, position: Position) -> str:
        """The XGID, then the ply after a bar where it is not 0, and ``opening`` before the opening throw."""
        text = self.write(position)
        if position.opening:
            return f"{text}{MEMORY}{position.ply}{MEMORY}{_OPENING}"
        return f"{text}{MEMORY}{position.ply}" if position.ply else text

    def load(self, text: str, options: Options) -> Position:
        """The position that ``save`` wrote; InvalidText names the fault."""
        board, *memory = text.split(MEMORY)
        found = self.read(board, options)
        opening = memory[1:] == [_OPENING]
        if len(memory) > 1 + opening or (memory and not _PLY.fullmatch(memory[0])):
            raise InvalidText(f"after the position: {memory} is neither a ply nor a ply and {_OPENING}")
        if opening and (found.dice or memory[0] != "0" or found.to_move != "white"):
            raise InvalidText("after the position: the opening throw comes first, on ply 0")
        ply = int(memory[0]) if memory else 0
        return Position(found.white, found.black, found.to_move, found.dice, ply, opening)


def _merit(final: moves.Final) -> tuple[int, int, int]:
    checkers, hits = final
    return checkers[OFF], hits.bit_count(), -checkers[1:BAR].count(1)


BACKGAMMON: Final = Backgammon()
