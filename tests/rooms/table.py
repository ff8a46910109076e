"""A room as tests play with it: what is asked for is written as JSON has it, and what happened is kept."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest
from msgspec import structs

from mitsuboshi.games.game import PASS
from mitsuboshi.games.registry import GAMES
from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.decide import Decision, decide
from mitsuboshi.rooms.event_views import event_view
from mitsuboshi.rooms.follow import MoveJob, line_change, next_job
from mitsuboshi.rooms.refused import Code, Refused
from mitsuboshi.rooms.state import Line, Room
from mitsuboshi.rooms.views import Snapshot, snapshot

INVITE = "the-invite"
WAITS = c.Waits(idle_ms=1_800_000, presence_ms=15_000)
LIFE_MS = 86_400_000
BEGUN = c.Now(wall_ms=1_796_000_000_000, service_ms=5_000_000)


@contextmanager
def refused(code: Code, field: str | None = None) -> Iterator[None]:
    """Inside, something is refused with that code, and with that field where one is named."""
    with pytest.raises(Refused) as caught:
        yield
    assert (caught.value.code, field or caught.value.field) == (code, caught.value.field)


class Table:
    """One room and everybody around it. ``Table(...)`` creates it as ann, ``Table.of("bob", ...)`` as bob."""

    decision: Decision

    def __init__(self, **body: Any) -> None:
        self._begin("ann", body)

    @classmethod
    def of(cls, person: str, room_id: str = "room-id", **body: Any) -> Table:
        """The room that this person creates."""
        table = cls.__new__(cls)
        table._begin(person, body, room_id)
        return table

    def _begin(self, person: str, body: dict[str, Any], room_id: str = "room-id") -> None:
        self.now = BEGUN
        self.events: list[e.AnyEvent] = []
        self.lines: dict[int, Line] = {}
        self.sent = 0
        self.seen: dict[str, int] = {}
        self.before: Room | None = None
        asked = msgspec.convert({"game": "diamond"} | body, c.CreateRoom)
        self.room = self._decided(None, c.Create(room_id, person, INVITE, asked, LIFE_MS)).room

    def do(self, command: c.Command) -> Sequence[e.AnyEvent]:
        """The events that the command makes."""
        return self._decided(self.room, command).events

    def join(self, person: str, **body: Any) -> Sequence[e.AnyEvent]:
        """The person asks for a seat."""
        return self.do(c.Join(person, msgspec.convert(body, c.JoinRoom)))

    def act(self, person: str, kind: str, **fields: Any) -> Sequence[e.AnyEvent]:
        """The person's action of that type."""
        return self.do(c.Act(person, msgspec.convert({"type": kind} | fields, c.AnyAction)))  # type: ignore[arg-type]

    def ai(self, move: str | None = None, job_id: str | None = None, **fields: Any) -> Sequence[e.AnyEvent]:
        """The AI's answer: a move of its choice, to the job that waits."""
        return self.do(c.AiMove(job_id or self.job().job_id, move or self.any_move(), **fields))

    def close(self, person: str) -> Sequence[e.AnyEvent]:
        """The person asks to close the room."""
        return self.do(c.Close(person))

    def look(self, seen: dict[str, int] | None = None) -> Sequence[e.AnyEvent]:
        """A timer looks at the room; ``seen`` tells when people were last there, at once where not given."""
        here = dict.fromkeys(self.room.people(), self.now.service_ms)
        return self.do(c.Look(here if seen is None else seen, WAITS))

    def later(self, ms: int) -> None:
        """So much time passes."""
        self.now = c.Now(self.now.wall_ms + ms, self.now.service_ms + ms)

    def _decided(self, room: Room | None, command: c.Command) -> Decision:
        self.sent += 1
        number = self.sent.to_bytes(6)
        seed = number + hashlib.sha256(number).digest()[len(number) :]
        decision = decide(room, command, self.now, seed, self.line if room is not None else None)
        self.before, self.room, self.decision = room, decision.room, decision
        self.events += decision.events
        self._keep_line(decision)
        return decision

    def _keep_line(self, decision: Decision) -> None:
        change = line_change(decision.room, decision.events)
        if change.opening is not None:
            self.lines[change.game_number] = Line(change.opening, ())
        if change.keep is not None:
            line = self.lines[change.game_number]
            self.lines[change.game_number] = structs.replace(line, turns=line.turns[: change.keep])
        if change.grown:
            line = self.lines[change.game_number]
            self.lines[change.game_number] = structs.replace(line, turns=(*line.turns, *change.grown))

    @property
    def line(self) -> Line | None:
        """The line of the game in play, or of the last one."""
        return self.lines.get(self.room.game_number)

    def holder(self) -> str | None:
        """Who is to make the move: a person, or None for an AI."""
        seat = self.room.seat(self.room.to_move or "")
        assert seat is not None, "nobody is to move"
        return None if next_job(self.room) else seat.person

    def job(self) -> MoveJob:
        """The job that waits for a worker."""
        job = next_job(self.room)
        assert job is not None, "no AI is to move"
        return job

    def legal(self) -> list[str]:
        """The legal moves of the side to move."""
        game = GAMES[self.room.game]
        return game.legal_moves(game.load(self.room.position, self.room.options))

    def any_move(self, number: int = 0) -> str:
        """One of the legal moves, or a pass where there is none."""
        legal = self.legal()
        return legal[number % len(legal)] if legal else PASS

    def awaits_throw(self) -> bool:
        """Whether a person has to throw first."""
        game = GAMES[self.room.game]
        return bool(game.chance(game.load(self.room.position, self.room.options)))

    def turn(self, move: str | None = None) -> Sequence[e.AnyEvent]:
        """Whoever is to move makes this move, or any; or throws, where that is what it has to do."""
        person = self.holder()
        if person is not None and self.awaits_throw():
            return self.act(person, "roll")
        text = move or self.any_move()
        if person is None:
            return self.ai(text)
        return self.act(person, "pass") if text == PASS else self.act(person, "move", move=text)

    def turns(self, count: int) -> None:
        """So many turns are taken, by whoever is to move."""
        for number in range(count):
            self.turn(self.any_move(number))

    def seen_by(self, person: str | None) -> Snapshot:
        """The room as that person sees it now."""
        return snapshot(self.room, person, self.now, WAITS, self.seen)

    def kinds(self) -> list[str]:
        """The types of all events so far."""
        return [event_view(event)["type"] for event in self.events]


def types(events: Sequence[e.AnyEvent]) -> list[str]:
    """The types of these events."""
    return [event_view(event)["type"] for event in events]


def seats(table: Table) -> dict[str, str]:
    """Who holds what: a person's id, an AI's level, or ``open``."""
    return {seat.seat: seat.person or seat.level or seat.kind for seat in table.room.seats}
