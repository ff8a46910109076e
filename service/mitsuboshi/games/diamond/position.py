"""What a Diamond Game position is: board, side to move, counters, and the options that it is played under."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from mitsuboshi.games.diamond.board import SEATS
from mitsuboshi.games.game import Option, Options, OptionValue

EMPTY: Final = "."
MAN: Final = {"red": "r", "yellow": "y", "green": "g"}
KING: Final = {"red": "R", "yellow": "Y", "green": "G"}
MEN: Final = "".join(MAN.values())
KINGS: Final = "".join(KING.values())
MEN_PER_SEAT: Final = 14

OPTIONS: Final = (
    Option("king_min_run", 1, values=(1, 2)),
    Option("border_stop", True, values=(True, False)),
    Option("first_seat", "red", values=("red", "green")),
    Option("places", "first", values=("first", "all")),
    Option("leave_target", True, values=(True, False)),
    Option("draw_plies_per_seat", 400, least=50, most=2000),
)


@dataclass(frozen=True, slots=True)
class Rules:
    """The options of one game, complete and checked; the names and meanings are those of ``OPTIONS``."""

    king_min_run: int = 1
    border_stop: bool = True
    first_seat: str = "red"
    places: str = "first"
    leave_target: bool = True
    draw_plies_per_seat: int = 400


@lru_cache(maxsize=64)
def _rules(values: tuple[OptionValue, ...]) -> Rules:
    run, stop, first, places, leave, draw = values
    return Rules(int(run), bool(stop), str(first), str(places), bool(leave), int(draw))


def rules_of(options: Options) -> Rules:
    """The rules that complete options stand for."""
    return _rules(tuple([options[option.name] for option in OPTIONS]))


@dataclass(frozen=True, slots=True)
class Position:
    """A position between two moves.

    ``board`` has one letter for each point id: ``r y g`` a man, ``R Y G`` a king, ``.`` nothing. ``passes``
    counts the passes in succession up to now. ``finished`` holds the seats that have reached their goal, the
    first one first; it stays empty unless the rules are to play on for all places.
    """

    board: str
    to_move: str
    players: int
    ply: int = 0
    passes: int = 0
    finished: tuple[str, ...] = ()
    rules: Rules = Rules()

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats of this game in turn order, the finished ones too."""
        return SEATS[: self.players]

    @property
    def in_play(self) -> tuple[str, ...]:
        """The seats that have yet to finish, in turn order."""
        if not self.finished:
            return SEATS[: self.players]
        return tuple(seat for seat in self.seats if seat not in self.finished)


def seats_after(position: Position, seat: str) -> tuple[str, ...]:
    """The other seats of the game, finished ones too, from the next in turn order on."""
    seats = position.seats
    place = seats.index(seat)
    return seats[place + 1 :] + seats[:place]
