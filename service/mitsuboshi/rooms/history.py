"""The room as it grows, event by event, while one command is decided."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mitsuboshi.games.game import Game
from mitsuboshi.games.registry import GAMES
from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.apply import apply
from mitsuboshi.rooms.commands import Now
from mitsuboshi.rooms.state import Room

SUBSTITUTE_LEVEL = "intermediate"
"""Of an AI that plays for a person."""


class History:
    """Collects the events of one command; ``room`` is the room after those so far."""

    def __init__(self, room: Room | None, now: Now, seed: int) -> None:
        self._room = room
        self._seed = seed
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
    def next_version(self) -> int:
        """The version of the event that happens next."""
        return self._room.version + 1 if self._room else 1

    def add(self, kind: Callable[..., e.AnyEvent], /, **fields: Any) -> None:
        """The event happens: it is stamped, kept and folded."""
        version = self.next_version
        event = kind(id=f"{version}-{self._seed}", version=version, at_ms=self.now.wall_ms, **fields)
        self.events.append(event)
        self._room = apply(self._room, event)

    def board(self, position: Any) -> dict[str, Any]:
        """What every event tells of the board that it brings."""
        to_move = self.game.to_move(position)
        return {
            "position": self.game.write(position),
            "to_move": to_move,
            "ply": self.game.ply(position),
            "turn_due_ms": self.turn_due_ms(to_move),
        }

    def turn_due_ms(self, seat: str) -> int | None:
        """When a move that ``seat`` begins now would be out of time: never for an AI's."""
        room = self.room
        holder = room.seat(seat)
        timed = holder is not None and holder.kind == "person" and seat not in room.substituted
        return self.now.service_ms + room.clock_ms if timed and room.clock_ms is not None else None
