"""The interface that every game of the house implements, and the words it answers with.

A game is pure: rules and notation, no clock, no chance of its own, no input or output. Positions are frozen
values that only their game looks into; moves are text everywhere outside a game's ``rules.py``. What some
games have and others have not stands in parts of their own: ``Stepwise`` for turns of several steps,
``TranscriptFormat`` for whole games as text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar

PASS = "pass"  # noqa: S105 - a move's text
"""The text of a pass, in every game; it is never among the legal moves."""
MEMORY = "|"
"""What stands in a saved position between its notation and what that leaves out."""
OptionValue = str | int | bool
Options = Mapping[str, OptionValue]


def notation_of(saved: str) -> str:
    """The position's text, as clients see it, in a saved position."""
    return saved.partition(MEMORY)[0]


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


AUTO_ROLL = Option("auto_roll", False, values=(False, True))
"""Every throw is made as soon as its turn comes."""
VERIFIABLE = Option("verifiable", False, values=(False, True))
"""Throws derive from a secret to which the room commits itself beforehand."""
CHANCE_OPTIONS = (AUTO_ROLL, VERIFIABLE)
"""The options of every game with chance. Rooms carry them out; the rules do not look at them."""


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
    ``substitute`` makes that one move. ``clock_default_s``: the time of a move in a room that says nothing
    of it and has two or more people. ``absence_…``: what a room that does not say otherwise does
    after so many seconds without a person. ``undo_with_others``: whether turns can be taken back while
    others hold seats. ``passes_itself``: a turn without any legal move passes without anybody's word.
    ``draw_from_ply``: draws may be offered, and an AI may accept one from this ply on; None: no offers.
    """

    leave: Mapping[int, Literal["loses", "substitute"]]
    resign_alone: Mapping[int, bool]
    winner_when_left: Mapping[int, bool]
    clock: Literal["loses", "substitute"]
    absence_after_s: int
    absence_then: Literal["substitute", "ask", "lose", "wait"]
    clock_default_s: int | None = None
    undo_with_others: bool = True
    passes_itself: bool = False
    draw_from_ply: int | None = None


P = TypeVar("P")


class Stepwise(Protocol[P]):
    """How a turn is made step by step: one checker's way, one jump.

    ``made`` are the steps of the turn so far, as ``step`` gave them, in a position at the turn's start."""

    confirmed: bool
    """Whether a complete turn waits for its player's word; else its last step ends it."""
    lists_moves: bool
    """Whether a turn's whole moves are few enough to stand in every snapshot beside the next steps."""

    def steps(self, position: P, made: Sequence[str]) -> list[str]:
        """Every step that may follow, as canonical text, none twice; none once the turn is complete."""

    def step(self, position: P, made: Sequence[str], text: str) -> str:
        """The canonical text of the step; InvalidText, AmbiguousMove or IllegalMove otherwise."""

    def after(self, position: P, made: Sequence[str]) -> P:
        """The board with the steps made, the same side to move."""

    def move(self, position: P, made: Sequence[str]) -> str | None:
        """The text of the whole move that the steps make, or None while more steps must follow."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """A whole game as formats exchange it.

    ``start`` is a position's text, None for the game's own start. Each of ``moves`` is a move's text or
    ``pass``, after its throw and a colon where there is one: ``31:8/5 6/5``. ``names`` are the players',
    by seat; ``outcome`` is None where the game is not over; ``date`` is ``YYYY-MM-DD``, or empty."""

    moves: tuple[str, ...]
    start: str | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    outcome: Outcome | None = None
    date: str = ""


def split_throw(move: str) -> tuple[str, str]:
    """The throw, empty where there is none, and the move, of one of a transcript's moves."""
    throw, _, text = move.rpartition(":")
    return throw, text


class TranscriptFormat(Protocol):
    """One text format for whole games."""

    media_type: str

    def read(self, text: str) -> Transcript:
        """The game in ``text``: every move checked against the rules.

        InvalidText names line, column and fault."""

    def write(self, transcript: Transcript) -> str:
        """The game as text; ``read`` takes it back."""


class Game(Protocol[P]):
    """One board game. ``P`` is its frozen position type. Every method is a pure function of its arguments."""

    key: str
    seats: tuple[str, ...]
    """All seats in turn order; a game for fewer players uses the first of them."""
    player_counts: tuple[int, ...]
    options: tuple[Option, ...]
    notations: Mapping[str, str]
    policy: Policy
    stepwise: Stepwise[P] | None
    """How a turn is made step by step, or None where every move is one step."""
    transcripts: Mapping[str, TranscriptFormat]
    """Formats for whole games, by the name that a request gives."""

    def start(self, players: int, options: Options) -> P:
        """The position before the first move."""

    def players(self, position: P) -> int:
        """How many seats the position is for."""

    def to_move(self, position: P) -> str:
        """The seat whose turn it is, also while it has yet to throw; meaningless when the game is over."""

    def ply(self, position: P) -> int:
        """Turns taken so far, passes included."""

    def chance(self, position: P) -> Sequence[str]:
        """The equally likely results of the chance that the game waits for; none: it waits for a move."""

    def after_chance(self, position: P, result: str) -> P:
        """The position in which chance has brought ``result``, one of ``chance``."""

    def dice(self, position: P) -> list[int] | None:
        """The throw that the move in hand is to be made with, or None."""

    def legal_moves(self, position: P) -> list[str]:
        """Every legal move as canonical text, none twice, never ``pass``.

        None when the game is over or waits for chance."""

    def must_pass(self, position: P) -> bool:
        """Whether the game waits for a move and the side to move has none."""

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

    def draw_limit(self, position: P) -> tuple[int, int] | None:
        """After how many plies the game is drawn, and how many of them are left; None: no such limit."""

    def geometry(self) -> dict[str, Any]:
        """The board as JSON, enough to draw it and to name its points."""

    def read(self, text: str, options: Options) -> P:
        """The position that ``text`` describes, under complete options; InvalidText names the fault."""

    def write(self, position: P) -> str:
        """The position's canonical text; it may leave out what the rules remember of earlier moves."""

    def save(self, position: P) -> str:
        """All of a position: its text and, after ``MEMORY``, what that leaves out, where it is anything."""

    def load(self, text: str, options: Options) -> P:
        """The position that ``save`` wrote, under the same options."""


class WithoutChance:
    """The part of ``Game`` that is about chance, for games that have none."""

    def chance(self, position: object) -> Sequence[str]:
        """Nothing: the game never waits for chance."""
        return ()

    def after_chance(self, position: Any, result: str) -> Any:
        """ValueError: no result is ever waited for."""
        raise ValueError(f"there is no chance in this game, so nothing can be {result!r}")

    def dice(self, position: object) -> list[int] | None:
        """None: there are no dice."""
        return None
