"""What the client asks of each game's board. It holds geometry and words, and no rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from mitsuboshi_play.paint import Line
from mitsuboshi_play.snapshot import Described, Snapshot


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The signs of a board; an empty ``man`` or ``king`` stands for the piece's own letter."""

    man: str
    king: str
    empty: str
    camp: str
    apex: str
    origin: str
    through: str
    taken: str


DISCS = Glyphs(man="●", king="★", empty="·", camp="·", apex="◎", origin="○", through="∘", taken="⊗")
DOTS = Glyphs(man="", king="", empty="·", camp=":", apex="◎", origin="○", through="∘", taken="⊗")
ASCII = Glyphs(man="", king="", empty=".", camp=":", apex="@", origin="o", through="+", taken="x")


@dataclass(frozen=True, slots=True)
class Turn:
    """A move or a step, as the API takes it."""

    text: str


@dataclass(frozen=True, slots=True)
class Origin:
    """A piece alone: where may it go? ``point`` is compared with ``Board.origin``, ``shown`` was typed."""

    point: str
    shown: str


class NoPlace(Exception):
    """What was typed names a place that this board has not."""


class Board(Protocol):
    """One game's board; ``view`` is always the seat from whose side it is looked at."""

    seats: tuple[str, ...]
    """The seats that one may look from."""

    def picture(self, room: Snapshot, view: str, choices: Sequence[Described]) -> list[Line]:
        """The board as it is now, with the last move, or with the numbers of what may be chosen."""

    def read(self, text: str, view: str) -> Turn | Origin | None:
        """What a line that is no command means, None where it means nothing; NoPlace."""

    def spelling(self, text: str) -> str:
        """The same for all spellings of a move or step that a player may use for one that is listed."""

    def origin(self, move: Described) -> str:
        """Where a move or step begins; empty where it moves several pieces."""

    def piece(self, origin: Origin, view: str) -> str:
        """The heading above the places to which a piece may go."""

    def target(self, move: Described, view: str) -> str:
        """Where a move or step leads, and what it does, in one of two columns."""

    def line(self, move: Described, view: str) -> str:
        """A move or step in a list."""

    def name(self, move: Described, view: str) -> str:
        """A move as the status tells it."""

    def seat_note(self, room: Snapshot, seat: str) -> str:
        """What stands beside a seat's holder; empty for nothing."""

    def notes(self, room: Snapshot) -> list[str]:
        """What the game itself has to say while it is being played."""
