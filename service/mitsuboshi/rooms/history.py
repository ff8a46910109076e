"""The room as it grows, event by event, while one command is decided."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mitsuboshi.games.game import Game
from mitsuboshi.games.registry import GAMES
from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.apply import apply
from mitsuboshi.rooms.commands import Now
from mitsuboshi.rooms.state import Room, Seat

SUBSTITUTE_LEVEL = "intermediate"
"""Of an AI that plays for a person."""
EVENT_ID_BYTES = 6
"""How many of a seed's bytes go into the ids of events; the others are for the chance."""


class History:
    """Collects the events of one command; ``room`` is the room after those so far."""

    def __init__(self, room: Room | None, now: Now, seed: bytes) -> None:
        self._room = room
        # What tells this history from another is public, and says nothing of the chance.
        self._tale = int.from_bytes(seed[:EVENT_ID_BYTES])
        self.chance = seed[EVENT_ID_BYTES:]
        self.now = now
        self.events: list[e.AnyEvent] = []

    @property
    def room(self) -> Room:
        """The room after the events so far."""
        if self._room is None:
            raise ValueError("no room has been created yet")
        return self._room

    @property
    def game(self) -> Game[Any]:
        """The room's game."""
        return GAMES[self.room.game]

    @property
    def position(self) -> Any:
        """The game's position at the start of the turn in hand."""
        return self.game.load(self.room.position, self.room.options)

    @property
    def next_version(self) -> int:
        """The version of the event that happens next."""
        return self._room.version + 1 if self._room else 1

    def add(self, kind: Callable[..., e.AnyEvent], /, **fields: Any) -> None:
        """The event happens: it is stamped, kept and folded."""
        version = self.next_version
        event = kind(id=f"{version}-{self._tale}", version=version, at_ms=self.now.wall_ms, **fields)
        self.events.append(event)
        self._room = apply(self._room, event)

    def board(self, position: Any, seats: Sequence[Seat] | None = None) -> dict[str, Any]:
        """What every event tells of the board that it brings; ``seats`` where others hold them by then."""
        to_move = self.game.to_move(position)
        return {
            "position": self.game.save(position),
            "to_move": to_move,
            "ply": self.game.ply(position),
            "turn_due_ms": self.turn_due_ms(to_move, seats or self.room.seats),
        }

    def turn_due_ms(self, seat: str, seats: Sequence[Seat]) -> int | None:
        """When a move that ``seat`` begins now would be out of time: never for an AI's."""
        room = self.room
        holder = next(one for one in seats if one.seat == seat)
        timed = holder.kind == "person" and seat not in room.substituted and has_clock(room, seats)
        return self.now.service_ms + room.clock_ms if timed and room.clock_ms is not None else None


def has_clock(room: Room, seats: Sequence[Seat]) -> bool:
    """Whether moves are timed while these hold the seats."""
    people = {seat.person for seat in seats if seat.person is not None}
    return room.clock_ms is not None and (len(people) > 1 or not room.clock_with_others)
