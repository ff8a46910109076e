"""The interface that every game of the house implements, and the words it answers with.

A game is pure: rules and notation, no clock, no chance of its own, no input or output. Positions are frozen
values that only their game looks into; moves are text everywhere outside a game's ``rules.py``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

PASS = "pass"  # noqa: S105 - a move's text
"""The text of a pass, in every game; it is never among the legal moves."""
OptionValue = str | int | bool
Options = Mapping[str, OptionValue]


class InvalidText(ValueError):
    """A position or move text that cannot be read; the message names the place of the fault."""


class IllegalMove(ValueError):
    """A readable move that the rules forbid here; the message says which rule."""


class AmbiguousMove(ValueError):
    """A readable short form that stands for more than one legal move."""


class InvalidOption(ValueError):
    """An unknown rule option, or a value outside its range; ``name`` is the option's."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: ``winner`` is a seat, or None for a draw.

    ``places`` holds all seats, best first, where the game ranks them."""

    winner: str | None
    reason: str
    points: int = 1
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Option:
    """One rule option: either a closed list of ``values``, or a whole number in ``least``..``most``."""

    name: str
    default: OptionValue
    values: tuple[OptionValue, ...] = ()
    least: int = 0
    most: int = 0

    def accept(self, value: object) -> OptionValue:
        """The value as given, or InvalidOption when it is of another type or out of range."""
        if type(value) is type(self.default) and isinstance(value, (str, int)):
            if value in self.values:
                return value
            if not self.values and isinstance(value, int) and self.least <= value <= self.most:
                return value
        allowed = ", ".join(map(_written, self.values)) if self.values else f"{self.least} to {self.most}"
        raise InvalidOption(self.name, f"{self.name} must be one of: {allowed}")

    def from_text(self, text: str) -> OptionValue:
        """The value that a command line or the engine protocol writes as ``text``; InvalidOption as above."""
        if isinstance(self.default, bool):
            return self.accept({"true": True, "false": False}.get(text, text))
        if isinstance(self.default, int):
            # No declared range needs more digits, and int() refuses thousands of them in its own way.
            return self.accept(int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text)
        return self.accept(text)


def _written(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def complete_options(declared: Sequence[Option], given: Mapping[str, object]) -> Options:
    """Every declared option with the given value or its default; InvalidOption for what is not declared."""
    unknown = given.keys() - {option.name for option in declared}
    if unknown:
        name = min(unknown)
        raise InvalidOption(name, f"there is no option {name!r}")
    return {
        option.name: option.accept(given[option.name]) if option.name in given else option.default
        for option in declared
    }


@dataclass(frozen=True, slots=True)
class Policy:
    """What rooms do differently from game to game, as data.

    ``leave``: by number of players, what becomes of a seat whose person leaves a game in play:
    ``loses`` ends the game for the others, ``substitute`` hands the seat to an AI. ``resign_alone``:
    by number of players, whether a resignation needs its person to be the only one in the room.
    ``winner_when_left``: by number of players, whether the game has a winner when its last person
    leaves. ``clock``: what befalls a person whose move is out of time: it ``loses``, or an AI as its
    ``substitute`` makes that one move. ``absence_…``: what a room that does not say otherwise does
    after so many seconds without a person.
    """

    leave: Mapping[int, Literal["loses", "substitute"]]
    resign_alone: Mapping[int, bool]
    winner_when_left: Mapping[int, bool]
    clock: Literal["loses", "substitute"]
    absence_after_s: int
    absence_then: Literal["substitute", "ask", "lose", "wait"]


P = TypeVar("P")


class Game(Protocol[P]):
    """One board game. ``P`` is its frozen position type. Every method is a pure function of its arguments."""

    key: str
    seats: tuple[str, ...]
    """All seats in turn order; a game for fewer players uses the first of them."""
    player_counts: tuple[int, ...]
    options: tuple[Option, ...]
    notations: Mapping[str, str]
    policy: Policy

    def start(self, players: int, options: Options) -> P:
        """The position before the first move."""

    def players(self, position: P) -> int:
        """How many seats the position is for."""

    def to_move(self, position: P) -> str:
        """The seat whose turn it is; meaningless once ``outcome`` is not None."""

    def ply(self, position: P) -> int:
        """Turns taken so far, passes included."""

    def legal_moves(self, position: P) -> list[str]:
        """Every legal move as canonical text, none twice, never ``pass``; none when the game is over."""

    def must_pass(self, position: P) -> bool:
        """Whether the game goes on and the side to move has no legal move."""

    def details(self, position: P, move: str) -> dict[str, Any]:
        """What is worth knowing of a legal move, as JSON: Diamond gives ``path``, ``jumps`` and ``rows``."""

    def play(self, position: P, move: str) -> tuple[str, P]:
        """The move's canonical text and the position after it; ``pass`` is a move where ``must_pass``.

        InvalidText, AmbiguousMove or IllegalMove otherwise."""

    def plain_move(self, position: P) -> str:
        """A sensible legal move chosen without any search, or ``pass``; not for a position that is over."""

    def outcome(self, position: P) -> Outcome | None:
        """The end that the rules see on the board, or None while the game goes on."""

    def resigned(self, position: P, seat: str) -> Outcome:
        """The end when ``seat`` gives up in this position."""

    def facts(self, position: P) -> dict[str, Any]:
        """What clients show beside the board, as JSON."""

    def draw_limit(self, position: P) -> int | None:
        """The ply at which the game is drawn, or None where there is no such limit."""

    def geometry(self) -> dict[str, Any]:
        """The board as JSON, enough to draw it and to name its points."""

    def read(self, text: str, options: Options) -> P:
        """The position that ``text`` describes, under complete options; InvalidText names the fault."""

    def write(self, position: P) -> str:
        """The position's canonical text; ``read`` takes it back."""
